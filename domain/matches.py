"""A match's own state, whatever its game: opened, seats taken, started, moves made, answers sealed, finished.

A match wraps its game: it folds the `match/...` events itself and passes all others to the game. What a viewer sees of
a match is `fold` of the events that they may read, with the seat's own private log added (`answered`, `timed`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import partial
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from domain import deadlines
from domain.deadlines import Clocks, Due
from domain.game import Game, Seat, Value, put
from domain.happenings import (
    EVENTS,
    KEEPING,
    NOT_ASKED,
    Aborted,
    Answer,
    AnswersClosed,
    AnswerSealed,
    Cause,
    Finished,
    Forked,
    MatchConceded,
    MoveMade,
    Opened,
    RungSealed,
    SeatLeft,
    SeatTaken,
    Started,
)

S = TypeVar("S")

STARTED = "match/Started"
FINISHED = "match/Finished"
LAST = frozenset({FINISHED, "match/Aborted"})
"""The stored types of the event that ends a log."""
OPENED = "match/Opened"
"""The stored type of a log's first event, which says whose rules read the rest."""
SEALED = "match/AnswerSealed"
"""The stored type of an answer in a seat's private log."""
HANDED_OVER = "match/SeatHandedOver"
"""The stored type of the event after which a bot plays for a seat."""
RUNG = "match/RungSealed"
"""The stored type of a deadline under seal, in a seat's private log."""
ORDERED = frozenset({"match/OrderGiven", "match/PremoveGiven"})
ORDERS = ORDERED | {"match/OrderWithdrawn"}
"""The stored types of a seat's standing orders, in its private log."""
PRIVATE = frozenset({SEALED, RUNG, *ORDERS})
"""The stored types that a private log may hold. An event of an unknown schema is skipped."""
FORKED = "match/Forked"
"""The stored type of the second event of a log that continues another one."""


class Status(StrEnum):
    """The stages of a match."""

    OPEN = "open"
    PLAYING = "playing"
    FINISHED = "finished"
    ABORTED = "aborted"


FORCED = Cause.FORCED
BY_SEAT = Cause.SEAT
BY_CLOCK = Cause.CLOCK
PLAYING = Status.PLAYING
"""In Python 3.11 looking a member up in its enum takes ten times as long as looking up a name."""


_FIRST = frozenset((AnswersClosed, MatchConceded, Aborted, SeatTaken, SeatLeft, *KEEPING))
_UNANSWERED: Answer[Any] = Answer(answer=NOT_ASKED, sealed=None)


class Match(Value, Generic[S], frozen=True):
    """The state of a match, folded from its log or from the part of it that a viewer may read."""

    status: Status
    version: int
    """The version of the last event that was folded."""
    moves: int
    """The number of the last move, with forced and closing ones counted."""
    opened: Opened[Any]
    taken: tuple[bool, ...]
    nonces: tuple[str, ...]
    is_fork: bool
    """Whether the table comes from another match, so that nothing is dealt at the start."""
    table: S
    """The game's own state."""
    asked: tuple[int, ...]
    """For each seat the version at which it was asked, if later events have fixed it; else 0."""
    answers: tuple[Answer[Any], ...]
    """Sealed answers that are known and not closed yet."""
    clocks: Clocks
    secret: str | None
    points: tuple[int, ...]
    """The result; empty until there is one."""
    ranking: tuple[int, ...]
    conceded: Seat | None = None
    """The seat that has given up a match of two, which ended by it."""

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, so that all its secrets are open."""
        return self.status in {Status.FINISHED, Status.ABORTED}


def status_of(kinds: Sequence[str]) -> Status:
    """Return a match's status, given the stored types of its events."""
    if kinds and kinds[-1] in LAST:
        return Status.FINISHED if kinds[-1] == FINISHED else Status.ABORTED
    return PLAYING if STARTED in kinds else Status.OPEN


def begins_move(event: Any) -> bool:
    """Return whether the event is the first of an append after the opening: before it the match waited for someone."""
    kind = type(event)
    return event.cause is not FORCED if kind is MoveMade else kind in _FIRST


def begin(game: Game[Any, Any, Any], pack: Any, opened: Opened[Any]) -> Match[Any]:
    """Return the match after its opening event."""
    seats = opened.seats
    return Match(
        status=Status.OPEN,
        version=1,
        moves=0,
        opened=opened,
        taken=(False,) * seats,
        nonces=("",) * seats,
        is_fork=False,
        table=game.initial(opened.options, seats, pack),
        asked=(0,) * seats,
        answers=(_UNANSWERED,) * seats,
        clocks=deadlines.NOTHING,
        secret=opened.secret,
        points=(),
        ranking=(),
    )


def to_act(game: Game[Any, Any, Any], state: Match[Any]) -> tuple[Seat, ...]:
    """Return the seats that owe an answer, as far as the state knows; a seat with a known sealed answer owes none."""
    if state.status is not PLAYING or state.conceded is not None:
        return ()
    acting, answers = game.to_act(state.table), state.answers
    for seat in acting:
        if answers[seat].sealed is not None:
            return tuple(seat for seat in acting if answers[seat].sealed is None)
    return acting  # in nearly all positions: this is asked several times for each move


def is_sealed(game: Game[Any, Any, Any], state: Match[Any]) -> bool:
    """Return whether the open decisions are answered under seal."""
    return state.status is PLAYING and game.secret(state.table)


def decision_of(game: Game[Any, Any, Any], state: Match[Any], seat: Seat) -> int:
    """Return the seat's open decision, which is the version at which it was asked; 0 when it owes no answer."""
    if seat not in to_act(game, state):
        return 0
    return state.asked[seat] or state.version


def due_of(game: Game[Any, Any, Any], state: Match[Any], seat: Seat) -> Due | None:
    """Return when the seat's open decision is due, as far as the state knows; None without a deadline or decision."""
    if not (state.clocks.deadlines or state.clocks.sealed):
        return None  # as in all matches without a clock: the game need not be asked
    decision = decision_of(game, state, seat)
    return deadlines.due(state.clocks, seat, decision) if decision else None


def bot_of(state: Match[Any], seat: Seat) -> str:
    """Return the bot that plays for the seat; "" if its player does."""
    bots = state.clocks.bots
    return bots[seat] if bots else ""


def _fixed(owing: tuple[Seat, ...], asked: tuple[int, ...], version: int) -> tuple[int, ...]:
    """Return the version at which each seat was asked, 0 if it owes nothing. Call it before the next event counts."""
    return tuple((at or version) if seat in owing else 0 for seat, at in enumerate(asked))


_OWN = frozenset(EVENTS)
_KEEPING = frozenset(KEEPING)
_USUAL = frozenset((MoveMade, AnswersClosed, *KEEPING))


def evolve(game: Game[Any, Any, Any], state: Match[Any], event: Any) -> Match[Any]:
    """Return the match after one more event of its log, its own or the game's."""
    if (kind := type(event)) not in _OWN:
        return replace(state, version=state.version + 1, table=game.evolve(state.table, event))
    if kind in _USUAL:
        return fold(game, state, (event,))
    changed = partial(replace, state, version=state.version + 1)
    match event:
        case SeatTaken(seat=seat, nonce=nonce):
            return changed(taken=put(state.taken, seat, True), nonces=put(state.nonces, seat, nonce))
        case SeatLeft(seat=seat):
            return changed(taken=put(state.taken, seat, False), nonces=put(state.nonces, seat, ""))
        case Forked():
            return changed(is_fork=True)
        case Started():
            return changed(status=PLAYING)
        case MatchConceded(seat=seat):
            return changed(clocks=deadlines.give_up(state.clocks, seat), conceded=seat)
        case Finished(points=points, ranking=ranking, secret=secret):
            return changed(status=Status.FINISHED, points=points, ranking=ranking, secret=secret)
        case Aborted(secret=secret):
            return changed(status=Status.ABORTED, secret=secret)
        case _:
            raise AssertionError(f"{kind.__name__} does not belong into a match's log after its opening")


def fold(game: Game[Any, Any, Any], state: Match[Any], events: Iterable[Any]) -> Match[Any]:
    """Return the match after these events, as `evolve` has it one by one, but faster."""
    ours, evolve_by, to_act = _OWN, game.evolve.by_class, game.to_act
    table, moves, asked, answers, clocks = state.table, state.moves, state.asked, state.answers, state.clocks
    seats, nobody = len(asked), (0,) * len(asked)
    version = state.version - 1
    for version, event in enumerate(events, state.version):
        kind = type(event)
        if kind not in ours:
            table = evolve_by[kind](table, event)
        elif kind is MoveMade:
            seat = event.seat
            if (cause := event.cause) is BY_SEAT:
                owing = to_act(table)
                # a third of a log are moves, and most of them are made by the only seat that was asked
                asked = nobody if owing == (seat,) else put(_fixed(owing, asked, version), seat, 0)
                if clocks.absent:
                    clocks = deadlines.count(clocks, seat, seats, is_absent=False)
            elif cause is FORCED:
                if asked[seat]:
                    asked = put(asked, seat, 0)
            else:
                asked = put(_fixed(to_act(table), asked, version), seat, 0)
                clocks = deadlines.count(clocks, seat, seats, is_absent=True)
            moves += 1
        elif kind is AnswersClosed:
            asked, answers = nobody, (_UNANSWERED,) * seats
            if clocks.sealed:
                clocks = deadlines.close(clocks)
            moves += 1
        elif kind in _KEEPING:
            if state.status is PLAYING:
                asked = _fixed(to_act(table), asked, version)
            clocks = deadlines.evolve(clocks, event, version + 1, seats)
        else:
            before = replace(state, table=table, version=version, asked=asked, clocks=clocks)
            state = evolve(game, before, event)
            asked, clocks = state.asked, state.clocks
    return replace(state, table=table, version=version + 1, moves=moves, asked=asked, answers=answers, clocks=clocks)


def answered(
    game: Game[Any, Any, Any], state: Match[Any], seat: Seat, event: AnswerSealed[Any], sealed: str
) -> Match[Any]:
    """Return the match with an answer from the seat's private log added; `sealed` is that event's hash, hexadecimal.

    An answer to a decision that was closed since changes nothing: the closing had the answer.
    """
    if decision_of(game, state, seat) != event.decision:
        return state
    answer: Answer[Any] = Answer(answer=event.answer, sealed=sealed)
    return replace(state, answers=put(state.answers, seat, answer))


def timed(game: Game[Any, Any, Any], state: Match[Any], seat: Seat, event: RungSealed) -> Match[Any]:
    """Return the match with a deadline from the seat's private log added; skip one of a closed or answered decision."""
    if decision_of(game, state, seat) != event.decision:
        return state
    return replace(state, clocks=deadlines.seal(state.clocks, seat, event, len(state.taken)))
