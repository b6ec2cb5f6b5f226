"""A match's own life, whatever its game: opened, seats taken, started, moves made, answers sealed, finished.

A match wraps its game: `match/...` events are told here, all others to the room. What anyone sees of a match is
`fold` of the events that they were told, a seat's own private log put on top (`answered`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec

from domain.game import Event, Game, Seat, Value
from domain.secrecy import Carries, Hidden, HiddenEach

Opt = TypeVar("Opt")
M = TypeVar("M")
S = TypeVar("S")

NOT_ASKED: Literal["not asked"] = "not asked"
STARTED = "match/Started"
FINISHED = "match/Finished"
LAST = frozenset({FINISHED, "match/Aborted"})
"""The stored types of a log's last event."""
OPENED = "match/Opened"
"""The stored type of a log's first event, which says whose rules read the rest."""
SEALED = "match/AnswerSealed"
"""The stored type of an answer, in a seat's private log."""
PRIVATE = frozenset({SEALED, "match/OrderGiven", "match/OrderWithdrawn", "match/RungSealed"})
"""The stored types of what may stand in a private log. Only answers are told yet; what else comes is passed over."""
FORKED = "match/Forked"
"""The stored type of the second event of a log that goes on from another one."""


class Status(StrEnum):
    """Where a match is in its life."""

    OPEN = "open"
    PLAYING = "playing"
    FINISHED = "finished"
    ABORTED = "aborted"


class Cause(StrEnum):
    """Who chose a move."""

    SEAT = "seat"
    FORCED = "forced"
    """It was the only one, so the engine played it."""
    CLOCK = "clock"
    """The seat was absent too long."""


FORCED = Cause.FORCED
PLAYING = Status.PLAYING
"""In Python 3.11 a member looked up in its enum costs ten times a name."""


class Opened(Event, Generic[Opt], frozen=True):
    """The first event. Whoever opened it is not in the log; no person is."""

    game: str
    version: int
    """Of the game's rules."""
    pack: str
    pack_hash: str
    """SHA-256 of the pack file's bytes."""
    seats: int
    options: Opt
    secret: Annotated[str | None, Hidden()]
    """32 random bytes, hexadecimal: salts, missing nonces and chance come from it. The last event reveals it."""


class Forked(Event, frozen=True):
    """The second event of a match that goes on from another one; that one's events of the game follow."""

    parent: str
    """A match that is over."""
    version: int
    """Of the parent's event after which it goes on."""
    hash: str
    """That event's, hexadecimal."""


class SeatTaken(Event, frozen=True):
    """Somebody sat down."""

    seat: Seat
    nonce: str
    """32 bytes, hexadecimal, of the taker's choice; "" when none was brought."""


class SeatLeft(Event, frozen=True):
    """Before the start: the seat is free again, and its nonce void."""

    seat: Seat


class Started(Event, frozen=True):
    """All seats are taken; what follows up to the first move is the dealer's."""


class MoveMade(Event, Generic[M], frozen=True):
    """A seat chose, or the engine for it; what the move brings about follows."""

    seat: Seat
    decision: int
    """The version at which the seat was asked; 0 for a forced move, which was never asked."""
    move: Annotated[M, Carries()]
    cause: Cause


class AnswerSealed(Event, Generic[M], frozen=True):
    """In a seat's private log: its answer to a decision whose answers are secret until the match is over."""

    decision: int
    answer: M
    cause: Cause


class Answer(Value, Generic[M], frozen=True):
    """What a closing says of one seat, to that seat alone."""

    answer: M | Literal["not asked"]
    sealed: str | None
    """Hash of the private event that holds the answer; None (here: no such event) when the seat was not asked."""


class AnswersClosed(Event, Generic[M], frozen=True):
    """The closing move of sealed answers: one hidden field a seat, asked or not, so that none tells anything."""

    decision: int
    answers: Annotated[tuple[Answer[M] | None, ...], HiddenEach()]


class Finished(Event, frozen=True):
    """The last event of a match that was played to its end."""

    points: tuple[int, ...]
    ranking: tuple[int, ...]
    secret: str


class Aborted(Event, frozen=True):
    """The last event of a match that was not."""

    reason: Literal["agreement", "operator", "pause"]
    secret: str


EVENTS: tuple[type[Any], ...] = (
    Opened,
    Forked,
    SeatTaken,
    SeatLeft,
    Started,
    MoveMade,
    AnswerSealed,
    AnswersClosed,
    Finished,
    Aborted,
)
_OURS = frozenset(EVENTS)
_FIRST = frozenset((AnswersClosed, Aborted, SeatTaken, SeatLeft))
_UNANSWERED: Answer[Any] = Answer(answer=NOT_ASKED, sealed=None)


class Match(Value, Generic[S], frozen=True):
    """What a log, or the part of it that somebody was told, says of a match."""

    status: Status
    version: int
    """Of the last event folded."""
    moves: int
    """Number of the last move, forced and closing ones counted."""
    opened: Opened[Any]
    taken: tuple[bool, ...]
    nonces: tuple[str, ...]
    is_fork: bool
    """Whether the table is another match's, so that nothing is dealt at the start."""
    table: S
    """The game's own state."""
    asked: tuple[int, ...]
    """Per seat, the version at which it was asked, as far as the events folded since then have fixed it; 0: not."""
    answers: tuple[Answer[Any], ...]
    """Sealed answers that are known and not yet closed."""
    secret: str | None
    points: tuple[int, ...]
    """The result; empty while there is none."""
    ranking: tuple[int, ...]

    @property
    def is_over(self) -> bool:
        """Whether every secret of the log is open."""
        return self.status in {Status.FINISHED, Status.ABORTED}


def status_of(kinds: Sequence[str]) -> Status:
    """Where a match is in its life, by the stored types of its events, which need not be folded."""
    if kinds and kinds[-1] in LAST:
        return Status.FINISHED if kinds[-1] == FINISHED else Status.ABORTED
    return PLAYING if STARTED in kinds else Status.OPEN


def begins_move(event: Any) -> bool:
    """Whether the event is the first of what was stored at once, after the opening: before it the match had rested."""
    kind = type(event)
    return event.cause is not FORCED if kind is MoveMade else kind in _FIRST


def begin(game: Game[Any, Any, Any], pack: Any, opened: Opened[Any]) -> Match[Any]:
    """The match after its opening event."""
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
        secret=opened.secret,
        points=(),
        ranking=(),
    )


def to_act(game: Game[Any, Any, Any], state: Match[Any]) -> tuple[Seat, ...]:
    """Who owes an answer, as far as the state knows: a seat whose sealed answer is known owes none."""
    if state.status is not PLAYING:
        return ()
    answers = state.answers
    return tuple(seat for seat in game.to_act(state.table) if answers[seat].sealed is None)


def is_sealed(game: Game[Any, Any, Any], state: Match[Any]) -> bool:
    """Whether the open decisions are answered under seal."""
    return state.status is PLAYING and game.secret(state.table)


def decision_of(game: Game[Any, Any, Any], state: Match[Any], seat: Seat) -> int:
    """The seat's open decision: the version at which it was asked; 0 when it owes no answer."""
    if state.status is not PLAYING or seat not in game.to_act(state.table) or state.answers[seat].sealed is not None:
        return 0
    return state.asked[seat] or state.version


def _fixed(owing: tuple[Seat, ...], asked: tuple[int, ...], version: int) -> tuple[int, ...]:
    """Fix when each seat was asked, before an event follows that answers or interrupts."""
    return tuple((at or version) if seat in owing else 0 for seat, at in enumerate(asked))


def _put(values: tuple[Any, ...], at: int, value: object) -> tuple[Any, ...]:
    return (*values[:at], value, *values[at + 1 :])


def evolve(game: Game[Any, Any, Any], state: Match[Any], event: Any) -> Match[Any]:
    """The match after one more event of its log, its own or the game's."""
    version = state.version + 1
    if type(event) not in _OURS:
        return msgspec.structs.replace(state, version=version, table=game.evolve(state.table, event))
    replace = msgspec.structs.replace
    match event:
        case MoveMade(seat=seat, cause=cause):
            asked = state.asked
            if cause is not FORCED:
                asked = _fixed(game.to_act(state.table), asked, state.version)
            return replace(state, version=version, moves=state.moves + 1, asked=_put(asked, seat, 0))
        case AnswersClosed():
            seats = len(state.taken)
            return replace(
                state,
                version=version,
                moves=state.moves + 1,
                asked=(0,) * seats,
                answers=(_UNANSWERED,) * seats,
            )
        case SeatTaken(seat=seat, nonce=nonce):
            taken, nonces = _put(state.taken, seat, True), _put(state.nonces, seat, nonce)
            return replace(state, version=version, taken=taken, nonces=nonces)
        case SeatLeft(seat=seat):
            taken, nonces = _put(state.taken, seat, False), _put(state.nonces, seat, "")
            return replace(state, version=version, taken=taken, nonces=nonces)
        case Forked():
            return replace(state, version=version, is_fork=True)
        case Started():
            return replace(state, version=version, status=Status.PLAYING)
        case Finished(points=points, ranking=ranking, secret=secret):
            return replace(
                state, version=version, status=Status.FINISHED, points=points, ranking=ranking, secret=secret
            )
        case Aborted(secret=secret):
            return replace(state, version=version, status=Status.ABORTED, secret=secret)
        case _:
            raise AssertionError(f"{type(event).__name__} does not belong into a match's log after its opening")


def fold(game: Game[Any, Any, Any], state: Match[Any], events: Iterable[Any]) -> Match[Any]:
    """The match after these events; like `evolve` one by one, but what changes often is put together at the end."""
    evolve_table, to_act, replace = game.evolve, game.to_act, msgspec.structs.replace
    table, version, moves, asked, answers = state.table, state.version, state.moves, state.asked, state.answers
    nobody = (0,) * len(asked)
    for event in events:
        kind = type(event)
        if kind not in _OURS:
            table = evolve_table(table, event)
        elif kind is MoveMade:
            seat = event.seat
            if event.cause is not FORCED:
                owing = to_act(table)
                # a third of a log are moves, and most of them are made by the only one who was asked
                asked = nobody if owing == (seat,) else _put(_fixed(owing, asked, version), seat, 0)
            else:
                asked = _put(asked, seat, 0)
            moves += 1
        elif kind is AnswersClosed:
            asked, answers = nobody, (_UNANSWERED,) * len(asked)
            moves += 1
        else:
            before = replace(state, table=table, version=version, moves=moves, asked=asked, answers=answers)
            state = evolve(game, before, event)
        version += 1
    return replace(state, table=table, version=version, moves=moves, asked=asked, answers=answers)


def answered(
    game: Game[Any, Any, Any], state: Match[Any], seat: Seat, event: AnswerSealed[Any], sealed: str
) -> Match[Any]:
    """The match with an event of the seat's private log on top; `sealed` is that event's hash, hexadecimal.

    An answer to a decision that has been closed since changes nothing: the closing told what it was.
    """
    if decision_of(game, state, seat) != event.decision:
        return state
    answer: Answer[Any] = Answer(answer=event.answer, sealed=sealed)
    return msgspec.structs.replace(state, answers=_put(state.answers, seat, answer))
