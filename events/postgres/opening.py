"""Opens a PostgreSQL store: its connections, its schema, and one clear error for each fault."""

from __future__ import annotations

import logging
import os
import re
import socket
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Any

import psycopg
from psycopg import IsolationLevel, conninfo, errors
from psycopg_pool import ConnectionPool, PoolTimeout

from events.queries import Versions, numbered
from events.store import StoreCorrupt, StoreMissing, StoreUnusable, StoreUnwritable

SCHEMA = numbered(Path(__file__).parents[1] / "schema" / "postgres")
"""The scripts that make the tables, by the version that each one leads to."""

PARTITIONS = 4
"""The number of partitions of a new store; an existing store keeps its number.

With few more moves are committed together, with many fewer processes wait for each other. With 4 a web process makes
1.2 times as many moves as with 16.
"""

LOCKS = 0x464F4C44
"""The first half of all foldtable's advisory locks; the second half is the partition."""

MIGRATION = -1
"""The second half of the lock that is held while the schema changes."""

LOCK = "SELECT pg_advisory_xact_lock(%s, %s)"
BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED"
"""Under this isolation each statement sees what was committed before it began, also while it waited for the lock."""

WAIT = 10.0
"""Seconds after which an attempt to connect is given up."""

STEADY = 1.0
"""Seconds during which the pool itself tries to connect again, with doubling pauses.

After that the next caller makes it try, so that nobody waits through a long pause after a long outage.
"""

PLAN_ONCE = "SET plan_cache_mode = force_generic_plan"
"""Use one plan for each statement: every statement is served by an index, whatever its values are.

Otherwise the server takes a lobby page for cheaper once it knows the values, and plans it again for each partition,
which costs more than executing it.
"""

IN_ORDER = ("SET enable_bitmapscan = off", "SET enable_sort = off")
"""Read ordered rows from an index that has their order, and only as many as a page needs.

Without these settings a server that expects a short list would sort all of it, and keep that plan when it has grown.
"""

AS_IT_IS = "SET jit = off"
"""Execute each plan as it is: no statement is long, and to compile one takes a second of a processor.

Without this setting a server that can compile does so for each plan that sorts, because `enable_sort` makes it count as
dear.
"""

LOOK = "SELECT coalesce((SELECT max(position) FROM events WHERE partition = 0), 0)"

# psycopg warns of each error that follows from one that it raises, so whenever a statement is refused, as in a race
logging.getLogger("psycopg").addFilter(lambda record: "error ignored" not in record.getMessage())

KINDS: tuple[tuple[type[psycopg.Error], type[StoreUnusable], str], ...] = (
    (errors.InsufficientPrivilege, StoreUnwritable, "can't be made or written to"),
    (errors.ReadOnlySqlTransaction, StoreUnusable, "can be read only"),
    (errors.DuplicateTable, StoreCorrupt, "is a database, but no store"),
    (errors.UndefinedTable, StoreCorrupt, "is damaged"),
    (errors.UndefinedColumn, StoreCorrupt, "is damaged"),
)

UNREADABLE = "the URL of the PostgreSQL store can't be read: write special characters of a password as %XX"

NO_DATABASE = re.compile(r'database ".*" does not exist')


def open_to_write(url: str, partitions: int) -> int:
    """Make the store or update its schema. Returns the number of partitions. Raises StoreUnusable, by its kinds."""
    name = named(url)
    try:
        with connect(url) as connection, connection.transaction():
            if connection.info.parameter_status("server_encoding") != "UTF8":
                raise StoreUnusable(f"{name} does not keep its texts in UTF8: make the database with ENCODING 'UTF8'")
            return _migrate(connection, name, partitions)
    except psycopg.Error as error:
        raise unusable(name, error) from error


def open_to_read(url: str) -> int:
    """Return the number of the store's partitions. Raises StoreUnusable, by its kinds."""
    name = named(url)
    try:
        with connect(url) as connection:
            version, partitions = _version(connection, name)
            if version == 0:
                raise StoreMissing(f"{name} holds no store")
            connection.execute(LOOK)
            return partitions
    except psycopg.Error as error:
        raise unusable(name, error) from error


def connect(url: str) -> Connection:
    """Return a connection in autocommit mode: transactions begin where the code says so."""
    connection = psycopg.connect(url, autocommit=True, connect_timeout=int(WAIT))
    connection.isolation_level = IsolationLevel.READ_COMMITTED
    return connection


def pool_of(url: str, size: int, wait: float, *, is_writing: bool) -> GuardedPool:
    """Return a pool of at most `size` connections, opened as they are needed, to a store that exists."""
    pool = GuardedPool(
        url,
        min_size=1,
        max_size=size,
        timeout=wait,
        reconnect_timeout=STEADY,
        open=False,
        kwargs={"autocommit": True, "connect_timeout": int(WAIT)},
        configure=partial(_configure, is_writing=is_writing),
    )
    pool.open()
    return pool


def unusable(name: str, error: psycopg.Error) -> StoreUnusable:
    """Return the error as one of the store's own."""
    for cause, kind, what in KINDS:
        if isinstance(error, cause):
            return kind(f"{name} {what}: {told(error)}")
    # the error of a refused connection has no code
    if error.sqlstate is None and NO_DATABASE.search(str(error)):
        return StoreMissing(f"{name} does not exist: {told(error)}")
    return StoreUnusable(f"{name} can't be opened: {told(error)}")


def told(error: Exception) -> str:
    """Return the error's text as one line."""
    return " ".join(str(error).split())


def named(url: str) -> str:
    """Return the store's name for messages, without user and password. Raises StoreUnusable for an unreadable URL."""
    try:
        parts = conninfo.conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        raise StoreUnusable(UNREADABLE) from error
    database, host = str(parts.get("dbname", "")), str(parts.get("host", "localhost"))
    # a password with a / or @ of its own is taken for them; the socket @NAME is a host
    if "@" in database or "@" in host[1:]:
        raise StoreUnusable(UNREADABLE)
    port = f":{parts['port']}" if "port" in parts else ""
    return f"{database} on {host}{port}"


def _configure(connection: Connection, *, is_writing: bool) -> None:
    """Make commits durable, and let each statement see what was committed before it, whatever the server says."""
    if is_writing:
        connection.isolation_level = IsolationLevel.READ_COMMITTED
        sql = "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
        connection.execute(sql)
    else:
        connection.execute("SET default_transaction_read_only = on")
    plan_by_index(connection)


def plan_by_index(connection: Connection) -> None:
    """Make the server plan each statement of the connection once, by its indexes, and compile none."""
    for setting in (PLAN_ONCE, *IN_ORDER, AS_IT_IS):
        connection.execute(setting)


def _version(connection: Connection, name: str) -> tuple[int, int]:
    """Return schema and partitions; (0, 0) if there is no store. Raises StoreNewer, StoreOlder, StoreCorrupt."""
    (is_there,) = connection.execute("SELECT to_regclass('store') IS NOT NULL").fetchone() or (False,)
    if not is_there:
        return 0, 0
    row = connection.execute("SELECT schema, partitions FROM store").fetchone()
    if row is None:
        raise StoreCorrupt(f"{name} is damaged: its table store is empty")
    versions = Versions(min(SCHEMA), max(SCHEMA))
    versions.check(name, int(row[0]), lambda sql: connection.execute(sql.encode()).fetchone())
    return int(row[0]), int(row[1])


def _migrate(connection: Connection, name: str, partitions: int) -> int:
    """Run the scripts that are missing. A second process waits for the first, and then has nothing to run."""
    connection.execute(LOCK, (LOCKS, MIGRATION))
    version, existing = _version(connection, name)
    for number, script in SCHEMA.items():
        if number > version:
            # only without parameters may one text hold several statements
            connection.execute(script.read_bytes())
    if version == 0:
        connection.execute("INSERT INTO store (partitions, schema) VALUES (%s, 0)", (partitions,))
    connection.execute(LOOK)
    # only a write shows that a store is read-only
    connection.execute("UPDATE store SET schema = %s", (max(SCHEMA),))
    return existing or partitions


Connection = psycopg.Connection[tuple[Any, ...]]

GLANCE = 0.25
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
        super().open(wait, timeout)
        Thread(target=self._watch, name="store-guard", daemon=True).start()

    def close(self, timeout: float = 5.0) -> None:
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
                    connection = super().getconn(min(PATIENCE, max(end - monotonic(), GLANCE)))
                    break
                except PoolTimeout:
                    if monotonic() >= end:
                        raise
        finally:
            del self._began[waiting]
        self._began[connection] = monotonic()
        return connection

    def putconn(self, conn: Connection) -> None:
        self._began.pop(conn, None)
        super().putconn(conn)

    def check(self) -> None:
        """See `ConnectionPool.check`; nothing is checked while the server is silent.

        Call it when a connection broke: most likely the others are broken too.
        """
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
        while not self._ended.wait(GLANCE):
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
