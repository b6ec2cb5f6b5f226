"""Signs the messages to webhooks as Standard Webhooks (standardwebhooks.com), version 1, says.

The signature covers the id, the moment and the body, and uses the webhook's own secret. So the receiver can check who
sent the message, that nobody has changed it, and that it is not an old message sent again.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable

PREFIX = "whsec_"
"""The prefix of a secret, by which people and programs recognise it as a secret."""

SIZE = 32
"""Bytes of a secret."""

ID, TIMESTAMP, SIGNATURE = "webhook-id", "webhook-timestamp", "webhook-signature"
"""The names of the headers."""


def fresh_secret() -> str:
    """Return a new secret of 256 random bits."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SIZE)).decode("ascii")


def sign(secret: str, id: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a message that is sent at the moment `timestamp`, in whole seconds since 1970."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signature = hmac.digest(key, b"%s.%d.%s" % (id.encode(), timestamp, body), hashlib.sha256)
    return f"v1,{base64.b64encode(signature).decode('ascii')}"


def headers(keys: Iterable[str], id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers of a message, with a signature by each of the secrets: the receiver must know one of them."""
    signatures = " ".join([sign(secret, id, timestamp, body) for secret in keys])
    return {ID: id, TIMESTAMP: str(timestamp), SIGNATURE: signatures}
