"""What is answered about webhooks: each a struct."""

from __future__ import annotations

from msgspec import Struct

from service.webhooks import Delivery, Webhook


class NewWebhook(Webhook, frozen=True, kw_only=True):
    """A webhook with its secret, which is told only here."""

    secret: str
    """`whsec_` and a key in base64, for the signatures (Standard Webhooks): `webhook-signature` has `v1,` and the
    base64 of HMAC-SHA256 over `webhook-id`.`webhook-timestamp`.body, once for each secret that counts.
    """


class Webhooks(Struct, frozen=True):
    """Yours, the oldest first."""

    webhooks: tuple[Webhook, ...]
    """The webhooks, the oldest first."""


class Deliveries(Struct, frozen=True):
    """A page of them, the latest first; of the last seven days."""

    deliveries: tuple[Delivery, ...]
    """What it was told, the latest first."""
    next: str | None
