"""The events of every match, whatever its game: those of `match/`, which stand beside those of the game.

The events of time and seats (`ClockSet` and those after it) answer nothing and ask nobody: an open decision stays as it
is. Under seal nobody may learn who was asked, so a clock then speaks to a seat in its private log (`RungSealed`), and
the match's log gets only what is the same for everybody. Durations are whole milliseconds, and moments have the log's
form: facts that the service knows and that the rules never read.
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
    """The seat's own player."""
    FORCED = "forced"
    """The engine, since it was the only legal move."""
    CLOCK = "clock"
    """The clock, since the seat was absent too long."""


class Opened(Event, Generic[Opt], frozen=True):
    """The first event. It does not name who opened the match; the log names no person."""

    game: str
    """The game's slug."""
    version: int
    """The version of the game's rules."""
    pack: str
    """The pack's name."""
    pack_hash: str
    """SHA-256 of the pack file's bytes."""
    seats: int
    """The number of seats."""
    options: Opt
    secret: Annotated[str | None, Hidden()]
    """32 random bytes, hexadecimal. Salts, missing nonces and chance are derived from it; the last event reveals it."""


class Forked(Event, frozen=True):
    """The second event of a match that continues another one; the other's events of the game follow."""

    parent: str
    """The id of the other match, which is over."""
    version: int
    """The version of the parent's event after which it continues."""
    hash: str
    """The hash of that event, hexadecimal."""


class SeatTaken(Event, frozen=True):
    """Somebody sat down."""

    seat: Seat
    nonce: str
    """32 bytes, hexadecimal, chosen by the player; "" for none."""


class SeatLeft(Event, frozen=True):
    """Before the start: a seat is free again, and its nonce does not count."""

    seat: Seat


class Started(Event, frozen=True):
    """All seats are taken. The events up to the first move are the dealer's."""


class MoveMade(Event, Generic[M], frozen=True):
    """A seat chose a move, or the engine chose for it. What the move brings about follows."""

    seat: Seat
    decision: int
    """The version at which the seat was asked; 0 for a forced move, for which it was not asked."""
    move: Annotated[M, Carries()]
    cause: Cause


class AnswerSealed(Event, Generic[M], frozen=True):
    """In a seat's private log: its answer to a decision whose answers stay secret until the match is over."""

    decision: Decision
    answer: M
    cause: Cause


class Answer(Value, Generic[M], frozen=True):
    """A seat's part of a closing, which that seat alone may read."""

    answer: M | Literal["not asked"]
    """The move, or that the seat was not asked."""
    sealed: str | None
    """The hash of the private event that holds the answer; None (here: no such event) when the seat was not asked."""


class AnswersClosed(Event, Generic[M], frozen=True):
    """The closing move of sealed answers: one hidden field for each seat, asked or not, so nothing shows who it was."""

    decision: Decision
    answers: Annotated[tuple[Answer[M] | None, ...], HiddenEach()]
    """By seat; null where the reader may not know it."""


class Finished(Event, frozen=True):
    """The last event of a match that was played to its end."""

    points: tuple[int, ...]
    """By seat, in the game's own unit."""
    ranking: tuple[int, ...]
    """One place for each seat, 1 is first; seats that tie share the better place."""
    secret: Bared


class Aborted(Event, frozen=True):
    """The last event of a match that was broken off."""

    reason: Literal["agreement", "operator", "pause"]
    """Why it was broken off."""
    secret: Bared


class ClockSet(Event, frozen=True):
    """Before the start: how much time seats have. Without this event nobody is ever late."""

    allowance: int
    """Milliseconds for a decision, from the moment at which the seat is asked."""
    claims: int
    """Milliseconds for an answer under seal, which takes nothing from the bank."""
    bank: int
    """Further milliseconds of each seat, for all its decisions together."""
    defaults: int
    """The number of moves by the clock in a row after which a bot may play for the seat; 0 for never."""


class DeadlineSet(Event, frozen=True):
    """An open decision has a deadline. An answer meets it, and needs no event of its own."""

    seat: Seat
    decision: Decision
    due: Moment


class RungSealed(Event, frozen=True):
    """In a seat's private log: the seat was asked under seal, with the deadline of its answer."""

    decision: Decision
    after: int
    """The version of the match's log at which it was set: later events that move all deadlines move it too."""
    due: Moment


class Comparison(Value, frozen=True):
    """A comparison of a move's field, or of something that the seat sees, with a value."""

    of: str
    """The field's name; or the path to what is seen: names and places from 0, with dots between."""
    relation: Relation
    """How the field and the value are compared."""
    value: int | str | bool
    """The value with which it is compared."""


class Pattern(Value, frozen=True):
    """Matches the moves of one class whose fields meet all comparisons."""

    type: str
    """The name of the move's class."""
    where: tuple[Comparison, ...] = ()
    """The comparisons of the move's fields, all of which must hold."""


class Rule(Value, frozen=True):
    """The content of a standing order."""

    play: tuple[Pattern, ...]
    """The move to make: the first pattern that fits exactly one legal move."""
    unless: tuple[Pattern, ...] = ()
    """The order plays nothing where a legal move fits one of these."""
    when: tuple[Comparison, ...] = ()
    """The comparisons of the table, as the seat sees it, all of which must hold."""


class OrderGiven(Event, frozen=True):
    """In a seat's private log: it leaves an order to be played for it, until it withdraws it or the match is over."""

    order: int
    """The order's number, from 1, in the order in which the seat gives them."""
    rule: Rule


class PremoveGiven(Event, frozen=True):
    """In a seat's private log: an order for one decision alone, the first that the seat answers after it."""

    order: int
    """The order's number: premoves and orders are counted together."""
    rule: Rule
    after: int
    """The version of the match's log at which it was given."""


class OrderWithdrawn(Event, frozen=True):
    """In a seat's private log: one of its orders is withdrawn."""

    order: int
    """The order's number."""


class BankUsed(Event, frozen=True):
    """A deadline has passed, and the seat's bank has paid for a later one. The seat does not get this time back."""

    seat: Seat
    decision: Decision
    spent: Length
    due: Moment


class DeadlineExtended(Event, frozen=True):
    """The deadline of one seat is later: its player was on vacation, plays for it again, or has just come to it."""

    seat: Seat
    decision: Decision
    length: Length
    reason: Literal["vacation", "return", "passed"]
    """Why it was extended."""


class SeatHandedOver(Event, frozen=True):
    """A bot plays for the seat from now on. Its moves count as the seat's."""

    seat: Seat
    bot: str
    """The bot's name."""
    reason: Literal["absence", "resignation", "wish", "agreement"]
    """Why it was handed over."""


class SeatHandedBack(Event, frozen=True):
    """The seat's player plays for it again."""

    seat: Seat


class SeatResigned(Event, frozen=True):
    """The seat's player has given it up for good. The match goes on, and its result counts as it is played."""

    seat: Seat


class MatchConceded(Event, frozen=True):
    """The seat's player has given up a match of two seats. The other seat wins it, by the `Finished` that follows."""

    seat: Seat


class SeatPassedOn(Event, frozen=True):
    """Another player plays for the seat from now on, and knows what the seat was told. No log says who it is."""

    seat: Seat


class Paused(Event, frozen=True):
    """All clocks stop. A seat that is asked may still answer."""

    reason: Literal["agreement", "operator"]
    """Why it was paused."""


class Resumed(Event, frozen=True):
    """The clocks run again: all deadlines are later by the length of the pause."""

    length: Length


class OutageExtended(Event, frozen=True):
    """The service could not be reached: all deadlines, also those under seal, are later by its length."""

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
"""The events of time and seats in the match's own log."""

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
    PremoveGiven,
    OrderWithdrawn,
    MatchConceded,
    Finished,
    Aborted,
)
