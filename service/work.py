"""What workers ask for and report: turns of bots, hints and reviews. A worker loads this, and none of the use cases.

Turns are of many matches in one request, each with or without a move. A bot learns only what its seat may read, and
moves as a person does.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from bots import review
from service.store import WantedReview

TURNS = 64
"""The most matches in a request for turns."""

CLOCKS = 128
"""The most matches in a request about clocks."""

ORDERS = 64
"""The most matches in a request about standing orders."""

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
    bots: tuple[AskedBot, ...] = ()
    """The open decisions of the match's bots after that."""


class BotTurnsTaken(msgspec.Struct, frozen=True):
    """The results of the turns, in the order of the request."""

    turns: tuple[BotTurnTaken, ...]


class WantedHint(msgspec.Struct, frozen=True):
    """A decision about which a worker is to think."""

    seat: int
    decision: int
    events: tuple[ToldEvent, ...]
    """All events of the match up to the decision, as the seat may read them."""


class WantedThoughts(msgspec.Struct, frozen=True):
    """What workers are to think about in a match."""

    hints: tuple[WantedHint, ...]
    """The decision for which a player waits, at most one at a time; it comes before reviews."""
    reviews: tuple[WantedReview, ...]
    """The seats whose reviews are wanted, those first that have waited longest."""


class HintReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker thinks of a decision; nothing if it gives up."""

    seat: int
    decision: int
    weighed: tuple[review.Weighed, ...] = ()


class ReviewReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker has found out about a seat's decisions."""

    seat: int
    total: int
    first: int
    """The number of the first of `decisions`, from 0."""
    decisions: tuple[review.Decision, ...] = ()
    account: review.LuckAndPlay | None = None
    """Once all decisions are known."""
    failed: bool = False
    """Whether the worker gives up."""
