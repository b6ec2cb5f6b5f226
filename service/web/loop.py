"""One loop a process runs all of it: whoever waits for a match, a slow sender or the store lets the others go on."""

from __future__ import annotations

import socket
from typing import Any

from gevent.pool import Pool
from gevent.pywsgi import WSGIServer

from service.web.door import Caller

HELD = 1 << 26
"""Bytes of requests that are not whole yet, of all connections together."""


class Loop(WSGIServer):  # type: ignore[misc]  # gevent has no types
    """Takes connections in and answers what is asked on them."""

    most_held = HELD

    def __init__(self, listener: socket.socket, app: Any, *, connections: int, patience: float) -> None:
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
        self.callers: set[Caller] = set()
        self.held = 0
        """Bytes of requests that are not whole yet."""
        self.is_ending = False

    def end(self, seconds: float) -> None:
        """Take nobody in any more, answer what was asked within so many seconds, and hang up on the others."""
        self.is_ending = True
        self.stop_accepting()
        for caller in tuple(self.callers):
            caller.hang_up()
        self.stop(timeout=seconds)
