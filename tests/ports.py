"""Ports for servers that are told theirs before they bind it."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from random import SystemRandom

FIRST, LAST = 10_000, 32_000
"""Below those that the system gives to whoever connects: until the server binds its own, thousands may have done so."""


def free_port(in_a_row: int = 1) -> int:
    """The first of so many that nobody has on this machine just now. It is drawn: others draw another."""
    while True:
        first = SystemRandom().randrange(FIRST, LAST - in_a_row)
        with ExitStack() as stack:
            try:
                for port in range(first, first + in_a_row):
                    stack.enter_context(socket.socket()).bind(("127.0.0.1", port))
            except OSError:
                continue
            return first
