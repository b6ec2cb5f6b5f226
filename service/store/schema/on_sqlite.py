"""The service's own tables on SQLite: what each version of them brought."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sqlite_utils import Database

from events.batch import PARTITIONS
from service.store import lists

SCRIPTS = tuple(sorted((Path(__file__).parent / "sqlite").glob("[0-9]*.sql")))
"""From the fourth version on."""

VERSION = 3 + len(SCRIPTS)

LISTS = 16
"""The version that brought the lists of the lobby, which are filled by the code that keeps them."""


def migrate(connection: sqlite3.Connection) -> int:
    """Bring the tables up to date, in the transaction that is open: the version that they have then."""
    db = Database(connection)
    db.table("service").create({"version": int}, strict=True, if_not_exists=True)
    version = int(connection.execute("SELECT coalesce(max(version), 0) FROM service").fetchone()[0])
    if version < 1:
        _first(db)
    if version < 2:
        _second(db)
    if version < 3:
        _third(db, connection)
    for script in SCRIPTS[max(0, version - 3) :]:
        # one by one, for `executescript` ends the transaction
        for statement in script.read_text().split(";"):
            connection.execute(statement)
    if version < LISTS <= VERSION:
        for one in lists.make_anew(PARTITIONS):
            connection.execute(one.sql, one.bound(PARTITIONS))
    if version < VERSION:
        connection.execute("DELETE FROM service")
        connection.execute("INSERT INTO service VALUES (?)", (VERSION,))
    return max(version, VERSION)


def _first(db: Database) -> None:
    text, number = str, int
    db.table("players").create(
        {"id": text, "name": text, "kind": text, "email": text, "created": text},
        pk="id",
        not_null={"name", "kind", "created"},
        strict=True,
    )
    tokens = db.table("tokens").create(
        {"hash": text, "id": text, "player": text, "name": text, "scopes": text, "created": text},
        pk="hash",
        not_null={"id", "player", "name", "scopes", "created"},
        foreign_keys=[("player", "players", "id")],
        strict=True,
    )
    tokens.create_index(["player"])
    matches = db.table("matches").create(
        {"id": text, "game": text, "status": text, "visibility": text, "creator": text, "created": text},
        pk="id",
        not_null={"game", "status", "visibility", "created"},
        strict=True,
    )
    matches.create_index(["created", "id"])
    seats = db.table("seats").create(
        {"match": text, "seat": number, "player": text, "bot": text, "reserved": text},
        pk=("match", "seat"),
        foreign_keys=[("match", "matches", "id")],
        strict=True,
    )
    seats.create_index(["player"])
    seats.create_index(["reserved"])
    requests = db.table("requests").create(
        {"id": text, "digest": text, "answer": text, "at": text},
        pk="id",
        not_null={"digest", "answer", "at"},
        strict=True,
    )
    requests.create_index(["at"])


def _second(db: Database) -> None:
    """Seats that agree to break their match off."""
    db.table("agreements").create(
        {"match": str, "seat": int},
        pk=("match", "seat"),
        foreign_keys=[("match", "matches", "id")],
        strict=True,
    )


def _third(db: Database, connection: sqlite3.Connection) -> None:
    """Tokens that end, and one a player that manages the others; seats taken and declined; forks hidden by parents."""
    connection.execute("ALTER TABLE tokens ADD COLUMN expires TEXT")
    connection.execute(
        "UPDATE tokens SET scopes = scopes || ' account' WHERE name = 'first'"
        " AND scopes = 'match:read match:play match:create'"
        " AND rowid = (SELECT min(rowid) FROM tokens AS others WHERE others.player = tokens.player)"
    )
    db.table("sittings").create(
        {"match": str, "player": str, "times": int},
        pk=("match", "player"),
        not_null={"times"},
        foreign_keys=[("match", "matches", "id")],
        strict=True,
    )
    db.table("declined").create(
        {"match": str, "player": str},
        pk=("match", "player"),
        foreign_keys=[("match", "matches", "id")],
        strict=True,
    )
    said = "CAST(events.public AS TEXT)"
    hide = (
        "UPDATE matches SET visibility = 'private' WHERE visibility = 'public' AND id IN ("
        "SELECT events.stream FROM events JOIN matches AS parents ON parents.visibility = 'private'"
        f" AND parents.id = json_extract(CASE WHEN json_valid({said}) THEN {said} END, '$.parent')"
        " WHERE events.version = 2 AND events.type = 'match/Forked')"
    )
    # until no fork of a fork is left
    while connection.execute(hide).rowcount:
        pass
