"""A pool that tells at once that the server can't be reached, instead of having each caller find it out by waiting.

When a caller has waited a moment, for a connection or for an answer, the server is probed over a connection of the
guard's own. If the probe is refused, callers without a connection are refused from then on, without waiting. If it
gets no answer, callers who wait for an answer are cut off too: a server that is stopped or unreachable ends no
connection by itself. The probes go on, and the first that is answered lets the callers in again. Nothing is probed
while nobody waits.
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
"""Seconds between two looks at who waits, and at least between two probes of a server that could not be reached."""

PATIENCE = 0.5
"""Seconds that somebody waits until the server is probed."""

ANSWER = 0.75
"""Seconds that a server has to answer a probe."""

PAUSE = 1.0
"""Seconds until a server that has answered is probed again, for those who still wait."""

NEVER = float("-inf")


class Probe(Thread):
    """Asks the server something over a new connection."""

    def __init__(self, url: str) -> None:
        super().__init__(name="store-probe", daemon=True)
        self._url = url
        self._done = Event()
        self.is_late = False
        """Whether it took longer than a server has."""
        self.is_answered = False
        """Whether the server took the connection and the question; one that is full or starting up refuses."""
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
        """Whether it has come to an end, or does within so many seconds."""
        # in steps: a process that was held up itself has not heard what was answered meanwhile
        return any(self._done.wait(seconds / 3) for _ in range(3))


class GuardedPool(ConnectionPool[Connection]):
    """A pool of connections to a server that may go away, stop, or hand out no more of them."""

    def __init__(self, url: str, **options: Any) -> None:
        self._url = url
        self._began: dict[object, float] = {}
        """By connection that is used, and by whoever waits for one, since when."""
        self._probe: Probe | None = None
        self._probed = NEVER
        self._is_silent = False
        """The last probe was not answered in time."""
        self._is_refused = False
        """The last probe was refused."""
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
        """A connection. Raises PoolTimeout, at once when the server is known to be out of reach."""
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
        """See `ConnectionPool.check`; a server that is silent is not asked for each connection."""
        if not self._is_silent:
            super().check()

    def _check_reach(self) -> None:
        if self._is_silent:
            raise PoolTimeout("the server does not answer")
        if self._is_refused and not self._has_some():
            raise PoolTimeout("the server takes no connection")

    def _has_some(self) -> bool:
        """Whether there are connections: a server that hands out no more still serves these."""
        used = any(isinstance(one, psycopg.Connection) for one in tuple(self._began))
        return used or self.get_stats()["pool_available"] > 0

    def _watch(self) -> None:
        while not self._ended.wait(LOOK):
            if self._is_silent or self._is_refused or self._is_held_up():
                self._look()

    def _is_held_up(self) -> bool:
        """Whether somebody has waited for a moment, and nothing is known of the server since."""
        now = monotonic()
        return now - self._probed > PAUSE and any(now - begun > PATIENCE for begun in tuple(self._began.values()))

    def _look(self) -> None:
        """Probe the server. A probe that is still under way is waited for, so that there is one at a time."""
        probe = self._probe = self._probe or Probe(self._url)
        if not probe.is_over(ANSWER):
            self._is_silent = True
            self._cut_off()
            return
        self._probe = None
        # one that was refused late was not heard: it gave up by itself
        self._is_silent = probe.is_late and not probe.is_answered
        self._is_refused = not probe.is_answered
        self._probed = monotonic() if probe.is_answered else NEVER

    def _cut_off(self) -> None:
        """Let nobody wait for an answer: their connections end, as if the server had ended them."""
        for one in tuple(self._began):
            if isinstance(one, psycopg.Connection):
                # a copy of the socket, for the connection closes its own
                with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(one.fileno())) as link:
                    link.shutdown(socket.SHUT_RDWR)
