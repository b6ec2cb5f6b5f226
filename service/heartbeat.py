"""Signs of life for the supervisor of this process: bytes in a pipe that the process inherits."""

from __future__ import annotations

import os
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
