"""The service's own tables beside the log: their schema, and the only place with their SQL."""

from __future__ import annotations

from events.store import Statement
from service.store import following, idempotency, lobby, logs, people, schema, statistics, told, turns
from service.store.effects import EffectFailed, Effects, Overtaken, open_effects
from service.store.following import SetAside
from service.store.growth import Growth
from service.store.idempotency import KEPT, Once, Requests, key_reused
from service.store.lobby import NEWEST, PRIVATE, PUBLIC, Chair, Entry, Lobby, Wanted
from service.store.people import Grant, People, Player, Token
from service.store.statistics import Statistics

__all__ = [
    "KEPT",
    "NEWEST",
    "PRIVATE",
    "PUBLIC",
    "Chair",
    "EffectFailed",
    "Effects",
    "Entry",
    "Grant",
    "Growth",
    "Lobby",
    "Once",
    "Overtaken",
    "People",
    "Player",
    "Requests",
    "SetAside",
    "Statement",
    "Statistics",
    "Token",
    "Wanted",
    "following",
    "idempotency",
    "key_reused",
    "lobby",
    "logs",
    "open_effects",
    "people",
    "schema",
    "statistics",
    "told",
    "turns",
]
