"""The answers about webhooks."""

from __future__ import annotations

from msgspec import Struct

from service.webhooks import Delivery, Webhook


class NewWebhook(Webhook, frozen=True, kw_only=True):
    """A webhook with its secret, which no other answer contains."""

    secret: str
    """`whsec_` and a key in base64, for the signatures (Standard Webhooks): `webhook-signature` has `v1,` and the
    base64 of HMAC-SHA256 over `webhook-id`.`webhook-timestamp`.body, once for each valid secret.
    """


class Webhooks(Struct, frozen=True):
    """Your webhooks."""

    webhooks: tuple[Webhook, ...]
    """The webhooks, the oldest first."""


class Deliveries(Struct, frozen=True):
    """A page of a webhook's deliveries of the last seven days."""

    deliveries: tuple[Delivery, ...]
    """The deliveries, the latest first."""
    next: str | None
