"""The time, as the log and the answers tell it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Now = Callable[[], datetime]
"""What time it is, in UTC; injected wherever time is told."""


def now() -> datetime:
    """The wall clock's time."""
    return datetime.now(UTC)


def stamp(time: datetime) -> str:
    """RFC 3339 in UTC, with milliseconds: `2026-03-01T12:00:00.000Z`."""
    return time.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"
