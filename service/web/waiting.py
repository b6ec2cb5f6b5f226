"""Waiting for a match to move on: the request is asked again when it has, and holds nothing of the app meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import monotonic
from typing import TYPE_CHECKING, Any

from flask import request

from service.matches import Look
from service.wakeups import Bell
from service.web.limiting import place_to_wait
from service.web.reply import lang, service

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

KEY = "foldtable.waiting"
"""In a request's environment: what it waits for."""

CALLER = "foldtable.caller"
"""In a request's environment: its connection, which notices when the other side hangs up."""


class Gone(Exception):
    """Nobody is there any more to be answered."""


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


def patiently(look: Callable[[], Look], seconds: int) -> Look | None:
    """The match once there is something to tell, or as it is when the time is up; None: it is to be asked again.

    Raises:  TooMany, TooManyWait.
    """
    bells = service().bells
    waiting: Waiting | None = request.environ.get(KEY)
    if waiting is None:
        seen = look()
        before = seen.etag(lang())
        if bells.is_closed or _is_news(seen, before):
            return seen
        waiting = request.environ[KEY] = Waiting(
            bells.hang(seen.log.id, place_to_wait()), before, monotonic() + seconds
        )
    waiting.bell.silence()
    # after the bell: what is written from here on rings it
    seen = look()
    waiting.bell.seen = seen.state.version
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
        """The answer. Raises Gone when nobody waits for it any more."""
        try:
            while True:
                told: list[Any] = []
                if (asked := environ.get(KEY)) is not None:
                    # it may be answered before anybody looks at the match
                    asked.goes_on = False
                body = self._app(environ, lambda *args, told=told: told.extend(args))
                waiting: Waiting | None = environ.get(KEY)
                if waiting is None or not waiting.goes_on:
                    start_response(*told)
                    return body
                if (close := getattr(body, "close", None)) is not None:
                    close()
                del body, told
                _wait(environ, waiting)
        finally:
            if KEY in environ:
                environ[KEY].bell.take_down()


def _wait(environ: WSGIEnvironment, waiting: Waiting) -> None:
    seconds = waiting.end - monotonic()
    if (caller := environ.get(CALLER)) is not None:
        caller.wait(waiting.bell, seconds)
    else:
        waiting.bell.wait(seconds)
