"""The links in mails about an account. They are signed, so that nothing about them is stored."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from service.accounts.letters import CONFIRM, RECOVER
from service.accounts.players import Accounts
from service.problems import Conflict, Malformed
from service.signing import NotOurs, Signer, digest
from service.store import Credentials, Letter

LASTS = {CONFIRM: timedelta(days=7), RECOVER: timedelta(hours=1)}
"""How long a link is valid after its letter was posted."""

PATHS = {CONFIRM: "/account/confirm", RECOVER: "/account/recover"}
"""The pages of the links, which ask people to confirm what they want. Programs send a link's token to the API."""


class MailedLinks:
    """Makes and reads the links."""

    def __init__(self, accounts: Accounts, signer: Signer, address: str) -> None:
        """`address`: the URL at which people reach the service."""
        self._accounts = accounts
        self._signer = signer
        self._address = address

    def of_letter(self, letter: Letter) -> str | None:
        """Return the link for a letter of kind `confirm` or `recover`, the same each time.

        Returns None if the link could do nothing: it has expired, or the account's address has changed or is confirmed.
        """
        account = self._accounts.proofs.of_player(letter.player or "")
        if account is None or self._is_past(letter.kind, letter.at):
            return None
        if letter.kind == RECOVER and account.confirmed is not None and account.email == letter.address:
            token = self._signer.sign(RECOVER, [account.player, letter.at, _state(account)])
        elif letter.kind == CONFIRM and self._is_wanted(account.player, letter.address):
            token = self._signer.sign(CONFIRM, [account.player, letter.at, letter.address])
        else:
            return None
        return f"{self._address}{PATHS[letter.kind]}?token={token}"

    def read_confirm(self, token: str) -> tuple[str, str]:
        """Return the player and the address. Raises Malformed, Conflict."""
        player, _, address = self._read(CONFIRM, token)
        return player, address

    def read_recover(self, token: str) -> Credentials:
        """Return the link's account. Raises Malformed; Conflict if the link was used or has expired."""
        player, _, state = self._read(RECOVER, token)
        account = self._accounts.proofs.of_player(player)
        if account is None or account.confirmed is None or _state(account) != state:
            raise Conflict("link-used")
        return account

    def _read(self, kind: str, token: str) -> tuple[str, str, str]:
        try:
            player, at, about = msgspec.convert(self._signer.read(kind, token), tuple[str, str, str])
        except (NotOurs, msgspec.ValidationError) as error:
            raise Malformed("unknown-link") from error
        if self._is_past(kind, at):
            raise Conflict("link-past")
        return player, at, about

    def _is_past(self, kind: str, at: str) -> bool:
        return at <= self._accounts.after(-LASTS[kind])

    def _is_wanted(self, player: str, address: str) -> bool:
        account = self._accounts.find(player)
        return address == (account.email if account.confirmed is None else account.email_next)


def _state(account: Credentials) -> str:
    """Return a digest of password and address: a change of either makes a link void."""
    return digest(f"{account.password or ''}\n{account.email}")[:32]
