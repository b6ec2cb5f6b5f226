"""What a follower needs of a store: the log in its order, and effects in one transaction with the position after them.

Followers use a store only through this module, on SQLite and on PostgreSQL.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

import msgspec

from events import stores
from events.sqlite import SqliteRecorder
from events.store import Row, Statement, StoreMissing
from service.store import schema
from service.store.statements import THE_MATCH, reading, statement

if TYPE_CHECKING:
    from events.postgres import PostgresRecorder


class SetAside(msgspec.Struct, frozen=True):
    """A log that a follower skips, from the event on that it could not process."""

    partition: int
    follower: str
    match: str
    position: int
    """The effects of the match's events up to this position are done."""
    stream: str
    version: int
    """The version of the event that could not be processed."""
    error: str
    at: str
    again: bool = False
    """Whether it is to be tried again."""


_set_aside = reading(SetAside)

FIELDS = SetAside.__struct_fields__
FIND_ASIDE = f"SELECT {', '.join(FIELDS)} FROM set_aside WHERE partition = :partition ORDER BY follower, match"
FIND_POSITIONS = "SELECT follower, position FROM positions WHERE partition = :partition ORDER BY follower"
FIND_END = "SELECT coalesce(max(position), 0) FROM events WHERE partition = :partition"

begin = statement(
    "follower partition",
    "INSERT INTO positions (partition, follower, position) VALUES (:partition, :follower, 0) ON CONFLICT DO NOTHING",
)
"""Puts a new follower at the partition's beginning."""
move_on = statement(
    "follower partition before after",
    "UPDATE positions SET position = :after"
    " WHERE partition = :partition AND follower = :follower AND position = :before",
)
"""Moves the follower from one position to another; no row changes if it is elsewhere."""
set_aside = statement(
    " ".join(FIELDS),
    f"INSERT INTO set_aside ({', '.join(FIELDS)}) VALUES ({', '.join(f':{name}' for name in FIELDS)})"
    " ON CONFLICT (partition, follower, match) DO UPDATE SET position = excluded.position, stream = excluded.stream,"
    " version = excluded.version, error = excluded.error, at = excluded.at, again = excluded.again",
)
"""Sets a log aside."""
OF_LOG = "partition = :partition AND follower = :follower AND match = :match AND position = :position"
catch_up = statement(
    "partition follower match position after", f"UPDATE set_aside SET position = :after WHERE {OF_LOG}"
)
"""Moves the position of a log that is set aside on; it changes no row if the log was dealt with meanwhile."""
take_back = statement("partition follower match position", f"DELETE FROM set_aside WHERE {OF_LOG}")
"""Ends setting a log aside; it changes no row if the log was dealt with meanwhile."""
try_again = statement("partition match", f"UPDATE set_aside SET again = 1 WHERE {THE_MATCH}")
"""Has a log of the partition tried again."""

STUCK = "SET LOCAL idle_in_transaction_session_timeout = 8000"
"""A process that hangs in a transaction blocks others for at most this many milliseconds."""


class Overtaken(Exception):
    """A demand of the transaction does not hold any more: another process has gone on from there."""


class EffectFailed(Exception):
    """A statement of an effect failed, and nothing of the transaction was stored; `number` is the effect's index."""

    def __init__(self, number: int, error: Exception) -> None:
        super().__init__(f"effect {number}: {error}")
        self.number = number
        self.error = error


class Effects:
    """A store as followers use it."""

    def __init__(self, log: SqliteRecorder | PostgresRecorder) -> None:
        self.log = log
        self.partitions = log.partitions

    def _rows(self, sql: str, partition: int) -> list[Row]:
        return self.log.find(Statement(sql, {"partition": partition}))

    def positions(self, partition: int) -> dict[str, int]:
        """Return the position of each follower that has noted one. Raises StoreError."""
        return {follower: int(position) for follower, position in self._rows(FIND_POSITIONS, partition)}

    def end(self, partition: int) -> int:
        """Return the position of the partition's last event; 0 if it has none. Raises StoreError."""
        return int(self._rows(FIND_END, partition)[0][0])

    def aside(self, partition: int) -> tuple[SetAside, ...]:
        """Return the logs of the partition that are set aside, ordered by follower and match. Raises StoreError."""
        return tuple(map(_set_aside, self._rows(FIND_ASIDE, partition)))

    def commit(self, demands: Sequence[Statement], effects: Sequence[Iterable[Statement]] = ()) -> None:
        """Execute all demands and effects in one transaction, or none. Each demand must change one row.

        Raises:  Overtaken when a demand does not; EffectFailed; StoreError when the store fails.
        """
        self.log.transact(lambda connection: self._commit(connection, demands, effects))

    def _commit(self, connection: Any, demands: Sequence[Statement], effects: Sequence[Iterable[Statement]]) -> None:
        if not isinstance(self.log, SqliteRecorder):
            connection.execute(STUCK)
        for demand in demands:
            if self.log.execute(connection, demand) != 1:
                raise Overtaken
        for number, effect in enumerate(effects):
            try:
                for statement in effect:
                    self.log.execute(connection, statement)
            except Exception as error:
                if self.log.is_fault(error):
                    raise EffectFailed(number, error) from error
                raise

    def close(self) -> None:
        """Release the store."""
        self.log.close()


def open_effects(url: str) -> Effects:
    """Open an existing store that has the service's tables in this release's version.

    Raises:  StoreUnusable, by its kinds: StoreMissing until a web process has made these tables.
    """
    name = stores.name_of(url)
    with closing(stores.open_to_read(url)) as reader:
        # only web processes make the tables and bring them up to date
        if schema.check(reader, name) < schema.versions_of(reader).last:
            raise StoreMissing(f"{name} holds no tables of this service yet")
        schema.check_whole(reader, name)
    return Effects(stores.open_to_write(url))
