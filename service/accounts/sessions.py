"""Sessions: a session is a token that is given for a password. It ends after a time, by logging out, or when the
password changes. Mails about an account are posted here:

| kind | to | content |
|---|---|---|
| `confirm` | the address to be confirmed | a link that confirms it (`Mailboxes.of_letter`) |
| `recover` | the confirmed address | a link by which a new password is set (`Mailboxes.of_letter`) |
| `password-changed` | the confirmed address | the password was changed |
| `address-changed` | the address that was confirmed before | another address has replaced it |

`about` is empty in all of them: a link is made when its mail is sent, and is never stored.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

from events.chain import fresh_id
from events.store import BrokenConstraint, MissingValue, NulInText
from service.accounts import names
from service.accounts.passwords import PASSWORDS, Passwords, enforce
from service.accounts.players import GRANTED, Accounts
from service.deeds import ACCOUNT, Asker, Deed
from service.limits import LOGINS
from service.problems import Conflict, Forbidden, Unauthorized, malformed
from service.signing import digest
from service.store import Credentials, Letter, Once, Player, Statement, Token, mailing, people

CONFIRM, RECOVER = "confirm", "recover"
PASSWORD_CHANGED, ADDRESS_CHANGED = "password-changed", "address-changed"


def post(kind: str, player: str, address: str, lang: str, at: str) -> list[Statement]:
    """Return the statements that post a letter to the player, and drop earlier ones of its kind that wait."""
    letter = Letter(id=fresh_id("m"), kind=kind, player=player, address=address, lang=lang, at=at)
    return [mailing.drop_letters(player, kind), mailing.post(letter)]


PLAYER = "p_"
"""The beginning of players' ids; no login begins with it."""


class Sessions:
    """The use cases. They raise Problems, and the store's errors."""

    LASTS = timedelta(days=30)
    """How long a session lasts."""
    OF_GUESTS = timedelta(days=365)
    """How long the session of a guest lasts: a guest can't sign in again."""

    def __init__(self, accounts: Accounts, passwords: Passwords = PASSWORDS) -> None:
        self.front = accounts.front
        self._accounts = accounts
        self._passwords = passwords

    @Deed("logIn", by_said=(LOGINS,))
    def begin(self, asker: Asker, login: str, password: str, *, once: Once | None = None) -> tuple[Player, Token, str]:
        """Log in. Returns the player, the session, and its token, which is never shown again.

        Neither the answer nor the time that it takes shows whether there is such an account.
        Raises:  Unauthorized; TooMany, also if too many passwords are being checked.
        """
        self.front.count_named(asker, LOGINS, looked_up(login), once)
        self._accounts.refuse_repeat(once)
        for _ in range(2):
            # it takes a while to check a password: by now there may be another one, or another hash of the same
            with suppress(MissingValue):
                return self._begin(login, _normal(password), once)
        raise Unauthorized("login-refused")

    def _begin(self, login: str, password: str, once: Once | None) -> tuple[Player, Token, str]:
        """Raises Unauthorized; MissingValue if the password that was checked is not the account's any more."""
        account = self._find(login)
        kept = account.password if account is not None and account.owner is None else None
        if not self._passwords.check(kept, password) or account is None:
            raise Unauthorized("login-refused")
        before = [*people.demand_password(account), people.end_past_sessions(account.player, self.front.at())]
        if kept is not None and self._passwords.is_old(kept):
            before.append(people.set_password(account.player, self._passwords.hash(password)))
        expires = self.front.at(self.LASTS)
        session, token = self._accounts.hand_out(
            account.player, "session", GRANTED, expires, once, before, kind=people.SESSION
        )
        player = self._accounts.player(Asker(account.player, frozenset(GRANTED)))
        return player, session, token

    def lasts(self, login: str | None, password: str | None) -> timedelta:
        """Return how long a new account's session lasts in the browser in which the account is made."""
        return self.OF_GUESTS if login is None or password is None else self.LASTS

    @Deed("logOut", (ACCOUNT,), free="it ends the session that asks for it", is_players=True)
    def end(self, asker: Asker, token: str, *, is_all: bool = False) -> None:
        """End the session with this token, or (`is_all`) every session of the asker. Raises Unauthorized, Forbidden."""
        others = [people.end_sessions(asker.player)] if is_all else []
        self._accounts.forget([people.end_session(digest(token)), *others])

    @Deed("setPassword", (ACCOUNT,), by_said=(LOGINS,), is_players=True, is_silent=True)
    def change(
        self, asker: Asker, token: str, old: str | None, new: str, lang: str, *, once: Once | None = None
    ) -> None:
        """Set or change the asker's password, and end all their other sessions. Raises Forbidden, Malformed."""
        self.front.count_named(asker, LOGINS, asker.player)
        self._change(asker, self._accounts.player(asker).login, token, old, new, lang, once)

    @Deed("keepAccount", (ACCOUNT,), by_said=(LOGINS,), is_players=True, is_silent=True)
    def keep(self, asker: Asker, token: str, login: str, password: str, lang: str, *, once: Once | None = None) -> None:
        """Set the login and the first password of a guest. Raises Forbidden if there is one; Malformed, Conflict."""
        self.front.count_named(asker, LOGINS, asker.player)
        try:
            self._change(asker, login, token, None, password, lang, once)
        except BrokenConstraint as error:
            raise Conflict("login-taken", login=login) from error

    def _change(
        self, asker: Asker, login: str | None, token: str, old: str | None, new: str, lang: str, once: Once | None
    ) -> None:
        player = self._accounts.player(asker)
        account = self._accounts.credentials(player.id)
        if account.owner is not None:
            # who holds its token could come back after the owner has revoked all of its tokens
            raise Forbidden("no-password-for-bots")
        self.check(account, old)
        statements = [
            *self.replace(account, self.hashed(new, player.name, login, player.email, field="new"), lang),
            *([people.set_login(player.id, login)] if login != player.login else []),
            people.end_sessions(player.id, but=digest(token)),
            *self.front.remember(once, ""),
        ]
        with self._accounts.refusing(asker, Forbidden("password-wrong")):
            self._accounts.forget(statements)

    def check(self, account: Credentials, password: str | None) -> None:
        """Raise Forbidden if the account has another password; TooMany.

        Checking takes a while, so what is done then has to `demand_password` of the account.
        """
        if account.password is None:
            return
        if password is None:
            raise Forbidden("password-needed")
        if not self._passwords.check(account.password, _normal(password)):
            raise Forbidden("password-wrong")

    def replace(self, account: Credentials, hashed: str, lang: str) -> list[Statement]:
        """Return the statements that replace the account's password, or fail if it is another one by now.

        Whoever knew the old one may have asked for an address of theirs: one that is not confirmed goes with it.
        """
        changed = [*people.demand_password(account), people.set_password(account.player, hashed)]
        if account.password is not None:
            changed += [people.forget_unconfirmed(account.player), mailing.drop_letters(account.player, CONFIRM)]
            if account.confirmed is not None and account.email is not None:
                changed += post(PASSWORD_CHANGED, account.player, account.email, lang, self.front.at())
        return changed

    def hashed(self, password: str, *others: str | None, field: str = "password") -> str:
        """Return the hash of a new password. `others`: see `enforce`. Raises Malformed, for that field; TooMany."""
        try:
            return self._passwords.hash(enforce(password, *others))
        except names.Unsuitable as error:
            raise malformed({field: [str(error)]}) from error

    @Deed("setLogin", (ACCOUNT,), by_said=(LOGINS,), is_players=True)
    def set_login(self, asker: Asker, login: str | None, *, once: Once | None = None) -> Player:
        """Set the asker's login; None removes it.

        Raises:  Conflict if another account has it, or if only the player's id would go with the password then.
        """
        # limited, since trying many logins shows which ones exist
        self.front.count_named(asker, LOGINS, asker.player, once)
        is_lost = login is None and self._accounts.player(asker).login is not None
        kept = [people.demand_way_in(asker.player)] if is_lost else []
        try:
            self.front.write_once(once, [people.set_login(asker.player, login), *kept])
        except BrokenConstraint as error:
            raise (Conflict("no-way-in") if login is None else Conflict("login-taken", login=login)) from error
        return self._accounts.player(asker)

    def _find(self, login: str) -> Credentials | None:
        """Return the account with this login, mail address or id. The store is asked even if nobody can have it."""
        login, proofs = looked_up(login), self._accounts.people
        try:
            if "@" in login:
                return proofs.of_mailbox(login)
            return proofs.of_player(login) if login.startswith(PLAYER) else proofs.of_login(login)
        except NulInText:
            return proofs.of_login("")


def looked_up(login: str) -> str:
    """Return a login, mail address or id in the form in which it is looked up; "" for one that nobody can have."""
    login = login.strip()
    if "@" in login:
        return names.mailbox(login)
    if login.startswith(PLAYER):
        return login
    try:
        return names.enforce_login(login)
    except names.Unsuitable:
        return ""


def _normal(password: str) -> str:
    """Return the password as it would be hashed; unchanged, if it can't be a password."""
    try:
        return enforce(password)
    except names.Unsuitable:
        return password
