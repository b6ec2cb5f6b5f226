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
    StoreNewer,
    StoreReadOnly,
    StoreUnusable,
    StoreUnwritable,
)
from events.writer import code_of

SCHEMA = tuple(sorted((Path(__file__).parent / "schema").glob("[0-9]*.sql")))
"""The scripts that take a store from one schema version to the next; the first makes version 1 of an empty file."""

BESIDE = ("-wal", "-shm", ".lock", ".turn")
"""What the names of the files beside a store end in: its log of writes is a part of it."""

PARTITIONED = 3
"""The schema since which every key begins with the partition."""

OLDER = """
CREATE TEMP VIEW commands AS
SELECT 0 AS partition, substr(stream, 1, instr(stream || '/', '/') - 1) AS match, id, digest, spans
FROM (SELECT id, digest, spans, json_extract(CAST(spans AS TEXT), '$[0][0]') AS stream FROM main.commands)
WHERE stream IS NOT NULL;
CREATE TEMP VIEW decisions AS SELECT 0 AS partition, match, seat, since, due, who FROM main.decisions;
"""
"""What a store of schema 1 or 2 lacks, for who reads it; it holds also once the store has been brought up to date."""

KEEPING = 4
"""The schema since which contents are kept by name."""

NOTHING_KEPT = "CREATE TEMP VIEW kept AS SELECT 0 AS partition, '' AS name, x'' AS content WHERE FALSE"

PROOFS = {
    1: "CREATE TEMP VIEW proofs AS SELECT 0 AS partition, '' AS match, x'' AS proof WHERE FALSE",
    2: "CREATE TEMP VIEW proofs AS SELECT 0 AS partition, match, proof FROM main.proofs",
}

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
    """A connection through which nothing can be written; a store of an earlier schema looks as one of this."""
    connection = connect(uri)
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version < PARTITIONED:
        connection.executescript(f"{OLDER}{PROOFS[version]}")
    if version < KEEPING:
        connection.execute(NOTHING_KEPT)
    connection.execute("PRAGMA query_only = ON")
    return connection


def open_to_write(path: Path, *, alone: bool = False) -> tuple[Locks, Connection]:
    """Make or open the store: the locks by which processes take turns to write, and the writing connection.

    Raises:  StoreInUse, StoreUnwritable, StoreReadOnly, StoreCorrupt, StoreNewer.
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

    Raises:  StoreMissing, StoreCorrupt, StoreNewer, StoreUnusable.
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
        # one that an earlier release has written can be read as it is
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
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(SCHEMA):
        raise StoreNewer(f"{path} was written by a later release: schema {version}, known are {len(SCHEMA)}")
    return int(version)


def _migrate(connection: Connection, path: Path) -> None:
    version = _version(connection, path)
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if version == 0 and tables:
        raise StoreCorrupt(f"{path} is a database, but no store")
    for number, script in enumerate(SCHEMA[version:], version + 1):
        sql = script.read_text()
        connection.executescript(f"BEGIN IMMEDIATE;\n{sql}\nPRAGMA user_version = {number};\nCOMMIT;")
    connection.execute(LOOK).fetchone()
    # a file that can't be written to tells so only when it is
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"PRAGMA user_version = {len(SCHEMA)}")
    connection.execute("ROLLBACK")


def _unusable(path: Path, error: sqlite3.Error) -> StoreUnusable:
    kind, what = KINDS.get(code_of(error), (StoreUnusable, "can't be opened"))
    return kind(f"{path} {what}: {error}")
