"""Sessions: a token for a password, which ends by itself, when it is told to, or when the password changes."""

from __future__ import annotations

from datetime import timedelta

from events.store import BrokenConstraint, NulInText
from service.accounts import letters, logins
from service.accounts.passwords import PASSWORDS, BadPassword, Passwords, enforce
from service.accounts.players import GRANTED, Accounts
from service.deeds import ACCOUNT, Asker, Deed
from service.ids import digest
from service.limits import LOGINS
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
        self.front = accounts.front
        self._accounts = accounts
        self._passwords = passwords

    @Deed("logIn", by_said=(LOGINS,))
    def begin(self, asker: Asker, login: str, password: str, *, once: Once | None = None) -> tuple[Player, Token, str]:
        """Log in: the player, and a token that is told this once.

        Whether there is such an account can be told neither by the answer nor by how long it takes.

        Raises:  Unauthorized; TooMany where too many passwords are checked at this moment.
        """
        self.front.count_named(asker, LOGINS, looked_up(login), once)
        self._accounts.refuse_repeat(once)
        found = self._find(login)
        said, kept = _said(password), found.password if found is not None else None
        if not self._passwords.check(kept, said) or found is None:
            raise Unauthorized("login-refused")
        before = [credentials.end_past(found.player, self._accounts.at())]
        if kept is not None and self._passwords.is_old(kept):
            before.append(credentials.set_password(found.player, self._passwords.hash(said)))
        expires = self._accounts.after(self.LASTS)
        token, told = self._accounts.hand_out(
            found.player, "session", GRANTED, expires, once, before, kind=people.SESSION
        )
        player = self._accounts.player(Asker(found.player, frozenset(GRANTED)))
        return player, token, told

    def lasts(self, login: str | None, password: str | None) -> timedelta:
        """Return how long a new account's session lasts in the browser in which the account is made."""
        return self.OF_GUESTS if login is None or password is None else self.LASTS

    @Deed("logOut", (ACCOUNT,), free="the session that asks is worth nothing afterwards", is_players=True)
    def end(self, asker: Asker, token: str, *, is_all: bool = False) -> None:
        """The session of that token ends, or all of the player's. Raises Unauthorized, Forbidden."""
        told = [credentials.end_session(digest(token))]
        self._accounts.forget([*told, credentials.end_sessions(asker.player)] if is_all else told)

    @Deed("setPassword", (ACCOUNT,), by_said=(LOGINS,), is_players=True, is_silent=True)
    def change(
        self, asker: Asker, token: str, old: str | None, new: str, lang: str, *, once: Once | None = None
    ) -> None:
        """Set a password, or another one, which has all other sessions end.

        Raises:  Forbidden where the old one is wrong or missing; Malformed for what is no password.
        """
        self.front.count_named(asker, LOGINS, asker.player)
        player = self._accounts.player(asker)
        self._change(player, player.login, token, old, new, lang, once)

    @Deed("keepAccount", (ACCOUNT,), by_said=(LOGINS,), is_players=True, is_silent=True)
    def keep(self, asker: Asker, token: str, login: str, password: str, lang: str, *, once: Once | None = None) -> None:
        """Set the name to log in by and the first password of a guest, whose account only a browser has known so far.

        Raises:  Forbidden where there is a password; Malformed for what is none; Conflict as `set_login`.
        """
        self.front.count_named(asker, LOGINS, asker.player)
        player = self._accounts.player(asker)
        try:
            self._change(player, login, token, None, password, lang, once)
        except BrokenConstraint as error:
            raise Conflict("login-taken", login=login) from error

    def _change(
        self, player: Player, login: str | None, token: str, old: str | None, new: str, lang: str, once: Once | None
    ) -> None:
        found = self._accounts.proofs.of_player(player.id)
        assert found is not None, "whoever has a token is there"
        self.check(found, old)
        kept = self.hashed(new, player.name, login, player.email)
        self._accounts.forget(
            [
                *([credentials.set_login(player.id, login)] if login != player.login else []),
                credentials.set_password(player.id, kept),
                credentials.end_sessions(player.id, but=digest(token)),
                *self.tell_change(found, lang),
                *self.front.remember(once, ""),
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

    @Deed("setLogin", (ACCOUNT,), by_said=(LOGINS,), is_players=True)
    def set_login(self, asker: Asker, login: str | None, *, once: Once | None = None) -> Player:
        """Log in by that name from now on; None: by none. Raises Conflict where another account has it."""
        # who tries many would learn by which others log in
        self.front.count_named(asker, LOGINS, asker.player, once)
        named = credentials.set_login(asker.player, login)
        try:
            self.front.done(once, lambda: self.front.write(once, [named]))
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
