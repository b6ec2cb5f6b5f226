"""The mail address of an account: said, confirmed by a link that was sent there, and what lets people in again."""

from __future__ import annotations

from datetime import timedelta
from unicodedata import normalize

from events.store import BrokenConstraint, MissingValue
from service.accounts import letters, logins
from service.accounts.links import MailedLinks
from service.accounts.players import Accounts
from service.accounts.sessions import Sessions
from service.deeds import ACCOUNT, Asker, Deed
from service.ids import digest
from service.limits import LETTERS, LOGINS, SETTINGS
from service.problems import Conflict
from service.signing import Signer
from service.store import Once, Player, Statement, credentials, mailing, recoveries
from service.store import letters as kept

PAUSE = timedelta(minutes=5)
"""Until another link for a new password is sent to one address."""


NO_MAIL = frozenset(
    (
        *("localhost", "local", "internal", "invalid", "onion", "alt", "arpa", "home", "corp", "mail", "lan"),
        *("localdomain", "intranet", "private"),
    )
)
"""Last labels of names that nobody has for everybody: IANA's special-use domains, and what ICANN delegates to nobody.
`example` and `test` are not among them: documents and tests write these, and a mail to them goes nowhere.
"""


def is_reachable(address: str) -> bool:
    """Return whether the address may be a person's: its domain is a name with a dot that means the same everywhere.

    An address literal, the name of a machine and a special-use domain are not: a mail to them would go to this machine
    or its neighbours.
    """
    domain = address.rpartition("@")[2].casefold()
    labels = domain.split(".")
    is_literal = domain.startswith("[") or labels[-1].isdecimal()
    return len(labels) > 1 and all(labels) and not is_literal and labels[-1] not in NO_MAIL


def receiver(address: str) -> str:
    """Return the address in a form that all addresses have which a server would take for it: for counting, and no more.

    The domain is written as it is looked up (IDNA), the rest in compatible small letters.
    """
    local, _, domain = address.strip().rpartition("@")
    try:
        found = domain.encode("idna").decode()
    except UnicodeError:
        found = domain
    return f"{normalize('NFKC', local).casefold()}@{found.casefold()}"


class Mailboxes:
    """The use cases. They raise Problems, and the store's errors."""

    def __init__(self, accounts: Accounts, sessions: Sessions, links: MailedLinks, signer: Signer) -> None:
        self.front = accounts.front
        self._accounts = accounts
        self._sessions = sessions
        self._links = links
        self._signer = signer

    @Deed("setEmail", (ACCOUNT,), by_said=(LOGINS, LETTERS), is_players=True)
    def say(
        self, asker: Asker, address: str | None, password: str | None, lang: str, *, once: Once | None = None
    ) -> Player:
        """Say an address, which is written to be confirmed; None: have none.

        Raises:  Forbidden where the account has a password, and this is not it.
        """
        self.front.count_named(asker, LOGINS, asker.player, once)
        if address is not None:
            self.count_letter(asker, address, once)

        def write() -> None:
            self._sessions.check(self._accounts.proofs.of_player(asker.player), password)
            if address is None:
                dropped = [kept.drop_all(asker.player), mailing.forget(asker.player)]
                self.front.write(once, [credentials.forget_address(asker.player), *dropped])
            else:
                told = credentials.say_address(asker.player, address)
                self.front.write(once, [*told, *self.wanted(asker.player, address, lang)])

        self.front.done(once, write)
        return self._accounts.player(asker)

    def count_letter(self, asker: Asker, address: str, once: Once | None) -> None:
        """Count a mail that is to be sent there. Raises TooMany, whether it will be sent or not."""
        self.front.count_named(asker, LETTERS, receiver(address), once)

    def wanted(self, player: str, address: str, lang: str) -> list[Statement]:
        """The statements that have the address asked whether it is the player's."""
        return letters.post(letters.CONFIRM, player, address, lang, self._accounts.at())

    @Deed("confirmEmail", limits=(SETTINGS,))
    def confirm(self, asker: Asker, token: str, lang: str, *, once: Once | None = None) -> str:
        """The address is theirs who followed the link: it is answered. Raises Malformed, Conflict."""
        player, address = self._links.read_confirm(token)
        before = self._accounts.find(player)
        if before.confirmed is not None and before.email == address:
            return address
        told = credentials.confirm(player, address, logins.mailbox(address), self._accounts.at())
        told.append(mailing.confirm(player, address, lang))
        if before.confirmed is not None and before.email is not None:
            told += letters.post(letters.ADDRESS_CHANGED, player, before.email, lang, self._accounts.at())
        try:
            self.front.done(once, lambda: self.front.write(once, told))
        except MissingValue as error:
            raise Conflict("link-used") from error
        except BrokenConstraint as error:
            raise Conflict("address-taken") from error
        return address

    @Deed("askRecovery", by_said=(LETTERS,), is_silent=True)
    def ask_recovery(self, asker: Asker, address: str, lang: str, *, once: Once | None = None) -> None:
        """Have a link sent there by which a new password is set, if the address is an account's, confirmed.

        Nobody is told whether it is: as much is written in any case.
        """
        self.count_letter(asker, address, once)
        mailbox, at = logins.mailbox(address), self._accounts.at()
        hashed, since = digest(self._signer.sign("recovery", mailbox)), self._accounts.after(-PAUSE)
        recorder, found = self._accounts.recorder, self._accounts.proofs.of_mailbox(mailbox)
        is_asked = recoveries.is_asked(recorder, hashed, since)
        told = recoveries.note(hashed, at, since)
        if found is not None and found.email is not None and not is_asked:
            told += letters.post(letters.RECOVER, found.player, found.email, lang, at)
        self.front.write(once, told)

    @Deed("recover", by_said=(LOGINS,), is_silent=True)
    def recover(self, asker: Asker, token: str, password: str, lang: str, *, once: Once | None = None) -> None:
        """Set a new password by a link, once: every session ends, and every token. Raises Malformed, Conflict."""
        self.front.count_named(asker, LOGINS, token.strip())
        found = self._links.read_recover(token)
        player = self._accounts.find(found.player)
        kept = self._sessions.hashed(password, player.name, player.login, player.email)
        told = [
            credentials.replace_password(found, kept),
            credentials.end_all(found.player),
            *self._sessions.tell_change(found, lang),
        ]
        if not self._accounts.forget(told)[0]:
            raise Conflict("link-used")
        self.front.write(once, [])
