"""Players and tokens as the service's own tables have them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from events.store import Row, Statement, Tables

HUMAN, BOT, ERASED = "human", "bot", "erased"
"""Of which kind an account is."""

TOKEN, SESSION = "token", "session"
"""Of which kind a token is: a session's is handed out for a password, and ends with it."""

AT_ONCE = 500
"""Tokens that are looked up by one statement."""

FIND_GRANTS = "SELECT hash, player, scopes, expires, used, kind FROM tokens WHERE hash IN ({places})"
COLUMNS = "id, name, kind, email, created, owner, login, confirmed, email_next, password IS NOT NULL"
FIND_PLAYER = f"SELECT {COLUMNS} FROM players WHERE id = :id"
FIND_OWNED = f"SELECT {COLUMNS} FROM players WHERE owner = :owner ORDER BY created, id"
FIND_TOKENS = "SELECT id, name, scopes, created, expires, kind, used FROM tokens WHERE player = :player ORDER BY number"
ENTER = (
    "INSERT INTO players (id, name, kind, email, created, owner, login, password)"
    " VALUES (:id, :name, :kind, :email, :created, :owner, :login, :password)"
)
HAND_OUT = (
    "INSERT INTO tokens (hash, id, player, name, scopes, created, expires, kind, used, number)"
    " SELECT :hash, :id, :player, :name, :scopes, :created, :expires, :kind, :used, coalesce(max(number), 0) + 1"
    " FROM tokens WHERE player = :player"
)
HOLD = "UPDATE players SET name = name WHERE id = :owner"
DEMAND_ROOM = (
    "INSERT INTO players (id, name, kind, created) SELECT NULL, '', '', ''"
    " WHERE (SELECT count(*) FROM players WHERE owner = :owner) >= :most"
)
USE = "UPDATE tokens SET used = :day WHERE hash = :hash AND (used IS NULL OR used < :day)"
RENAME = f"UPDATE players SET name = :name WHERE id = :id AND kind <> '{ERASED}'"
KEEP_IN_BROWSER = f"UPDATE tokens SET kind = '{SESSION}' WHERE hash = :hash AND kind = '{TOKEN}'"
REVOKE = "DELETE FROM tokens WHERE player = :player AND id = :id"


class Player(msgspec.Struct, frozen=True):
    """An account."""

    id: str
    name: str
    kind: str
    email: str | None
    """An address that may be told of only once it is confirmed."""
    created: str
    owner: str | None = None
    """Whose bot it is; None: nobody's, or no bot."""
    login: str | None = None
    """The name to log in by, which no other account has and nobody else is told."""
    confirmed: str | None = None
    """Since when the address is known to be theirs; None: it is not."""
    email_next: str | None = None
    """The address that is to take the place of a confirmed one, once it is confirmed itself."""
    has_password: bool = False


class Token(msgspec.Struct, frozen=True):
    """What is kept of a token: enough to tell it from others, not to use it."""

    id: str
    name: str
    scopes: tuple[str, ...]
    created: str
    expires: str | None
    """The moment from which it is refused; None: it lasts until it is revoked."""
    kind: str = TOKEN
    used: str | None = None
    """The day of its last use, the day it was made included."""


class Grant(msgspec.Struct, frozen=True):
    """What a token stands for."""

    player: str
    scopes: frozenset[str]
    expires: str | None
    used: str | None = None
    """The day of its last use."""
    kind: str = TOKEN

    def is_over(self, at: str) -> bool:
        """Whether its time is over at that moment."""
        return self.expires is not None and self.expires <= at


class People:
    """Reads them."""

    def __init__(self, store: Tables) -> None:
        self._store = store

    def grants(self, hashed: Sequence[str]) -> dict[str, Grant]:
        """What the tokens of these hashes stand for; those that are nobody's are left out."""
        found: dict[str, Grant] = {}
        for begin in range(0, len(hashed), AT_ONCE):
            named = {f"hash_{number}": one for number, one in enumerate(hashed[begin : begin + AT_ONCE])}
            sql = FIND_GRANTS.format(places=", ".join(f":{name}" for name in named))
            for one, player, scopes, *times in self._store.find(Statement(sql, named)):
                found[one] = Grant(player, frozenset(scopes.split()), *times)
        return found

    def player(self, id: str) -> Player | None:
        """The player of that id, None if there is none."""
        rows = self._store.find(Statement(FIND_PLAYER, {"id": id}))
        return _player(rows[0]) if rows else None

    def owned(self, player: str) -> tuple[Player, ...]:
        """The bot accounts that the player has made, the oldest first."""
        return tuple(map(_player, self._store.find(Statement(FIND_OWNED, {"owner": player}))))

    def tokens(self, player: str) -> tuple[Token, ...]:
        """The player's tokens, the oldest first."""
        rows = self._store.find(Statement(FIND_TOKENS, {"player": player}))
        return tuple(Token(id, name, tuple(scopes.split()), *times) for id, name, scopes, *times in rows)


def _player(row: Row) -> Player:
    return Player(*(*row[:-1], bool(row[-1])))


def enter(player: Player, password: str | None = None) -> Statement:
    """A new player, with the hash of a password if they have one."""
    return Statement(ENTER, {**msgspec.structs.asdict(player), "password": password})


def hand_out(hashed: str, player: str, token: Token) -> Statement:
    """A new token of that hash."""
    row = {**msgspec.structs.asdict(token), "scopes": " ".join(token.scopes), "hash": hashed, "player": player}
    return Statement(HAND_OUT, row)


def revoke(player: str, token: str) -> Statement:
    """The player's token of that id is forgotten, if there is one."""
    return Statement(REVOKE, {"player": player, "id": token})


def use(hashed: str, day: str) -> Statement:
    """The token of that hash was used on that day."""
    return Statement(USE, {"hash": hashed, "day": day})


def keep_in_browser(hashed: str) -> Statement:
    """The token of that hash is a session: a browser holds it."""
    return Statement(KEEP_IN_BROWSER, {"hash": hashed})


def demand_room(owner: str, most: int) -> list[Statement]:
    """They fail, and their transaction with them, when the player has so many bot accounts. Of two that are made at
    once the second waits for the first.
    """
    return [Statement(HOLD, {"owner": owner}), Statement(DEMAND_ROOM, {"owner": owner, "most": most})]


def rename(player: str, name: str) -> Statement:
    """The player is called so from now on, in all of their matches."""
    return Statement(RENAME, {"id": player, "name": name})
