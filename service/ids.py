"""Tokens: drawn from the system's entropy, so that none can be guessed."""

from __future__ import annotations

import secrets
from hashlib import sha256


def fresh_token() -> str:
    """256 random bits."""
    return secrets.token_urlsafe(32)


def digest(text: str | bytes) -> str:
    """SHA-256, hexadecimal: how tokens, keys and bodies are kept."""
    return sha256(text.encode() if isinstance(text, str) else text).hexdigest()
