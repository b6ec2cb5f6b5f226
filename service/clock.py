"""The time, as the log and the answers tell it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from events.chain import stamp

__all__ = ["Now", "between", "later", "now", "stamp"]

Now = Callable[[], datetime]
"""What time it is, in UTC; injected wherever time is told."""


def later(moment: str, milliseconds: int) -> str:
    """The moment so much later, as the log tells it."""
    return stamp(datetime.fromisoformat(moment) + timedelta(milliseconds=milliseconds))


def between(moment: str, later: str) -> int:
    """Whole milliseconds from the one moment to the other; 0 if that one comes first."""
    length = datetime.fromisoformat(later) - datetime.fromisoformat(moment)
    return max(0, length // timedelta(milliseconds=1))


def now() -> datetime:
    """The wall clock's time."""
    return datetime.now(UTC)
