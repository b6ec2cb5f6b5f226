"""The service's own tables beside the log: their schema, and the only place with their SQL."""

from __future__ import annotations

from events.store import Statement
from service.store import (
    clocks,
    following,
    idempotency,
    lobby,
    logs,
    notices,
    orders,
    people,
    schema,
    statistics,
    turns,
    webhooks,
)
from service.store.clocks import Terms, Timetable, Vacation
from service.store.effects import EffectFailed, Effects, Overtaken, open_effects
from service.store.following import SetAside
from service.store.idempotency import KEPT, Once, Requests, key_reused
from service.store.lobby import NEWEST, PRIVATE, PUBLIC, RULES, Chair, Entry, Lobby, Wanted
from service.store.orders import Ordered
from service.store.people import Grant, People, Player, Token
from service.store.statistics import Statistics
from service.store.webhooks import Delivery, Webhook, Webhooks

__all__ = [
    "KEPT",
    "NEWEST",
    "PRIVATE",
    "PUBLIC",
    "RULES",
    "Chair",
    "Delivery",
    "EffectFailed",
    "Effects",
    "Entry",
    "Grant",
    "Lobby",
    "Once",
    "Ordered",
    "Overtaken",
    "People",
    "Player",
    "Requests",
    "SetAside",
    "Statement",
    "Statistics",
    "Terms",
    "Timetable",
    "Token",
    "Vacation",
    "Wanted",
    "Webhook",
    "Webhooks",
    "clocks",
    "following",
    "idempotency",
    "key_reused",
    "lobby",
    "logs",
    "notices",
    "open_effects",
    "orders",
    "people",
    "schema",
    "statistics",
    "turns",
    "webhooks",
]
