"""Players and tokens as the service's own tables have them."""

from __future__ import annotations

import sqlite3

import msgspec

from events.sqlite import SqliteReader
from service.store.statements import Statement


class Player(msgspec.Struct, frozen=True):
    """An account."""

    id: str
    name: str
    kind: str
    email: str | None
    created: str


class Token(msgspec.Struct, frozen=True):
    """What is kept of a token: enough to tell it from others, not to use it."""

    id: str
    name: str
    scopes: tuple[str, ...]
    created: str
    expires: str | None
    """The moment from which it is refused; None: it lasts until it is revoked."""


class Grant(msgspec.Struct, frozen=True):
    """What a token stands for."""

    player: str
    scopes: frozenset[str]
    expires: str | None


class People:
    """Reads them."""

    def __init__(self, store: SqliteReader) -> None:
        self._store = store

    def grant(self, hashed: str) -> Grant | None:
        """What the token of that hash stands for, None if it is nobody's."""
        sql = "SELECT player, scopes, expires FROM tokens WHERE hash = ?"
        row = self._store.reader().execute(sql, (hashed,)).fetchone()
        return None if row is None else Grant(row[0], frozenset(row[1].split()), row[2])

    def player(self, id: str) -> Player | None:
        """The player of that id, None if there is none."""
        sql = "SELECT id, name, kind, email, created FROM players WHERE id = ?"
        row = self._store.reader().execute(sql, (id,)).fetchone()
        return None if row is None else Player(*row)

    def tokens(self, player: str) -> tuple[Token, ...]:
        """The player's tokens, the oldest first."""
        sql = "SELECT id, name, scopes, created, expires FROM tokens WHERE player = ? ORDER BY created, rowid"
        rows = self._store.reader().execute(sql, (player,)).fetchall()
        return tuple(Token(id, name, tuple(scopes.split()), *times) for id, name, scopes, *times in rows)


def enter(player: Player) -> Statement:
    """A new player."""
    return ("INSERT INTO players VALUES (?, ?, ?, ?, ?)", msgspec.structs.astuple(player))


def hand_out(hashed: str, player: str, token: Token) -> Statement:
    """A new token of that hash."""
    scopes = " ".join(token.scopes)
    row = (hashed, token.id, player, token.name, scopes, token.created, token.expires)
    return ("INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def revoke(connection: sqlite3.Connection, player: str, token: str) -> bool:
    """Forget the player's token of that id, in the transaction that is open; whether there was one."""
    sql = "DELETE FROM tokens WHERE player = ? AND id = ?"
    return connection.execute(sql, (player, token)).rowcount > 0
