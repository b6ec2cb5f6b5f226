"""Who may sign up: everybody, nobody, or who has a pass, which the operator and the players make, so many each."""

from __future__ import annotations

import secrets
from datetime import timedelta

import msgspec

from events.naming import fresh_id
from events.store import MissingValue
from service.accounts.access import ACCOUNT, ADMIN, OPERATOR, Asker
from service.accounts.mailboxes import Mailboxes
from service.accounts.players import Accounts, SignUpWanted
from service.accounts.sessions import Sessions
from service.ids import digest
from service.problems import Conflict, Forbidden, Unknown
from service.store import Once, Pass, Player, Requests, Statement, passes, people

OPEN, CLOSED, BY_PASS = "open", "closed", "invitation"
"""How people sign up, as an operator says it."""

LASTS = timedelta(days=14)
"""How long a pass is good for."""

SPAN = timedelta(days=30)
"""Within which a player makes no more passes than they may."""

ANY = 1_000_000_000
"""Of the operator's passes."""


class Signing(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody says who signs up."""

    name: str
    kind: str = people.HUMAN
    email: str | None = None
    login: str | None = None
    password: str | None = None
    code: str | None = None
    """Of the pass."""


class SignUps:
    """The use cases. They raise Problems, and the store's errors."""

    def __init__(self, accounts: Accounts, sessions: Sessions, mailboxes: Mailboxes, mode: str) -> None:
        self._accounts = accounts
        self._sessions = sessions
        self._mailboxes = mailboxes
        self.mode = mode

    def sign_up(
        self, asker: Asker, said: Signing, lang: str, asked: Once | None, lasts: timedelta | None = None
    ) -> tuple[Player, str]:
        """A new account and its first token; the operator makes one whoever else may. `lasts`: see `Accounts.sign_up`.

        Raises:  Forbidden; Conflict where another account logs in by that name.
        """
        self._accounts.refuse_repeat(asked)
        hashed = self._check(asker, said.code)
        kept = None
        if said.password is not None:
            kept = self._sessions.hashed(said.password, said.name, said.login, said.email)
        wanted = SignUpWanted(name=said.name, kind=said.kind, email=said.email, login=said.login, password=kept)
        before = passes.take(hashed, wanted.id, self._accounts.at()) if hashed is not None else []
        after = self._mailboxes.wanted(wanted.id, said.email, lang) if said.email is not None else []
        try:
            return self._accounts.sign_up(wanted, asked, before, after, lasts)
        except MissingValue:
            # somebody has signed up by the pass since it was looked at
            raise Forbidden("pass-not-good") from None

    def _check(self, asker: Asker, code: str | None) -> str | None:
        """The hash of the pass, None where none is needed. Raises Forbidden."""
        if self.mode == OPEN or asker.may(ADMIN):
            return None
        if self.mode == CLOSED:
            raise Forbidden("sign-up-closed")
        if code is None:
            raise Forbidden("pass-needed")
        hashed = digest(code)
        if not passes.is_good(self._accounts.recorder, hashed, self._accounts.at()):
            raise Forbidden("pass-not-good")
        return hashed


class Passes:
    """The use cases of whoever makes them."""

    def __init__(self, accounts: Accounts, requests: Requests, mode: str, most: int) -> None:
        """`most`: that a player makes in 30 days."""
        self._accounts = accounts
        self._requests = requests
        self._mode = mode
        self.most = most

    def made(self, asker: Asker) -> tuple[Pass, ...]:
        """Those that the asker has made lately, the oldest first."""
        return passes.of_maker(self._accounts.recorder, self._maker(asker))

    def left(self, asker: Asker) -> int:
        """How many more the asker may make now."""
        since = self._accounts.after(-SPAN)
        return max(0, self.most - sum(one.created > since for one in self.made(asker)))

    def make(self, asker: Asker, asked: Once | None) -> tuple[Pass, str]:
        """A pass, and its code, which is told this once. Raises Conflict where the asker may make no more."""
        maker = self._maker(asker)
        if self._mode != BY_PASS:
            raise Conflict("no-passes")
        code, at = secrets.token_urlsafe(15), self._accounts.at()
        kept = Pass(fresh_id("i"), maker, at, self._accounts.after(LASTS))
        most = ANY if maker == OPERATOR else self.most
        since = self._accounts.after(-SPAN)
        remembered: list[Statement] = self._requests.remember(asked, kept.id)

        def write() -> str:
            made = passes.make(kept, digest(code), since, most)
            if not self._accounts.recorder.write([*remembered, *made])[-1]:
                raise Conflict("too-many-passes", most=most)
            return kept.id

        if self._requests.do(asked, write) != kept.id:
            raise Conflict("token-already-issued")
        return kept, code

    def withdraw(self, asker: Asker, pass_id: str) -> None:
        """Have nobody sign up by it any longer. Raises Unknown."""
        told = [passes.withdraw(self._maker(asker), pass_id)]
        if self._accounts.recorder.write(told) != (1,):
            raise Unknown("unknown-pass", id=pass_id)

    def _maker(self, asker: Asker) -> str:
        if asker.may(ADMIN):
            return OPERATOR
        player = self._accounts.player(asker)
        self._accounts.own(asker, ACCOUNT)
        if player.kind == people.BOT:
            raise Forbidden("not-for-bots")
        return player.id
