"""The turns of bots, for who plays them: many matches in one request, each with a move or without.

A bot is told what its seat may read and nothing else, and moves as a person does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Annotated, Any

import msgspec
import structlog

from domain.game import Refusal
from events.codec import UnknownEvent, Unreadable, told
from events.envelope import Stored
from events.store import Fact, Recorder, StoreError
from replays.log import OtherRules, UnknownMatch
from service.deeds import BOT, OF_WORKERS, Asker, Deed
from service.matches.change import Changed
from service.matches.lobby import viewpoint
from service.matches.playing import Choice, Playing
from service.matches.states import Recent
from service.matches.views import Views
from service.problems import Problem

MATCHES = 64
"""Most matches in a request."""

PAGE = 500
"""Most events that are told of a seat in one answer."""

LOT = 32
"""Matches of a request that are decided in one go, and share a commit: meanwhile nobody else is looked after."""

TAILS, LAST = 512, 64
"""Of how many matches it is kept what was stored last, and how many events at most."""

BOTS = "bot:"
"""Before the name of a bot, where a decision says who is to answer."""

logger = structlog.get_logger(__name__)

Version = Annotated[int, msgspec.Meta(ge=0, le=(1 << 53) - 1)]
Seat = Annotated[int, msgspec.Meta(ge=0, le=100)]


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bot answers."""

    seat: Seat
    decision: Version
    move: dict[str, Any]


class Turn(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A match that somebody plays the bots of."""

    match: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    known: dict[Seat, Version] = {}
    """By seat, the version up to which the asker knows what it was told."""
    move: Answer | None = None
    """None: the asker only looks."""


class ToldEvent(msgspec.Struct, frozen=True):
    """An event as a seat may read it: its public part, with the secrets put in that the seat may read."""

    type: str
    """What it is."""
    schema: int
    """Which version of the event's shape it has."""
    public: Annotated[msgspec.Raw, msgspec.Meta(extra_json_schema={"type": "object"})]
    """What everybody may read of it, by its fields; `type` says what it is."""


class AskedBot(msgspec.Struct, frozen=True):
    """A bot that is asked, with what its seat was told after the version that you know it up to."""

    seat: int
    decision: int
    bot: str
    wait: float
    """Seconds until it may be answered; nothing is told before."""
    after: int
    """The version after which what you are told begins."""
    events: tuple[ToldEvent, ...]
    more: bool
    """Whether there are more events than were told."""


class BotTurnTaken(msgspec.Struct, frozen=True):
    """What came of a turn."""

    match: str
    made: bool
    """Whether the move counted."""
    problem: str | None
    """The code of what was wrong, if something was."""
    bots: tuple[AskedBot, ...] = ()


class BotTurnsTaken(msgspec.Struct, frozen=True):
    """In the order in which they were asked for."""

    turns: tuple[BotTurnTaken, ...]


class _Tail(msgspec.Struct, frozen=True):
    """What was stored last in a match's log."""

    after: int
    """The version before."""
    facts: tuple[Fact, ...]

    @property
    def version(self) -> int:
        """Of its last event."""
        return self.after + len(self.facts)


class Turns:
    """The use case."""

    def __init__(self, recorder: Recorder, playing: Playing, views: Views) -> None:
        self.front = playing.front
        self._recorder = recorder
        self._playing = playing
        self._views = views
        self._tails: Recent[str, _Tail] = Recent(TAILS)

    @Deed("takeBotTurns", (BOT,), free=OF_WORKERS)
    def take(self, asker: Asker, turns: Sequence[Turn]) -> BotTurnsTaken:
        """Make the moves, each by itself, and tell who is asked then.

        Raises:  Unauthorized, Forbidden; StoreError. What is wrong with one match is told in its place.
        """
        # whoever else asks goes on while a lot is stored
        lots = (turns[start : start + LOT] for start in range(0, len(turns), LOT))
        return BotTurnsTaken(tuple([taken for lot in lots for taken in self._take(asker, lot)]))

    def _take(self, asker: Asker, turns: Sequence[Turn]) -> list[BotTurnTaken]:
        moves = {
            number: (turn.match, turn.move.seat, Choice(decision=turn.move.decision, move=turn.move.move))
            for number, turn in enumerate(turns)
            if turn.move is not None
        }
        made = dict(zip(moves, self._playing.move_all(asker, list(moves.values())), strict=True)) if moves else {}
        return [self._taken(asker, turn, made.get(number)) for number, turn in enumerate(turns)]

    def _taken(self, asker: Asker, turn: Turn, result: Changed | Exception | None) -> BotTurnTaken:
        """What came of a turn; `result`: of its move, if it brought one."""
        changed = result if isinstance(result, Changed) else None
        made, problem = changed is not None, None
        try:
            if isinstance(result, Refusal):
                problem = result.code
            elif isinstance(result, Exception):
                raise result
            return BotTurnTaken(turn.match, made, problem, self._asked(asker, turn, changed))
        except Problem as error:
            return BotTurnTaken(turn.match, made, error.code)
        except UnknownMatch:
            return BotTurnTaken(turn.match, made, "unknown-match")
        except OtherRules:
            return BotTurnTaken(turn.match, made, "other-rules")
        except (Unreadable, UnknownEvent):
            return BotTurnTaken(turn.match, made, "unreadable")
        except StoreError:
            raise
        except Exception as error:
            # rules that fail are to hold up nobody else's match
            logger.error("unforeseen", match=turn.match, exc_info=error)
            return BotTurnTaken(turn.match, made, "internal")

    def _asked(self, asker: Asker, turn: Turn, changed: Changed | None) -> tuple[AskedBot, ...]:
        if changed is not None:
            self._remember(turn.match, changed.stored.get(turn.match, ()))
        if changed is None or changed.decisions is None:
            entry, asked = self._views.asked_bots(turn.match, asker)
        else:
            # what was just stored need not be read back
            entry = changed.position.entry
            asked = self._views.waits(entry, tuple([one for one in changed.decisions if one.who.startswith(BOTS)]))
        found = []
        for decision, wait in asked:
            seat = viewpoint(entry, asker, decision.seat)
            assert seat is not None, "it was named"
            after = turn.known.get(seat, 0)
            events, more = ((), False) if wait else self._told(turn.match, seat, after, decision.since)
            bot = decision.who.removeprefix(BOTS)
            found.append(AskedBot(seat, decision.since, bot, wait, after, events, more))
        return tuple(found)

    def _remember(self, match_id: str, stored: tuple[Stored, ...]) -> None:
        """What a move has just stored: the next seats that are asked are told it."""
        if not stored:
            return
        facts = tuple([(event.type, event.schema, event.public, event.secret) for event in stored])
        after = stored[0].version - 1
        if (before := self._tails.get(match_id)) is not None and before.version == after:
            facts = (*before.facts, *facts)[-LAST:]
        self._tails.put(match_id, _Tail(stored[-1].version - len(facts), facts))

    def _told(self, match_id: str, seat: int, after: int, least: int) -> tuple[tuple[ToldEvent, ...], bool]:
        """What the seat may read of the events after the version, up to `least` at least if there is room; and whether
        there are more.
        """
        tail = self._tails.get(match_id)
        facts: Iterator[Fact]
        if tail is not None and tail.after <= after and tail.version >= least:
            facts = iter(tail.facts[after - tail.after :])
        else:
            facts = iter(self._recorder.facts(match_id, after))
        page = tuple(
            [
                ToldEvent(type, schema, msgspec.Raw(told(public, secret, seat)))
                for type, schema, public, secret in islice(facts, PAGE)
            ]
        )
        return page, next(facts, None) is not None
