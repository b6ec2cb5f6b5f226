"""Opens an SQLite store: its connections, its schema, and one clear error for each fault."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, suppress
from pathlib import Path

from events.files import OWN
from events.queries import Versions, numbered
from events.store import (
    BrokenConstraint,
    MissingValue,
    StoreCorrupt,
    StoreError,
    StoreMissing,
    StoreUnusable,
    StoreUnwritable,
)

SCHEMA = numbered(Path(__file__).parent / "schema" / "sqlite")
"""The scripts that make the tables, by the version that each one leads to."""

BESIDE = ("-wal", "-shm", ".lock", ".turn")
"""The endings of the files beside a store. Its write-ahead log, `-wal`, is a part of it."""

# without the partition SQLite would search all positions for the last one
LOOK = "SELECT (SELECT partitions FROM store), (SELECT max(position) FROM events WHERE partition = 0)"

KINDS: dict[int, tuple[type[StoreUnusable], str]] = {
    sqlite3.SQLITE_ERROR: (StoreCorrupt, "holds no store"),
    sqlite3.SQLITE_NOTADB: (StoreCorrupt, "is no database, or a damaged one"),
    sqlite3.SQLITE_CORRUPT: (StoreCorrupt, "is damaged"),
    sqlite3.SQLITE_READONLY: (StoreUnusable, "can be read only"),
    sqlite3.SQLITE_FULL: (StoreUnwritable, "can't be made or written to"),
}

SHUT = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}


class Connection(sqlite3.Connection):
    """A connection that allows weak references: it closes with the thread that it belongs to."""

    def __del__(self) -> None:
        """Close it. From Python 3.13 on the base class does so too, but warns."""
        with suppress(sqlite3.ProgrammingError):  # it was never open
            self.close()


def uri(path: Path, mode: str) -> str:
    """Return the file as SQLite's URI with a mode: `rwc` makes the file, `rw` and `ro` don't."""
    return f"{path.absolute().as_uri()}?mode={mode}"


def connect(uri: str) -> Connection:
    """Return a connection in autocommit mode: transactions begin where the code says so."""
    connection = sqlite3.connect(
        uri, uri=True, isolation_level=None, check_same_thread=False, cached_statements=256, factory=Connection
    )
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def open_to_write(path: Path, turn: Callable[[], AbstractContextManager[None]]) -> Connection:
    """Open the store, and make it if there is none. Returns the connection that writes.

    `turn`: keeps other processes from writing meanwhile.
    Raises:  StoreUnusable, by its kinds.
    """
    try:
        _shut(path)
        connection = connect(uri(path, "rwc"))
        try:
            # a cache of 64 MiB and a write-ahead log of up to 4000 pages: pages are copied into the file less often
            connection.execute("PRAGMA cache_size = -65536")
            connection.execute("PRAGMA wal_autocheckpoint = 4000")
            with turn():
                # checked before anything is changed, so that a store that is refused stays as it is
                _version(connection, path)
                connection.execute("PRAGMA journal_mode = WAL")
                _migrate(connection, path)
            # statement journals in memory: otherwise each commit would make a file for them and remove it
            connection.execute("PRAGMA temp_store = MEMORY")
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        raise _unusable(path, error) from error
    return connection


def open_to_read(path: Path) -> str:
    """Return the URI with which the store can be read. Raises StoreUnusable, by its kinds."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise StoreMissing(f"{path} does not exist") from error
    except OSError as error:
        # a folder without permission, a name that is too long
        raise StoreUnusable(f"{path} can't be opened: {error.strerror}") from error
    check_file(path)
    address = uri(path, "ro")
    try:
        try:
            _look(address, path)
        except sqlite3.Error as error:
            # SQLite can't make its shared memory in a folder that is read-only. Without a write-ahead log there is no
            # writer, and the file can be read as it is.
            if code_of(error) not in SHUT or Path(f"{path}-wal").exists():
                raise
            address += "&immutable=1"
            _look(address, path)
    except sqlite3.Error as error:
        raise _unusable(path, error) from error
    return address


def _look(address: str, path: Path) -> None:
    with closing(connect(address)) as connection:
        if _version(connection, path) == 0:
            raise StoreCorrupt(f"{path} holds no store")
        connection.execute(LOOK).fetchone()


def check_file(path: Path) -> None:
    """Refuse anything but a file before its mode is changed or anything waits for it. Raises StoreCorrupt."""
    # Path's own methods raise where permission is missing
    if os.path.exists(path) and not os.path.isfile(path):
        raise StoreCorrupt(f"{path} is no file")


def _shut(path: Path) -> None:
    """Make the file, or keep it, for this user alone: SQLite gives its mode to the files that it puts beside it.

    Raises:  StoreUnwritable, StoreUnusable.
    """
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWN))
    except FileExistsError:
        pass
    except OSError as error:
        raise StoreUnwritable(f"{path} can't be made or written to: {error.strerror}") from error
    for name in (path, *(Path(f"{path}{suffix}") for suffix in BESIDE)):
        try:
            mode = stat.S_IMODE(name.stat().st_mode)
            if mode & ~OWN:
                name.chmod(mode & OWN)
        except FileNotFoundError:
            continue
        except OSError as error:
            if not os.access(name, os.W_OK, effective_ids=True):
                continue  # it belongs to somebody else: SQLite's own error will say so
            raise StoreUnusable(f"others may read {name}, which can't be changed: {error.strerror}") from error


def _version(connection: Connection, path: Path) -> int:
    """Return the version of the store's tables; 0 if it has none. Raises StoreNewer, StoreOlder."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version:
        Versions(min(SCHEMA), max(SCHEMA)).check(str(path), version, lambda sql: connection.execute(sql).fetchone())
    return int(version)


def _migrate(connection: Connection, path: Path) -> None:
    version = _version(connection, path)
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if version == 0 and tables:
        raise StoreCorrupt(f"{path} is a database, but no store")
    for number, script in SCHEMA.items():
        if number > version:
            sql = script.read_text(encoding="utf-8")
            connection.executescript(f"BEGIN IMMEDIATE;\n{sql}\nPRAGMA user_version = {number};\nCOMMIT;")
    connection.execute(LOOK).fetchone()
    # only a write shows that a file is read-only
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"PRAGMA user_version = {max(SCHEMA)}")
    connection.execute("ROLLBACK")


def _unusable(path: Path, error: sqlite3.Error) -> StoreUnusable:
    kind, what = KINDS.get(code_of(error), (StoreUnusable, "can't be opened"))
    return kind(f"{path} {what}: {error}")


def code_of(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code; 0 when Python's own module refused."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def as_told(error: BaseException) -> BaseException:
    """Return the error for the caller: SQLite's errors as the store's own, others as they are."""
    if not isinstance(error, sqlite3.Error):
        return error
    failure: StoreError
    if not isinstance(error, sqlite3.IntegrityError):
        failure = StoreError(f"the store could not write: {error}")
    elif error.sqlite_errorcode == sqlite3.SQLITE_CONSTRAINT_NOTNULL:
        failure = MissingValue(str(error))
    else:
        failure = BrokenConstraint(str(error))
    failure.__cause__ = error
    return failure
