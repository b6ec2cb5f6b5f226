"""From the first version to the second: `outbox`, `tidings` and `deliveries` become one table, and so do all settings.

What was told by mail is carried along, for whoever is still asked would be told again; and so is how far the log was
followed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from sqlite_utils import Database

from events.postgres.guard import Connection
from events.store import partition_of
from service.ids import digest
from service.store.schema.making import on_postgres, on_sqlite
from service.store.schema.step import Step
from service.store.schema.tables import StoreTable

SUBSCRIPTIONS = StoreTable(
    "subscriptions",
    "id, channel, player, number int, name, address, kinds, secret, former null, former_until null, created,"
    " failing null, disabled null, reason null",
    key=("id",),
)
DELIVERIES = StoreTable(
    "deliveries",
    "home, id, channel, target, player, kind, seat int null, decision big null, body, at, status, asked int, due,"
    " tries int, tried null, answer int null, problem null",
    key=("id",),
    home="home",
)
NEW = "partition, home, id, channel, target, player, kind, seat, decision, body, at, status, asked, due, tries"
FIND_TIDINGS = (
    "SELECT tidings.partition, tidings.match, kind, seat, player, since, at, due, tries, game FROM tidings"
    " LEFT JOIN matches ON matches.partition = tidings.partition AND matches.id = tidings.match"
)
FIND_LETTERS = (
    "SELECT id, kind, player, address, lang, about, at, due, tries FROM outbox WHERE due <> '' AND player IS NOT NULL"
)
BEFORE = (
    "CREATE TABLE told_before AS SELECT * FROM deliveries",
    "DROP TABLE deliveries",
)
AFTER = (
    "INSERT INTO subscriptions (id, channel, player, number, name, address, kinds, secret, former, former_until,"
    " created, failing, disabled, reason) SELECT id, 'webhook', player, number, name, url, kinds, secret, former,"
    " former_until, created, failing, disabled, reason FROM webhooks",
    f"INSERT INTO deliveries ({NEW}, tried, answer, problem) SELECT partition, home, id, 'webhook', webhook, player,"
    " kind, seat, decision, body, at, status, asked, due, tries, tried, answer, problem FROM told_before",
    *(f"DROP TABLE {table}" for table in ("told_before", "webhooks", "outbox", "tidings")),
    "CREATE UNIQUE INDEX subscriptions_by_player ON subscriptions (player, channel, number)",
    "CREATE UNIQUE INDEX subscriptions_by_secret ON subscriptions (channel, secret)",
    "CREATE INDEX deliveries_by_due ON deliveries (partition, channel, status, due)",
    "CREATE INDEX deliveries_by_player ON deliveries (partition, player, status)",
    "CREATE INDEX deliveries_by_target ON deliveries (partition, target, at, id)",
    *(f"DELETE FROM {table} WHERE follower = 'mail'" for table in ("positions", "set_aside")),
    *(f"UPDATE {table} SET follower = 'notices' WHERE follower = 'webhooks'" for table in ("positions", "set_aside")),
)
KINDS = {"started": "match.started", "finished": "match.finished", "invited": "invitation"}
OF_A_DECISION = ("turn", "reminder", "asked", "warned")

Row = tuple[Any, ...]
Execute = Callable[..., Any]


def _tiding(row: Row, game: str) -> Row:
    """Return the row that stands for a tiding."""
    partition, match, kind, seat, player, since, at, due, tries = row
    decision = since if kind in OF_A_DECISION else None
    kind = KINDS.get(kind, kind)
    key = digest(f"{kind} {match} {seat} {decision or ''}")[:24]
    status = "noted" if kind in ("asked", "warned") else {"": "delivered", "digest": "held"}.get(due, "waiting")
    about = {"match": match, "game": game, "seat": seat} | ({"decision": decision} if decision else {})
    body = msgspec.json.encode(about).decode()
    until, id = due if status == "waiting" else at, f"mail:{player}_{key}"
    return partition, match, id, "mail", player, player, kind, seat, decision, body, at, status, 0, until, tries


def _letter(row: Row, partitions: int) -> Row:
    """Return the row that stands for a letter of the outbox."""
    id, kind, player, address, lang, about, at, due, tries = row
    letter = {"id": id, "kind": kind, "player": player, "address": address, "lang": lang, "about": about, "at": at}
    body = msgspec.json.encode(letter).decode()
    partition = partition_of(player, partitions)
    return partition, player, id, "mail", "", player, kind, None, None, body, at, "waiting", 0, due, tries


def _carry(execute: Execute, make: Callable[[StoreTable], object], place: str, partitions: int) -> None:
    """Make the new tables, fill them from the old ones, and drop those. `place`: how a parameter is written."""
    for sql in BEFORE:
        execute(sql)
    make(SUBSCRIPTIONS)
    make(DELIVERIES)
    told = [_tiding(row[:-1], row[-1] or "") for row in execute(FIND_TIDINGS).fetchall()]
    told += [_letter(row, partitions) for row in execute(FIND_LETTERS).fetchall()]
    for row in told:
        execute(f"INSERT INTO deliveries ({NEW}) VALUES ({', '.join(place for _ in row)})", row)
    for sql in AFTER:
        execute(sql)


def _on_sqlite(db: Database) -> None:
    _carry(db.execute, lambda table: db.execute(on_sqlite(db, table)), "?", 1)


def _on_postgres(connection: Connection) -> None:
    (partitions,) = connection.execute("SELECT partitions FROM store").fetchall()[0]
    _carry(connection.execute, lambda table: connection.execute(on_postgres(table).encode()), "%s", partitions)


STEP = Step(_on_sqlite, _on_postgres)
