"""Players and tokens as the service's own tables have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from events.store import Row, Statement, Tables
from service.shapes import Moment, formatted, one_of

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


class Who(msgspec.Struct, frozen=True):
    """A player, as others see them. Of one who is erased only the id is left, and no name."""

    id: str
    name: str
    kind: Annotated[str, one_of(HUMAN, BOT, ERASED)]


def who(player: str | None, name: str | None, kind: str | None) -> Who | None:
    """Return a player as others see them; None is nobody."""
    return None if player is None else somebody(player, name, kind)


def somebody(player: str, name: str | None, kind: str | None) -> Who:
    """Return a player as others see them; one of whom no name is left was erased."""
    return Who(player, name or "", kind or ERASED)


class Player(msgspec.Struct, frozen=True):
    """An account."""

    id: str
    name: str
    kind: Annotated[str, one_of(HUMAN, BOT)]
    email: str | None
    """To be written to only once it is `confirmed`."""
    created: Moment
    owner: str | None = None
    """Of a bot account, the id of who made it."""
    login: str | None = None
    """The name that you log in by; nobody else is told."""
    confirmed: Moment | None = None
    """Since when `email` is known to be yours; null: it is not."""
    email_next: str | None = None
    """What `email` will be, once that is confirmed."""
    has_password: bool = False
    """Whether one can log in by a password."""


class Token(msgspec.Struct, frozen=True):
    """A token, without what makes it one."""

    id: str
    name: str
    scopes: tuple[str, ...]
    """What the token may be used for."""
    created: Moment
    expires: Moment | None
    """From then on it is refused; null: never."""
    kind: Annotated[str, one_of(TOKEN, SESSION)] = TOKEN
    """`token`, or `session`: handed out for a password."""
    used: Annotated[str, formatted("date")] | None = None
    """The day of its last use (UTC), that on which it was made included."""


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
