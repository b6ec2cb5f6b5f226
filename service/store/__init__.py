"""The service's own tables beside the log: their schema, and the only place with their SQL."""

from events.store import Statement
from service.store import (
    clocks,
    deliveries,
    effects,
    idempotency,
    listing,
    lobby,
    logs,
    mailing,
    notices,
    people,
    proposals,
    results,
    reviews,
    schema,
    talk,
    turns,
)
from service.store.clocks import Pause, Terms, Timetable, Vacation
from service.store.deliveries import Delivery, DeliveryTable
from service.store.effects import EffectFailed, Effects, Overtaken, SetAside, open_effects
from service.store.idempotency import KEPT, Once
from service.store.listing import RESULTS, SPEEDS, Wanted
from service.store.lobby import LINK, PRIVATE, PUBLIC, RULES, Chair, Entry, Lobby
from service.store.logs import Growth
from service.store.mailing import Letter, Wishes
from service.store.notices import Notice, Subscription, Subscriptions
from service.store.people import Credentials, Grant, Pass, People, Player, Token, Who
from service.store.results import Conduct, Ended, History, Rival, Statistics
from service.store.reviews import Reviewed, WantedReview
from service.store.statements import NEWEST
from service.store.turns import Ordered
