"""The answers about a match, each a struct that is encoded as it is and from which the OpenAPI document is made."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from domain.game import Standing
from events.envelope import Shown
from events.receipts import Receipt
from service.matches.rows import STATUSES, MatchSummary
from service.matches.timing import Deadline, MatchClock, Pausing
from service.shapes import Moment, Object, one_of

Drawn: TypeAlias = Object | UnsetType | None
"""How the table is drawn, left out unless it was asked for."""


class Rules(Struct, frozen=True):
    """By which rules a match is played, to its end."""

    version: int
    """Of the rules that the match is played by."""
    pack: str
    """The set of printed numbers, by its name."""
    pack_hash: str
    """The pack's content: SHA-256, hexadecimal."""


class Breaking(Struct, frozen=True):
    """Whether the match is to be broken off: the seats that agree, until all players do. Bots always agree."""

    agreed: list[int]


class Forked(Struct, frozen=True):
    """From where a match goes on."""

    match: str
    version: int


class Table(Struct, frozen=True):
    """What lies on the table."""

    view: Object | None
    """What lies on the table, as far as you may see it; null before the cards are dealt."""
    text: str | None
    """The position in words, as lines of plain text; null before the cards are dealt."""
    standing: Standing | None
    """Who is ahead; null before the cards are dealt, and where the rules at hand are not the match's own."""
    scene: Drawn = UNSET
    """How the table is drawn; there if it was asked for."""


class Match(MatchSummary, frozen=True, kw_only=True):
    """A match as the asker may see it now."""

    version: int
    rules: Rules
    """By which rules it is played."""
    options: Object
    """What was agreed on before the match, as the game's schema says; {} is the game's own choice."""
    playable: bool
    """Whether the rules at hand are the match's own. If not, it can be looked at and not played on; who is asked and
    who is ahead is not told then.
    """
    to_act: tuple[int, ...]
    """The seats that are asked, as far as you may know."""
    sealed: bool
    """Whether what is asked now is answered under seal: nobody is told who was asked."""
    decision: int | None
    seat: int | None
    view: Object | None
    """What lies on the table, as far as you may see it; null before the cards are dealt."""
    text: str | None
    """The position in words, as lines of plain text; null before the cards are dealt."""
    standing: Standing | None
    """Who is ahead; null before the cards are dealt, and where the rules at hand are not the match's own."""
    scene: Drawn = UNSET
    """How the table is drawn; there if it was asked for."""
    abort: Breaking
    """Whether the match is to be broken off."""
    clock: MatchClock | None  # type: ignore[assignment]  # tells more of it than a summary does
    """The clock; null: there is none, and nobody is ever late."""
    deadlines: list[Deadline]
    """When what seats are asked is due; of answers under seal you are told your own alone."""
    pause: Pausing
    forked: Forked | None
    """From where the match goes on, if it goes on from another one; else null."""


class Then(Table, frozen=True, kw_only=True):
    """What was seen at a version."""

    id: str
    version: int
    status: Annotated[str, one_of(*STATUSES)]
    seat: int | None


class Event(Shown, frozen=True, kw_only=True):
    """An event as the asker may read it: `public` for all, `secret` what they may open besides."""

    at: Moment
    commits: Object
    """The commitments to what is hidden, by the name of the field."""
    move: int
    """How many moves had been begun when it happened; 0 before the first."""
    public: Object
    """What everybody may read of it, by its fields; `type` says what it is."""
    secret: Object
    """What you may open of what is hidden, by the name of the field: its value and its salt."""
    type: str
    """Which event it is: the game, or `match`, and the event's name."""
    version: int
    """Which event of its log it is, from 1."""
    text: str | UnsetType = UNSET
    """The event in words; not there when `texts` is false."""
    scene: Drawn = UNSET
    """How the table is drawn; there if it was asked for."""


class Events(Struct, frozen=True):
    """A page of a log."""

    events: list[Event]
    next: int | None
    """Where the next page begins: its `after`."""


class NewMatch(Match, frozen=True, kw_only=True):
    """A match just opened, with its first event and the receipt for that."""

    opening: Event
    """The first event of the match's log."""
    receipt: Receipt


class ChangedMatch(Match, frozen=True, kw_only=True):
    """A match with the receipt for the last event that the request brought about; null where it brought about none."""

    receipt: Receipt | None


class Move(Struct, frozen=True):
    """A move that may be chosen."""

    id: str
    """The move's id: it answers the decision as well as `move` does, and is shorter."""
    move: Object
    """The move, by its fields, of which `type` says which it is."""
    text: str
    """What the move is and does in this position, in the language that was asked for."""
    touches: tuple[str, ...]
    """The path by which a hand makes it: ids of the `scene`, first the card, then the place. No other move of the
    decision has the same, and none begins another one. Of things that look the same in one zone it names one.
    """
    final: bool | UnsetType = UNSET
    """In a trial: whether it is for good, as it tells something new or hands the turn on."""


class Moves(Struct, frozen=True, kw_only=True):
    """The open decision and its moves."""

    decision: int | None = None
    game: str
    moves: list[Move] = []
    """Every move that may be chosen now, complete; empty where none is open."""


class Asked(Moves, frozen=True, kw_only=True):
    """What another bot is asked."""

    seat: int


class Sealed(Struct, frozen=True):
    """Where an answer under seal was written: the seat's private log, with the receipt for it."""

    stream: str
    """The log that it stands in: the match's, or a seat's private one."""
    version: int
    hash: str
    receipt: Receipt


class Moved(Moves, frozen=True, kw_only=True):
    """What a move brought about, as far as the mover may know, and what is open now."""

    others: list[Asked]
    """For who plays the bots: what other bots of the match are asked now."""
    version: int
    events: list[Event]
    receipt: Receipt | None
    """For the last of the events; null when there are none."""
    sealed: Sealed | None
    """Where the answer was written, if it was given under seal; else null."""
    status: Annotated[str, one_of(*STATUSES)]


class Trial(Moves, frozen=True, kw_only=True):
    """What may be chosen once some moves were made."""

    tried: tuple[str, ...] = ()
    """The moves that were tried."""
    scene: Drawn = None
    """How the table is drawn; there if it was asked for."""


class TouchRefusal(Struct, frozen=True):
    """What the rules say."""

    code: str
    """Which problem it is, for programs."""
    clause: str
    """The clause of the game's rules that says no, as its rules number it."""
    detail: str
    """The problem in a sentence, for people, in the language that was asked for."""


class Touch(Struct, frozen=True):
    """Why no move begins with it."""

    touched: str
    """What was touched."""
    refusal: TouchRefusal | None
    """What the rules say; null: nothing can be meant by it."""


class Turn(Struct, frozen=True):
    """A decision that waits for the asker."""

    match: str
    seat: int
    decision: int
    due: str | None


class Turns(Struct, frozen=True):
    """The soonest deadline first."""

    turns: list[Turn]


class BotDecision(Struct, frozen=True):
    """A bot that is asked."""

    seat: int
    decision: int
    bot: str
    wait: float
    """Seconds until it may be answered."""


class BotDecisions(Struct, frozen=True):
    """The bots that are asked."""

    decisions: list[BotDecision]
    """The decisions that are open."""
