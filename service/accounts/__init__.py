"""Players, their names and tokens, and who may do what."""

from __future__ import annotations

from service.accounts import names
from service.accounts.access import ADMIN, BOT, CREATE, PLAY, READ, SCOPES, STRANGER, WEBHOOK, Asker, HouseTokens
from service.accounts.granted import Revocations
from service.accounts.players import Accounts

__all__ = [
    "ADMIN",
    "BOT",
    "CREATE",
    "PLAY",
    "READ",
    "SCOPES",
    "STRANGER",
    "WEBHOOK",
    "Accounts",
    "Asker",
    "HouseTokens",
    "Revocations",
    "names",
]
