"""A pool of connections that refuses callers at once while the server can't be reached, instead of letting each wait.

When a caller has waited a moment, for a connection or for an answer, the guard probes the server over a connection of
its own. If the probe is refused, callers without a connection are refused from then on. If the probe gets no answer,
the connections of callers who wait for an answer are ended too: a server that is stopped or unreachable does not end
them itself. The probes go on, and the first one that is answered admits callers again. While nobody waits, nothing is
probed.
"""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from threading import Event, Thread
from time import monotonic
from typing import Any

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

Connection = psycopg.Connection[tuple[Any, ...]]

LOOK = 0.25
"""Seconds between two checks for callers who wait, and the least pause between two probes of an unreachable server."""

PATIENCE = 0.5
"""Seconds that a caller waits before the server is probed."""

ANSWER = 0.75
"""Seconds within which a server must answer a probe."""

PAUSE = 1.0
"""Seconds after an answered probe until the next one, if callers still wait."""

NEVER = float("-inf")


class Probe(Thread):
    """A thread that sends the server one question over a new connection."""

    def __init__(self, url: str) -> None:
        super().__init__(name="store-probe", daemon=True)
        self._url = url
        self._done = Event()
        self.is_late = False
        """Whether the probe took longer than ANSWER."""
        self.is_answered = False
        """Whether the server accepted the connection and the question. A server that is full or starting refuses."""
        self._begun = monotonic()
        self.start()

    def run(self) -> None:
        """See `Thread.run`."""
        with suppress(psycopg.Error), psycopg.connect(self._url, autocommit=True, connect_timeout=2) as connection:
            connection.execute("SELECT 1")
            self.is_answered = True
        self.is_late = monotonic() - self._begun > ANSWER
        self._done.set()

    def is_over(self, seconds: float) -> bool:
        """Return whether the probe has ended, or ends within that many seconds."""
        # in steps: if this process itself was suspended, the answer may be there but not read yet
        return any(self._done.wait(seconds / 3) for _ in range(3))


class GuardedPool(ConnectionPool[Connection]):
    """A pool of connections to a server that may go away, stop, or refuse further connections."""

    def __init__(self, url: str, **options: Any) -> None:
        self._url = url
        self._began: dict[object, float] = {}
        """When each used connection was taken, and when each waiting caller began to wait."""
        self._probe: Probe | None = None
        self._probed = NEVER
        self._is_silent = False
        """Whether the last probe got no answer in time."""
        self._is_refused = False
        """Whether the last probe was refused."""
        self._ended = Event()
        super().__init__(url, **options)

    def open(self, wait: bool = False, timeout: float = 30.0) -> None:
        """See `ConnectionPool.open`."""
        super().open(wait, timeout)
        Thread(target=self._watch, name="store-guard", daemon=True).start()

    def close(self, timeout: float = 5.0) -> None:
        """See `ConnectionPool.close`."""
        self._ended.set()
        super().close(timeout)

    def getconn(self, timeout: float | None = None) -> Connection:
        """Return a connection. Raises PoolTimeout, at once if the server is known to be out of reach."""
        waiting, begun = object(), monotonic()
        end = begun + (self.timeout if timeout is None else timeout)
        self._began[waiting] = begun
        try:
            while True:
                self._check_reach()
                try:
                    connection = super().getconn(min(PATIENCE, max(end - monotonic(), LOOK)))
                    break
                except PoolTimeout:
                    if monotonic() >= end:
                        raise
        finally:
            del self._began[waiting]
        self._began[connection] = monotonic()
        return connection

    def putconn(self, conn: Connection) -> None:
        """See `ConnectionPool.putconn`."""
        self._began.pop(conn, None)
        super().putconn(conn)

    def check(self) -> None:
        """See `ConnectionPool.check`; nothing is checked while the server is silent."""
        if not self._is_silent:
            super().check()

    def _check_reach(self) -> None:
        if self._is_silent:
            raise PoolTimeout("the server does not answer")
        if self._is_refused and not self._has_some():
            raise PoolTimeout("the server takes no connection")

    def _has_some(self) -> bool:
        """Return whether the pool has connections: a server that accepts no new ones still serves these."""
        used = any(isinstance(user, psycopg.Connection) for user in tuple(self._began))
        return used or self.get_stats()["pool_available"] > 0

    def _watch(self) -> None:
        while not self._ended.wait(LOOK):
            if self._is_silent or self._is_refused or self._is_held_up():
                self._look()

    def _is_held_up(self) -> bool:
        """Return whether a caller has waited for a moment, and the server was not probed recently."""
        now = monotonic()
        return now - self._probed > PAUSE and any(now - begun > PATIENCE for begun in tuple(self._began.values()))

    def _look(self) -> None:
        """Probe the server, or wait for the probe that is under way: there is one at a time."""
        probe = self._probe = self._probe or Probe(self._url)
        if not probe.is_over(ANSWER):
            self._is_silent = True
            self._cut_off()
            return
        self._probe = None
        # a probe that failed late got no answer: it ran into its own timeout
        self._is_silent = probe.is_late and not probe.is_answered
        self._is_refused = not probe.is_answered
        self._probed = monotonic() if probe.is_answered else NEVER

    def _cut_off(self) -> None:
        """End all connections that are in use, so that nobody waits for an answer."""
        for user in tuple(self._began):
            if isinstance(user, psycopg.Connection):
                # shut down a copy of the socket, since the connection closes its own
                with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(user.fileno())) as link:
                    link.shutdown(socket.SHUT_RDWR)
