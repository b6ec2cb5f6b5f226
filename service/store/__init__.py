"""The service's own tables beside the log: their schema, and the only place with their SQL."""

from __future__ import annotations

from events.store import Statement
from service.store import (
    clocks,
    conclusions,
    credentials,
    deliveries,
    erasing,
    following,
    history,
    idempotency,
    letters,
    listing,
    lists,
    lobby,
    logs,
    mailing,
    notices,
    offers,
    orders,
    passes,
    people,
    recoveries,
    schema,
    statistics,
    subscriptions,
    talk,
    told,
    turns,
)
from service.store.clocks import Pause, Terms, Timetable, Vacation
from service.store.conclusions import Conduct, Ended
from service.store.credentials import Credentials, Proofs
from service.store.deliveries import Delivery, DeliveryTable
from service.store.effects import EffectFailed, Effects, Overtaken, open_effects
from service.store.following import SetAside
from service.store.growth import Growth
from service.store.history import History, Past
from service.store.idempotency import KEPT, Once, Requests, key_reused
from service.store.letters import Letter
from service.store.listing import RESULTS, SPEEDS, Wanted
from service.store.lobby import LINK, NEWEST, PRIVATE, PUBLIC, RULES, Allowed, Chair, Entry, Lobby
from service.store.mailing import Wishes
from service.store.notices import Notice
from service.store.orders import Ordered
from service.store.passes import Pass
from service.store.people import Grant, People, Player, Token, Who
from service.store.statistics import Statistics
from service.store.subscriptions import Subscription, Subscriptions
