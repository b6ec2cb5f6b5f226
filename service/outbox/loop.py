"""The loop by which every channel delivers: what is due is claimed, sent, and what came of it noted.

The table is the truth. Any number of processes may run the loop: each delivery is claimed by one of them, so none is
sent twice at once, and each at least once. What its log lines say tells nothing of a match: under seal not even that
somebody was told may be known.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from threading import Event, Lock
from time import monotonic

import structlog

from events.store import Statement, Store, StoreError
from service import clock
from service.outbox.channel import AT_ONCE, AWAY, Begin, Channel, ChannelAway, ChannelOutcome, at_once
from service.outbox.claims import RENEWED, DeliveryClaims
from service.store import Delivery, DeliveryTable, Subscription, Subscriptions, deliveries, subscriptions
from service.telemetry import OutageLog, metrics

WAITS = (5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, 86_400)
"""Seconds from one try to the next; after the last of them it is given up."""

LONGEST_WAIT = 86_400
"""Seconds for which a receiver may ask to be left alone, at most."""

FAILING = timedelta(days=3)
"""After which a subscription is disabled to which nothing could be delivered."""

LEAST = 5
"""Tries of one delivery, before its subscription is."""

KEPT = timedelta(days=7)
"""For how long it is told what became of a delivery."""

PLAYERS = 500
"""Players that are looked at at a time."""

EVERY = 0.5
"""Seconds between two looks at what is due."""

TIDY = 3600.0
"""Seconds between two times at which what is old is forgotten."""

logger = structlog.get_logger(__name__)


class DeliveryLoop:
    """Delivers by one channel. One thread uses it, and those that `begin` has."""

    def __init__(
        self,
        store: Store,
        channel: Channel,
        now: clock.Now = clock.now,
        begin: Begin = at_once,
        renewed: float = RENEWED,
    ) -> None:
        """`begin`: has a delivery sent now or beside; `renewed`: see `DeliveryClaims`."""
        self._store = store
        self._channel = channel
        self._now = now
        self._begin = begin
        self._claims = DeliveryClaims(store, channel.claim, now, renewed)
        self._deliveries = DeliveryTable(store)
        self._subscriptions = Subscriptions(store)
        self._lock = Lock()
        self._under_way: dict[str, set[str]] = {}
        self._tidied = monotonic()
        self.alive = monotonic()
        """When it last went on with its work."""

    def run(self, stop: Event) -> None:
        """Deliver until it is stopped. A store or a channel that is away is waited for."""
        away, out = OutageLog(f"what {self._channel.name} is sent by"), OutageLog("the store")
        pause = 0.0
        while not stop.wait(pause):
            pause = EVERY
            try:
                if self.look(stop):
                    pause = 0.0
                elif monotonic() - self._tidied > TIDY:
                    self.tidy()
            except ChannelAway as error:
                away.begins(error)
                pause = AWAY
            except StoreError as error:
                out.begins(error)
            else:
                away.ends()
                out.ends()
                metrics.looked(f"{self._channel.name}s-sent")
            self.alive = monotonic()

    def look(self, stop: Event | None = None) -> int:
        """Send what is due now, of each player a little: return how many were begun. Raises ChannelAway, StoreError."""
        self._channel.open()
        try:
            begun = 0
            for player in self._deliveries.who_is_due(self._channel.name, self._at(), PLAYERS):
                if stop is not None and stop.is_set():
                    break
                begun += self.tell(player)
            return begun
        finally:
            self._channel.close()

    def tidy(self) -> None:
        """Forget what has come to an end long ago. Raises StoreError."""
        self._tidied = monotonic()
        horizon = clock.stamp(self._now() - KEPT)
        for partition in range(self._store.partitions):
            self._store.write([deliveries.forget(partition, horizon)])

    def _at(self) -> str:
        return clock.stamp(self._now())

    def tell(self, player: str) -> int:
        """Send the player a little of what is due: return how many were begun. Raises ChannelAway, StoreError."""
        begun = 0
        for one in self._deliveries.due(self._channel.name, player, self._at(), AT_ONCE):
            self.alive = monotonic()
            if self._waits(one):
                continue
            to = self._subscriptions.find(one.target) if self._channel.has_subscriptions else None
            if self._channel.has_subscriptions and (to is None or to.disabled is not None):
                self._settle(one, ChannelOutcome(deliveries.DROPPED, one.answer, one.problem), to)
                continue
            if not self._enters(player, one.id, 1 if to is not None and to.failing else AT_ONCE):
                break
            try:
                is_begun = self._begin(lambda one=one, to=to: self._deliver(one, to))  # type: ignore[misc]
            except BaseException:
                self._leaves(player, one.id)
                raise
            if not is_begun:
                self._leaves(player, one.id)
                break
            begun += 1
        return begun

    def _waits(self, one: Delivery) -> bool:
        """Whether it is not told yet, for its player may see it by themselves."""
        if one.tries or one.asked:
            return False
        # it happened before now, unless the clock was set back
        since, now = datetime.fromisoformat(one.at), self._now()
        until = since + self._channel.delay(one.kind)
        if not since <= now < until:
            return False
        self._store.write([deliveries.put_off(one, clock.stamp(until))])
        return True

    def _enters(self, player: str, id: str, most: int) -> bool:
        with self._lock:
            under_way = self._under_way.setdefault(player, set())
            if len(under_way) >= most or id in under_way:
                return False
            under_way.add(id)
            return True

    def _leaves(self, player: str, id: str) -> None:
        with self._lock:
            under_way = self._under_way.get(player, set())
            under_way.discard(id)
            if not under_way:
                self._under_way.pop(player, None)

    def _deliver(self, one: Delivery, to: Subscription | None) -> None:
        """Claim it and send it. Raises ChannelAway."""
        try:
            if not self._claims.take(one):
                return
            held, outcome, away = one, None, None
            try:
                outcome = self._outcome(one, to)
            except ChannelAway as error:
                away = error
                outcome = ChannelOutcome(deliveries.WAITING)
            finally:
                held = self._claims.let_go(one.id)
            self._settle(held, outcome, to)
            if away is not None:
                raise away
        except StoreError as error:
            # whatever was not noted is tried again once the claim is void
            logger.warning("what came of a delivery can't be noted", error=str(error))
        finally:
            self._leaves(one.player, one.id)

    def _outcome(self, one: Delivery, to: Subscription | None) -> ChannelOutcome:
        """Send it, unless it tells nothing any more. Raises ChannelAway, StoreError."""
        due = self._deliveries.open_until(one) if one.decision is not None else ""
        if due is None and not one.asked:
            return ChannelOutcome(deliveries.DROPPED, one.answer, one.problem)
        return self._channel.send(one, to, due or "")

    def _settle(self, one: Delivery, outcome: ChannelOutcome, to: Subscription | None) -> None:
        """Write down what came of it. Raises StoreError."""
        now, at = self._now(), self._at()
        status, due = outcome.status, at
        if status == deliveries.WAITING:
            if one.tries > len(WAITS):
                logger.warning("a delivery is given up", channel=self._channel.name)
                status = deliveries.FAILED
            else:
                # not all at once, where a receiver was away that many are told of
                wait = WAITS[one.tries - 1] * random.uniform(1.0, 1.2)
                due = clock.stamp(now + timedelta(seconds=max(wait, min(outcome.after, LONGEST_WAIT))))
        told = [deliveries.settle(one, status, due, outcome.answer, outcome.problem)]
        if not one.target and status != deliveries.WAITING:
            told = [deliveries.forget_one(one)]
        told += outcome.beside
        if to is not None:
            told += _judged(one, outcome, to, now)
        self._store.write(told)


def _judged(one: Delivery, outcome: ChannelOutcome, to: Subscription, now: datetime) -> list[Statement]:
    """Return what the outcome says of the subscription."""
    at = clock.stamp(now)
    if outcome.ends:
        return [subscriptions.disable(to.id, at, outcome.ends)]
    if outcome.status == deliveries.DELIVERED:
        return [subscriptions.works(to.id)] if to.failing else []
    if outcome.status != deliveries.WAITING:
        return []
    told = [subscriptions.fails(to.id, at)]
    if to.failing and to.failing <= clock.stamp(now - FAILING) and one.tries >= LEAST:
        told.append(subscriptions.disable(to.id, at, "failing"))
    return told
