"""The shapes of answers about webhooks, and of what these are sent, for the OpenAPI document."""

from __future__ import annotations

from marshmallow import fields

from service.store import notices
from service.web.answers import Shape, listed, object_, text, whole
from service.web.inputs import one_of


def _moment(description: str, *, allow_none: bool = True) -> fields.String:
    return fields.String(
        required=True, allow_none=allow_none, metadata={"format": "date-time", "description": description}
    )


class Disabled(Shape):
    """Since when a webhook is told nothing, and why."""

    at = _moment("Since when.", allow_none=False)
    reason = one_of(
        *("failing", "gone", "owner", "secret"),
        required=True,
        metadata={
            "description": "`failing`: nothing could be delivered for three days; `gone`: it answered 410; `owner`: you"
            " said so; `secret`: its secret can't be read any more, renew it."
        },
    )


class Webhook(Shape):
    """Where you want to be told of what."""

    id = text()
    name = text()
    url = text()
    kinds = listed(one_of(*notices.KINDS))
    created = _moment("When it was made.", allow_none=False)
    enabled = fields.Boolean(required=True, metadata={"description": "Whether it is told anything."})
    failing = _moment("Since when nothing could be delivered; null where the last delivery was taken.")
    disabled = fields.Nested(Disabled, required=True, allow_none=True)


class NewWebhook(Webhook):
    """A webhook with its secret, which is told only here."""

    secret = text(
        metadata={
            "description": "`whsec_` and a key in base64, for the signatures (Standard Webhooks): `webhook-signature`"
            " has `v1,` and the base64 of HMAC-SHA256 over `webhook-id`.`webhook-timestamp`.body, once for each secret"
            " that counts."
        }
    )


class Webhooks(Shape):
    """Yours, the oldest first."""

    webhooks = listed(Webhook)


class Delivery(Shape):
    """Something that the webhook was told, or is to be."""

    id = text(metadata={"description": "The header `webhook-id`, the same each time it is sent."})
    kind = one_of(*notices.KINDS, notices.PING, required=True)
    about = object_(metadata={"description": "The match, its game, your seat, and by kind what else is told."})
    status = one_of(
        *("waiting", "delivered", "failed", "dropped"),
        required=True,
        metadata={
            "description": "`waiting`: it is tried, at `next` the next time; `failed`: it was given up; `dropped`:"
            " there was nothing to tell any more, for the decision was answered."
        },
    )
    created = _moment("When it was noted.", allow_none=False)
    tries = whole(metadata={"description": "How often it was tried."})
    next = _moment("When it is tried next.")
    tried = _moment("When it was tried last.")
    answer = whole(allow_none=True, metadata={"description": "The status that the last try was answered with."})
    problem = text(
        allow_none=True,
        metadata={
            "description": "What was wrong with the last try: `no-address`: the name has none that may be sent to;"
            " `no-connection`, `no-tls`, `tls`, `timeout`, `no-http`; `redirected`: it is not followed; `status`."
        },
    )


class Deliveries(Shape):
    """A page of them, the latest first; of the last seven days."""

    deliveries = listed(Delivery)
    next = text(allow_none=True)
