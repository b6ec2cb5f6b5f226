"""The service's own tables, beside the log in the same store: who plays, who sits where, what was asked before.

What is here can be erased; the log names seats only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from events.queries import Versions
from events.sqlite import SqliteReader, SqliteRecorder
from events.store import Statement, StoreError, StoreUnusable, Tables
from service.store.schema import one_outbox
from service.store.schema.tables import INDEXES, POSTGRES, SQLITE, TABLES, Kind, Step, StoreTable, make

if TYPE_CHECKING:
    from events.postgres import PostgresReader, PostgresRecorder

COPYING = "service copy"
"""Stands among the followers of a store as long as not all of another one was copied into it."""

END_COPYING = "DELETE FROM positions WHERE partition = 0 AND follower = :follower"
IS_COPYING = "SELECT 1 FROM positions WHERE partition = 0 AND follower = :follower"

FIND_VERSION = "SELECT coalesce(max(version), 0) FROM service"


def _adding(*names: str, then: tuple[str, ...] = ()) -> Step:
    """Return the step that makes these tables, with their indexes, and then executes the statements `then`."""
    indexes = [sql for sql in INDEXES.split(";") if any(f" ON {name} (" in sql for name in names)]

    def step(connection: Any, kind: Kind) -> None:
        for table in TABLES:
            if table.name in names:
                connection.execute(kind.sql_of(connection, table))
        for sql in (*indexes, *then):
            connection.execute(sql)

    return step


WISHES_FROM_REVIEWS = (
    "INSERT INTO review_wishes (partition, match, seat, player, at)"
    " SELECT partition, match, seat, player, at FROM reviews WHERE player IS NOT NULL",
    "DROP INDEX IF EXISTS reviews_by_player",
)
PLAYER = "ALTER TABLE reviews ADD COLUMN player TEXT"
"""The step for wishes reads this column, which the next one drops."""

STEPS: tuple[Step, ...] = (
    one_outbox.carry,
    _adding("learnt"),
    _adding("reviews", "judged", "hints", then=(PLAYER,)),
    _adding("review_wishes", then=WISHES_FROM_REVIEWS),
    _adding(then=("ALTER TABLE reviews DROP COLUMN player",)),
    _adding(then=("CREATE INDEX quiet_by_player ON quiet (partition, player, match)",)),
)
"""One for each version after the first. A new store needs none of them: it is made as the tables are declared."""


OF_THE_LOG = ("store", "events", "commands", "decisions", "positions", "proofs", "kept")
"""The tables of `events`, which are in the same store."""


def prepare(store: SqliteRecorder | PostgresRecorder, name: str) -> None:
    """Make the tables or bring them up to date, whoever else does so at the same time.

    Shape:   `name`: the store's, for messages.
    Raises:  StoreNewer, StoreOlder; StoreError when a step fails. The store is then as it was.
    """
    if check(store, name) == versions_of(store).last:
        return
    kind = _kind_of(store)
    store.transact(lambda connection: _bring(connection, kind, name))


def _bring(connection: Any, kind: Kind, name: str) -> None:
    """Make the tables, or do the steps that are missing, in the transaction that is open."""
    kind.begin(connection)
    (found,) = connection.execute(FIND_VERSION).fetchone()
    versions = _versions(kind)
    if found:
        versions.check(name, found, lambda sql: connection.execute(sql).fetchone())
        for step in STEPS[found - kind.first :]:
            step(connection, kind)
    else:
        make(connection, kind)
    if found != versions.last:
        connection.execute("DELETE FROM service")
        connection.execute(f"INSERT INTO service VALUES ({versions.last})")


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
    return _versions(_kind_of(store))


def _versions(kind: Kind) -> Versions:
    return Versions(kind.first, kind.first + len(STEPS), "service schema")


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


def _kind_of(store: SqliteReader | PostgresReader) -> Kind:
    return SQLITE if isinstance(store, SqliteReader) else POSTGRES


def is_half_copied(store: Tables) -> bool:
    """Return whether a copy into it was begun and not finished."""
    return bool(store.find(Statement(IS_COPYING, {"follower": COPYING})))


def check_whole(store: Tables, name: str) -> None:
    """Raise StoreUnusable for a store into which not all of another one was copied."""
    if is_half_copied(store):
        raise StoreUnusable(f"{name} is an incomplete copy: run service copy again")
