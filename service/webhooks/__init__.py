"""Webhooks: signed messages about an account's matches to the account's own programs, at public addresses."""

from __future__ import annotations

from service.webhooks.channel import MESSAGES, WebhookChannel
from service.webhooks.sending import Sender
from service.webhooks.webhooks import MOST, Delivery, Hooks, Webhook
