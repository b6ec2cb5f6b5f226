"""The service's own tables beside the log: their schema, and the only place with their SQL."""

from __future__ import annotations

from events.store import Statement
from service.store import (
    clocks,
    conclusions,
    credentials,
    erasing,
    following,
    history,
    idempotency,
    listing,
    lists,
    lobby,
    logs,
    mailing,
    notices,
    offers,
    orders,
    outbox,
    passes,
    people,
    recoveries,
    schema,
    statistics,
    talk,
    tidings,
    told,
    turns,
    webhooks,
)
from service.store.clocks import Pause, Terms, Timetable, Vacation
from service.store.conclusions import Conduct, Ended
from service.store.credentials import Credentials, Proofs
from service.store.effects import EffectFailed, Effects, Overtaken, open_effects
from service.store.following import SetAside
from service.store.growth import Growth
from service.store.history import History, Past
from service.store.idempotency import KEPT, Once, Requests, key_reused
from service.store.listing import RESULTS, SPEEDS, Wanted
from service.store.lobby import LINK, NEWEST, PRIVATE, PUBLIC, RULES, Allowed, Chair, Entry, Lobby
from service.store.mailing import Wishes
from service.store.orders import Ordered
from service.store.outbox import Letter, Waiting
from service.store.passes import Pass
from service.store.people import Grant, People, Player, Token, Who
from service.store.statistics import Statistics
from service.store.tidings import Tiding
from service.store.webhooks import Delivery, Webhook, Webhooks

__all__ = [
    "KEPT",
    "LINK",
    "NEWEST",
    "PRIVATE",
    "PUBLIC",
    "RESULTS",
    "RULES",
    "SPEEDS",
    "Allowed",
    "Chair",
    "Conduct",
    "Credentials",
    "Delivery",
    "EffectFailed",
    "Effects",
    "Ended",
    "Entry",
    "Grant",
    "Growth",
    "History",
    "Letter",
    "Lobby",
    "Once",
    "Ordered",
    "Overtaken",
    "Pass",
    "Past",
    "Pause",
    "People",
    "Player",
    "Proofs",
    "Requests",
    "SetAside",
    "Statement",
    "Statistics",
    "Terms",
    "Tiding",
    "Timetable",
    "Token",
    "Vacation",
    "Waiting",
    "Wanted",
    "Webhook",
    "Webhooks",
    "Who",
    "Wishes",
    "clocks",
    "conclusions",
    "credentials",
    "erasing",
    "following",
    "history",
    "idempotency",
    "key_reused",
    "listing",
    "lists",
    "lobby",
    "logs",
    "mailing",
    "notices",
    "offers",
    "open_effects",
    "orders",
    "outbox",
    "passes",
    "people",
    "recoveries",
    "schema",
    "statistics",
    "talk",
    "tidings",
    "told",
    "turns",
    "webhooks",
]
