"""The answers about a match, each a struct that is encoded as it is and from which the OpenAPI document is made."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from domain.game import Standing
from events.chain import Shown
from events.receipts import Receipt
from service.matches.rows import STATUSES, MatchSummary
from service.matches.terms import Clock
from service.shapes import Duration, Moment, Object, one_of

Drawn: TypeAlias = Object | UnsetType | None
"""A scene; left out unless the request asks for it."""


class Rules(Struct, frozen=True):
    """The rules by which a match is played to its end."""

    version: int
    """The version of the game's rules."""
    pack: str
    """The name of the pack, the set of printed numbers."""
    pack_hash: str
    """The hash of the pack's content: SHA-256, hexadecimal."""


class Breaking(Struct, frozen=True):
    """The seats that agree to break the match off, which happens when all players agree. Bots always agree."""

    agreed: list[int]


class Forked(Struct, frozen=True):
    """The match and version that a fork continues."""

    match: str
    version: int


class Table(Struct, frozen=True):
    """What lies on the table."""

    view: Object | None
    text: str | None
    """The position in words, as lines of plain text; null before the cards are dealt."""
    standing: Standing | None
    """Who is ahead; null before the cards are dealt, and if this service lacks the match's version of the rules."""
    scene: Drawn = UNSET


class MatchClock(Clock, frozen=True):
    """A match's clock, with the time that each seat has left in its bank."""

    banks: list[Duration]
    """The time left in each seat's bank."""


class Deadline(Struct, frozen=True):
    """When an open decision is due. Under seal you see only your own deadline."""

    seat: int
    decision: int
    due: Moment


class Pausing(Struct, frozen=True):
    """Whether the match is paused; `agreed`: the seats that agree to pause it, or to resume it if it is paused."""

    paused: bool
    """Whether the match is paused: no clock runs then."""
    agreed: list[int]


class Match(MatchSummary, frozen=True, kw_only=True):
    """A match as the asker may see it now."""

    version: int
    rules: Rules
    """The rules by which it is played."""
    options: Object
    playable: bool
    """Whether this service has the match's version of the rules. If not, the match can be looked at but not played on,
    and the answer does not say who is asked or who is ahead.
    """
    to_act: tuple[int, ...]
    """The seats that are asked, as far as you may know."""
    sealed: bool
    """Whether the open decisions are answered under seal: then nobody learns which other seats are asked."""
    decision: int | None
    seat: int | None
    view: Object | None
    text: str | None
    """The position in words, as lines of plain text; null before the cards are dealt."""
    standing: Standing | None
    """Who is ahead; null before the cards are dealt, and if `playable` is false."""
    scene: Drawn = UNSET
    abort: Breaking
    """Who agrees to break the match off."""
    clock: MatchClock | None  # type: ignore[assignment]  # has more fields than a summary's
    deadlines: list[Deadline]
    """When the open decisions are due; under seal you see only your own deadline."""
    pause: Pausing
    forked: Forked | None
    """The match and version that this match continues; null if it is no fork."""


class Then(Table, frozen=True, kw_only=True):
    """A match as it was seen at an earlier version."""

    id: str
    version: int
    status: Annotated[str, one_of(*STATUSES)]
    seat: int | None


class Event(Shown, frozen=True, kw_only=True):
    """An event as you may read it: `public` is for everybody, `secret` holds the hidden fields that you may read."""

    at: Moment
    commits: Object
    """The commitments to the hidden fields, by the field's name."""
    move: int
    """The number of the move to which the event belongs; 0 before the first."""
    public: Object
    """The fields that everybody may read; `type` says which fields there are."""
    secret: Object
    """The hidden fields that you may read, by name, each with its value and salt."""
    type: str
    """The kind of event: the game or `match`, and the event's name."""
    version: int
    """The event's number in its log, from 1."""
    text: str | UnsetType = UNSET
    """The event in words; left out if `texts` is false."""
    aside: bool | UnsetType = UNSET
    """True if a list of texts can do without this one: a deadline, or a move that the next event tells."""
    scene: Drawn = UNSET


class Events(Struct, frozen=True):
    """A page of a log."""

    events: list[Event]
    next: int | None
    """The `after` of the next page; null if this is the last."""


class NewMatch(Match, frozen=True, kw_only=True):
    """A match that was just opened, with its first event and the receipt for it."""

    opening: Event
    """The first event of the match's log."""
    receipt: Receipt


class ChangedMatch(Match, frozen=True, kw_only=True):
    """A match with the receipt for the last event that the request caused; null if it caused none."""

    receipt: Receipt | None


class Move(Struct, frozen=True):
    """A legal move."""

    id: str
    """The move's id. A decision can be answered by it or by `move`."""
    move: Object
    text: str
    """What the move is and does in this position, in the requested language."""
    touches: tuple[str, ...]
    """The touches that make the move: ids of the `scene`, first the card, then the place. No other move of the decision
    has the same touches, and no move's touches begin with those of another. If things in one zone look the same, one of
    them is named.
    """
    ways: tuple[tuple[str, ...], ...] | UnsetType = UNSET
    """Further touches that make the move, if there are any, such as the same cards in another order."""
    final: bool | UnsetType = UNSET
    """In a trial: whether the move can't be taken back, because it reveals something new or ends the turn."""


class Moves(Struct, frozen=True, kw_only=True):
    """The open decision and its moves."""

    decision: int | None = None
    game: str
    moves: list[Move] = []
    """All legal moves; empty if no decision is open."""


class Asked(Moves, frozen=True, kw_only=True):
    """The open decision of another bot."""

    seat: int


class Answered(Moves, frozen=True, kw_only=True):
    """A decision that had more than one move, and how it was answered."""

    version: int
    """The version of the event that answers it."""
    scene: Object
    """The table as the seat saw it then."""
    chosen: str
    """The id of the move that the seat made, one of `moves`."""


class WhatIf(Moves, frozen=True, kw_only=True):
    """A position after moves that were not made in the match, at a decision of the seat or at the end."""

    version: int
    """The version of the match's log at which the line begins."""
    played: str
    """The id of the move that the seat made there in the match."""
    scene: Object
    """The table as the seat would see it."""
    told: list[str]
    """What has happened since the seat's last move, in words."""
    standing: Standing
    """Who is ahead."""


class NextChoice(Struct, frozen=True):
    """The next decision of a seat in a match that is over."""

    choice: Answered | None
    """Null if it had no further one."""


class Sealed(Struct, frozen=True):
    """The place of an answer under seal in the seat's private log, and the receipt for it."""

    stream: str
    """The log that holds it: the match's, or a seat's private one."""
    version: int
    hash: str
    receipt: Receipt


class Moved(Moves, frozen=True, kw_only=True):
    """What a move caused, as far as the mover may know, and the mover's open decision now."""

    others: list[Asked]
    """The open decisions of the match's other bots; empty unless you play the bots."""
    version: int
    events: list[Event]
    receipt: Receipt | None
    """The receipt for the last of the events; null if there are none."""
    sealed: Sealed | None
    """The place of an answer that was given under seal; else null."""
    status: Annotated[str, one_of(*STATUSES)]


class Trial(Moves, frozen=True, kw_only=True):
    """The moves that are legal after some moves that were tried."""

    tried: tuple[str, ...] = ()
    """The moves that were tried, by their ids."""
    scene: Drawn = None
    """The table as data for drawing; null if no decision is open."""


class TouchRefusal(Struct, frozen=True):
    """The refusal of the move that was probably meant."""

    code: str
    clause: str
    detail: str


class Touch(Struct, frozen=True):
    """Why no legal move begins with a touch."""

    touched: str
    """The id of the thing that was touched."""
    refusal: TouchRefusal | None
    """Why the move is refused; null if no move can be meant by the touch."""


class Turn(Struct, frozen=True):
    """An open decision of the asker."""

    match: str
    seat: int
    decision: int
    due: str | None


class Turns(Struct, frozen=True):
    """The asker's turns, the soonest deadline first."""

    turns: list[Turn]


class BotDecision(Struct, frozen=True):
    """An open decision of a bot."""

    seat: int
    decision: int
    bot: str
    wait: float
    """The seconds until it may be answered."""


class BotDecisions(Struct, frozen=True):
    """The open decisions of the match's bots."""

    decisions: list[BotDecision]
    """The open decisions."""
