"""The time, as the log and the answers tell it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from replays.naming import stamp

__all__ = ["Now", "now", "stamp"]

Now = Callable[[], datetime]
"""What time it is, in UTC; injected wherever time is told."""


def now() -> datetime:
    """The wall clock's time."""
    return datetime.now(UTC)
