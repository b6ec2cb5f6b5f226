"""Signing up, which is open to everybody, to nobody, or to those with a pass; and the bot accounts that people make.

The operator and the players make passes. Bot accounts are marked as bots, and show their owner.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import timedelta

import msgspec

from events.chain import fresh_id
from events.store import MissingValue
from service import config
from service.accounts.mailboxes import Mailboxes, without_address
from service.accounts.players import GRANTED, Accounts
from service.accounts.sessions import CONFIRM, Sessions, post
from service.deeds import ACCOUNT, ADMIN, OPERATOR, Asker, Deed
from service.limits import LETTERS, SETTINGS, SIGN_UPS, TOKENS
from service.problems import Conflict, Forbidden, Unauthorized, Unknown
from service.signing import digest
from service.store import Once, Pass, Player, Token, notices, people

OPEN, CLOSED, BY_PASS = config.SIGN_UPS

LASTS = timedelta(days=14)
"""How long a pass is valid."""

SPAN = timedelta(days=30)
"""The time in which a player may make only a number of passes."""

ANY = 1_000_000_000
"""The limit for the operator, who may make any number."""


class Signing(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody sends to sign up."""

    name: str
    kind: str = people.HUMAN
    email: str | None = None
    login: str | None = None
    password: str | None = None
    code: str | None = None
    """The code of the pass."""


class SignUps:
    """The use cases. They raise Problems, and the store's errors."""

    def __init__(self, accounts: Accounts, sessions: Sessions, mailboxes: Mailboxes, mode: str) -> None:
        self.front = accounts.front
        self._accounts = accounts
        self._sessions = sessions
        self._mailboxes = mailboxes
        self.mode = mode

    @Deed("signUp", limits=(SIGN_UPS,), by_said=(LETTERS,))
    def sign_up(
        self, asker: Asker, said: Signing, lang: str, lasts: timedelta | None = None, *, once: Once | None = None
    ) -> tuple[Player, str]:
        """Make an account. Returns it and its first token. `lasts`: see `Accounts.sign_up`.

        The operator may always make one.
        Raises:  Forbidden; Conflict if another account has the login; TooMany.
        """
        if said.email is not None:
            self._mailboxes.count_letter(asker, said.email, once)
        self._accounts.refuse_repeat(once)
        hashed = self._check(asker, said.code)
        kept = None
        if said.password is not None:
            kept = self._sessions.hashed(said.password, said.name, said.login, said.email)
        id, at = fresh_id("p"), self.front.at()
        player = Player(id, said.name, said.kind, said.email, at, login=said.login, has_password=kept is not None)
        before = people.take_pass(hashed, id, at) if hashed is not None else []
        after = post(CONFIRM, id, said.email, lang, at) if said.email is not None else []
        try:
            return self._accounts.sign_up(player, once, before, after, lasts, kept)
        except MissingValue:
            # somebody has used the pass since it was checked
            raise Forbidden("pass-not-good") from None

    def _check(self, asker: Asker, code: str | None) -> str | None:
        """Return the hash of the pass; None if no pass is needed. Raises Forbidden."""
        if self.mode == OPEN or asker.may(ADMIN):
            return None
        if self.mode == CLOSED:
            raise Forbidden("sign-up-closed")
        if code is None:
            raise Forbidden("pass-needed")
        hashed = digest(code)
        if not self._accounts.people.is_good_pass(hashed, self.front.at()):
            self.front.count_guess(asker)
            raise Forbidden("pass-not-good")
        return hashed


class Passes:
    """The use cases of those who make passes. They raise Problems, and the store's errors."""

    def __init__(self, accounts: Accounts, mode: str, most: int) -> None:
        """`most`: the most passes of a player in 30 days."""
        self.front = accounts.front
        self._accounts = accounts
        self._mode = mode
        self.most = most

    def made(self, asker: Asker) -> tuple[Pass, ...]:
        """Return the passes that the asker has made lately, the oldest first."""
        return self._accounts.people.passes(self._maker(asker))

    def left(self, asker: Asker) -> int:
        """Return how many more passes the asker may make now."""
        since = self.front.at(-SPAN)
        return max(0, self.most - sum(each.created > since for each in self.made(asker)))

    @Deed("createPass", (ACCOUNT, ADMIN), limits=(TOKENS,), is_players=True)
    def make(self, asker: Asker, *, once: Once | None = None) -> tuple[Pass, str]:
        """Make a pass. Returns it and its code, which is never shown again. Raises Conflict if it is one too many."""
        maker = self._maker(asker)
        if self._mode != BY_PASS:
            raise Conflict("no-passes")
        code, at = secrets.token_urlsafe(15), self.front.at()
        kept = Pass(fresh_id("i"), at, self.front.at(LASTS), used=False)
        most = ANY if maker == OPERATOR else self.most
        since = self.front.at(-SPAN)

        def write() -> None:
            try:
                self.front.write(once, people.make_pass(kept, maker, digest(code), since, most), kept.id)
            except MissingValue:
                self._maker(asker)  # raises Unauthorized if it was erased meanwhile
                raise Conflict("too-many-passes", most=most) from None

        self.front.tell_once(once, kept.id, write, Conflict("token-already-issued"))
        return kept, code

    @Deed("withdrawPass", (ACCOUNT, ADMIN), limits=(SETTINGS,), is_players=True, is_silent=True)
    def withdraw(self, asker: Asker, pass_id: str, *, once: Once | None = None) -> None:
        """Make a pass void that nobody has used. Raises Unknown."""
        maker = self._maker(asker)
        if pass_id not in {each.id for each in self.made(asker) if not each.used}:
            raise Unknown("unknown-pass", id=pass_id)
        self.front.write(once, [people.withdraw_pass(maker, pass_id)])

    def _maker(self, asker: Asker) -> str:
        if asker.may(ADMIN):
            return OPERATOR
        player = self._accounts.player(asker)
        self._accounts.own(asker, ACCOUNT)
        if player.kind == people.BOT:
            raise Forbidden("not-for-bots")
        return player.id


class OwnedBots:
    """The use cases. They raise Problems, and the store's errors."""

    MOST = 20
    """The most bot accounts that a person may have."""

    def __init__(self, accounts: Accounts) -> None:
        self.front = accounts.front
        self._accounts = accounts

    def made(self, asker: Asker) -> tuple[Player, ...]:
        """Return the asker's bot accounts, the oldest first."""
        self._accounts.own(asker, ACCOUNT)
        return self._accounts.people.owned(asker.player)

    @Deed("createMyBot", (ACCOUNT,), limits=(TOKENS,), is_players=True)
    def make(self, asker: Asker, name: str, *, once: Once | None = None) -> tuple[Player, str]:
        """Make a bot account. Returns it and its first token. Raises Forbidden for bots; Conflict for one too many."""
        owner = self._accounts.player(asker)
        if owner.kind == people.BOT:
            raise Forbidden("not-for-bots")
        bot = Player(fresh_id("p"), name, people.BOT, None, self.front.at(), owner.id)
        with self._accounts.refusing(asker, Conflict("too-many-bots", most=self.MOST)):
            return self._accounts.sign_up(bot, once, people.demand_room(owner.id, self.MOST))

    @Deed("createBotToken", (ACCOUNT,), limits=(TOKENS,), is_players=True)
    def issue(
        self,
        asker: Asker,
        bot: str,
        name: str,
        scopes: Collection[str] | None = None,
        expires: str | None = None,
        *,
        once: Once | None = None,
    ) -> tuple[Token, str]:
        """Make one more token for a bot account. Raises Unknown; what `Accounts.issue` raises."""
        try:
            return self._accounts.issue(self.of(asker, bot), name, scopes, expires, once=once)
        except Unauthorized:
            self._accounts.player(asker)  # raises Unauthorized if it was erased meanwhile
            raise Unknown("unknown-player", player=bot) from None

    @Deed("revokeBotToken", (ACCOUNT,), limits=(SETTINGS,), is_players=True)
    def revoke(self, asker: Asker, bot: str, token_id: str) -> None:
        """Revoke a token of a bot account. Raises Unknown.

        With the last one end its feed and its mail address, and its webhooks are disabled: whoever had the token may
        have made them.
        """
        its, ended = self.of(asker, bot), [*notices.end_all(bot, self.front.at()), *without_address(bot)]
        is_last = all(each.id == token_id for each in self._accounts.people.tokens(bot))
        self._accounts.revoke(its, token_id, beside=ended if is_last else ())
        if not is_last and not self._accounts.people.tokens(bot):
            # the others were revoked at that moment
            self._accounts.forget(ended)

    def of(self, asker: Asker, bot: str) -> Asker:
        """Return the bot account as an asker. Raises Unknown if it is not the asker's."""
        if bot not in {each.id for each in self.made(asker)}:
            raise Unknown("unknown-player", player=bot)
        return Asker(bot, frozenset(GRANTED))
