"""The form of new ids and of moments, for everything that writes into a store."""

from __future__ import annotations

import re
import secrets
from base64 import b32encode
from datetime import UTC, datetime

from events.envelope import MATCH

_MATCH = re.compile(MATCH)


def fresh_id(kind: str) -> str:
    """Return a new id: the kind (`m` for a match), `_`, and 80 random bits in lower-case base32."""
    return f"{kind}_{b32encode(secrets.token_bytes(10)).decode().lower()}"


def is_match_id(text: str) -> bool:
    """Return whether a match can have that id, which makes it safe as a file's name."""
    return _MATCH.fullmatch(text) is not None


def stamp(time: datetime) -> str:
    """Return the time as RFC 3339 in UTC, with milliseconds: `2026-03-01T12:00:00.000Z`."""
    utc = time if time.tzinfo is UTC else time.astimezone(UTC)
    return f"{utc.isoformat(timespec='milliseconds')[:-6]}Z"
