"""The loop by which every channel delivers: it claims what is due, lets the channel send it, and stores the result.

All state is in the table. Any number of processes may run the loop: one of them claims each delivery, so it is sent at
least once, and never twice at the same time. Log lines name no match and no player: under seal nobody may learn even
that somebody was told something.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from threading import Event
from time import monotonic

import structlog
from msgspec.structs import replace

from events.store import Statement, Store, StoreError
from service import clock
from service.outbox.channel import Channel, ChannelAway, ChannelOutcome
from service.outbox.claims import RENEWED, DeliveryClaims
from service.store import Delivery, DeliveryTable, Subscription, Subscriptions, deliveries, subscriptions
from service.telemetry import OutageLog, metrics

LONGEST_WAIT = 86_400
"""The most seconds for which a receiver may ask not to be sent anything."""

FAILING = timedelta(days=3)
"""A subscription is disabled if nothing could be delivered to it for so long."""

LEAST = 5
"""The fewest tries of one delivery before its subscription is disabled."""

KEPT = timedelta(days=7)
"""For how long the result of a delivery is kept."""

AT_ONCE = 4
"""The most deliveries of one player that a process has under way; only one if the subscription fails."""

PLAYERS = 500
"""The most players that are looked at at a time."""

EVERY, AWAY = 0.5, 15.0
"""Seconds between two looks at what is due, and until the next try after ChannelAway."""

TIDY = 3600.0
"""Seconds after which old deliveries are deleted again."""

logger = structlog.get_logger(__name__)

Begin = Callable[[Callable[[], None]], bool]
"""Calls a function, now or on another thread. Returns False if there is no room for it."""


def at_once(act: Callable[[], None]) -> bool:
    """Call the function now: see `Begin`."""
    act()
    return True


class DeliveryLoop:
    """Delivers by one channel. One thread uses it, and the threads of `begin`."""

    def __init__(
        self,
        store: Store,
        channel: Channel,
        now: clock.Now = clock.now,
        begin: Begin = at_once,
        renewed: float = RENEWED,
    ) -> None:
        """`begin` calls the function that sends a delivery; `renewed`: see `DeliveryClaims`."""
        self._store = store
        self._channel = channel
        self._now = now
        self._begin = begin
        self._claims = DeliveryClaims(store, channel.claim, now, renewed)
        self._deliveries = DeliveryTable(store)
        self._subscriptions = Subscriptions(store)
        self._tidied = monotonic()
        self.alive = monotonic()
        """When the loop last went on with its work."""

    def run(self, stop: Event) -> None:
        """Deliver until `stop` is set. If the store or the channel's server does not answer, wait until it does."""
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
        """Begin to send each player a few of the due deliveries. Returns how many. Raises ChannelAway, StoreError."""
        self._channel.open()
        try:
            begun = 0
            for player in self._deliveries.who_is_due(self._channel.name, clock.stamp(self._now()), PLAYERS):
                if stop is not None and stop.is_set():
                    break
                begun += self.tell(player)
            return begun
        finally:
            self._channel.close()

    def tidy(self) -> None:
        """Delete deliveries that ended long ago. Raises StoreError."""
        self._tidied = monotonic()
        horizon = clock.stamp(self._now() - KEPT)
        for partition in range(self._store.partitions):
            self._store.write([deliveries.forget(partition, horizon)])

    def tell(self, player: str) -> int:
        """Begin to send the player a few of the due deliveries. Returns how many. Raises ChannelAway, StoreError."""
        begun = 0
        for one in self._deliveries.due(self._channel.name, player, clock.stamp(self._now()), AT_ONCE):
            self.alive = monotonic()
            if self._waits(one):
                continue
            to = self._subscriptions.find(one.target) if self._channel.has_subscriptions else None
            if self._channel.has_subscriptions and (to is None or to.disabled is not None):
                self._settle(one, ChannelOutcome(deliveries.DROPPED, one.answer, one.problem), to)
                continue
            if not self._claims.begin(one, 1 if to is not None and to.failing else AT_ONCE):
                break
            if not self._begin(partial(self._deliver, one, to)):
                self._claims.end(one)
                break
            begun += 1
        return begun

    def _waits(self, one: Delivery) -> bool:
        """Put off a delivery if the player may still act without it. Returns whether it was put off."""
        if one.tries or one.asked:
            return False
        # `since` is in the past, unless the clock was set back
        since, now = datetime.fromisoformat(one.at), self._now()
        until = since + self._channel.delay(one.kind)
        if not since <= now < until:
            return False
        self._store.write([deliveries.change(one, replace(one, due=clock.stamp(until)))])
        return True

    def _deliver(self, one: Delivery, to: Subscription | None) -> None:
        """Claim the delivery, send it, and store the result. Raises ChannelAway."""
        away = None
        try:
            try:
                outcome = self._outcome(one, to) if self._claims.take(one) else None
            except ChannelAway as error:
                outcome, away = ChannelOutcome(deliveries.WAITING), error
            finally:
                held = self._claims.end(one)
            if outcome is not None:
                self._settle(held, outcome, to)
        except StoreError as error:
            # the delivery is tried again when the claim is void
            logger.warning("the result of a delivery can't be stored", error=str(error))
        if away is not None:
            raise away

    def _outcome(self, one: Delivery, to: Subscription | None) -> ChannelOutcome:
        """Send the delivery, unless its decision is closed. Raises ChannelAway, StoreError."""
        due = self._deliveries.open_until(one) if one.decision is not None else ""
        if due is None and not one.asked:
            return ChannelOutcome(deliveries.DROPPED, one.answer, one.problem)
        return self._channel.send(one, to, due or "")

    def _settle(self, one: Delivery, outcome: ChannelOutcome, to: Subscription | None) -> None:
        """Store the result of a try. Raises StoreError."""
        now, status = self._now(), outcome.status
        due = now
        if status == deliveries.WAITING and one.tries > len(self._channel.waits):
            logger.warning("a delivery is given up", channel=self._channel.name)
            status = deliveries.FAILED
        elif status == deliveries.WAITING:
            # a random factor, so that not all are sent at one moment after a receiver did not answer
            wait = self._channel.waits[one.tries - 1] * random.uniform(1.0, 1.2)
            due += timedelta(seconds=max(wait, min(outcome.after, LONGEST_WAIT)))
        after = replace(one, status=status, due=clock.stamp(due), answer=outcome.answer, problem=outcome.problem)
        is_over = not one.target and status != deliveries.WAITING
        statements = [deliveries.forget_one(one) if is_over else deliveries.change(one, after), *outcome.beside]
        self._store.write([*statements, *(_judged(one, outcome, to, now) if to is not None else [])])


def _judged(one: Delivery, outcome: ChannelOutcome, to: Subscription, now: datetime) -> list[Statement]:
    """Return the statements that store what the outcome says about the subscription."""
    at = clock.stamp(now)
    if outcome.ends:
        return [subscriptions.disable(to.id, at, outcome.ends)]
    if outcome.status == deliveries.DELIVERED:
        return [subscriptions.works(to.id)] if to.failing else []
    if outcome.status != deliveries.WAITING:
        return []
    statements = [subscriptions.fails(to.id, at)]
    if to.failing and to.failing <= clock.stamp(now - FAILING) and one.tries >= LEAST:
        statements.append(subscriptions.disable(to.id, at, "failing"))
    return statements
