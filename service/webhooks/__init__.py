"""Webhooks: what an account's own programs are told of its matches, signed, to addresses that everybody can reach."""

from __future__ import annotations

from service.webhooks import job
from service.webhooks.delivering import Courier
from service.webhooks.messages import MESSAGES
from service.webhooks.noting import Noting
from service.webhooks.sending import Sender
from service.webhooks.signature import ID, SIGNATURE, TIMESTAMP
from service.webhooks.webhooks import MOST, Delivery, Hooks, Webhook

__all__ = [
    "ID",
    "MESSAGES",
    "MOST",
    "SIGNATURE",
    "TIMESTAMP",
    "Courier",
    "Delivery",
    "Hooks",
    "Noting",
    "Sender",
    "Webhook",
    "job",
]
