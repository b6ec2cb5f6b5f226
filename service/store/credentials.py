"""What proves who a player is without a token: a password, and a confirmed mail address."""

from __future__ import annotations

import msgspec

from events.store import Statement, Tables
from service.store.people import SESSION

BY_ID = "SELECT id, password, email, confirmed FROM players WHERE id = :who"
BY_LOGIN = "SELECT id, password, email, confirmed FROM players WHERE login = :who"
BY_MAILBOX = "SELECT id, password, email, confirmed FROM players WHERE mailbox = :who"

SET_PASSWORD = "UPDATE players SET password = :password WHERE id = :player"
REPLACE_PASSWORD = "UPDATE players SET password = :password WHERE id = :player AND coalesce(password, '') = :before"
SET_LOGIN = "UPDATE players SET login = :login WHERE id = :player"
SAY = "UPDATE players SET email = :email WHERE id = :player AND confirmed IS NULL"
SAY_NEXT = (
    "UPDATE players SET email_next = CASE WHEN email = :email THEN NULL ELSE :email END"
    " WHERE id = :player AND confirmed IS NOT NULL"
)
CONFIRM = (
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
END_ALL = "DELETE FROM tokens WHERE player = :player"
END_PAST = f"DELETE FROM tokens WHERE player = :player AND kind = '{SESSION}' AND expires <= :at"


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
    return [Statement(SAY, named), Statement(SAY_NEXT, named)]


def confirm(player: str, email: str, mailbox: str, at: str) -> list[Statement]:
    """Return the statements that confirm the address as the player's.

    They fail with MissingValue, and their transaction with them, if it is not the last address that the player entered;
    and with BrokenConstraint if another account has confirmed it.
    """
    named = {"player": player, "email": email, "at": at}
    return [Statement(CONFIRM, {**named, "mailbox": mailbox}), Statement(DEMAND_CONFIRMED, named)]


def forget_address(player: str) -> Statement:
    """Return the statement that deletes the player's address."""
    return Statement(FORGET_ADDRESS, {"player": player})


def end_session(hashed: str) -> Statement:
    """Return the statement that deletes the token with that hash."""
    return Statement(END_SESSION, {"hash": hashed})


def end_sessions(player: str, but: str = "") -> Statement:
    """Return the statement that ends all sessions of the player but the one with that hash."""
    return Statement(END_SESSIONS, {"player": player, "but": but})


def end_all(player: str) -> Statement:
    """Return the statement that deletes all tokens of the player."""
    return Statement(END_ALL, {"player": player})


def end_past(player: str, at: str) -> Statement:
    """Return the statement that deletes the player's sessions that have expired."""
    return Statement(END_PAST, {"player": player, "at": at})
