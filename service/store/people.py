"""Accounts: players, their tokens, what else proves who they are, and the passes with which people sign up.

Recoveries are the mail addresses for which a new password was lately asked for, as digests, whether or not anybody has
them. So an address gets such a mail only now and then, whichever process is asked. A row is written in any case, so
that the time that takes does not show whether there is such an account.
"""

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


BY_ID = "SELECT id, password, email, confirmed FROM players WHERE id = :who"
BY_LOGIN = "SELECT id, password, email, confirmed FROM players WHERE login = :who"
BY_MAILBOX = "SELECT id, password, email, confirmed FROM players WHERE mailbox = :who"

SET_PASSWORD = "UPDATE players SET password = :password WHERE id = :player"
REPLACE_PASSWORD = "UPDATE players SET password = :password WHERE id = :player AND coalesce(password, '') = :before"
SET_LOGIN = "UPDATE players SET login = :login WHERE id = :player"
SAY_ADDRESS = "UPDATE players SET email = :email WHERE id = :player AND confirmed IS NULL"
SAY_NEXT_ADDRESS = (
    "UPDATE players SET email_next = CASE WHEN email = :email THEN NULL ELSE :email END"
    " WHERE id = :player AND confirmed IS NOT NULL"
)
CONFIRM_ADDRESS = (
    "UPDATE players SET email = :email, email_next = NULL, confirmed = :at, mailbox = :mailbox"
    " WHERE id = :player AND (email_next = :email OR (confirmed IS NULL AND email = :email))"
)
DEMAND_CONFIRMED = (
    "INSERT INTO players (id, name, kind, created) SELECT NULL, '', '', ''"
    " WHERE NOT EXISTS (SELECT 1 FROM players WHERE id = :player AND email = :email AND confirmed = :at)"
)
FORGET_ADDRESS = (
    "UPDATE players SET email = NULL, email_next = NULL, confirmed = NULL, mailbox = NULL WHERE id = :player"
)
END_SESSION = "DELETE FROM tokens WHERE hash = :hash"
END_SESSIONS = f"DELETE FROM tokens WHERE player = :player AND kind = '{SESSION}' AND hash <> :but"
END_ALL_TOKENS = "DELETE FROM tokens WHERE player = :player"
END_PAST_SESSIONS = f"DELETE FROM tokens WHERE player = :player AND kind = '{SESSION}' AND expires <= :at"


class Credentials(msgspec.Struct, frozen=True):
    """The password and the address of a player."""

    player: str
    password: str | None
    """Its hash; None for none."""
    email: str | None
    confirmed: str | None


class Proofs:
    """Reads credentials."""

    def __init__(self, store: Tables) -> None:
        self._store = store

    def of_player(self, player: str) -> Credentials | None:
        """Return the credentials of the player with that id; None if there is none."""
        return self._one(BY_ID, player)

    def of_login(self, login: str) -> Credentials | None:
        """Return the credentials of the player with that login name, in its stored form; None if there is none."""
        return self._one(BY_LOGIN, login)

    def of_mailbox(self, mailbox: str) -> Credentials | None:
        """Return the credentials of the player with that confirmed address, in its normal form; None if none has it."""
        return self._one(BY_MAILBOX, mailbox)

    def _one(self, sql: str, who: str) -> Credentials | None:
        rows = self._store.find(Statement(sql, {"who": who}))
        return Credentials(*rows[0]) if rows else None


def set_password(player: str, hashed: str) -> Statement:
    """Return the statement that sets the player's password."""
    return Statement(SET_PASSWORD, {"player": player, "password": hashed})


def replace_password(known: Credentials, hashed: str) -> Statement:
    """Return the statement that replaces the password that was found; no row changes if it is another one now."""
    return Statement(REPLACE_PASSWORD, {"player": known.player, "password": hashed, "before": known.password or ""})


def set_login(player: str, login: str | None) -> Statement:
    """Return the statement that sets the player's login name. It breaks a constraint if another account has it."""
    return Statement(SET_LOGIN, {"player": player, "login": login})


def say_address(player: str, email: str) -> list[Statement]:
    """Return the statements that enter an address of the player. A confirmed one stays until this is confirmed."""
    named = {"player": player, "email": email}
    return [Statement(SAY_ADDRESS, named), Statement(SAY_NEXT_ADDRESS, named)]


def confirm_address(player: str, email: str, mailbox: str, at: str) -> list[Statement]:
    """Return the statements that confirm the address as the player's.

    They fail with MissingValue, and their transaction with them, if it is not the last address that the player entered;
    and with BrokenConstraint if another account has confirmed it.
    """
    named = {"player": player, "email": email, "at": at}
    return [Statement(CONFIRM_ADDRESS, {**named, "mailbox": mailbox}), Statement(DEMAND_CONFIRMED, named)]


def forget_address(player: str) -> Statement:
    """Return the statement that deletes the player's address."""
    return Statement(FORGET_ADDRESS, {"player": player})


def end_session(hashed: str) -> Statement:
    """Return the statement that deletes the token with that hash."""
    return Statement(END_SESSION, {"hash": hashed})


def end_sessions(player: str, but: str = "") -> Statement:
    """Return the statement that ends all sessions of the player but the one with that hash."""
    return Statement(END_SESSIONS, {"player": player, "but": but})


def end_all_tokens(player: str) -> Statement:
    """Return the statement that deletes all tokens of the player."""
    return Statement(END_ALL_TOKENS, {"player": player})


def end_past_sessions(player: str, at: str) -> Statement:
    """Return the statement that deletes the player's sessions that have expired."""
    return Statement(END_PAST_SESSIONS, {"player": player, "at": at})


FIND_RECOVERY = "SELECT 1 FROM recoveries WHERE hash = :hash AND at > :since"
FORGET_RECOVERIES = "DELETE FROM recoveries WHERE at <= :since"
NOTE_RECOVERY = "INSERT INTO recoveries (hash, at) VALUES (:hash, :at) ON CONFLICT (hash) DO NOTHING"


def is_recovery_asked(store: Tables, hashed: str, since: str) -> bool:
    """Return whether a new password was asked for since then."""
    return bool(store.find(Statement(FIND_RECOVERY, {"hash": hashed, "since": since})))


def note_recovery(hashed: str, at: str, since: str) -> list[Statement]:
    """Return the statements that note the request and delete old ones."""
    return [Statement(FORGET_RECOVERIES, {"since": since}), Statement(NOTE_RECOVERY, {"hash": hashed, "at": at})]


FIND_PASSES = "SELECT id, maker, created, expires, player FROM passes WHERE maker = :maker ORDER BY created, id"
FIND_GOOD_PASS = "SELECT 1 FROM passes WHERE hash = :hash AND player IS NULL AND expires > :at"
HOLD_MAKER = "UPDATE players SET name = name WHERE id = :maker"
MAKE_PASS = (
    "INSERT INTO passes (hash, id, maker, created, expires, player)"
    " SELECT :hash, :id, :maker, :created, :expires, NULL"
    " WHERE (SELECT count(*) FROM passes WHERE maker = :maker AND created > :since) < :most"
)
TAKE_PASS = "UPDATE passes SET player = :player WHERE hash = :hash AND player IS NULL AND expires > :at"
DEMAND_PASS = (
    "INSERT INTO passes (hash, id, maker, created, expires, player)"
    " SELECT NULL, '', '', '', '', NULL WHERE NOT EXISTS (SELECT 1 FROM passes WHERE hash = :hash AND player = :player)"
)
WITHDRAW_PASS = "DELETE FROM passes WHERE maker = :maker AND id = :id AND player IS NULL"
FORGET_PASSES = (
    "DELETE FROM passes WHERE maker = :maker AND created <= :since AND (expires <= :at OR player IS NOT NULL)"
)


class Pass(msgspec.Struct, frozen=True):
    """A pass without its secret: enough to tell it from others, not to sign up with it."""

    id: str
    maker: str
    created: str
    expires: str
    player: str | None = None
    """Who has signed up with it; None for nobody yet."""


def passes_of(store: Tables, maker: str) -> tuple[Pass, ...]:
    """Return the passes that the account has made, oldest first."""
    return tuple(Pass(*row) for row in store.find(Statement(FIND_PASSES, {"maker": maker})))


def is_good_pass(store: Tables, hashed: str, at: str) -> bool:
    """Return whether somebody may sign up with the pass of that hash."""
    return bool(store.find(Statement(FIND_GOOD_PASS, {"hash": hashed, "at": at})))


def make_pass(fresh: Pass, hashed: str, since: str, most: int) -> list[Statement]:
    """Return the statements that make a pass, if its maker has made fewer than `most` since then.

    The last one writes a row if so. Of two passes that are made at once the second waits for the first.
    """
    row = {name: getattr(fresh, name) for name in ("id", "maker", "created", "expires")}
    return [
        Statement(FORGET_PASSES, {"maker": fresh.maker, "since": since, "at": fresh.created}),
        Statement(HOLD_MAKER, {"maker": fresh.maker}),
        Statement(MAKE_PASS, {**row, "hash": hashed, "since": since, "most": most}),
    ]


def take_pass(hashed: str, player: str, at: str) -> list[Statement]:
    """Return the statements with which the player signs up with that pass; they fail if it is not good.

    Their transaction fails with them.
    """
    named = {"hash": hashed, "player": player}
    return [Statement(TAKE_PASS, {**named, "at": at}), Statement(DEMAND_PASS, named)]


def withdraw_pass(maker: str, id: str) -> Statement:
    """Return the statement that deletes the pass; it changes no row if there is none, or somebody has used it."""
    return Statement(WITHDRAW_PASS, {"maker": maker, "id": id})
