"""The configuration of logging for all processes: each line names its process, request and match, and no secret."""

from __future__ import annotations

import json
import logging
import os
import re
import sys
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import suppress
from traceback import extract_tb
from typing import Any, TextIO, cast

import msgspec
import structlog
from structlog.processors import JSONRenderer, LogfmtRenderer

LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}

SECRET = re.compile(
    r"(?i:\b(?:bearer|basic)\s+)\S+"  # credentials from a header
    r"|(?<=://)[^/\s@]*(?=@)"  # user and password in a URL
    r"|(?<![\w-])(?:[A-Za-z0-9_-]{43}|[0-9a-f]{64})(?![\w-])"  # tokens of this service
    r"|(?s:(?<=\nDETAIL: ).*)"  # the row that PostgreSQL refused
)
"""Text that no line may contain. Our own lines contain none; lines of libraries might."""

BLOT = "***"

MATCH = re.compile(r"m_[a-z0-9]{1,32}")
"""An id that this service gives to matches. A longer id, which came from elsewhere, is not logged."""

Fields = MutableMapping[str, Any]
Source = Callable[[], Mapping[str, object]]
"""Returns further fields for each line, for instance the request that is being answered."""

_sources: list[Source] = []
tells_requests = False
"""Whether each request is logged. It is read at every request: it must cost nothing."""


def configure(process: str, level: str = "info") -> None:
    """Make this process, with its libraries, log such lines and graver ones: as JSON, or as values at a terminal."""
    global tells_requests  # noqa: PLW0603
    lowest = LEVELS[level]
    tells_requests = lowest <= logging.DEBUG
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            # the id is read each time: a forked process has another one
            lambda _, __, fields: {**fields, "process": process, "pid": os.getpid()},
            _about,
            where,
            blot,
            _ordered,
            LogfmtRenderer() if sys.stderr is not None and sys.stderr.isatty() else JSONRenderer(serializer=_encoded),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(lowest),
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", Lossy(sys.stderr))),
        cache_logger_on_first_use=True,
    )
    root = logging.getLogger()
    root.handlers = [Forwarded()]
    root.setLevel(max(lowest, logging.WARNING))


class Lossy:
    """Drops what can't be written, for instance on a full disk: requests are answered nevertheless."""

    def __init__(self, to: TextIO) -> None:
        self._to = to

    def write(self, text: str) -> None:
        """Write the text, or drop it."""
        with suppress(OSError):
            self._to.write(text)

    def flush(self) -> None:
        """Flush what was written, or drop it."""
        with suppress(OSError):
            self._to.flush()


def is_id(text: str) -> bool:
    """Return whether the text may be logged as a match's id: a client may send anything in its place, even a token."""
    return MATCH.fullmatch(text) is not None


def about(source: Source) -> None:
    """Add the source's fields to each line from now on. A second call with the same source does nothing."""
    if source not in _sources:
        _sources.append(source)


class Forwarded(logging.Handler):
    """Passes records of the standard library's logging on to structlog."""

    def emit(self, record: logging.LogRecord) -> None:
        more = {"exc_info": record.exc_info} if record.exc_info else {}
        structlog.get_logger(record.name).log(record.levelno, record.getMessage(), logger=record.name, **more)


def where(logger: object, name: str, fields: Fields) -> Fields:
    """Replace an exception by its kind and its place: its text and a frame's variables may reveal a hand."""
    error = fields.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()
    if isinstance(error, BaseException):
        error = (type(error), error, error.__traceback__)
    if error and error[0] is not None:
        fields["kind"] = error[0].__name__
        fields["where"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in extract_tb(error[2])]
    fields.pop("stack_info", None)
    return fields


def blot(logger: object, name: str, fields: Fields) -> Fields:
    """Replace everything that looks like a secret by BLOT."""
    for key, value in fields.items():
        if isinstance(value, int | float | bool | None):
            continue
        text = value if isinstance(value, str) else str(value)
        if SECRET.search(text):
            fields[key] = SECRET.sub(BLOT, text)
    return fields


def _about(logger: object, name: str, fields: Fields) -> Fields:
    for source in _sources:
        for key, value in source().items():
            fields.setdefault(key, value)
    return fields


def _ordered(logger: object, name: str, fields: Fields) -> Fields:
    """Put the time, the level and the event first."""
    first = {key: fields[key] for key in ("timestamp", "level", "event", "process", "pid") if key in fields}
    return {**first, **fields}


def _encoded(fields: Fields, **_: object) -> str:
    try:
        return msgspec.json.encode(fields, enc_hook=str).decode()
    except UnicodeEncodeError:
        # a name of a file that is not UTF-8
        return json.dumps(fields, default=str)


logger = structlog.get_logger(__name__)


class OutageLog:
    """Logs once that something does not answer, and once that it answers again."""

    def __init__(self, what: str) -> None:
        self._what = what
        self.is_out = False

    def begins(self, error: Exception) -> None:
        """Note, and log once, that it does not answer."""
        if not self.is_out:
            logger.warning(f"{self._what} does not answer; trying again until it does", error=str(error))
        self.is_out = True

    def ends(self) -> None:
        """Note, and log once, that it answers again."""
        if self.is_out:
            logger.info(f"{self._what} answers again")
        self.is_out = False
