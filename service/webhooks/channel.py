"""The channel of webhooks: it signs each message, and sends it to the address of its webhook.

For each kind of message there is a struct, which is encoded as the body of the request.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any, cast

import msgspec
from msgspec.structs import replace

from service import clock
from service.matches import rows
from service.outbox import Channel, ChannelOutcome
from service.shapes import Moment, formatted, one_of
from service.signing import NotOurs, Signer
from service.store import Delivery, Subscription, deliveries, notices, proposals
from service.webhooks.sending import Sender, headers
from service.webhooks.webhooks import CHANNEL, PURPOSE


class AboutMatch(msgspec.Struct, frozen=True):
    """The data about a match of yours."""

    match: str
    game: str
    seat: int
    """Your seat, or the one that is kept for you or offered to you."""
    url: Annotated[str, formatted("uri")]
    """The address at which you read the match, or the seats that are offered to you, with your token."""


class AboutDecision(AboutMatch, frozen=True):
    """The data about a match of yours and a decision that you are asked."""

    decision: int
    due: Moment | None
    """When the answer is due; null if no clock runs."""


class AboutEnd(AboutMatch, frozen=True):
    """The data about a match of yours and its end."""

    status: Annotated[str, one_of("finished", "aborted")]
    result: rows.Points | None
    """The result; null if the match was aborted."""


class AboutProposal(AboutMatch, frozen=True):
    """The data about what a player proposes to you beside the game: see `GET /api/matches/{match}` and `…/offers`."""

    proposal: Annotated[str, one_of(*proposals.PROPOSALS)]
    """`seat`: a seat is offered to you. For the others your agreement is needed: `passing`: a player passes a seat on;
    `abort`, `pause`, `resume`: the match is broken off, paused or resumed."""
    by: int
    """The seat whose player proposes it."""


class AboutNothing(msgspec.Struct, frozen=True):
    """No data."""


class Message(msgspec.Struct, frozen=True):
    """A message to a webhook."""

    type: str
    """The kind of the message."""
    timestamp: Moment
    """When it happened, by the match's log: the same each time the message is sent."""
    data: AboutNothing | AboutMatch
    """The data of the message, by its kind."""


def _message(kind: str, name: str, data: type[msgspec.Struct], about: str) -> type[Message]:
    fields = [("type", Annotated[str, one_of(kind)]), ("timestamp", Moment), ("data", data)]
    made = msgspec.defstruct(name, fields, bases=(Message,), frozen=True, namespace={"__doc__": about})
    return cast(type[Message], made)


MESSAGES = {
    kind: _message(kind, name, data, about)
    for kind, name, data, about in (
        (notices.TURN, "WebhookTurn", AboutDecision, "It is your turn, also under seal, where nobody else learns it."),
        (notices.REMINDER, "WebhookReminder", AboutDecision, "Your answer is due soon."),
        (notices.STARTED, "WebhookMatchStarted", AboutMatch, "A match in which you sit has started."),
        (notices.FINISHED, "WebhookMatchFinished", AboutEnd, "A match in which you sit is over."),
        (notices.INVITATION, "WebhookInvitation", AboutMatch, "A seat is kept for you."),
        (notices.PROPOSAL, "WebhookProposal", AboutProposal, "A seat is offered to you, or your agreement is needed."),
        (notices.STAND_IN, "WebhookStandIn", AboutMatch, "You were absent, so a bot plays your seat now."),
        (notices.PING, "WebhookPing", AboutNothing, "You asked for this message, as a test."),
    )
}
"""The messages by their kinds; the docstring of each says what it tells."""

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
        return replace(sent, status=deliveries.FAILED, ends="gone") if sent.answer == GONE else sent

    def _keys(self, webhook: Subscription) -> list[str]:
        """Return the secrets that sign now. Raises NotOurs."""
        sealed = [webhook.secret]
        if webhook.former and (webhook.former_until or "") > clock.stamp(self._now()):
            sealed.append(webhook.former)
        return [self._signer.unseal(PURPOSE, secret) for secret in sealed]

    def _body(self, one: Delivery, due: str) -> bytes:
        data: dict[str, Any] = msgspec.json.decode(one.body)
        place = "me/offers" if proposals.offers_seat(one) else f"matches/{data.get('match')}"
        data |= {"url": f"{self._address}/api/{place}", "due": due or None}
        message = {"type": one.kind, "timestamp": one.at, "data": data}
        return msgspec.json.encode(msgspec.convert(message, MESSAGES[one.kind]))
