"""The loop by which every channel delivers: it claims what is due, lets the channel send it, and stores the result.

All state is in the table. Any number of processes may run the loop: one of them claims each delivery, so it is sent at
least once, and never twice at the same time. Log lines name no match and no player: under seal nobody may learn even
that somebody was told something.

To add a channel, write a module with a class like `Channel`, and a template or structs for its messages. `Noting`
stores the notices; `DeliveryLoop` claims them, tries again, gives up, and disables what fails.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from threading import Condition, Event, Semaphore, Thread
from time import monotonic

import msgspec
import structlog
from msgspec.structs import replace

from events.store import Store, StoreError
from service import clock
from service.store import (
    Delivery,
    DeliveryTable,
    Statement,
    Subscription,
    Subscriptions,
    deliveries,
    notices,
    proposals,
)
from service.telemetry import OutageLog, metrics


class ChannelOutcome(msgspec.Struct, frozen=True):
    """The result of one try to send a delivery."""

    status: str = deliveries.DELIVERED
    """The delivery's new status. If it is `WAITING`, the loop tries again, unless it has tried often enough."""
    answer: int | None = None
    """The status code of the receiver's answer."""
    problem: str | None = None
    """A code for what was wrong."""
    after: int = 0
    """Seconds for which the receiver asks not to be sent anything."""
    ends: str = ""
    """Why the subscription is disabled; "" if it is not."""
    beside: tuple[Statement, ...] = ()
    """Statements for the transaction that stores the outcome."""


class ChannelAway(Exception):
    """The channel can send nothing to anybody now."""


class Channel(ABC):
    """Sends one kind of message."""

    name: str
    """The channel's name in `deliveries` and `subscriptions`."""
    claim: timedelta
    """For how long a delivery is claimed; then another process may send it."""
    waits: tuple[int, ...]
    """Seconds from each try to the next. After the last of them a delivery is given up."""
    has_subscriptions = True
    """Whether a delivery is dropped if its subscription is gone or disabled."""
    delays: Mapping[str, timedelta] = {}
    """By kind, how long a notice waits, so that it is not sent if the player acts meanwhile; others do not wait."""

    def open(self) -> None:  # noqa: B027  # most have nothing to prepare
        """Prepare a look at what is due. Raises StoreError."""

    @abstractmethod
    def send(self, delivery: Delivery, subscription: Subscription | None, due: str) -> ChannelOutcome:
        """Send the delivery. Returns the result.

        Shape:   `due` is when its decision is due, "" if it has none, or one without a limit.
        Raises:  ChannelAway; StoreError.
        """

    def close(self) -> None:  # noqa: B027
        """Close connections, after each look."""


RENEWED = 20.0
"""Seconds until a claim is repeated."""

logger = structlog.get_logger(__name__)


class DeliveryClaims:
    """The deliveries that one process works on. Any thread may use it."""

    def __init__(self, store: Store, claim: timedelta, now: clock.Now) -> None:
        self._store = store
        self._claim = claim
        self._now = now
        self._under_way: dict[str, str] = {}
        """By the id of a delivery that is under way, its player."""
        self._claimed: dict[str, Delivery] = {}
        self._changed = Condition()
        self._thread: Thread | None = None

    def begin(self, delivery: Delivery, most: int) -> bool:
        """Note that the delivery is under way. Returns False if it was already, or if `most` of its player's are."""
        with self._changed:
            if delivery.id in self._under_way or [*self._under_way.values()].count(delivery.player) >= most:
                return False
            self._under_way[delivery.id] = delivery.player
            return True

    def take(self, delivery: Delivery) -> bool:
        """Claim the delivery. Returns False if another process has it. Raises StoreError."""
        claimed = replace(delivery, due=self._until(), tries=delivery.tries + 1, tried=clock.stamp(self._now()))
        if self._store.write([deliveries.change(delivery, claimed)]) != (1,):
            return False
        with self._changed:
            self._claimed[delivery.id] = claimed
            if self._thread is None:
                self._thread = Thread(target=self._run, name="delivery-claims", daemon=True)
                self._thread.start()
        return True

    def end(self, delivery: Delivery) -> Delivery:
        """Return the delivery as it was claimed last. It is no longer under way, and its claim is not repeated."""
        with self._changed:
            self._under_way.pop(delivery.id, None)
            self._changed.notify_all()
            return self._claimed.pop(delivery.id, delivery)

    def _run(self) -> None:
        with self._changed:
            # woken when the last claim ends, so that no thread stays behind
            while not self._changed.wait_for(lambda: not self._claimed, RENEWED):
                self._renew()
            self._thread = None

    def _renew(self) -> None:
        for claimed in tuple(self._claimed.values()):
            renewed = replace(claimed, due=self._until())
            try:
                if self._store.write([deliveries.change(claimed, renewed)]) == (1,):
                    self._claimed[claimed.id] = renewed
            except StoreError as error:
                logger.warning("the claim of a delivery can't be renewed", error=str(error))

    def _until(self) -> str:
        return clock.stamp(self._now() + self._claim)


PATIENCE = 2.0
"""Seconds for which a delivery waits for a slot; then a later look tries it again."""


class Slots:
    """The slots of a process, each for one delivery under way."""

    def __init__(self, size: int = 64) -> None:
        """`size`: the most deliveries under way at a time."""
        self._size = size
        self._free = Semaphore(size)

    def begin(self, act: Callable[[], None]) -> bool:
        """See `Begin`."""
        if not self._free.acquire(timeout=PATIENCE):
            return False
        # a daemon: the process does not wait for a slow receiver when it ends
        Thread(target=self._do, args=(act,), name="delivery", daemon=True).start()
        return True

    def _do(self, act: Callable[[], None]) -> None:
        try:
            act()
        except Exception as error:
            # the error's text may contain a URL, which only its owner may know
            logger.error("unforeseen", kind=type(error).__name__)
        finally:
            self._free.release()

    def close(self, seconds: float) -> None:
        """Wait at most so many seconds for the deliveries that are under way."""
        end = monotonic() + seconds
        for _ in range(self._size):
            if not self._free.acquire(timeout=max(0.0, end - monotonic())):
                return


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

Begin = Callable[[Callable[[], None]], bool]
"""Calls a function, now or on another thread. Returns False if there is no room for it."""


def at_once(act: Callable[[], None]) -> bool:
    """Call the function now: see `Begin`."""
    act()
    return True


class DeliveryLoop:
    """Delivers by one channel. One thread uses it, and the threads of `begin`."""

    def __init__(self, store: Store, channel: Channel, now: clock.Now = clock.now, begin: Begin = at_once) -> None:
        """`begin` calls the function that sends a delivery."""
        self._store = store
        self._channel = channel
        self._now = now
        self._begin = begin
        self._claims = DeliveryClaims(store, channel.claim, now)
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
                elif monotonic() - self._tidied > 3600:
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
        for delivery in self._deliveries.due(self._channel.name, player, clock.stamp(self._now()), AT_ONCE):
            self.alive = monotonic()
            if self._waits(delivery):
                continue
            subscription = self._subscriptions.find(delivery.target) if self._channel.has_subscriptions else None
            if self._channel.has_subscriptions and (subscription is None or subscription.disabled is not None):
                dropped = ChannelOutcome(deliveries.DROPPED, delivery.answer, delivery.problem)
                self._settle(delivery, dropped, subscription)
                continue
            if not self._claims.begin(delivery, 1 if subscription is not None and subscription.failing else AT_ONCE):
                break
            if not self._begin(partial(self._deliver, delivery, subscription)):
                self._claims.end(delivery)
                break
            begun += 1
        return begun

    def _waits(self, delivery: Delivery) -> bool:
        """Put off a delivery if the player may still act without it. Returns whether it was put off."""
        if delivery.tries or delivery.asked:
            return False
        # `since` is in the past, unless the clock was set back
        since, now = datetime.fromisoformat(delivery.at), self._now()
        until = since + self._channel.delays.get(delivery.kind, timedelta())
        if not since <= now < until:
            return False
        self._store.write([deliveries.change(delivery, replace(delivery, due=clock.stamp(until)))])
        return True

    def _deliver(self, delivery: Delivery, subscription: Subscription | None) -> None:
        """Claim the delivery, send it, and store the result. Raises ChannelAway."""
        away = None
        try:
            try:
                outcome = self._outcome(delivery, subscription) if self._claims.take(delivery) else None
            except ChannelAway as error:
                outcome, away = ChannelOutcome(deliveries.WAITING), error
            finally:
                held = self._claims.end(delivery)
            if outcome is not None:
                self._settle(held, outcome, subscription)
        except StoreError as error:
            # the delivery is tried again when the claim is void
            logger.warning("the result of a delivery can't be stored", error=str(error))
        if away is not None:
            raise away

    def _outcome(self, delivery: Delivery, subscription: Subscription | None) -> ChannelOutcome:
        """Send the delivery, unless it is no longer true. Raises ChannelAway, StoreError."""
        due: str | None = ""
        if delivery.decision is not None:
            due = self._deliveries.open_until(delivery)
        elif delivery.kind in notices.NEWS and proposals.match_if_true(self._store, delivery) is None:
            due = None
        if due is None and not delivery.asked:
            return ChannelOutcome(deliveries.DROPPED, delivery.answer, delivery.problem)
        return self._channel.send(delivery, subscription, due or "")

    def _settle(self, delivery: Delivery, outcome: ChannelOutcome, subscription: Subscription | None) -> None:
        """Store the result of a try. Raises StoreError."""
        now, status = self._now(), outcome.status
        due = now
        if status == deliveries.WAITING and delivery.tries > len(self._channel.waits):
            logger.warning("a delivery is given up", channel=self._channel.name)
            status = deliveries.FAILED
        elif status == deliveries.WAITING:
            # a random factor, so that not all are sent at one moment after a receiver did not answer
            wait = self._channel.waits[delivery.tries - 1] * random.uniform(1.0, 1.2)
            due += timedelta(seconds=max(wait, min(outcome.after, LONGEST_WAIT)))
        after = replace(delivery, status=status, due=clock.stamp(due), answer=outcome.answer, problem=outcome.problem)
        is_forgotten = status != deliveries.WAITING and not delivery.is_kept
        change = deliveries.forget_one(delivery) if is_forgotten else deliveries.change(delivery, after)
        judged = _judged(delivery, outcome, subscription, now) if subscription is not None else []
        self._store.write([change, *outcome.beside, *judged])


def _judged(delivery: Delivery, outcome: ChannelOutcome, subscription: Subscription, now: datetime) -> list[Statement]:
    """Return the statements that store what the outcome says about the subscription."""
    at = clock.stamp(now)
    if outcome.ends:
        return [notices.disable(subscription.id, at, outcome.ends)]
    if outcome.status == deliveries.DELIVERED:
        return [notices.works(subscription.id)] if subscription.failing else []
    if outcome.status != deliveries.WAITING:
        return []
    statements = [notices.fails(subscription.id, at)]
    if subscription.failing and subscription.failing <= clock.stamp(now - FAILING) and delivery.tries >= LEAST:
        statements.append(notices.disable(subscription.id, at, "failing"))
    return statements
