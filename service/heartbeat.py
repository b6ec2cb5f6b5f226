"""How long this process lives: its signs of life for its supervisor, bytes in an inherited pipe, and what ends it.

And for how long other processes have given no sign of life, by this process's clock.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Hashable
from contextlib import suppress
from time import monotonic

from cachetools import FIFOCache

PIPE = "FOLDTABLE_HEARTBEAT"
"""The variable with the pipe's number."""

LEAST = 0.5
"""The least seconds between two signs."""

_last = 0.0


def beat() -> None:
    """Give a sign of life; do nothing if there is no supervisor."""
    global _last  # noqa: PLW0603  # a process has one heart
    number, now = os.environ.get(PIPE, ""), monotonic()
    if not number.isdecimal() or now - _last < LEAST:
        return
    _last = now
    with suppress(OSError):  # the pipe is full, or the supervisor is gone
        os.write(int(number), b".")


def endings() -> list[signal.Signals]:
    """Return the signals at which this process stops in order. What `nohup` has had ignored stays ignored."""
    is_left = signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN
    return [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if is_left else [])]


class Ages:
    """Measures with the monotonic clock for how long values have not changed."""

    def __init__(self) -> None:
        self._since: FIFOCache[Hashable, tuple[object, float]] = FIFOCache(200_000)

    def of(self, key: Hashable, value: object) -> float:
        """Return the seconds since the key was first seen with this value."""
        known = self._since.get(key)
        now = monotonic()
        if known is None or known[0] != value:
            self._since[key] = known = (value, now)
        return now - known[1]
