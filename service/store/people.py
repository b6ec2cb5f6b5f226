"""Players and tokens as the service's own tables have them."""

from __future__ import annotations

import msgspec

from events.store import Statement, Tables

FIND_GRANT = "SELECT player, scopes, expires FROM tokens WHERE hash = :hash"
FIND_PLAYER = "SELECT id, name, kind, email, created FROM players WHERE id = :id"
FIND_TOKENS = "SELECT id, name, scopes, created, expires FROM tokens WHERE player = :player ORDER BY number"
ENTER = "INSERT INTO players (id, name, kind, email, created) VALUES (:id, :name, :kind, :email, :created)"
HAND_OUT = (
    "INSERT INTO tokens (hash, id, player, name, scopes, created, expires, number)"
    " SELECT :hash, :id, :player, :name, :scopes, :created, :expires, coalesce(max(number), 0) + 1"
    " FROM tokens WHERE player = :player"
)
REVOKE = "DELETE FROM tokens WHERE player = :player AND id = :id"


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

    def __init__(self, store: Tables) -> None:
        self._store = store

    def grant(self, hashed: str) -> Grant | None:
        """What the token of that hash stands for, None if it is nobody's."""
        rows = self._store.find(Statement(FIND_GRANT, {"hash": hashed}))
        return Grant(rows[0][0], frozenset(rows[0][1].split()), rows[0][2]) if rows else None

    def player(self, id: str) -> Player | None:
        """The player of that id, None if there is none."""
        rows = self._store.find(Statement(FIND_PLAYER, {"id": id}))
        return Player(*rows[0]) if rows else None

    def tokens(self, player: str) -> tuple[Token, ...]:
        """The player's tokens, the oldest first."""
        rows = self._store.find(Statement(FIND_TOKENS, {"player": player}))
        return tuple(Token(id, name, tuple(scopes.split()), *times) for id, name, scopes, *times in rows)


def enter(player: Player) -> Statement:
    """A new player."""
    return Statement(ENTER, msgspec.structs.asdict(player))


def hand_out(hashed: str, player: str, token: Token) -> Statement:
    """A new token of that hash."""
    row = {**msgspec.structs.asdict(token), "scopes": " ".join(token.scopes), "hash": hashed, "player": player}
    return Statement(HAND_OUT, row)


def revoke(player: str, token: str) -> Statement:
    """The player's token of that id is forgotten, if there is one."""
    return Statement(REVOKE, {"player": player, "id": token})
