"""The turns of bots, for who plays them: many matches in one request, each with a move or without.

A bot is told what its seat may read and nothing else, and moves as a person does.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from typing import Annotated, Any

import msgspec

from domain.game import Refusal
from events.codec import UnknownEvent, Unreadable, told
from events.store import Recorder
from replays.log import OtherRules, UnknownMatch
from service.accounts import BOT, Asker
from service.matches.lobby import viewpoint
from service.matches.playing import Choice, Playing
from service.matches.states import States
from service.matches.views import Views
from service.problems import Problem

MATCHES = 64
"""Most matches in a request."""

PAGE = 500
"""Most events that are told of a seat in one answer."""

AT_ONCE = 16
"""Matches of a request that are looked after at a time: their appends share a commit."""


Version = Annotated[int, msgspec.Meta(ge=0, le=(1 << 53) - 1)]
Seat = Annotated[int, msgspec.Meta(ge=0, le=100)]


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bot answers."""

    seat: Seat
    decision: Version
    move: dict[str, Any]


class Turn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match that somebody plays the bots of."""

    match: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    known: dict[Seat, Version] = {}
    """By seat, the version up to which the asker knows what it was told."""
    move: Answer | None = None
    """None: the asker only looks."""


class Told(msgspec.Struct, frozen=True):
    """Of an event, as a seat may read it, what folding needs."""

    type: str
    schema: int
    public: msgspec.Raw
    """Its public part, with the secrets told that the seat may read."""


class Asked(msgspec.Struct, frozen=True):
    """A bot that is asked, and what its seat was told since the asker looked last."""

    seat: int
    decision: int
    bot: str
    wait: float
    after: int
    events: tuple[Told, ...]
    more: bool


class Taken(msgspec.Struct, frozen=True):
    """What came of a turn."""

    match: str
    made: bool
    """Whether the move counted."""
    problem: str | None
    """Why it did not, or why nothing is told of the match."""
    bots: tuple[Asked, ...] = ()


class Turns:
    """The use case."""

    def __init__(self, recorder: Recorder, states: States, playing: Playing, views: Views) -> None:
        self._recorder = recorder
        self._states = states
        self._playing = playing
        self._views = views
        self._pool = ThreadPoolExecutor(AT_ONCE, "turns")

    def take(self, asker: Asker, turns: Sequence[Turn]) -> list[Taken]:
        """Make the moves, each by itself, and tell who is asked then.

        Raises:  Unauthorized, Forbidden; StoreError. What is wrong with one match is told in its place.
        """
        asker.need(BOT)
        if len(turns) == 1:
            return [self._take(asker, turns[0])]
        return list(self._pool.map(partial(self._take, asker), turns))

    def close(self) -> None:
        """Let go of the threads."""
        self._pool.shutdown()

    def _take(self, asker: Asker, turn: Turn) -> Taken:
        made, problem = False, None
        try:
            if (answer := turn.move) is not None:
                choice = Choice(decision=answer.decision, move=answer.move)
                try:
                    self._playing.move(turn.match, asker, answer.seat, choice, None)
                    made = True
                except Refusal as refusal:
                    problem = refusal.code
            return Taken(turn.match, made, problem, self._asked(asker, turn))
        except Problem as error:
            return Taken(turn.match, made, error.code)
        except UnknownMatch:
            return Taken(turn.match, made, "unknown-match")
        except OtherRules:
            return Taken(turn.match, made, "other-rules")
        except (Unreadable, UnknownEvent):
            return Taken(turn.match, made, "unreadable")

    def _asked(self, asker: Asker, turn: Turn) -> tuple[Asked, ...]:
        entry, asked = self._views.asked_bots(turn.match, asker)
        found = []
        for decision, wait in asked:
            seat = viewpoint(entry, asker, decision.seat)
            assert seat is not None, "it was named"
            after = turn.known.get(seat, 0)
            events, more = ((), False) if wait else self._told(turn.match, seat, after)
            bot = decision.who.removeprefix("bot:")
            found.append(Asked(seat, decision.since, bot, wait, after, events, more))
        return tuple(found)

    def _told(self, match_id: str, seat: int, after: int) -> tuple[tuple[Told, ...], bool]:
        """What the seat may read of the events after the version, and whether there are more."""
        facts = iter(self._recorder.facts(match_id, after))
        page = tuple(
            Told(type, schema, msgspec.Raw(told(public, secret, seat) if len(secret) > 2 else public))
            for type, schema, public, secret in islice(facts, PAGE)
        )
        return page, next(facts, None) is not None
