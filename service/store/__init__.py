"""The service's own tables beside the log: their schema, and the only place with their SQL."""

from __future__ import annotations

from events.store import Statement
from service.store import (
    clocks,
    conclusions,
    following,
    idempotency,
    listing,
    lobby,
    logs,
    people,
    schema,
    statistics,
    turns,
)
from service.store.clocks import Terms, Timetable, Vacation
from service.store.conclusions import Conduct, Ended
from service.store.effects import EffectFailed, Effects, Overtaken, open_effects
from service.store.following import SetAside
from service.store.idempotency import KEPT, Once, Requests, key_reused
from service.store.listing import RESULTS, SPEEDS, Wanted
from service.store.lobby import LINK, NEWEST, PRIVATE, PUBLIC, RULES, Allowed, Chair, Entry, Lobby
from service.store.people import Grant, People, Player, Token
from service.store.statistics import Statistics

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
    "EffectFailed",
    "Effects",
    "Ended",
    "Entry",
    "Grant",
    "Lobby",
    "Once",
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
    "clocks",
    "conclusions",
    "following",
    "idempotency",
    "key_reused",
    "listing",
    "lobby",
    "logs",
    "open_effects",
    "people",
    "schema",
    "statistics",
    "turns",
]
