"""Opens a PostgreSQL store: its connections, its schema, and one clear error for each fault."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
from psycopg import IsolationLevel, conninfo, errors

from events.postgres.guard import Connection, GuardedPool
from events.store import (
    StoreCorrupt,
    StoreMissing,
    StoreReadOnly,
    StoreUnusable,
    StoreUnwritable,
)
from events.versions import known, numbered

Pool = GuardedPool

SCHEMA = numbered(Path(__file__).parents[1] / "schema" / "postgres")
"""The scripts that make the tables, by the version that each one leads to."""

PARTITIONS = 16
"""The number of partitions of a new store; an existing store keeps its number."""

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

LOOK = "SELECT coalesce((SELECT max(position) FROM events WHERE partition = 0), 0)"

KINDS: tuple[tuple[type[psycopg.Error], type[StoreUnusable], str], ...] = (
    (errors.InsufficientPrivilege, StoreUnwritable, "can't be made or written to"),
    (errors.ReadOnlySqlTransaction, StoreReadOnly, "can be read only"),
    (errors.DuplicateTable, StoreCorrupt, "is a database, but no store"),
    (errors.UndefinedTable, StoreCorrupt, "is damaged"),
    (errors.UndefinedColumn, StoreCorrupt, "is damaged"),
)

NO_DATABASE = re.compile(r'database ".*" does not exist')


def name_of(url: str) -> str:
    """Return the store's name for messages, without user and password."""
    parts = conninfo.conninfo_to_dict(url)
    port = f":{parts['port']}" if "port" in parts else ""
    return f"{parts.get('dbname', '')} on {parts.get('host', 'localhost')}{port}"


def open_to_write(url: str, partitions: int) -> int:
    """Make the store, or bring its schema up to date. Returns the number of its partitions.

    Raises:  StoreUnusable, by its kinds.
    """
    name = named(url)
    try:
        with connect(url) as connection, connection.transaction():
            _check(connection, name)
            return _migrate(connection, name, partitions)
    except psycopg.Error as error:
        raise unusable(name, error) from error


def open_to_read(url: str) -> int:
    """Return the number of the store's partitions.

    Raises:  StoreUnusable, by its kinds.
    """
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


def pool_of(url: str, size: int, wait: float, *, is_writing: bool) -> Pool:
    """Return a pool of at most `size` connections, opened as they are needed, to a store that exists."""
    options = {"autocommit": True, "connect_timeout": int(WAIT)}
    configure = _configure_to_write if is_writing else _configure_to_read
    pool = GuardedPool(
        url,
        min_size=1,
        max_size=size,
        timeout=wait,
        reconnect_timeout=STEADY,
        open=False,
        kwargs=options,
        configure=configure,
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
    """Return the store's name for messages. Raises StoreUnusable when the URL can't be read."""
    try:
        return name_of(url)
    except psycopg.ProgrammingError as error:
        raise StoreUnusable("the URL of the PostgreSQL store can't be read") from error


def _configure_to_write(connection: Connection) -> None:
    """Make commits durable, and let each statement see what was committed before it, whatever the server says."""
    connection.isolation_level = IsolationLevel.READ_COMMITTED
    sql = "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
    connection.execute(sql)
    plan_by_index(connection)


def _configure_to_read(connection: Connection) -> None:
    connection.execute("SET default_transaction_read_only = on")
    plan_by_index(connection)


def plan_by_index(connection: Connection) -> None:
    """Make the server plan each statement of the connection once, and by the indexes that exist for it."""
    for setting in (PLAN_ONCE, *IN_ORDER):
        connection.execute(setting)


def _check(connection: Connection, name: str) -> None:
    if connection.info.parameter_status("server_encoding") != "UTF8":
        raise StoreUnusable(f"{name} does not keep its texts in UTF8: make the database with ENCODING 'UTF8'")


def _version(connection: Connection, name: str) -> tuple[int, int]:
    """Return schema and partitions; (0, 0) if there is no store. Raises StoreNewer, StoreOlder, StoreCorrupt."""
    (is_there,) = connection.execute("SELECT to_regclass('store') IS NOT NULL").fetchone() or (False,)
    if not is_there:
        return 0, 0
    row = connection.execute("SELECT schema, partitions FROM store").fetchone()
    if row is None:
        raise StoreCorrupt(f"{name} is damaged: its table store is empty")
    known(SCHEMA).check(name, int(row[0]), lambda sql: connection.execute(sql.encode()).fetchone())
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
