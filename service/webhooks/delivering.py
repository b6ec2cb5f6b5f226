"""Deliveries on their way: claimed, sent, and what came of them noted.

The table is the truth. A delivery is claimed by a change of its row that one alone can make, and for a while: whoever
has claimed it and dies leaves it to others. So none is sent twice at once, and each once at least.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Lock
from typing import Any

import msgspec
import structlog

from events.store import Statement, Store, StoreError
from service import clock
from service.signing import NotOurs, Signer
from service.store import Delivery, Webhook, Webhooks, webhooks
from service.webhooks.messages import MESSAGES
from service.webhooks.sending import DeliveryOutcome, Sender
from service.webhooks.signature import headers
from service.webhooks.webhooks import PURPOSE

CLAIM = timedelta(seconds=30)
"""For how long a delivery is one's own: three times as long as one may take."""

WAITS = (5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Seconds from one try to the next; after the last of them it is given up."""

LONGEST_WAIT = 86_400
"""Seconds for which a receiver may ask to be left alone, at most."""

FAILING = timedelta(days=3)
"""After which a webhook is disabled to which nothing could be delivered."""

LEAST = 5
"""Tries of one delivery, before its webhook is."""

AT_ONCE = 4
"""Deliveries that one account has under way at a time in this process; one, where its receivers fail."""

KEPT = timedelta(days=7)
"""For how long it is told what became of a delivery."""

GONE = 410

logger = structlog.get_logger(__name__)

Begin = Callable[[Callable[[], None]], bool]
"""Has something done beside; False when there is no room now."""


class Courier:
    """Delivers. Any thread may use it."""

    def __init__(
        self, store: Store, signer: Signer, sender: Sender, address: str, begin: Begin, now: clock.Now = clock.now
    ) -> None:
        """`address`: where people reach the service; `begin`: has a delivery sent beside."""
        self._store = store
        self._webhooks = Webhooks(store)
        self._signer = signer
        self._sender = sender
        self._address = address
        self._begin = begin
        self._now = now
        self._lock = Lock()
        self._under_way: dict[str, set[str]] = {}

    def waiting(self, most: int) -> tuple[str, ...]:
        """The accounts to which something is to be delivered now, who waits longest first. Raises StoreError."""
        return self._webhooks.who_is_due(clock.stamp(self._now()), most)

    def deliver(self, account: str) -> int:
        """Send what is due to the account, a little at a time: how many were begun. Raises StoreError."""
        begun = 0
        for one in self._webhooks.due(account, clock.stamp(self._now()), AT_ONCE):
            webhook = self._webhooks.find(one.webhook)
            if webhook is None or webhook.disabled is not None:
                self._drop(one)
                continue
            if not self._enters(account, one.id, 1 if webhook.failing else AT_ONCE):
                break
            try:
                is_begun = self._take(account, one, webhook)
            except BaseException:
                self._leaves(account, one.id)
                raise
            if not is_begun:
                break
            begun += 1
        return begun

    def tidy(self) -> None:
        """Forget what has come to an end long ago. Raises StoreError."""
        horizon = clock.stamp(self._now() - KEPT)
        for partition in range(self._store.partitions):
            self._store.write(
                [
                    webhooks.forget(partition, status, horizon)
                    for status in (webhooks.DELIVERED, webhooks.FAILED, webhooks.DROPPED)
                ]
            )

    def _enters(self, account: str, id: str, most: int) -> bool:
        with self._lock:
            under_way = self._under_way.setdefault(account, set())
            if len(under_way) >= most or id in under_way:
                return False
            under_way.add(id)
            return True

    def _leaves(self, account: str, id: str) -> None:
        with self._lock:
            under_way = self._under_way.get(account, set())
            under_way.discard(id)
            if not under_way:
                self._under_way.pop(account, None)

    def _take(self, account: str, one: Delivery, webhook: Webhook) -> bool:
        """Whether somebody has begun to send it, or somebody else has it; False: nobody has the time."""
        now = self._now()
        until = clock.stamp(now + CLAIM)
        claim = webhooks.claim(one, clock.stamp(now), until)
        mine = msgspec.structs.replace(one, due=until, tries=one.tries + 1)

        def send() -> None:
            try:
                if self._store.write([claim]) == (1,):
                    self._send(mine, webhook)
            except StoreError as error:
                # whatever was not noted is tried again once the claim is void
                logger.warning("what came of a delivery can't be noted", error=str(error))
            finally:
                self._leaves(account, one.id)

        if self._begin(send):
            return True
        self._leaves(account, one.id)
        return False

    def _send(self, one: Delivery, webhook: Webhook) -> None:
        due: str | None = None
        if one.decision is not None:
            due = self._webhooks.open_until(one)
            if due is None and not one.asked:
                self._drop(one)
                return
        try:
            keys = self._keys(webhook)
        except NotOurs:
            # the service has another secret by now: what was sealed by the one before nobody can read
            at = clock.stamp(self._now())
            self._store.write([webhooks.disable(webhook.id, at, "secret"), _settled(one, webhooks.FAILED, at)])
            return
        body = self._body(one, due)
        moment = int(self._now().timestamp())
        told = {"Content-Type": "application/json", "User-Agent": "foldtable", **headers(keys, one.id, moment, body)}
        self._note(one, webhook, self._sender.send(webhook.url, told, body))

    def _keys(self, webhook: Webhook) -> list[str]:
        """What is signed by. Raises NotOurs."""
        sealed = [webhook.secret]
        if webhook.former and (webhook.former_until or "") > clock.stamp(self._now()):
            sealed.append(webhook.former)
        return [self._signer.unseal(PURPOSE, one) for one in sealed]

    def _body(self, one: Delivery, due: str | None) -> bytes:
        data: dict[str, Any] = msgspec.json.decode(one.body)
        data |= {"url": f"{self._address}/api/matches/{data.get('match')}", "due": due or None}
        told = {"type": one.kind, "timestamp": one.at, "data": data}
        return msgspec.json.encode(msgspec.convert(told, MESSAGES[one.kind].message))

    def _drop(self, one: Delivery) -> None:
        self._store.write([_settled(one, webhooks.DROPPED, clock.stamp(self._now()))])

    def _note(self, one: Delivery, webhook: Webhook, outcome: DeliveryOutcome) -> None:
        now = self._now()
        at = clock.stamp(now)
        if outcome.problem is None:
            told = [_settled(one, webhooks.DELIVERED, at, outcome)]
            self._store.write([*told, webhooks.works(webhook.id)] if webhook.failing else told)
            return
        if outcome.answer == GONE:
            self._store.write([_settled(one, webhooks.FAILED, at, outcome), webhooks.disable(webhook.id, at, "gone")])
            return
        told = [_failed(one, now, outcome), webhooks.fails(webhook.id, at)]
        if webhook.failing and webhook.failing <= clock.stamp(now - FAILING) and one.tries >= LEAST:
            told.append(webhooks.disable(webhook.id, at, "failing"))
        self._store.write(told)


def _settled(one: Delivery, status: str, at: str, outcome: DeliveryOutcome | None = None) -> Statement:
    told = outcome or DeliveryOutcome(one.answer, one.problem)
    return webhooks.settle(one, status, at, told.answer, told.problem)


def _failed(one: Delivery, now: datetime, outcome: DeliveryOutcome) -> Statement:
    """It is tried again, later each time; or given up."""
    if one.tries > len(WAITS):
        return _settled(one, webhooks.FAILED, clock.stamp(now), outcome)
    # not all at once, where a receiver was away that many are told of
    wait = WAITS[one.tries - 1] * random.uniform(1.0, 1.2)
    seconds = max(wait, min(outcome.after, LONGEST_WAIT))
    return _settled(one, webhooks.WAITING, clock.stamp(now + timedelta(seconds=seconds)), outcome)
