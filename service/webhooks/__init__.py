"""Webhooks: what an account's own programs are told of its matches, signed, to addresses that everybody can reach."""

from __future__ import annotations

from service.webhooks.channel import WebhookChannel
from service.webhooks.messages import MESSAGES
from service.webhooks.sending import Sender
from service.webhooks.signature import ID, SIGNATURE, TIMESTAMP
from service.webhooks.webhooks import MOST, Delivery, Hooks, Webhook

__all__ = [
    "ID",
    "MESSAGES",
    "MOST",
    "SIGNATURE",
    "TIMESTAMP",
    "Delivery",
    "Hooks",
    "Sender",
    "Webhook",
    "WebhookChannel",
]
