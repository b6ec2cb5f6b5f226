"""The service's own tables, beside the log in the same file: who plays, who sits where, what was asked before.

What is here can be erased; the log names seats only.
"""

from __future__ import annotations

import sqlite3

from sqlite_utils import Database

from events.sqlite import SqliteRecorder
from events.store import StoreNewer

VERSION = 3


def prepare(recorder: SqliteRecorder) -> None:
    """Make or migrate the tables. Raises StoreNewer when a later release has done so."""
    found = recorder.transact(_migrate)
    if found > VERSION:
        raise StoreNewer(f"{recorder.path} was written by a later release: service schema {found}, known is {VERSION}")


def _migrate(connection: sqlite3.Connection) -> int:
    db = Database(connection)
    db.table("service").create({"version": int}, strict=True, if_not_exists=True)
    version = int(connection.execute("SELECT coalesce(max(version), 0) FROM service").fetchone()[0])
    if version < 1:
        _first(db)
    if version < 2:
        _second(db)
    if version < 3:
        _third(db, connection)
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
