"""Opening an SQLite store: its connections, its schema, and one clear error for each thing amiss."""

from __future__ import annotations

import os
import sqlite3
import stat
from pathlib import Path

from events.files import OWN
from events.locks import Locks
from events.store import (
    StoreCorrupt,
    StoreMissing,
    StoreReadOnly,
    StoreUnusable,
    StoreUnwritable,
)
from events.versions import known, numbered
from events.writer import code_of

SCHEMA = numbered(Path(__file__).parent / "schema" / "sqlite")
"""The scripts that make the tables, by the version that each makes."""

BESIDE = ("-wal", "-shm", ".lock", ".turn")
"""What the names of the files beside a store end in: its log of writes is a part of it."""

# without its partition the last position would be looked for among all
LOOK = "SELECT (SELECT partitions FROM store), (SELECT max(position) FROM events WHERE partition = 0)"

KINDS: dict[int, tuple[type[StoreUnusable], str]] = {
    sqlite3.SQLITE_ERROR: (StoreCorrupt, "holds no store"),
    sqlite3.SQLITE_NOTADB: (StoreCorrupt, "is no database, or a damaged one"),
    sqlite3.SQLITE_CORRUPT: (StoreCorrupt, "is damaged"),
    sqlite3.SQLITE_READONLY: (StoreReadOnly, "can be read only"),
}

SHUT = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}


class Connection(sqlite3.Connection):
    """A connection that can be held weakly: it closes with the thread that it belongs to."""


def uri(path: Path, mode: str) -> str:
    """The file as SQLite's URI, with its mode: `rwc` makes it, `rw` and `ro` don't."""
    return f"{path.absolute().as_uri()}?mode={mode}"


def connect(uri: str) -> Connection:
    """A connection in autocommit mode: transactions begin where the code says so."""
    connection = sqlite3.connect(
        uri,
        uri=True,
        isolation_level=None,
        timeout=5,
        check_same_thread=False,
        cached_statements=256,
        factory=Connection,
    )
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def connect_to_read(uri: str) -> Connection:
    """A connection through which nothing can be written."""
    connection = connect(uri)
    connection.execute("PRAGMA query_only = ON")
    return connection


def open_to_write(path: Path, *, alone: bool = False) -> tuple[Locks, Connection]:
    """Make or open the store: the locks by which processes take turns to write, and the writing connection.

    Raises:  StoreUnusable, by its kinds.
    """
    _check_file(path)
    locks = Locks(path, alone=alone)
    try:
        _shut(path)
        connection = connect(uri(path, "rwc"))
        try:
            # The pages being written to, in KiB, and how many wait in the log: each is folded into the file less often.
            connection.execute("PRAGMA cache_size = -65536")
            connection.execute("PRAGMA wal_autocheckpoint = 4000")
            with locks.turn():
                # a store that is refused is left as it is
                _version(connection, path)
                connection.execute("PRAGMA journal_mode = WAL")
                _migrate(connection, path)
            # what a statement has done so far, should it fail: else each commit makes a file for it, and removes it
            connection.execute("PRAGMA temp_store = MEMORY")
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        locks.close()
        raise _unusable(path, error) from error
    except BaseException:
        locks.close()
        raise
    return locks, connection


def open_to_read(path: Path) -> str:
    """The URI by which the store can be read.

    Raises:  StoreUnusable, by its kinds.
    """
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise StoreMissing(f"{path} does not exist") from error
    except OSError as error:
        # a folder that is not for us, a name that is too long
        raise StoreUnusable(f"{path} can't be opened: {error.strerror}") from error
    _check_file(path)
    found = uri(path, "ro")
    try:
        _look(found, path)
    except sqlite3.Error as error:
        # In a directory that can't be written in SQLite can't make its shared memory. Without a log of writes there
        # is no writer, and the file can be read as it lies.
        if code_of(error) not in SHUT or Path(f"{path}-wal").exists():
            raise _unusable(path, error) from error
        found += "&immutable=1"
        _look_again(found, path)
    return found


def _look(found: str, path: Path) -> None:
    connection = connect(found)
    try:
        if _version(connection, path) == 0:
            raise StoreCorrupt(f"{path} holds no store")
        connection.execute(LOOK).fetchone()
    finally:
        connection.close()


def _look_again(found: str, path: Path) -> None:
    try:
        _look(found, path)
    except sqlite3.Error as error:
        raise _unusable(path, error) from error


def _check_file(path: Path) -> None:
    """Of anything else not even the mode is changed, and nothing is waited for. Raises StoreCorrupt."""
    # a path's own methods raise where we may not look
    if os.path.exists(path) and not os.path.isfile(path):
        raise StoreCorrupt(f"{path} is no file")


def _shut(path: Path) -> None:
    """Have the file there for this user alone: SQLite gives its mode to those that it puts beside it.

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
                continue  # it is not ours at all: SQLite tells so
            raise StoreUnusable(f"others may read {name}, which can't be changed: {error.strerror}") from error


def _version(connection: Connection, path: Path) -> int:
    """Return the version of the store's tables; 0 where none are. Raises StoreNewer, StoreOlder."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version:
        known(SCHEMA).check(str(path), version, lambda sql: connection.execute(sql).fetchone())
    return int(version)


def _migrate(connection: Connection, path: Path) -> None:
    version = _version(connection, path)
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if version == 0 and tables:
        raise StoreCorrupt(f"{path} is a database, but no store")
    for number, script in SCHEMA.items():
        if number > version:
            sql = script.read_text()
            connection.executescript(f"BEGIN IMMEDIATE;\n{sql}\nPRAGMA user_version = {number};\nCOMMIT;")
    connection.execute(LOOK).fetchone()
    # a file that can't be written to tells so only when it is
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"PRAGMA user_version = {max(SCHEMA)}")
    connection.execute("ROLLBACK")


def _unusable(path: Path, error: sqlite3.Error) -> StoreUnusable:
    kind, what = KINDS.get(code_of(error), (StoreUnusable, "can't be opened"))
    return kind(f"{path} {what}: {error}")
