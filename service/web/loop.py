"""One loop a process runs all of it: whoever waits for a match, a slow sender or the store lets the others go on."""

from __future__ import annotations

import socket
from collections.abc import Hashable
from typing import Any

from gevent.pool import Pool
from gevent.pywsgi import WSGIServer

from service.limits import Addresses, Holders
from service.web.door import Caller

HELD = 1 << 26
"""Bytes of requests that are not whole yet, of all connections together."""

PART = 16
"""This part of the room is made free when there is none left."""


class Loop(WSGIServer):  # type: ignore[misc]  # gevent has no types
    """Takes connections in and answers what is asked on them.

    When there is no room for another connection, or for more bytes of requests that are not whole, whoever holds most
    loses the oldest: a connection that waits for its other side, to send or to read.
    """

    most_held = HELD

    def __init__(
        self, listener: socket.socket, app: Any, addresses: Addresses, *, connections: int, patience: float
    ) -> None:
        """`connections`: most at once; `patience`: seconds within which a request must be whole, and an answer taken.

        Others may listen on the same socket.
        """
        super().__init__(
            listener,
            app,
            spawn=Pool(connections),
            log=None,
            error_log=None,
            handler_class=Caller,
            environ={"wsgi.multiprocess": True},
        )
        self.patience = patience
        self.addresses = addresses
        self.callers: set[Caller] = set()
        self._most = connections - connections // PART
        self.quiet: Holders[Caller] = Holders()
        """The connections that wait for their other side."""
        self.held: Holders[Caller] = Holders()
        """Bytes of requests that are not whole yet."""
        self.is_ending = False

    def enter(self, caller: Caller) -> None:
        """Another connection is there."""
        self.callers.add(caller)
        if (over := len(self.callers) - self._most) > 0:
            self._cut(self.quiet.relieve(self.quiet.total - over))

    def hold(self, holder: Hashable, caller: Caller, size: int) -> None:
        """So many bytes were heard on the connection that no answer was given to."""
        self.held.hold(holder, caller, size)
        if self.held.total > self.most_held:
            self._cut(self.held.relieve(self.most_held - self.most_held // PART))

    def _cut(self, callers: list[Caller]) -> None:
        for caller in callers:
            caller.cut()

    def end(self, seconds: float) -> None:
        """Take nobody in any more, answer what was asked within so many seconds, and hang up on the others."""
        self.is_ending = True
        self.stop_accepting()
        for caller in tuple(self.callers):
            caller.hang_up()
        self.stop(timeout=seconds)
