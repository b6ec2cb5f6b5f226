"""The service's answers, as far as this client reads them. It ignores fields that the service adds later."""

from __future__ import annotations

from typing import Any

import msgspec


class Who(msgspec.Struct, frozen=True):
    """A player, as others see them."""

    id: str
    name: str


class Player(Who, frozen=True):
    """The account that the token belongs to."""

    kind: str = "human"


class SignedUp(Player, frozen=True, kw_only=True):
    """A new account and its token, which no later answer repeats."""

    token: str


class Chair(msgspec.Struct, frozen=True):
    """A seat, with its player, its bot, or the player for whom it is reserved; a free seat has none of them."""

    seat: int
    player: Who | None = None
    bot: str | None = None
    reserved: Who | None = None


class Turn(msgspec.Struct, frozen=True):
    """A decision that waits for you."""

    match: str
    seat: int
    decision: int
    due: str | None = None


class _Turns(msgspec.Struct, frozen=True):
    turns: list[Turn]


class MatchSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A match, as the lobby lists it."""

    id: str
    game: str
    status: str
    """`open`, `playing`, `finished` or `aborted`."""
    visibility: str
    created: str
    seats: list[Chair]

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen in it."""
        return self.status in {"finished", "aborted"}


class Lobby(msgspec.Struct, frozen=True):
    """A page of matches, the newest first."""

    matches: list[MatchSummary]
    next: str | None = None
    """The `cursor` of the next page."""


class Result(msgspec.Struct, frozen=True):
    """How a match ended: each seat's points, and its place in `ranking`, 1 for the first."""

    points: list[int]
    ranking: list[int]


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """The service's signature over the log up to an event: keep it."""

    at: str
    domain: str
    hash: str
    key: str
    signature: str
    stream: str
    version: int


class Match(MatchSummary, frozen=True, kw_only=True):
    """A match as you may see it now."""

    version: int
    options: dict[str, Any]
    to_act: list[int]
    """The seats that are asked, as far as you may know: not those asked under seal."""
    sealed: bool
    decision: int | None = None
    seat: int | None = None
    """Your seat, if you have one."""
    view: dict[str, Any] | None = None
    text: str | None = None
    """The table in words, for people."""
    result: Result | None = None
    receipt: Receipt | None = None


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """An event, as you may read it."""

    type: str
    version: int
    schema: int
    stream: str
    move: int
    actor: str
    at: str
    public: dict[str, Any]
    secret: dict[str, Any] = {}
    hash: str = ""
    text: str = ""


class _Events(msgspec.Struct, frozen=True):
    events: list[Event]
    next: int | None = None


class Move(msgspec.Struct, frozen=True):
    """A legal move."""

    id: str
    move: dict[str, Any]
    text: str
    """What the move does in this position."""


class Moves(msgspec.Struct, frozen=True):
    """Your open decision and every move that may answer it; None and no moves if you are not asked."""

    decision: int | None
    moves: list[Move]


class Moved(Moves, frozen=True, kw_only=True):
    """The events of your move, and your next open decision with its moves."""

    version: int
    status: str
    events: list[Event]
    receipt: Receipt | None = None
    sealed: dict[str, Any] | None = None


class GameSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A game that the service offers."""

    slug: str
    title: dict[str, str]
    version: int
    seats: list[int]


class Game(GameSummary, frozen=True, kw_only=True):
    """A game, with JSON schemas of its options, moves and events."""

    packs: list[dict[str, Any]]
    bots: list[dict[str, Any]]
    options: dict[str, Any]
    moves: list[dict[str, Any]]
    events: dict[str, Any]
    schemas: dict[str, Any]


class _Games(msgspec.Struct, frozen=True):
    games: list[GameSummary]


class WeighedMove(msgspec.Struct, frozen=True, kw_only=True):
    """A move that a search has weighed. Shares are of the first place, from 0 to 1."""

    move: str
    """The move's id."""
    text: str
    share: float
    behind: float
    """By how much it is worse than the first move: 0 for that one, below 0 for one that seems better, not surely."""
    error: float
    """The standard error of `behind`, larger where few worlds were tried: very likely `behind` is off by no more than
    twice as much."""
    points: float
    """The seat's mean points some moves later."""
    others: float
    """The mean points then of the best of the others."""
    terms: dict[str, float]
    """The mean of each part of the position's worth then, by its name in `term` of a pack's names."""


class ReviewedDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A decision of the seat in which it had a choice."""

    version: int
    move: str
    """The id of the move that it made."""
    worlds: int
    moves: list[WeighedMove]
    """The seat's move and those that looked best: first the one that is advised, then those that were tried longer."""
    gains: list[str]
    """What the best move gains over the seat's own some moves later, in words."""
    by: str = "seat"
    """Who made the move: `seat`, `clock`, or a `bot` that played for the seat."""


class LuckAndPlay(msgspec.Struct, frozen=True, kw_only=True):
    """How a result came about, in shares of the first place: the other parts add up to `result`."""

    start: float
    luck: float
    own: float
    others: float
    result: float
    luck_error: float | None = None
    """The standard error of `luck`; None in reviews of earlier releases."""


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """What the decisions of a seat were worth by what it then knew, and how much was luck."""

    match: str
    seat: int
    state: str
    """`wanted`, `done`, `stopped` or `failed`."""
    total: int | None
    """How many decisions there are, once it is known."""
    decisions: list[ReviewedDecision]
    moments: list[int]
    """The positions in `decisions` that cost the seat most."""
    account: LuckAndPlay | None


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """What a search thinks of a decision, by what its seat knew."""

    seat: int
    decision: int
    state: str
    """`wanted`, `done` or `failed`."""
    moves: list[WeighedMove]
    """Those that look best: first the one that is advised, then those that were tried longer."""
    gains: list[str]
    """What the best one gains over the next some moves later, in words."""


class _Hints(msgspec.Struct, frozen=True):
    hints: list[Hint]
