"""The event loop of a web process. A greenlet that waits for a match, a slow client or the store lets others run."""

from __future__ import annotations

import socket
from collections.abc import Hashable
from typing import Any

from gevent.pool import Pool
from gevent.pywsgi import WSGIServer

from service.limits import Addresses, Holders
from service.web.door import Caller

HELD = 1 << 26
"""The most bytes of incomplete requests, of all connections together."""

PART = 16
"""When there is no room left, one part in so many is made free."""


class Loop(WSGIServer):  # type: ignore[misc]  # gevent has no types
    """Accepts connections and answers their requests.

    When there is no room for another connection, or for more bytes of incomplete requests, the address that has most
    of them loses its oldest one: a connection that waits for its client to send or to read.
    """

    most_held = HELD

    def __init__(
        self, listener: socket.socket, app: Any, addresses: Addresses, *, connections: int, patience: float
    ) -> None:
        """Serve the app on the listener, which other processes may share.

        `connections`: the most at once; `patience`: the seconds within which a request must come, or an answer be read.
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
        """The connections that wait for their client."""
        self.held: Holders[Caller] = Holders()
        """The bytes of incomplete requests."""
        self.is_ending = False

    def enter(self, caller: Caller) -> None:
        """Add a connection. Cuts others if there are too many."""
        self.callers.add(caller)
        if (over := len(self.callers) - self._most) > 0:
            self._cut(self.quiet.relieve(self.quiet.total - over))

    def hold(self, holder: Hashable, caller: Caller, size: int) -> None:
        """Note how many bytes of incomplete requests the connection has. Cuts connections if there are too many."""
        self.held.hold(holder, caller, size)
        if self.held.total > self.most_held:
            self._cut(self.held.relieve(self.most_held - self.most_held // PART))

    def _cut(self, callers: list[Caller]) -> None:
        for caller in callers:
            caller.cut()

    def end(self, seconds: float) -> None:
        """Accept no more connections, close idle ones, and give the others so many seconds to finish their requests."""
        self.is_ending = True
        self.stop_accepting()
        for caller in tuple(self.callers):
            caller.hang_up()
        self.stop(timeout=seconds)
