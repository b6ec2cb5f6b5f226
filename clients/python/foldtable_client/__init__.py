"""Play on a foldtable service.

`Client` is for threads and scripts, `AsyncClient` for asyncio; both have the same methods and answers. Each POST has a
key of its own, so the client can repeat it after a cut connection or a 429, and it still acts once.
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
