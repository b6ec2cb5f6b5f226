"""How what a webhook is told is signed, by the habits of Standard Webhooks (standardwebhooks.com), version 1.

Signed are id, moment and body, with the webhook's own secret, so that the receiver can tell who sent it, that nobody
has changed it, and that it is not an old one sent again.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable

PREFIX = "whsec_"
"""Before a secret, so that it is known for one where it turns up."""

SIZE = 32
"""Bytes of a secret."""

ID, TIMESTAMP, SIGNATURE = "webhook-id", "webhook-timestamp", "webhook-signature"
"""The headers."""


def fresh_secret() -> str:
    """256 random bits."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SIZE)).decode("ascii")


def sign(secret: str, id: str, timestamp: int, body: bytes) -> str:
    """The signature under a message that is sent at that moment, in whole seconds since 1970."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    said = hmac.digest(key, b"%s.%d.%s" % (id.encode(), timestamp, body), hashlib.sha256)
    return f"v1,{base64.b64encode(said).decode('ascii')}"


def headers(keys: Iterable[str], id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Those of a message: a signature by each of the secrets, of which the receiver needs to know one."""
    signatures = " ".join([sign(secret, id, timestamp, body) for secret in keys])
    return {ID: id, TIMESTAMP: str(timestamp), SIGNATURE: signatures}
