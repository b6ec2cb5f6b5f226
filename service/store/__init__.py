"""The service's own tables beside the log: their schema, and the only place with their SQL."""

from __future__ import annotations

from events.store import Statement
from service.store import idempotency, lobby, logs, people, schema, turns
from service.store.idempotency import KEPT, Once, Requests, key_reused
from service.store.lobby import NEWEST, PRIVATE, PUBLIC, Chair, Entry, Lobby, Wanted
from service.store.people import Grant, People, Player, Token

__all__ = [
    "KEPT",
    "NEWEST",
    "PRIVATE",
    "PUBLIC",
    "Chair",
    "Entry",
    "Grant",
    "Lobby",
    "Once",
    "People",
    "Player",
    "Requests",
    "Statement",
    "Token",
    "Wanted",
    "idempotency",
    "key_reused",
    "lobby",
    "logs",
    "people",
    "schema",
    "turns",
]
