"""The service's own tables about players and tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from events.store import Row, Statement, Tables
from service.shapes import Moment, formatted, one_of

HUMAN, BOT, ERASED = "human", "bot", "erased"
"""The kinds of accounts."""

TOKEN, SESSION = "token", "session"
"""The kinds of tokens. A session is given for a password, and ends with it."""

AT_ONCE = 500
"""The most tokens that one statement looks up."""

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
    """A player as others see them. Of an erased player only the id is left, and no name."""

    id: str
    name: str
    kind: Annotated[str, one_of(HUMAN, BOT, ERASED)]


def who(player: str | None, name: str | None, kind: str | None) -> Who | None:
    """Return a player as others see them; None is nobody."""
    return None if player is None else somebody(player, name, kind)


def somebody(player: str, name: str | None, kind: str | None) -> Who:
    """Return a player as others see them; without a name they were erased."""
    return Who(player, name or "", kind or ERASED)


class Player(msgspec.Struct, frozen=True):
    """An account."""

    id: str
    name: str
    kind: Annotated[str, one_of(HUMAN, BOT)]
    email: str | None
    """The mail address. No mail but its confirmation is sent to it before it is `confirmed`."""
    created: Moment
    owner: str | None = None
    """The id of the account that made it, for a bot account."""
    login: str | None = None
    """The name with which you sign in; nobody else can see it."""
    confirmed: Moment | None = None
    """Since when `email` is known to be yours; null if it is not."""
    email_next: str | None = None
    """The address that replaces `email` once it is confirmed."""
    has_password: bool = False
    """Whether the account can sign in with a password."""


class Token(msgspec.Struct, frozen=True):
    """A token without its secret."""

    id: str
    name: str
    scopes: tuple[str, ...]
    """What the token may be used for."""
    created: Moment
    expires: Moment | None
    """The moment from which it is refused; null for never."""
    kind: Annotated[str, one_of(TOKEN, SESSION)] = TOKEN
    """`token`, or `session`: given for a password."""
    used: Annotated[str, formatted("date")] | None = None
    """The day of its last use (UTC); at first the day on which it was made."""


class Grant(msgspec.Struct, frozen=True):
    """What a token grants."""

    player: str
    scopes: frozenset[str]
    expires: str | None
    used: str | None = None
    """The day of its last use."""
    kind: str = TOKEN

    def is_over(self, at: str) -> bool:
        """Return whether it has expired at that moment."""
        return self.expires is not None and self.expires <= at


class People:
    """Reads these tables."""

    def __init__(self, store: Tables) -> None:
        self._store = store

    def grants(self, hashed: Sequence[str]) -> dict[str, Grant]:
        """Return what the tokens with these hashes grant; unknown ones are left out."""
        grants: dict[str, Grant] = {}
        for begin in range(0, len(hashed), AT_ONCE):
            named = {f"hash_{number}": hash for number, hash in enumerate(hashed[begin : begin + AT_ONCE])}
            sql = FIND_GRANTS.format(places=", ".join(f":{name}" for name in named))
            for hash, player, scopes, *times in self._store.find(Statement(sql, named)):
                grants[hash] = Grant(player, frozenset(scopes.split()), *times)
        return grants

    def player(self, id: str) -> Player | None:
        """Return the player with that id; None if there is none."""
        rows = self._store.find(Statement(FIND_PLAYER, {"id": id}))
        return _player(rows[0]) if rows else None

    def owned(self, player: str) -> tuple[Player, ...]:
        """Return the bot accounts that the player has made, oldest first."""
        return tuple(map(_player, self._store.find(Statement(FIND_OWNED, {"owner": player}))))

    def tokens(self, player: str) -> tuple[Token, ...]:
        """Return the player's tokens, oldest first."""
        rows = self._store.find(Statement(FIND_TOKENS, {"player": player}))
        return tuple(Token(id, name, tuple(scopes.split()), *times) for id, name, scopes, *times in rows)


def _player(row: Row) -> Player:
    return Player(*(*row[:-1], bool(row[-1])))


def enter(player: Player, password: str | None = None) -> Statement:
    """Return the statement that enters a new player, with the hash of their password if they have one."""
    return Statement(ENTER, {**msgspec.structs.asdict(player), "password": password})


def hand_out(hashed: str, player: str, token: Token) -> Statement:
    """Return the statement that enters a new token with that hash."""
    row = {**msgspec.structs.asdict(token), "scopes": " ".join(token.scopes), "hash": hashed, "player": player}
    return Statement(HAND_OUT, row)


def revoke(player: str, token: str) -> Statement:
    """Return the statement that deletes the player's token with that id."""
    return Statement(REVOKE, {"player": player, "id": token})


def use(hashed: str, day: str) -> Statement:
    """Return the statement that notes that the token with that hash was used on that day."""
    return Statement(USE, {"hash": hashed, "day": day})


def keep_in_browser(hashed: str) -> Statement:
    """Return the statement that makes the token with that hash a session, since a browser holds it."""
    return Statement(KEEP_IN_BROWSER, {"hash": hashed})


def demand_room(owner: str, most: int) -> list[Statement]:
    """Return statements that fail, and their transaction with them, if the player has that many bot accounts.

    Of two accounts that are made at once the second waits for the first.
    """
    return [Statement(HOLD, {"owner": owner}), Statement(DEMAND_ROOM, {"owner": owner, "most": most})]


def rename(player: str, name: str) -> Statement:
    """Return the statement that renames the player, in all of their matches."""
    return Statement(RENAME, {"id": player, "name": name})
