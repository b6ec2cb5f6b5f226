"""Waiting for a match to move on, without holding a thread: the request is put aside, and asked again when it has."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import monotonic
from typing import TYPE_CHECKING, Any

from flask import request

from service.matches import Look
from service.wakeups import Bell
from service.web.reply import lang, service

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

KEY = "foldtable.waiting"
"""In a request's environment: what it waits for."""

PARKS = "foldtable.parks"
"""In a request's environment: whether the server puts aside who waits; else its thread waits."""


class Waiting:
    """What a request waits for, and until when."""

    def __init__(self, bell: Bell, before: str, end: float) -> None:
        self.bell = bell
        self.before = before
        """The ETag of what was there when it began to wait."""
        self.end = end
        """By the monotonic clock."""
        self.goes_on = False
        """Whether there was nothing to tell yet."""


class Parked(BaseException):
    """The request waits: to be asked again once its bell rings or its time is up. No error, and caught as none."""

    def __init__(self, waiting: Waiting) -> None:
        super().__init__("waits")
        self.waiting = waiting


def patiently(look: Callable[[], Look], seconds: int) -> Look | None:
    """The match once there is something to tell, or as it is when the time is up; None: it is to be asked again.

    Raises:  TooManyWait.
    """
    bells = service().bells
    waiting: Waiting | None = request.environ.get(KEY)
    if waiting is None:
        seen = look()
        before = seen.etag(lang())
        if bells.is_closed or _is_news(seen, before):
            return seen
        waiting = request.environ[KEY] = Waiting(bells.hang(seen.log.id), before, monotonic() + seconds)
    waiting.bell.silence()
    # after the bell: what is written from here on rings it
    seen = look()
    waiting.goes_on = not (bells.is_closed or monotonic() >= waiting.end or _is_news(seen, waiting.before))
    return None if waiting.goes_on else seen


def _is_news(look: Look, before: str) -> bool:
    known = request.if_none_match
    tag = look.etag(lang())
    return not known.contains_weak(tag) if known else bool(tag != before or look.decision or look.entry.is_over)


class Patience:
    """Around the app: a request that waits is asked again, and its answer is the one that it gets in the end."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """The answer. Raises Parked where the server puts aside who waits."""
        while True:
            told: list[Any] = []
            if (asked := environ.get(KEY)) is not None:
                # it may be answered before anybody looks at the match
                asked.goes_on = False
            try:
                body = self._app(environ, lambda *args, told=told: told.extend(args))
            except BaseException:
                _over(environ)
                raise
            waiting: Waiting | None = environ.get(KEY)
            if waiting is None or not waiting.goes_on:
                _over(environ)
                start_response(*told)
                return body
            if (close := getattr(body, "close", None)) is not None:
                close()
            if environ.get(PARKS):
                raise Parked(waiting)
            waiting.bell.wait(waiting.end - monotonic())


def _over(environ: WSGIEnvironment) -> None:
    waiting: Waiting | None = environ.get(KEY)
    if waiting is not None:
        waiting.bell.take_down()
