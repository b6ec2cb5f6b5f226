"""The turns of bots, for the workers that play them: many matches in one request, each with or without a move.

A bot learns only what its seat may read, and moves as a person does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Annotated, Any

import msgspec
import structlog

from domain.game import Refusal
from events.chain import Stored
from events.codec import told
from events.store import Fact, Recorder
from service.deeds import BOT, OF_WORKERS, Asker, Deed
from service.matches.change import Changed
from service.matches.playing import Choice, Playing
from service.matches.states import Recent, viewpoint
from service.matches.views import Views
from service.problems import INTERNAL, code_of

MATCHES = 64
"""The most matches in a request."""

PAGE = 500
"""The most events for one seat in an answer."""

LOT = 32
"""The number of matches that are decided together and share a commit; no other request is served meanwhile."""

TAILS, LAST = 512, 64
"""The number of matches whose latest events are kept, and the most events of each."""

BOTS = "bot:"
"""Stands before a bot's name where a decision says who must answer."""

logger = structlog.get_logger(__name__)

Version = Annotated[int, msgspec.Meta(ge=0, le=(1 << 53) - 1)]
Seat = Annotated[int, msgspec.Meta(ge=0, le=100)]


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot's answer to a decision."""

    seat: Seat
    decision: Version
    move: dict[str, Any]


class Turn(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A match whose bots the asker plays."""

    match: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    known: dict[Seat, Version] = {}
    """By seat, the version up to which the asker has the seat's events."""
    move: Answer | None = None
    """The bot's move; None if the asker only looks."""


class ToldEvent(msgspec.Struct, frozen=True):
    """An event as a seat may read it: the public fields, and the hidden ones that the seat may read."""

    type: str
    """The kind of event."""
    schema: int
    """The version of the event's shape."""
    public: Annotated[msgspec.Raw, msgspec.Meta(extra_json_schema={"type": "object"})]
    """The fields that the seat may read; `type` says which fields there are."""


class AskedBot(msgspec.Struct, frozen=True):
    """An open decision of a bot, with the events of its seat that you don't have yet."""

    seat: int
    decision: int
    bot: str
    wait: float
    """The seconds until it may be answered; until then `events` is empty."""
    after: int
    """The version after which `events` begins."""
    events: tuple[ToldEvent, ...]
    more: bool
    """Whether there are more events than these."""


class BotTurnTaken(msgspec.Struct, frozen=True):
    """The result of a turn."""

    match: str
    made: bool
    """Whether the move was made."""
    problem: str | None
    """The code of the problem; null if there was none."""
    bots: tuple[AskedBot, ...] = ()


class BotTurnsTaken(msgspec.Struct, frozen=True):
    """The results of the turns, in the order of the request."""

    turns: tuple[BotTurnTaken, ...]


class _Tail(msgspec.Struct, frozen=True):
    """The latest events of a match's log."""

    after: int
    """The version before the first of them."""
    facts: tuple[Fact, ...]

    @property
    def version(self) -> int:
        """The version of its last event."""
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
        """Make the moves, each by itself. Returns for each match which bots are asked then.

        Raises:  Unauthorized, Forbidden; StoreError. A problem with one match is part of the answer.
        """
        # between two lots other requests are served
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
        """Return the answer to a turn. `result`: that of its move, if it has one."""
        changed = result if isinstance(result, Changed) else None
        made, problem = changed is not None, None
        try:
            if isinstance(result, Refusal):
                problem = result.code
            elif isinstance(result, Exception):
                raise result
            return BotTurnTaken(turn.match, made, problem, self._asked(asker, turn, changed))
        except Exception as error:
            if (code := code_of(error)) == INTERNAL:
                logger.error("unforeseen", match=turn.match, exc_info=error)
            return BotTurnTaken(turn.match, made, code)

    def _asked(self, asker: Asker, turn: Turn, changed: Changed | None) -> tuple[AskedBot, ...]:
        if changed is not None:
            self._remember(turn.match, changed.stored.get(turn.match, ()))
        if changed is None or changed.decisions is None:
            entry, asked = self._views.asked_bots(turn.match, asker)
        else:
            # what was just stored need not be read back
            entry = changed.position.entry
            asked = self._views.waits(entry, tuple([each for each in changed.decisions if each.who.startswith(BOTS)]))
        bots = []
        for decision, wait in asked:
            seat = viewpoint(entry, asker, decision.seat)
            assert seat is not None, "the decision names it"
            after = turn.known.get(seat, 0)
            events, more = ((), False) if wait else self._told(turn.match, seat, after, decision.since)
            bot = decision.who.removeprefix(BOTS)
            bots.append(AskedBot(seat, decision.since, bot, wait, after, events, more))
        return tuple(bots)

    def _remember(self, match_id: str, stored: tuple[Stored, ...]) -> None:
        """Keep what a move has just stored, for the seats that are asked next."""
        if not stored:
            return
        facts = tuple([(event.type, event.schema, event.public, event.secret) for event in stored])
        after = stored[0].version - 1
        if (before := self._tails.get(match_id)) is not None and before.version == after:
            facts = (*before.facts, *facts)[-LAST:]
        self._tails.put(match_id, _Tail(stored[-1].version - len(facts), facts))

    def _told(self, match_id: str, seat: int, after: int, least: int) -> tuple[tuple[ToldEvent, ...], bool]:
        """Return the events after `after` as the seat may read them, at most a page, and whether there are more.

        `least`: the version that the kept events must reach; if they don't, the store is read.
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
