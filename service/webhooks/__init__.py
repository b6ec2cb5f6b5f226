"""Webhooks: signed messages about an account's matches to the account's own programs, at public addresses."""

from __future__ import annotations

from service.webhooks.channel import WebhookChannel
from service.webhooks.messages import MESSAGES
from service.webhooks.sending import Sender
from service.webhooks.signature import ID, SIGNATURE, TIMESTAMP
from service.webhooks.webhooks import MOST, Delivery, Hooks, Webhook
