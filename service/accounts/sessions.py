"""Sessions: a token for a password, which ends by itself, when it is told to, or when the password changes."""

from __future__ import annotations

from datetime import timedelta

from events.store import BrokenConstraint, NulInText
from service.accounts import letters, logins
from service.accounts.access import ACCOUNT, Asker
from service.accounts.passwords import PASSWORDS, BadPassword, Passwords, enforce
from service.accounts.players import GRANTED, Accounts
from service.ids import digest
from service.problems import Conflict, Forbidden, Malformed, Unauthorized
from service.store import Credentials, Once, Player, Statement, Token, credentials, people

PLAYER = "p_"
"""Before the rest of a player's id, which no name to log in by begins with."""


class Sessions:
    """The use cases. They raise Problems, and the store's errors."""

    LASTS = timedelta(days=30)
    """How long a session lasts."""
    OF_GUESTS = timedelta(days=365)
    """How long the session lasts of who could not sign in again."""

    def __init__(self, accounts: Accounts, passwords: Passwords = PASSWORDS) -> None:
        self._accounts = accounts
        self._passwords = passwords

    def begin(self, login: str, password: str, asked: Once | None) -> tuple[Player, Token, str]:
        """Log in: the player, and a token that is told this once.

        Whether there is such an account can be told neither by the answer nor by how long it takes.

        Raises:  Unauthorized; TooMany where too many passwords are checked at this moment.
        """
        self._accounts.refuse_repeat(asked)
        found = self._find(login)
        said, kept = _said(password), found.password if found is not None else None
        if not self._passwords.check(kept, said) or found is None:
            raise Unauthorized("login-refused")
        before = [credentials.end_past(found.player, self._accounts.at())]
        if kept is not None and self._passwords.is_old(kept):
            before.append(credentials.set_password(found.player, self._passwords.hash(said)))
        expires = self._accounts.after(self.LASTS)
        token, told = self._accounts.hand_out(
            found.player, "session", GRANTED, expires, asked, before, kind=people.SESSION
        )
        player = self._accounts.player(Asker(found.player, frozenset(GRANTED)))
        return player, token, told

    def lasts(self, login: str | None, password: str | None) -> timedelta:
        """Return how long a new account's session lasts in the browser in which the account is made."""
        return self.OF_GUESTS if login is None or password is None else self.LASTS

    def end(self, asker: Asker, token: str, *, is_all: bool = False) -> None:
        """The session of that token ends, or all of the player's. Raises Unauthorized, Forbidden."""
        self._accounts.own(asker, ACCOUNT)
        told = [credentials.end_session(digest(token))]
        self._accounts.forget([*told, credentials.end_sessions(asker.player)] if is_all else told)

    def change(self, asker: Asker, token: str, old: str | None, new: str, lang: str) -> None:
        """Set a password, or another one, which has all other sessions end.

        Raises:  Forbidden where the old one is wrong or missing; Malformed for what is no password.
        """
        player = self._accounts.player(asker)
        self._accounts.own(asker, ACCOUNT)
        found = self._accounts.proofs.of_player(player.id)
        assert found is not None, "whoever has a token is there"
        self.check(found, old)
        kept = self.hashed(new, player.name, player.login, player.email)
        self._accounts.forget(
            [
                credentials.set_password(player.id, kept),
                credentials.end_sessions(player.id, but=digest(token)),
                *self.tell_change(found, lang),
            ]
        )

    def check(self, found: Credentials | None, password: str | None) -> None:
        """Raises Forbidden where the account has a password, and this is not it; TooMany."""
        if found is None or found.password is None:
            return
        if password is None:
            raise Forbidden("password-needed")
        if not self._passwords.check(found.password, _said(password)):
            raise Forbidden("password-wrong")

    def hashed(self, password: str, *others: str | None) -> str:
        """What is kept of a new password. Raises Malformed, TooMany."""
        try:
            return self._passwords.hash(enforce(password, *others))
        except BadPassword as error:
            raise Malformed("malformed", more={"errors": {"password": [str(error)]}}, names=("password",)) from error

    def set_login(self, asker: Asker, login: str | None) -> Player:
        """Log in by that name from now on; None: by none. Raises Conflict where another account has it."""
        self._accounts.own(asker, ACCOUNT)
        try:
            self._accounts.recorder.write([credentials.set_login(asker.player, login)])
        except BrokenConstraint as error:
            raise Conflict("login-taken", login=login or "") from error
        return self._accounts.player(asker)

    def tell_change(self, found: Credentials, lang: str) -> list[Statement]:
        """The statements that have the player told by mail, where they can be, that their password is another."""
        if found.confirmed is None or found.email is None or found.password is None:
            return []
        return letters.post(letters.PASSWORD_CHANGED, found.player, found.email, lang, self._accounts.at())

    def _find(self, login: str) -> Credentials | None:
        """Whose it is. What can't be a name to log in by is looked for as well, and found by nobody."""
        said, proofs = looked_up(login), self._accounts.proofs
        try:
            if "@" in said:
                return proofs.of_mailbox(said)
            return proofs.of_player(said) if said.startswith(PLAYER) else proofs.of_login(said)
        except NulInText:
            return proofs.of_login("")


def looked_up(login: str) -> str:
    """Return what is looked up of what somebody says to log in by, so that all spellings of it come to one.

    "" stands for whatever can be nobody's.
    """
    said = login.strip()
    if "@" in said:
        return logins.mailbox(said)
    if said.startswith(PLAYER):
        return said
    try:
        return logins.enforce(said)
    except logins.BadLogin:
        return ""


def _said(password: str) -> str:
    """The password as it would be kept, to be compared; as it is, if it can't be one."""
    try:
        return enforce(password)
    except BadPassword:
        return password
