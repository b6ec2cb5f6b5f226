"""What the service answers, as far as this client reads it. Names that come to be added are passed over."""

from __future__ import annotations

from typing import Any

import msgspec


class Who(msgspec.Struct, frozen=True):
    """A player, as others see them."""

    id: str
    name: str


class Player(Who, frozen=True):
    """An account: one's own."""

    kind: str = "human"


class SignedUp(Player, frozen=True, kw_only=True):
    """A new account and its token, which is told this once."""

    token: str


class Chair(msgspec.Struct, frozen=True):
    """Whose a seat is: a player's, a bot's, reserved for a player, or nobody's."""

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
    """How a match ended, by seat; a place is 1 for whoever came first."""

    points: list[int]
    ranking: list[int]


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """The service's signature under an event and all before it: keep it."""

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
    """The seats that are asked; not told under seal."""
    sealed: bool
    decision: int | None = None
    seat: int | None = None
    """Yours."""
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
    """A move that may be chosen."""

    id: str
    move: dict[str, Any]
    text: str
    """What it is and does in this position."""


class Moves(msgspec.Struct, frozen=True):
    """Your open decision and every move that may answer it; None and no moves where you are not asked."""

    decision: int | None
    moves: list[Move]


class Moved(Moves, frozen=True, kw_only=True):
    """What your move brought about, and what is open to you now."""

    version: int
    status: str
    events: list[Event]
    receipt: Receipt | None = None
    sealed: dict[str, Any] | None = None


class GameSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A game that is played here."""

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
