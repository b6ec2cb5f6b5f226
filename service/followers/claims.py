"""Which process follows which partition: followers of one name share the partitions, and each partition has one holder.

Claims only keep two processes from doing the same work. The position in its transaction is what keeps an effect from
happening twice. So a claim may be taken from a process that hangs: if it wakes up, its next commit is refused.

Beside an SQLite store, which has one partition, there is a locked file in which its holder counts up. The system
releases the lock when the holder dies. A holder that hangs keeps its lock, so another process puts a new file in the
place of a file that no longer counts up. The process whose file has the name holds the claim.

In a PostgreSQL store the claims are advisory locks of one session, which makes a query at each beat. The server
releases the locks when the session ends. A session whose last query is long ago hangs, and is ended. A connection
pooler in between must use session pooling.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from events import stores
from events.files import alone, lock_now, make_folder
from events.store import StoreError
from service.heartbeat import Ages

if TYPE_CHECKING:
    import psycopg

BEAT = 1.0
"""Seconds between two signs of life."""

HANGS = 8.0
"""Seconds without a sign of life after which a process counts as hanging; also one that is busy with one effect."""


def share(partitions: int, members: int) -> int:
    """Return the most partitions that one of so many processes must hold so that all are held."""
    return -(-partitions // max(1, members))


Sign = tuple[int, bytes]
"""The inode of a file, and the text to which its holder has counted up."""


def sign_of(path: Path) -> Sign | None:
    """Return the sign of a file's holder; None if there is no such file."""
    with suppress(FileNotFoundError):
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            return os.fstat(fd).st_ino, os.pread(fd, 64, 0)
        finally:
            os.close(fd)
    return None


class FileClaims:
    """The partition of a store in a file, for the process whose locked file all others see, under one name."""

    members = 1
    """How many processes share the partitions: however many wait for the only one."""

    def __init__(self, folder: Path, name: str) -> None:
        self._path = folder / f"{name}.0"
        self._held: BinaryIO | None = None
        """The file that this process has locked, which another file may have replaced."""
        self._count = 0
        self._ages = Ages()
        self._hanging: Sign | None = None
        """The sign of a holder that hangs."""

    def beat(self) -> frozenset[int]:
        """Give a sign of life, and look for others'. Returns the partitions still held. Raises OSError, StoreError."""
        self._count_up()
        sign = sign_of(self._path) if self._held is None else None
        self._hanging = sign if sign and self._ages.of(self._path, sign) >= HANGS else None
        return frozenset({0} if self._held is not None else ())

    def take(self, partition: int) -> bool:
        """Take the partition if it is free or its holder hangs. Returns whether this process holds it now."""
        make_folder(self._path.parent)
        self._lock(self._path)
        self._count_up()
        if self._held is None and self._hanging is not None:
            with alone(self._path.parent):
                if sign_of(self._path) == self._hanging:
                    draft = self._path.with_name(f".{secrets.token_hex(16)}.new")
                    self._lock(draft)
                    draft.replace(self._path)
                    self._count_up()
        return self._held is not None

    def _lock(self, path: Path) -> None:
        """Lock the file, unless another process has. Raises OSError."""
        with suppress(BlockingIOError):
            self._held = lock_now(path)

    def _count_up(self) -> None:
        """Show that this process lives; leave the partition if its file was replaced. Raises OSError."""
        if self._held is None:
            return
        self._count += 1
        os.pwrite(self._held.fileno(), f"{os.getpid()} {self._count}\n".encode(), 0)
        sign = sign_of(self._path)
        if sign is None or sign[0] != os.fstat(self._held.fileno()).st_ino:
            self.close()

    def give_back(self, partition: int) -> None:
        """Leave the partition to others."""
        self.close()

    def close(self) -> None:
        """Leave everything to others."""
        if self._held is not None:
            self._held.close()
        self._held = None


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
    """The same as `FileClaims`, held by the locks of a separate session."""

    def __init__(self, url: str, name: str) -> None:
        self._url = url
        self._name = name
        # 31 bits: pg_locks shows the first half of a lock as an unsigned number
        self._key = int.from_bytes(sha256(f"follower:{name}".encode()).digest()[:4], "big") >> 1
        self._connection: psycopg.Connection[tuple[Any, ...]] | None = None
        self._held: set[int] = set()
        self.members = 1
        """How many processes, with this one, shared the partitions at the last beat."""
        self._ages = Ages()
        """Of sessions, how long ago their last query was."""

    def _ask(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query. Raises StoreError; then the session and its locks are lost."""
        import psycopg

        from events.postgres.opening import told

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
        """See `FileClaims.beat`."""
        locks = self._ask(LOOK, self._key)
        # the server shows no sign of another role's session, and does not let us end it
        others = {int(pid): str(sign) for _, pid, is_ours, sign in locks if not is_ours and sign is not None}
        hanging = {pid for pid, sign in others.items() if self._ages.of(pid, sign) >= HANGS}
        for pid in sorted(hanging):
            self._ask(END, pid)
        members = {pid for lock, pid, _, _ in locks if lock == MEMBER}
        self.members = len(members - hanging)
        self._held = {int(lock) for lock, _, is_ours, _ in locks if is_ours and lock != MEMBER}
        return frozenset(self._held)

    def take(self, partition: int) -> bool:
        """See `FileClaims.take`."""
        is_ours = bool(self._ask(TAKE, self._key, partition)[0][0])
        if is_ours:
            self._held.add(partition)
        return is_ours

    def give_back(self, partition: int) -> None:
        """See `FileClaims.give_back`."""
        if partition in self._held:
            self._ask(GIVE_BACK, self._key, partition)
            self._held.discard(partition)

    def close(self) -> None:
        """See `FileClaims.close`."""
        connection, self._connection = self._connection, None
        self._held.clear()
        if connection is not None:
            connection.close()


Claims = FileClaims | SessionClaims
"""The partitions that one process follows under one name."""


def claims_of(url: str, name: str) -> Claims:
    """Return the claims by which processes of one name share the partitions. Raises StoreUnusable for a wrong URL."""
    path = stores.file_of(url)
    return SessionClaims(url, name) if path is None else FileClaims(Path(f"{path}.followers"), name)
