"""What the processes log, configured once for all: who logs, for which request and match, and never a secret."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Callable, Mapping, MutableMapping
from traceback import extract_tb
from typing import Any, TextIO

import msgspec
import structlog

LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}

SECRET = re.compile(
    r"(?i:\b(?:bearer|basic)\s+)\S+"  # what a header brings
    r"|(?<=://)[^/\s@]*(?=@)"  # who enters an address, and by which password
    r"|(?<![\w-])(?:[A-Za-z0-9_-]{43}|[0-9a-f]{64})(?![\w-])"  # tokens as they are made here
    r"|(?s:(?<=\nDETAIL: ).*)"  # the row that PostgreSQL did not take
)
"""What no line may hold, wherever it came from. Ours hold none; those of libraries might."""

BLOT = "***"

MATCH = re.compile(r"m_[a-z0-9]{1,32}")
"""An id as matches are given here. One that came from elsewhere may be longer, and is not told."""

Fields = MutableMapping[str, Any]
Source = Callable[[], Mapping[str, object]]
"""Tells what a line is about besides what it says, like the request that is being answered."""

_sources: list[Source] = []
_tells_requests = False


def configure(process: str, level: str = "info", to: TextIO | None = None) -> None:
    """Have this process log lines of that level and above: JSON, or at a terminal names and values for people.

    What libraries and the lower folders say by the standard library goes the same way.
    """
    global _tells_requests  # noqa: PLW0603  # asked at every request: it must cost nothing
    to = to or sys.stderr
    lowest = LEVELS[level]
    _tells_requests = lowest <= logging.DEBUG
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _by(process),
            _about,
            where,
            blot,
            _ordered,
            _as_values if to.isatty() else _as_json,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(lowest),
        logger_factory=structlog.WriteLoggerFactory(to),
        cache_logger_on_first_use=True,
    )
    root = logging.getLogger()
    root.handlers = [Forwarded()]
    root.setLevel(max(lowest, logging.WARNING))


def tells_requests() -> bool:
    """Whether each request is to be told of in a line."""
    return _tells_requests


def is_id(text: str) -> bool:
    """Whether it may be told as a match's id: what somebody asks for may be anything, a token too."""
    return MATCH.fullmatch(text) is not None


def about(source: Source) -> None:
    """Have lines tell this too; of the same source once."""
    if source not in _sources:
        _sources.append(source)


class Forwarded(logging.Handler):
    """Takes what is said by the standard library."""

    def emit(self, record: logging.LogRecord) -> None:
        """See `Handler.emit`."""
        more = {"exc_info": record.exc_info} if record.exc_info else {}
        structlog.get_logger(record.name).log(record.levelno, record.getMessage(), logger=record.name, **more)


def where(logger: object, name: str, fields: Fields) -> Fields:
    """Of an exception its kind and its place: its words, and a frame's variables, may tell of a hand."""
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
    """Blot out whatever looks like a secret."""
    for key, value in fields.items():
        if isinstance(value, int | float | bool | None):
            continue
        text = value if isinstance(value, str) else str(value)
        if SECRET.search(text):
            fields[key] = SECRET.sub(BLOT, text)
    return fields


def _by(process: str) -> structlog.types.Processor:
    def add(logger: object, name: str, fields: Fields) -> Fields:
        # asked each time: a process that was forked off has another id
        fields.update(process=process, pid=os.getpid())
        return fields

    return add


def _about(logger: object, name: str, fields: Fields) -> Fields:
    for source in _sources:
        for key, value in source().items():
            fields.setdefault(key, value)
    return fields


def _ordered(logger: object, name: str, fields: Fields) -> Fields:
    """Time, level and what happened first."""
    first = {key: fields[key] for key in ("timestamp", "level", "event", "process", "pid") if key in fields}
    return {**first, **fields}


def _as_json(logger: object, name: str, fields: Fields) -> str:
    return msgspec.json.encode(fields, enc_hook=str).decode()


_values = structlog.processors.LogfmtRenderer()


def _as_values(logger: object, name: str, fields: Fields) -> str:
    return str(_values(logger, name, fields))
