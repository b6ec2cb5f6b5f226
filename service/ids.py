"""Random tokens, and digests."""

from __future__ import annotations

import secrets
from hashlib import sha256


def fresh_token() -> str:
    """Return a token of 256 random bits, which nobody can guess."""
    return secrets.token_urlsafe(32)


def digest(text: str | bytes) -> str:
    """Return the SHA-256 in hexadecimal, which is stored in place of tokens, keys and bodies."""
    return sha256(text.encode() if isinstance(text, str) else text).hexdigest()
