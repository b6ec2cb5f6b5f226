"""Requests that wait for news: the app answers them again when there may be news, and keeps nothing meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from threading import BoundedSemaphore
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec
from flask import request

from domain.game import Lang
from replays.log import private_stream
from service.matches import Look, answers
from service.signing import digest
from service.wakeups import Bell, token_name
from service.web.limiting import place_to_wait
from service.web.middleware import token_said
from service.web.reply import noted, service

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

T = TypeVar("T")

KEY = "foldtable.waiting"
"""The key in a request's environment for what it waits for."""

CALLER = "foldtable.caller"
"""The key in a request's environment for its connection, which notices when the client closes it."""


FEW = 16
"""The most requests whose time is up that are answered at once, so that others are served between them."""


class Gone(Exception):
    """The client has closed the connection."""


class Waiting:
    """What a request waits for, and until when."""

    def __init__(self, bell: Bell, before: str, end: float) -> None:
        self.bell = bell
        self.before = before
        """The ETag at the beginning."""
        self.end = end
        """The end of its time, by the monotonic clock."""
        self.goes_on = False
        """Whether there was no news yet."""

    @property
    def is_late(self) -> bool:
        """Whether its time is up."""
        return monotonic() >= self.end


def patiently(see: Callable[[], T], seconds: int, news: News[T]) -> T | None:
    """Return what `see` returns, once that is news or the time is up. Returns None if the request goes on waiting.

    Raises:  TooMany, TooManyWait.
    """
    bells = service().bells
    waiting: Waiting | None = request.environ.get(KEY)
    if waiting is None:
        seen = see()
        before = news.tag(seen)
        if bells.is_closed or _is_news(news, seen, before):
            return seen
        bell = news.hang(seen, place_to_wait())
        until_revoked(bell)
        waiting = request.environ[KEY] = Waiting(bell, before, monotonic() + seconds)
    waiting.bell.silence()
    # read only after the bell is silent: events from here on ring it again
    seen = see()
    is_over = bells.is_closed or noted().get("is_cookie_stale") or waiting.is_late
    waiting.goes_on = not (is_over or _is_news(news, seen, waiting.before))
    return None if waiting.goes_on else seen


def until_revoked(bell: Bell) -> str:
    """Have the bell ring also when the request's token is revoked. Returns the name that rings it; "" for strangers."""
    name = token_name(digest(token)) if (token := token_said()) else ""
    if name:
        service().bells.hang_also(bell, name)
    return name


def _is_news(news: News[T], seen: T, before: str) -> bool:
    known = request.if_none_match
    tag = news.tag(seen)
    if known and not news.is_for_turn:
        return not known.contains_weak(tag)
    return news.is_enough(seen) or (tag != before and not news.is_for_turn)


class News(msgspec.Struct, Generic[T], frozen=True):
    """Decides what is news to a waiting request."""

    tag: Callable[[T], str]
    """Returns a tag that changes whenever the answer does."""
    is_enough: Callable[[T], bool]
    """Returns whether the request need not wait."""
    hang: Callable[[T, Callable[[], object]], Bell]
    """Returns a bell that rings when there may be news; the second argument is called when it is taken down."""
    is_for_turn: bool = False
    """Whether only `is_enough` counts as news."""


def of_match(spoken: Lang, *, is_for_turn: bool = False) -> News[Look]:
    """Return what is news of a match: it has changed or, with `is_for_turn`, it is the asker's turn."""

    def hang(look: Look, over: Callable[[], object]) -> Bell:
        own = () if look.seat is None else (private_stream(look.log.id, look.seat),)
        return service().bells.hang(look.log.id, *own, over=over)

    return News(
        tag=lambda look: look.etag(spoken),
        is_enough=lambda look: bool(look.decision or look.entry.is_over),
        hang=hang,
        is_for_turn=is_for_turn,
    )


def of_turns(player: str) -> News[answers.Turns]:
    """Return what is news of a player's turns: there is one, or they have changed."""
    return News(
        tag=lambda turns: digest(msgspec.json.encode([turns, player]))[:32],
        is_enough=lambda turns: bool(turns.turns),
        hang=lambda turns, over: service().players.hang(player, over),
    )


class Patience:
    """Middleware for waiting requests: the app answers them again and again, and only the last answer is sent."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app
        self._turns = BoundedSemaphore(FEW)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Return the last answer. Raises Gone if the client has closed the connection."""
        try:
            while True:
                started: list[Any] = []
                if (before := environ.get(KEY)) is not None:
                    # the app may answer without looking at the match
                    before.goes_on = False
                with self._turns if before is not None and before.is_late else nullcontext():
                    body = self._app(environ, lambda *args, started=started: started.extend(args))
                waiting: Waiting | None = environ.get(KEY)
                if waiting is None or not waiting.goes_on:
                    start_response(*started)
                    return body
                if (close := getattr(body, "close", None)) is not None:
                    close()
                del body, started
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
