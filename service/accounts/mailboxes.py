"""The mail address of an account: it is set, confirmed by a link that is sent to it, and used to reset the password.

The links are signed, so that nothing about them is stored.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from unicodedata import normalize

import msgspec

from events.store import BrokenConstraint, MissingValue, Statement
from service.accounts import names
from service.accounts.players import Accounts
from service.accounts.sessions import ADDRESS_CHANGED, CONFIRM, RECOVER, Sessions, post
from service.deeds import ACCOUNT, Asker, Deed
from service.limits import LETTERS, LOGINS, SETTINGS
from service.problems import Conflict, Forbidden, Malformed
from service.signing import NotOurs, Signer, digest
from service.store import Credentials, Letter, Once, Player, mailing, notices, people

LASTS = {CONFIRM: timedelta(days=7), RECOVER: timedelta(hours=1)}
"""How long a link is valid after its letter was posted."""

PATHS = {CONFIRM: "/account/confirm", RECOVER: "/account/recover"}
"""The pages of the links, which ask people to confirm what they want. Programs send a link's token to the API."""


def _may_recover(account: Credentials) -> bool:
    """Return whether a mailed link may set its password: its address is confirmed, and it is no bot account."""
    return account.confirmed is not None and account.owner is None


def _state(account: Credentials) -> str:
    """Return a digest of password and address: a change of either makes a link void."""
    return digest(f"{account.password or ''}\n{account.email}")[:32]


PAUSE = timedelta(minutes=5)
"""The time before another link for a new password is sent to the same address."""


NO_MAIL = frozenset(
    (
        *("localhost", "local", "internal", "invalid", "onion", "alt", "arpa", "home", "corp", "mail", "lan"),
        *("localdomain", "intranet", "private"),
    )
)
"""Top-level names that are not public: IANA's special-use domains, and names that ICANN gives to nobody.

`example` and `test` are missing, since documents and tests use them, and a mail to them goes nowhere.
"""


def is_reachable(address: str) -> bool:
    """Return whether its domain is a public name: a mail to any other would go to this machine or its neighbours."""
    domain = address.rpartition("@")[2].casefold()
    labels = domain.split(".")
    is_literal = domain.startswith("[") or labels[-1].isdecimal()
    return len(labels) > 1 and all(labels) and not is_literal and labels[-1] not in NO_MAIL


def receiver(address: str) -> str:
    """Return a form that is the same for all addresses that a server may deliver to one mailbox; only for counting."""
    local, _, domain = address.strip().rpartition("@")
    with suppress(UnicodeError):
        domain = domain.encode("idna").decode()
    return f"{normalize('NFKC', local).casefold()}@{domain.casefold()}"


def without_address(player: str) -> list[Statement]:
    """Return the statements that take the player's address from them: no mail is sent or read any more."""
    return [people.forget_address(player), mailing.drop_all_letters(player), mailing.forget(player)]


class Mailboxes:
    """The use cases. They raise Problems, and the store's errors."""

    def __init__(self, accounts: Accounts, sessions: Sessions, signer: Signer, address: str) -> None:
        """`address`: the URL at which people reach the service."""
        self.front = accounts.front
        self._accounts = accounts
        self._sessions = sessions
        self._signer = signer
        self._address = address

    @Deed("setEmail", (ACCOUNT,), by_said=(LOGINS, LETTERS), is_players=True)
    def say(
        self, asker: Asker, address: str | None, password: str | None, lang: str, *, once: Once | None = None
    ) -> Player:
        """Set the address, and post a mail that asks to confirm it; None removes it.

        Raises:  Forbidden, TooMany; Conflict if only the player's id would go with the password then.
        """
        self.front.count_named(asker, LOGINS, asker.player, once)
        if address is not None:
            self.count_letter(asker, address, once)

        def write() -> None:
            account = self._accounts.credentials(asker.player)
            self._sessions.check(account, password)
            if address is None:
                said = without_address(asker.player)
                said += [people.demand_way_in(asker.player)] if account.confirmed is not None else []
            else:
                said = people.say_address(asker.player, address)
                said += post(CONFIRM, asker.player, address, lang, self.front.at())
            try:
                with self._accounts.refusing(asker, Forbidden("password-wrong")):
                    self.front.write(once, [*people.demand_password(account), *said])
            except BrokenConstraint as error:
                raise Conflict("no-way-in") from error

        self.front.done(once, write)
        return self._accounts.player(asker)

    def count_letter(self, asker: Asker, address: str, once: Once | None) -> None:
        """Count a mail to the address, whether it will be sent or not. Raises TooMany."""
        self.front.count_named(asker, LETTERS, receiver(address), once)

    @Deed("confirmEmail", limits=(SETTINGS,))
    def confirm(self, asker: Asker, token: str, lang: str, *, once: Once | None = None) -> str:
        """Confirm an address by the token of its link. Returns the address. Raises Malformed, Conflict."""
        player, address = self._read(CONFIRM, token)
        before = self._accounts.find(player)
        if before.confirmed is not None and before.email == address:
            return address
        statements = people.confirm_address(player, address, names.mailbox(address), self.front.at())
        statements.append(mailing.confirm(player, address, lang, self.front.at()))
        if before.confirmed is not None and before.email is not None:
            statements += post(ADDRESS_CHANGED, player, before.email, lang, self.front.at())
        try:
            self.front.write_once(once, statements)
        except MissingValue as error:
            raise Conflict("link-used") from error
        except BrokenConstraint as error:
            raise Conflict("address-taken") from error
        return address

    @Deed("askRecovery", by_said=(LETTERS,), is_silent=True)
    def ask_recovery(self, asker: Asker, address: str, lang: str, *, once: Once | None = None) -> None:
        """Mail a link that sets a new password, if an account has confirmed the address. Nobody learns whether."""
        self.count_letter(asker, address, once)
        mailbox, at = names.mailbox(address), self.front.at()
        hashed, since = self._noted(mailbox), self.front.at(-PAUSE)
        account = self._accounts.people.of_mailbox(mailbox)
        is_asked = self._accounts.people.is_recovery_asked(hashed, since)
        noted = people.note_recovery(hashed, at, since)
        posted = people.demand_account(account.player if account is not None else "")
        if account is not None and account.email is not None and not is_asked:
            posted += post(RECOVER, account.player, account.email, lang, at)
        try:
            self.front.write(once, [*posted, *noted])
        except MissingValue:
            # the account was erased meanwhile
            self.front.write(once, noted)

    def _noted(self, mailbox: str) -> str:
        """Return what is kept of a mailbox for which a recovery was asked: nobody can tell the address from it."""
        return digest(self._signer.sign("recovery", mailbox))

    @Deed("recover", by_said=(LOGINS,), is_silent=True)
    def recover(self, asker: Asker, token: str, password: str, lang: str, *, once: Once | None = None) -> None:
        """Set a new password by the token of a link, and end whatever a thief of the old one may have made.

        These are all sessions, tokens and feeds, also those of the account's bot accounts, and the mail addresses of
        these. Their webhooks are disabled.
        Raises:  Malformed, Conflict.
        """
        self.front.count_named(asker, LOGINS, token.strip())
        account = self._recovering(token)
        player = self._accounts.find(account.player)
        hashed = self._sessions.hashed(password, player.name, player.login, player.email)
        statements = [
            *self._sessions.replace(account, hashed, lang),
            people.end_all_tokens(account.player),
            *notices.end_all(account.player, self.front.at()),
            *(gone for bot in self._accounts.people.owned(account.player) for gone in without_address(bot.id)),
            people.forget_recovery(self._noted(names.mailbox(account.email or ""))),
        ]
        try:
            self._accounts.forget(statements)
        except MissingValue as error:
            raise Conflict("link-used") from error
        self.front.write(once, [])

    def of_letter(self, letter: Letter) -> str | None:
        """Return the link of a letter of kind `confirm` or `recover`, the same each time; None if it can do nothing."""
        account = self._accounts.people.of_player(letter.player or "")
        if account is None or self._is_past(letter.kind, letter.at):
            return None
        if letter.kind == RECOVER and _may_recover(account) and account.email == letter.address:
            token = self._signer.sign(RECOVER, [account.player, letter.at, _state(account)])
        elif letter.kind == CONFIRM and self._is_wanted(account.player, letter.address):
            token = self._signer.sign(CONFIRM, [account.player, letter.at, letter.address])
        else:
            return None
        return f"{self._address}{PATHS[letter.kind]}?token={token}"

    def _recovering(self, token: str) -> Credentials:
        """Return the link's account. Raises Malformed; Conflict if the link was used or has expired."""
        player, state = self._read(RECOVER, token)
        account = self._accounts.people.of_player(player)
        if account is None or not _may_recover(account) or _state(account) != state:
            raise Conflict("link-used")
        return account

    def _read(self, kind: str, token: str) -> tuple[str, str]:
        """Return the link's player, and what it is about. Raises Malformed, Conflict."""
        try:
            player, at, about = msgspec.convert(self._signer.read(kind, token), tuple[str, str, str])
        except (NotOurs, msgspec.ValidationError) as error:
            raise Malformed("unknown-link") from error
        if self._is_past(kind, at):
            raise Conflict("link-past")
        return player, about

    def _is_past(self, kind: str, at: str) -> bool:
        return at <= self.front.at(-LASTS[kind])

    def _is_wanted(self, player: str, address: str) -> bool:
        account = self._accounts.find(player)
        return address == (account.email if account.confirmed is None else account.email_next)
