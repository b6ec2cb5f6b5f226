"""Claims in a PostgreSQL store: advisory locks of one session, which makes a query at each beat.

The server releases the locks when the session ends. A session whose last query is long ago hangs, and is ended. A
connection pooler in between must use session pooling.
"""

from __future__ import annotations

from hashlib import sha256
from time import monotonic
from typing import Any

import psycopg

from events.postgres.opening import told
from events.store import StoreError
from service.followers.claims import Pulse

MEMBER = 2**31 - 1
"""The second half of the lock that all processes of a name share; for a partition's lock it is the partition."""

LOOK = """
SELECT locks.objid::bigint, locks.pid, locks.pid = pg_backend_pid(), activity.query_start::text
FROM pg_locks AS locks LEFT JOIN pg_stat_activity AS activity ON activity.pid = locks.pid
WHERE locks.locktype = 'advisory' AND locks.objsubid = 2 AND locks.granted AND locks.classid = %s::oid
    AND locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
SHARE = "SELECT pg_advisory_lock_shared(%s, %s)"
TAKE = "SELECT pg_try_advisory_lock(%s, %s)"
GIVE_BACK = "SELECT pg_advisory_unlock(%s, %s)"
END = "SELECT pg_terminate_backend(%s)"


class SessionClaims:
    """`Claims` by the locks of a separate session."""

    def __init__(self, url: str, name: str) -> None:
        self._url = url
        self._name = name
        # 31 bits: pg_locks shows the first half of a lock as an unsigned number
        self._key = int.from_bytes(sha256(f"follower:{name}".encode()).digest()[:4], "big") >> 1
        self._connection: psycopg.Connection[tuple[Any, ...]] | None = None
        self._held: set[int] = set()
        self._members = 1
        self._pulse: Pulse[int, str] = Pulse()

    def _ask(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query. Raises StoreError; then the session and its locks are lost."""
        try:
            if self._connection is None:
                self._connection = psycopg.connect(
                    self._url, autocommit=True, connect_timeout=5, application_name=f"foldtable follow {self._name}"
                )
                self._held.clear()
                self._connection.execute(SHARE, (self._key, MEMBER))
            return self._connection.execute(sql.encode(), parameters).fetchall()
        except psycopg.Error as error:
            self.close()
            raise StoreError(f"the store could not be asked who follows: {told(error)}") from error

    def beat(self) -> frozenset[int]:
        """See `Claims.beat`."""
        locks = self._ask(LOOK, self._key)
        # the server shows no sign of another role's session, and does not let us end it
        others = {int(pid): str(sign) for _, pid, is_ours, sign in locks if not is_ours and sign is not None}
        hanging = self._pulse.see(others, monotonic())
        for pid in sorted(hanging):
            self._ask(END, pid)
        members = {pid for lock, pid, _, _ in locks if lock == MEMBER}
        self._members = len(members - hanging)
        self._held = {int(lock) for lock, _, is_ours, _ in locks if is_ours and lock != MEMBER}
        return frozenset(self._held)

    def members(self) -> int:
        """See `Claims.members`."""
        return self._members

    def take(self, partition: int) -> bool:
        """See `Claims.take`."""
        is_ours = bool(self._ask(TAKE, self._key, partition)[0][0])
        if is_ours:
            self._held.add(partition)
        return is_ours

    def give_back(self, partition: int) -> None:
        """See `Claims.give_back`."""
        if partition in self._held:
            self._ask(GIVE_BACK, self._key, partition)
            self._held.discard(partition)

    def close(self) -> None:
        """See `Claims.close`."""
        connection, self._connection = self._connection, None
        self._held.clear()
        if connection is not None:
            connection.close()
