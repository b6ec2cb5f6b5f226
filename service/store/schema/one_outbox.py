"""From the first version of the tables to the second: `outbox`, `tidings` and `deliveries` become one table, and
`webhooks` becomes `subscriptions`.

What waits is sent. What was sent by mail is kept too: it would be sent again to players who are still asked.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec

from events.store import partition_of
from service import clock
from service.signing import digest
from service.store.schema.tables import POSTGRES, Kind

NEW = "partition, home, id, channel, target, player, kind, seat, decision, body, at, status, asked, due, tries"
FIND_TIDINGS = (
    "SELECT tidings.partition, tidings.match, kind, seat, player, since, at, due, tries, game FROM tidings"
    " LEFT JOIN matches ON matches.partition = tidings.partition AND matches.id = tidings.match"
)
FIND_LETTERS = (
    "SELECT id, kind, player, address, lang, about, at, due, tries FROM outbox WHERE due <> '' AND player IS NOT NULL"
)
TABLES, FOLLOWERS = (
    Path(__file__).with_name("one_outbox.sql").read_text("utf-8").split("-- once the rows are carried over:\n")
)
LAG = timedelta(days=6)
"""Less than the time for which the results of deliveries are kept."""

KINDS = {"started": "match.started", "finished": "match.finished", "invited": "invitation"}
OF_A_DECISION = ("turn", "reminder", "asked", "warned")

Row = tuple[Any, ...]


def _tiding(row: Row) -> Row:
    partition, match, kind, seat, player, since, at, due, tries, game = row
    decision = since if kind in OF_A_DECISION else None
    kind = KINDS.get(kind, kind)
    key = digest(f"{kind} {match} {seat} {decision or ''}")[:24]
    status = "noted" if kind in ("asked", "warned") else {"": "delivered", "digest": "held"}.get(due, "waiting")
    about = {"match": match, "game": game or "", "seat": seat} | ({"decision": decision} if decision else {})
    body = msgspec.json.encode(about).decode()
    until, id = due if status == "waiting" else at, f"mail:{player}_{key}"
    return partition, match, id, "mail", player, player, kind, seat, decision, body, at, status, 0, until, tries


def _letter(row: Row, partitions: int) -> Row:
    id, kind, player, address, lang, about, at, due, tries = row
    letter = {"id": id, "kind": kind, "player": player, "address": address, "lang": lang, "about": about, "at": at}
    body, partition = msgspec.json.encode(letter).decode(), partition_of(player, partitions)
    return partition, player, id, "mail", "", player, kind, None, None, body, at, "waiting", 0, due, tries


def carry(connection: Any, kind: Kind) -> None:
    """Change the tables, and fill `deliveries`: a `Step`."""
    place, partitions = "?", 1
    if kind is POSTGRES:
        place = "%s"
        (partitions,) = connection.execute("SELECT partitions FROM store").fetchone()
        connection.execute("ALTER INDEX webhooks_pkey RENAME TO subscriptions_pkey")
    for sql in _statements(TABLES, text=kind.text):
        connection.execute(sql)
    told = [_tiding(row) for row in connection.execute(FIND_TIDINGS).fetchall()]
    told += [_letter(row, partitions) for row in connection.execute(FIND_LETTERS).fetchall()]
    for row in told:
        connection.execute(f"INSERT INTO deliveries ({NEW}) VALUES ({', '.join(place for _ in row)})", row)
    for sql in _statements(FOLLOWERS, horizon=clock.stamp(clock.now() - LAG)):
        connection.execute(sql)


def _statements(lines: str, **fields: str) -> list[str]:
    return lines.format(**fields).rstrip().removesuffix(";").split(";")
