"""Play on a foldtable service.

`Client` for threads and scripts, `AsyncClient` for asyncio: the same names, the same answers. Each request that
changes something carries a key of its own, so it is sent again after a cut connection or a 429 and still acts once.
"""

from __future__ import annotations

from foldtable_client.answers import (
    Chair,
    Event,
    Game,
    GameSummary,
    Hint,
    Lobby,
    LuckAndPlay,
    Match,
    MatchSummary,
    Move,
    Moved,
    Moves,
    Player,
    Receipt,
    Review,
    ReviewedDecision,
    SignedUp,
    Turn,
    WeighedMove,
    Who,
)
from foldtable_client.asynchronous import AsyncClient
from foldtable_client.calls import Bot, For
from foldtable_client.problems import Problem, Unreachable
from foldtable_client.streams import Message
from foldtable_client.synchronous import Client
from foldtable_client.trying import Patience

__all__ = [
    "AsyncClient",
    "Bot",
    "Chair",
    "Client",
    "Event",
    "For",
    "Game",
    "GameSummary",
    "Hint",
    "Lobby",
    "LuckAndPlay",
    "Match",
    "MatchSummary",
    "Message",
    "Move",
    "Moved",
    "Moves",
    "Patience",
    "Player",
    "Problem",
    "Receipt",
    "Review",
    "ReviewedDecision",
    "SignedUp",
    "Turn",
    "Unreachable",
    "WeighedMove",
    "Who",
]
