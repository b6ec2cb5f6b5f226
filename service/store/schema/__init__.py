"""The service's own tables, beside the log in the same store: who plays, who sits where, what was asked before.

What is here can be erased; the log names seats only.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from events.queries import Versions
from events.sqlite import SqliteReader, SqliteRecorder
from events.store import Statement, StoreError, StoreUnusable, Tables
from service.store.schema import one_outbox
from service.store.schema.tables import (
    INDEXES,
    TABLES,
    Step,
    StoreTable,
    make_on_postgres,
    make_on_sqlite,
    on_postgres,
    on_sqlite,
)

if TYPE_CHECKING:
    from sqlite_utils import Database

    from events.postgres import PostgresReader, PostgresRecorder
    from events.postgres.opening import Connection

COPYING = "service copy"
"""Stands among the followers of a store as long as not all of another one was copied into it."""

END_COPYING = "DELETE FROM positions WHERE partition = 0 AND follower = :follower"
IS_COPYING = "SELECT 1 FROM positions WHERE partition = 0 AND follower = :follower"

FIND_VERSION = "SELECT coalesce(max(version), 0) FROM service"


def _adding(*names: str, then: tuple[str, ...] = ()) -> Step:
    """Return the step that makes these tables, with their indexes, and then executes the statements `then`."""
    made = [table for table in TABLES if table.name in names]
    indexes = [sql for sql in INDEXES.split(";") if any(f" ON {name} (" in sql for name in names)]

    def on(execute: Callable[[str], object], sql_of: Callable[[StoreTable], str]) -> None:
        for table in made:
            execute(sql_of(table))
        for sql in (*indexes, *then):
            execute(sql)

    return Step(
        lambda db: on(db.execute, lambda table: on_sqlite(db, table)),
        lambda connection: on(lambda sql: connection.execute(sql.encode()), on_postgres),
    )


WISHES_FROM_REVIEWS = (
    "INSERT INTO review_wishes (partition, match, seat, player, at)"
    " SELECT partition, match, seat, player, at FROM reviews WHERE player IS NOT NULL",
    "DROP INDEX IF EXISTS reviews_by_player",
)
PLAYER = "ALTER TABLE reviews ADD COLUMN player TEXT"
"""The step for wishes reads this column, which the next one drops."""

STEPS: tuple[Step, ...] = (
    one_outbox.STEP,
    _adding("learnt"),
    _adding("reviews", "judged", "hints", then=(PLAYER,)),
    _adding("review_wishes", then=WISHES_FROM_REVIEWS),
    _adding(then=("ALTER TABLE reviews DROP COLUMN player",)),
)
"""One for each version after the first. A new store needs none of them: it is made as the tables are declared."""


OF_THE_LOG = ("store", "events", "commands", "decisions", "positions", "proofs", "kept")
"""The tables of `events`, which are in the same store."""

COLUMNS_ON_SQLITE = (
    "SELECT made.name, held.name FROM sqlite_schema AS made, pragma_table_info(made.name) AS held"
    " WHERE made.type = 'table'"
)
COLUMNS_ON_POSTGRES = (
    "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = ANY (current_schemas(false))"
)


class _Kind(NamedTuple):
    """What differs between the kinds of stores."""

    first: int
    """The version with which the first release began; those before were never released."""
    begin: Callable[[Any], object]
    """Waits until no other process changes the tables, and makes the one that holds their version."""
    make: Callable[[Any], object]
    step: Callable[[Step], Callable[[Any], object]]
    columns: str
    """Finds all tables, with the names of their columns."""

    @property
    def versions(self) -> Versions:
        return Versions(self.first, self.first + len(STEPS), "service schema")


def _begin_on_sqlite(db: Database) -> None:
    # whoever writes is alone
    db.table("service").create({"version": int}, strict=True, if_not_exists=True)


def _begin_on_postgres(connection: Connection) -> None:
    from events.postgres.opening import LOCK, LOCKS, MIGRATION

    connection.execute(LOCK, (LOCKS, MIGRATION))
    connection.execute("CREATE TABLE IF NOT EXISTS service (version integer NOT NULL)")


SQLITE = _Kind(17, _begin_on_sqlite, make_on_sqlite, attrgetter("on_sqlite"), COLUMNS_ON_SQLITE)
POSTGRES = _Kind(14, _begin_on_postgres, make_on_postgres, attrgetter("on_postgres"), COLUMNS_ON_POSTGRES)


def prepare(store: SqliteRecorder | PostgresRecorder, name: str) -> None:
    """Make the tables or bring them up to date, whoever else does so at the same time.

    Shape:   `name`: the store's, for messages.
    Raises:  StoreNewer, StoreOlder; StoreError when a step fails. The store is then as it was.
    """
    if check(store, name) == versions_of(store).last:
        return
    if isinstance(store, SqliteRecorder):
        # most processes find the tables made, and start sooner without it
        from sqlite_utils import Database

        store.transact(lambda connection: _bring(Database(connection), SQLITE, name))
    else:
        store.transact(lambda connection: _bring(connection, POSTGRES, name))


def _bring(store: Any, kind: _Kind, name: str) -> None:
    """Make the tables, or do the steps that are missing, in the transaction that is open."""
    kind.begin(store)
    (found,) = store.execute(FIND_VERSION).fetchone()
    if found:
        kind.versions.check(name, found, lambda sql: store.execute(sql).fetchone())
        for step in STEPS[found - kind.first :]:
            kind.step(step)(store)
    else:
        kind.make(store)
    if found != kind.versions.last:
        store.execute("DELETE FROM service")
        store.execute(f"INSERT INTO service VALUES ({kind.versions.last})")


def check(store: SqliteReader | PostgresReader, name: str) -> int:
    """Return the version of the tables, 0 where there are none. Raises StoreNewer, StoreOlder."""
    try:
        ((found,),) = store.find(Statement(FIND_VERSION))
    except StoreError:
        return 0  # what is wrong with the store is told by whoever needs its tables
    if found:
        versions_of(store).check(name, found, lambda sql: store.find(Statement(sql))[0])
    return int(found)


def versions_of(store: SqliteReader | PostgresReader) -> Versions:
    """Return the versions of the tables that this release knows in that kind of store."""
    return _kind_of(store).versions


def lacking(store: SqliteReader | PostgresReader, version: int) -> tuple[str, ...]:
    """Return what a store whose tables have that version lacks: tables, and columns as `table.column`.

    Shape:   `version`: as `check` returns it. Nothing is said of an older version, which the next start brings up to
             date; nor of 0 without any of the service's tables, which the first start makes. With some of them 0 means
             that the version itself is lost: `service`.
    Raises:  StoreError.
    """
    found = {(str(table), str(column)) for table, column in store.find(Statement(_kind_of(store).columns))}
    there = {table for table, _ in found}
    lost = [name for name in OF_THE_LOG if name not in there]
    if version == 0 and any(table.name in there for table in TABLES):
        lost.append("service")
    if version == versions_of(store).last:
        for table in TABLES:
            columns = [column.name for column in table.columns if (table.name, column.name) not in found]
            lost += [f"{table.name}.{name}" for name in columns] if table.name in there else [table.name]
    return tuple(lost)


def _kind_of(store: SqliteReader | PostgresReader) -> _Kind:
    return SQLITE if isinstance(store, SqliteReader) else POSTGRES


def is_half_copied(store: Tables) -> bool:
    """Return whether a copy into it was begun and not finished."""
    return bool(store.find(Statement(IS_COPYING, {"follower": COPYING})))


def check_whole(store: Tables, name: str) -> None:
    """Raise StoreUnusable for a store into which not all of another one was copied."""
    if is_half_copied(store):
        raise StoreUnusable(f"{name} is an incomplete copy: run service copy again")
