"""Copies a store on SQLite to PostgreSQL. If it is interrupted, it can be run again to continue."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import partial

from events import stores
from events.postgres import PostgresRecorder
from events.postgres.committing import fill
from events.sqlite import SqliteRecorder
from events.store import Row, Statement, Store, StoreUnusable, partition_of
from replays.checking import chains
from service.config import Config
from service.store import schema

COPIED = schema.COPYING
"""A row among the followers while the copy is not complete; its position is that of the last copied event."""


def _copied(table: schema.StoreTable) -> tuple[str, tuple[str, ...], str]:
    """Return the name, the columns to copy, and the column that decides the partition, "" if that is copied too."""
    has_partition = table.home == "partition"
    columns = tuple(column.name for column in table.columns if has_partition or column.name != "partition")
    return table.name, columns, "" if has_partition else table.home


TABLES = (
    *map(_copied, schema.TABLES),
    ("commands", ("match", "id", "digest", "spans"), "match"),
    ("decisions", ("match", "seat", "since", "due", "who"), "match"),
    ("proofs", ("match", "proof"), "match"),
    ("kept", ("name", "content"), "name"),
)
"""The tables to copy besides the events; a table comes after those to which it refers."""

LOT = 2000
"""The number of events or rows in one transaction."""

REACHED = (
    "UPDATE set_aside SET position = :position WHERE partition = :partition AND follower = :follower AND match = :match"
)

Say = Callable[[str], object]


class NotCopied(StoreUnusable):
    """The copy differs from the store."""


def copy(config: Config, say: Say) -> None:
    """Copy the data folder's store to the one that the settings name.

    Raises:  StoreUnusable if somebody writes to the first one, or the other one has other content; StoreError.
    """
    # checked before anything is opened, so that nothing is made at a wrong place
    if other := stores.file_of(config.store_url):
        raise StoreUnusable(f"{other} is no store on PostgreSQL: set FOLDTABLE_STORE to one")
    SqliteRecorder.open_to_read(config.database).close()
    with closing(SqliteRecorder(config.database, alone=True)) as source:
        schema.prepare(source, str(config.database))
        with closing(PostgresRecorder(config.store_url)) as target:
            _begin(target, stores.name_of(config.store_url))
            _copy(source, target, say)


def _begin(target: PostgresRecorder, name: str) -> None:
    """Prepare an empty store, or one with an incomplete copy. Raises StoreUnusable for any other."""
    schema.prepare(target, name)
    if not schema.is_half_copied(target):
        if target.matches(limit=1) or target.find(Statement("SELECT 1 FROM players LIMIT 1")):
            raise StoreUnusable(f"{name} is not empty: copy into an empty database")
        target.note(COPIED, 0, 0)


def _copy(source: SqliteRecorder, target: PostgresRecorder, say: Say) -> None:
    for table, _, _ in reversed(TABLES):
        # a copy that continues must not keep rows that have changed since, as those of a revoked token
        target.write([Statement(f"DELETE FROM {table}")])
    for table, columns, home in TABLES:
        say(f"{table}: {_take(source, target, table, columns, home)} rows")
    done = target.position(COPIED, 0)
    while events := source.read_all(0, done, LOT):
        target.transact(partial(fill, partitions=target.partitions, events=events, follower=COPIED))
        done = events[-1][0]
        say(f"events: {done}")
    _note_followers(source, target)
    # otherwise PostgreSQL plans the first queries as if the tables were empty
    target.write([Statement("ANALYZE")])
    say(f"checked: {check(source, target)} events, every chain intact")
    target.write([Statement(schema.END_COPYING, {"follower": COPIED})])


def _take(source: SqliteRecorder, target: PostgresRecorder, table: str, columns: tuple[str, ...], home: str) -> int:
    """Copy all rows of the table. Returns their number."""
    places = (*columns, "partition") if home else columns
    sql = (
        f"INSERT INTO {table} ({', '.join(places)}) VALUES ({', '.join(f':{name}' for name in places)})"
        " ON CONFLICT DO NOTHING"
    )
    rows = source.find(Statement(f"SELECT {', '.join(columns)} FROM {table}"))
    for start in range(0, len(rows), LOT):
        named = (dict(zip(columns, row, strict=True)) for row in rows[start : start + LOT])
        target.write([Statement(sql, values, values[home] if home else "") for values in named])
    return len(rows)


def _note_followers(source: SqliteRecorder, target: PostgresRecorder) -> None:
    """Give each follower a position in each partition, so that it has handled the same events as in the old store."""
    for follower, position in source.find(Statement("SELECT follower, position FROM positions WHERE partition = 0")):
        for number, count in enumerate(_followed(source, target, position)):
            target.note(follower, number, count)
    sql = "SELECT follower, match, position FROM set_aside WHERE partition = 0"
    for follower, match, position in source.find(Statement(sql)):
        reached = _followed(source, target, position)[partition_of(match, target.partitions)]
        target.write([Statement(REACHED, {"follower": follower, "match": match, "position": reached}, match)])


def _followed(source: SqliteRecorder, target: PostgresRecorder, position: int) -> list[int]:
    """Return, by partition of the target, how many of its events are in the source at the position or before."""
    found = [0] * target.partitions
    sql = "SELECT stream FROM events WHERE partition = 0 AND position <= :position"
    for (stream,) in source.find(Statement(sql, {"position": position})):
        found[partition_of(stream.partition("/")[0], target.partitions)] += 1
    return found


def check(source: Store, target: Store) -> int:
    """Compare all streams and tables, and recompute all hashes. Returns the number of events. Raises NotCopied."""
    if source.matches() != target.matches():
        raise NotCopied("the copy has other matches than the store")
    if source.decisions() != target.decisions():
        raise NotCopied("the copy has other open decisions than the store")
    count = 0
    for match in source.matches():
        if source.private_streams(match) != target.private_streams(match) or source.proof(match) != target.proof(match):
            raise NotCopied(f"{match} has other streams or another proof in the copy")
        for stream in (match, *source.private_streams(match)):
            if source.head(stream) != target.head(stream):
                raise NotCopied(f"{stream} ends elsewhere in the copy")
        if (checked := chains.check(target, match)).fault:
            raise NotCopied(checked.fault)
        count += checked.events
    for table, columns, _ in TABLES:
        if _rows(source, table, columns) != _rows(target, table, columns):
            raise NotCopied(f"the copy has other {table} than the store")
    return count


def _rows(store: Store, table: str, columns: tuple[str, ...]) -> frozenset[Row]:
    """Return the table's rows without positions, which differ between stores."""
    names = [name for name in columns if name != "position"]
    return frozenset(store.find(Statement(f"SELECT {', '.join(names)} FROM {table}")))
