"""Signs of life for whoever supervises this process: a byte in the pipe that it was handed."""

from __future__ import annotations

import os
from contextlib import suppress
from time import monotonic

PIPE = "FOLDTABLE_HEARTBEAT"
"""Names the pipe's number in the environment."""

LEAST = 0.5
"""Seconds between two signs, at least."""

_last = 0.0


def beat() -> None:
    """Say that the process goes on with its work; nothing happens where nobody listens."""
    global _last  # noqa: PLW0603  # a process has one heart
    number, now = os.environ.get(PIPE, ""), monotonic()
    if not number.isdecimal() or now - _last < LEAST:
        return
    _last = now
    with suppress(OSError):  # it is full, or whoever listened is gone
        os.write(int(number), b".")
