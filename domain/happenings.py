"""What happens to a match, whatever its game: the events of `match/`, which are told beside those of the game.

Those of time and seats (`ClockSet` and what follows it) answer nothing and ask nobody: whatever they tell, an open
decision stays what it is. Under seal nobody may learn who was asked, so what a clock has to say to a seat then stands
in the seat's private log (`RungSealed`), and in the match's only what is the same for everybody. Durations are whole
milliseconds, moments as in the log: facts, which the service knows and the rules never read.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Generic, Literal, TypeVar

from msgspec import Meta

from domain.game import Event, Seat, Value
from domain.secrecy import Carries, Hidden, HiddenEach

Opt = TypeVar("Opt")
M = TypeVar("M")

Relation = Literal["=", "!=", "<", "<=", ">", ">="]

Decision = Annotated[int, Meta(description="The version at which the seat was asked.")]
Moment = Annotated[str, Meta(description="When it is due: UTC, RFC 3339 with milliseconds.")]
Length = Annotated[int, Meta(description="How long, in milliseconds.")]
Bared = Annotated[str, Meta(description="The match's secret: with it everything that was hidden can be checked.")]

NOT_ASKED: Literal["not asked"] = "not asked"


class Cause(StrEnum):
    """Who chose a move."""

    SEAT = "seat"
    """The seat itself."""
    FORCED = "forced"
    """It was the only one, so the engine played it."""
    CLOCK = "clock"
    """The seat was absent too long."""


class Opened(Event, Generic[Opt], frozen=True):
    """The first event. Whoever opened it is not in the log; no person is."""

    game: str
    """The game's slug."""
    version: int
    """Of the game's rules."""
    pack: str
    """By name."""
    pack_hash: str
    """SHA-256 of the pack file's bytes."""
    seats: int
    """How many."""
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

    decision: Decision
    answer: M
    cause: Cause


class Answer(Value, Generic[M], frozen=True):
    """What a closing says of one seat, to that seat alone."""

    answer: M | Literal["not asked"]
    """The move, or that the seat was not asked."""
    sealed: str | None
    """Hash of the private event that holds the answer; None (here: no such event) when the seat was not asked."""


class AnswersClosed(Event, Generic[M], frozen=True):
    """The closing move of sealed answers: one hidden field a seat, asked or not, so that none tells anything."""

    decision: Decision
    answers: Annotated[tuple[Answer[M] | None, ...], HiddenEach()]
    """By seat; null is what the reader may not know."""


class Finished(Event, frozen=True):
    """The last event of a match that was played to its end."""

    points: tuple[int, ...]
    """By seat."""
    ranking: tuple[int, ...]
    """A place a seat, 1 is first; seats that tie share the better place."""
    secret: Bared


class Aborted(Event, frozen=True):
    """The last event of a match that was broken off."""

    reason: Literal["agreement", "operator", "pause"]
    """How it came about."""
    secret: Bared


class ClockSet(Event, frozen=True):
    """Before the start: how long seats may take. Without it nobody is ever late."""

    allowance: int
    """For a decision, from the moment at which it is asked."""
    claims: int
    """For an answer under seal, which costs no bank."""
    bank: int
    """What each seat has beside, for all its decisions together."""
    defaults: int
    """After so many moves by the clock in a row a bot may play for the seat; 0: never."""


class DeadlineSet(Event, frozen=True):
    """When an open decision is due. It is met by the answer, which needs no event of its own."""

    seat: Seat
    decision: Decision
    due: Moment


class RungSealed(Event, frozen=True):
    """In a seat's private log: the seat was asked under seal, and when its answer is due."""

    decision: Decision
    after: int
    """The version of the match's log at which it was set: what moves deadlines later moves this one too."""
    due: Moment


class Comparison(Value, frozen=True):
    """What a value is compared with: of a move's field, or of something that the seat sees."""

    of: str
    """The field's name; or the way to what is seen, by names and places from 0, with dots between."""
    relation: Relation
    """How the field and the value are compared."""
    value: int | str | bool
    """With what the field is compared."""


class Pattern(Value, frozen=True):
    """Moves of a class, as far as their fields compare so."""

    type: str
    """Which of the game's moves, by name."""
    where: tuple[Comparison, ...] = ()
    """What its fields must be; all of it."""


class Rule(Value, frozen=True):
    """What a standing order says."""

    play: tuple[Pattern, ...]
    """The move to make: the first pattern that fits exactly one legal move."""
    unless: tuple[Pattern, ...] = ()
    """Where a move that fits one of these is legal, the order says nothing."""
    when: tuple[Comparison, ...] = ()
    """What must be so on the table, as the seat sees it; all of it."""


class OrderGiven(Event, frozen=True):
    """In a seat's private log: what it leaves to be played for it, until it withdraws that or the match is over."""

    order: int
    """From 1, in the order in which the seat gives them."""
    rule: Rule


class OrderWithdrawn(Event, frozen=True):
    """In a seat's private log: what it left to be played for it is not played any more."""

    order: int
    """Which one, by its number."""


class BankUsed(Event, frozen=True):
    """The deadline has passed, and the seat's bank pays for a later one. What it has paid it does not get back."""

    seat: Seat
    decision: Decision
    spent: Length
    due: Moment


class DeadlineExtended(Event, frozen=True):
    """A deadline of that seat alone is later by so much: its player was away by right, plays for it again, or has just
    come to it.
    """

    seat: Seat
    decision: Decision
    length: Length
    reason: Literal["vacation", "return", "passed"]
    """How it came about."""


class SeatHandedOver(Event, frozen=True):
    """A bot plays for the seat from now on. Its moves are the seat's like any others."""

    seat: Seat
    bot: str
    """By name."""
    reason: Literal["absence", "resignation", "wish", "agreement"]
    """How it came about."""


class SeatHandedBack(Event, frozen=True):
    """Whoever took the seat plays for it again."""

    seat: Seat


class SeatResigned(Event, frozen=True):
    """Whoever took the seat has given it up for good. The match goes on, and its result is what is played."""

    seat: Seat


class SeatPassedOn(Event, frozen=True):
    """Somebody else plays for the seat from now on, and knows what it was told. Who that is no log says."""

    seat: Seat


class Paused(Event, frozen=True):
    """No time runs. Whoever is asked may still answer."""

    reason: Literal["agreement", "operator"]
    """How it came about."""


class Resumed(Event, frozen=True):
    """Time runs again: what was due is due later by the pause's length."""

    length: Length


class OutageExtended(Event, frozen=True):
    """The service was out of reach: what is due, also under seal, is due later by so much."""

    length: Length


KEEPING: tuple[type[Any], ...] = (
    ClockSet,
    DeadlineSet,
    BankUsed,
    DeadlineExtended,
    SeatHandedOver,
    SeatHandedBack,
    SeatResigned,
    SeatPassedOn,
    Paused,
    Resumed,
    OutageExtended,
)
"""Those of time and seats that stand in the match's own log."""

EVENTS: tuple[type[Any], ...] = (
    Opened,
    Forked,
    SeatTaken,
    SeatLeft,
    Started,
    MoveMade,
    AnswerSealed,
    AnswersClosed,
    *KEEPING,
    RungSealed,
    OrderGiven,
    OrderWithdrawn,
    Finished,
    Aborted,
)
