"""The links in mails about an account: signed, so that nothing of them is kept until they come back."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from service.accounts.letters import CONFIRM, RECOVER
from service.accounts.players import Accounts
from service.ids import digest
from service.problems import Conflict, Malformed
from service.signing import NotOurs, Signer
from service.store import Credentials, Letter

LASTS = {CONFIRM: timedelta(days=7), RECOVER: timedelta(hours=1)}
"""How long a link is good for, since its letter was posted."""

PATHS = {CONFIRM: "/account/confirm", RECOVER: "/account/recover"}
"""Where people who follow one are asked what they want to do; programs send what it holds to the API."""


class MailedLinks:
    """Makes and reads them."""

    def __init__(self, accounts: Accounts, signer: Signer, address: str) -> None:
        """`address`: where people reach the service."""
        self._accounts = accounts
        self._signer = signer
        self._address = address

    def of_letter(self, letter: Letter) -> str | None:
        """The link for a letter of kind `confirm` or `recover`, always the same one; None where there is nothing left
        to be done by one: it is past, the account or the address is another one, or was confirmed.
        """
        found = self._accounts.proofs.of_player(letter.player or "")
        if found is None or self._is_past(letter.kind, letter.at):
            return None
        if letter.kind == RECOVER and found.confirmed is not None and found.email == letter.address:
            token = self._signer.sign(RECOVER, [found.player, letter.at, _state(found)])
        elif letter.kind == CONFIRM and self._is_wanted(found.player, letter.address):
            token = self._signer.sign(CONFIRM, [found.player, letter.at, letter.address])
        else:
            return None
        return f"{self._address}{PATHS[letter.kind]}?token={token}"

    def read_confirm(self, token: str) -> tuple[str, str]:
        """Player and address. Raises Malformed, Conflict."""
        player, _, address = self._read(CONFIRM, token)
        return player, address

    def read_recover(self, token: str) -> Credentials:
        """The account that it is for, as it still is. Raises Malformed, Conflict."""
        player, _, state = self._read(RECOVER, token)
        found = self._accounts.proofs.of_player(player)
        if found is None or found.confirmed is None or _state(found) != state:
            raise Conflict("link-used")
        return found

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
        found = self._accounts.find(player)
        return address == (found.email if found.confirmed is None else found.email_next)


def _state(found: Credentials) -> str:
    """Stands for password and address: a link is worth nothing once one of them is another."""
    return digest(f"{found.password or ''}\n{found.email}")[:32]
