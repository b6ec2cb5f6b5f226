"""The time, as the log and the answers tell it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from events.naming import stamp

__all__ = ["Now", "later", "now", "stamp"]

Now = Callable[[], datetime]
"""What time it is, in UTC; injected wherever time is told."""


def later(moment: str, milliseconds: int) -> str:
    """The moment so much later, as the log tells it."""
    return stamp(datetime.fromisoformat(moment) + timedelta(milliseconds=milliseconds))


def now() -> datetime:
    """The wall clock's time."""
    return datetime.now(UTC)
