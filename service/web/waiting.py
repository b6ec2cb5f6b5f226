"""Waiting for a match to move on: the request is asked again when it has, and holds nothing of the app meanwhile."""

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
from service.ids import digest
from service.matches import Look, answers
from service.wakeups import Bell, token_name
from service.web.limiting import place_to_wait
from service.web.middleware import token_said
from service.web.reply import noted, service

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

T = TypeVar("T")

KEY = "foldtable.waiting"
"""In a request's environment: what it waits for."""

CALLER = "foldtable.caller"
"""In a request's environment: its connection, which notices when the other side hangs up."""


FEW = 16
"""So many whose time is up are answered at once: those who began together end together, and others are served between.
"""


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

    @property
    def is_late(self) -> bool:
        """Whether its time is up."""
        return monotonic() >= self.end


def patiently(see: Callable[[], T], seconds: int, news: News[T]) -> T | None:
    """What there is to see once there is something to tell, or as it is when the time is up; None: ask again.

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
    # after the bell: what is written from here on rings it
    seen = see()
    is_over = bells.is_closed or noted().get("is_cookie_stale") or waiting.is_late
    waiting.goes_on = not (is_over or _is_news(news, seen, waiting.before))
    return None if waiting.goes_on else seen


def until_revoked(bell: Bell) -> str:
    """Have the bell ring also when the token that asks holds no longer. Returns the name that is called then; "" for
    strangers.
    """
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
    """What a request waits for."""

    tag: Callable[[T], str]
    """Changes whenever the answer does."""
    is_enough: Callable[[T], bool]
    """Whether it need not wait at all."""
    hang: Callable[[T, Callable[[], object]], Bell]
    """A bell that rings when there may be news; and what is called when it is taken down."""
    is_for_turn: bool = False
    """Whether nothing counts but that it is enough."""


def of_match(spoken: Lang, *, is_for_turn: bool = False) -> News[Look]:
    """News of a match: that it has moved on, or that it waits for whoever asks."""

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
    """News of what waits for a player: that something does, or something else than is known."""
    return News(
        tag=lambda turns: digest(msgspec.json.encode([turns, player]))[:32],
        is_enough=lambda turns: bool(turns.turns),
        hang=lambda turns, over: service().players.hang(player, over),
    )


class Patience:
    """Around the app: a request that waits is asked again, and its answer is the one that it gets in the end."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app
        self._turns = BoundedSemaphore(FEW)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """The answer. Raises Gone when nobody waits for it any more."""
        try:
            while True:
                told: list[Any] = []
                if (asked := environ.get(KEY)) is not None:
                    # it may be answered before anybody looks at the match
                    asked.goes_on = False
                with self._turns if asked is not None and asked.is_late else nullcontext():
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
