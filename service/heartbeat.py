"""How long this process lives: its signs of life for its supervisor, bytes in an inherited pipe, and what ends it."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from time import monotonic

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
