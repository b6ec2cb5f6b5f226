"""The channel of webhooks: it signs each message, and sends it to the address of its webhook."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec

from service import clock
from service.outbox import Channel, ChannelOutcome
from service.signing import NotOurs, Signer
from service.store import Delivery, Subscription, deliveries
from service.webhooks.messages import MESSAGES
from service.webhooks.sending import Sender
from service.webhooks.signature import headers
from service.webhooks.webhooks import CHANNEL, PURPOSE

GONE = 410


class WebhookChannel(Channel):
    """The channel of webhooks: see `service.outbox.Channel`. Any thread may use it."""

    name = CHANNEL
    claim = timedelta(seconds=30)
    waits = (5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)

    def __init__(self, signer: Signer, sender: Sender, address: str, now: clock.Now = clock.now) -> None:
        """`address`: the URL at which people reach the service."""
        self._signer = signer
        self._sender = sender
        self._address = address
        self._now = now

    def send(self, one: Delivery, to: Subscription | None, due: str) -> ChannelOutcome:
        """See `Channel.send`."""
        assert to is not None, "it has subscriptions"
        try:
            keys = self._keys(to)
        except NotOurs:
            # the service's secret has changed, and nobody can read what the old secret sealed
            return ChannelOutcome(deliveries.FAILED, one.answer, one.problem, ends="secret")
        body = self._body(one, due)
        moment = int(self._now().timestamp())
        fixed = {"Content-Type": "application/json", "User-Agent": "foldtable"}
        sent = self._sender.send(to.address, fixed | headers(keys, one.id, moment, body), body)
        if sent.problem is None:
            return ChannelOutcome(answer=sent.answer)
        if sent.answer == GONE:
            return ChannelOutcome(deliveries.FAILED, sent.answer, sent.problem, ends="gone")
        return ChannelOutcome(deliveries.WAITING, sent.answer, sent.problem, sent.after)

    def _keys(self, webhook: Subscription) -> list[str]:
        """Return the secrets that sign now. Raises NotOurs."""
        sealed = [webhook.secret]
        if webhook.former and (webhook.former_until or "") > clock.stamp(self._now()):
            sealed.append(webhook.former)
        return [self._signer.unseal(PURPOSE, secret) for secret in sealed]

    def _body(self, one: Delivery, due: str) -> bytes:
        data: dict[str, Any] = msgspec.json.decode(one.body)
        data |= {"url": f"{self._address}/api/matches/{data.get('match')}", "due": due or None}
        message = {"type": one.kind, "timestamp": one.at, "data": data}
        return msgspec.json.encode(msgspec.convert(message, MESSAGES[one.kind].message))
