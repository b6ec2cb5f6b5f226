"""Players and their tokens."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from datetime import timedelta

import msgspec

from events.naming import fresh_id
from events.store import BrokenConstraint, NulInText, Store, StoreError
from service import clock
from service.accounts.granted import Granted, Revocations
from service.deeds import (
    ACCOUNT,
    ADMIN,
    BOT,
    OPERATOR,
    SCOPES,
    STRANGER,
    WORKER,
    Asker,
    Deed,
    Front,
    HouseTokens,
)
from service.ids import digest, fresh_token
from service.limits import SETTINGS, TOKENS
from service.problems import Conflict, Forbidden, Malformed, Unauthorized, Unknown
from service.store import Grant, Once, People, Player, Proofs, Statement, Token, people

DAY = len("2026-01-01")
"""Characters of a moment that tell its day."""

GRANTED = (*SCOPES, ACCOUNT)
"""What sign-up's token and sessions may do: everything that players may."""


class SignUpWanted(msgspec.Struct, frozen=True, kw_only=True):
    """An account that is to be."""

    id: str = msgspec.field(default_factory=lambda: fresh_id("p"))
    name: str
    kind: str = "human"
    email: str | None = None
    login: str | None = None
    password: str | None = None
    """Its hash."""
    owner: str | None = None


class Accounts:
    """Who there is."""

    def __init__(self, recorder: Store, front: Front, tokens: HouseTokens, revocations: Revocations) -> None:
        self.recorder = recorder
        self.proofs = Proofs(recorder)
        self._people = People(recorder)
        self._revocations = revocations
        self.when_forgotten: Callable[[], object] = lambda: None
        """Called when tokens were forgotten here; it waits for nothing."""
        self._granted = Granted(self._people.grants, revocations.count)
        self.front = front
        self._now = front.now
        self._house = {
            digest(tokens.worker): Asker(player=WORKER, scopes=frozenset({BOT})),
            digest(tokens.admin): Asker(player=OPERATOR, scopes=frozenset({ADMIN})),
        }

    def asker(self, token: str | None) -> Asker:
        """Whose token that is. Raises Unauthorized when nobody's."""
        if token is None:
            return STRANGER
        hashed = digest(token)
        return self._house.get(hashed) or self._of(hashed)[0]

    def _of(self, hashed: str) -> tuple[Asker, Grant]:
        if (grant := self._granted.find(hashed)) is None:
            raise Unauthorized("unknown-token")
        at = self.at()
        if grant.is_over(at):
            raise Unauthorized("token-expired", expires=grant.expires or at)
        self._note_use(hashed, grant, at[:DAY])
        return Asker(player=grant.player, scopes=grant.scopes), grant

    def in_browser(self, token: str) -> Asker:
        """Return who asks by the token that a browser's cookie holds.

        A token that is no session becomes one in the store, so that it ends by the same deeds as others: somebody may
        have put it there by hand.

        Raises:  Unauthorized when it is nobody's token.
        """
        hashed = digest(token)
        if (known := self._house.get(hashed)) is not None:
            return known
        found, grant = self._of(hashed)
        if grant.kind != people.SESSION:
            # where the store takes nothing just now, its next request makes it one
            with suppress(StoreError):
                self.recorder.write([people.keep_in_browser(hashed)])
                self._granted.forget(hashed)
        return found

    def lost(self, hashed: Collection[str]) -> set[str]:
        """Those of these tokens, by their hashes, that hold no longer: they were revoked, or their time is over."""
        others, at = [one for one in hashed if one not in self._house], self.at()
        held = self._granted.find_all(others)
        return {one for one in others if (grant := held.get(one)) is None or grant.is_over(at)}

    def refuse_repeat(self, asked: Once | None) -> None:
        """Raises Conflict when the request came before, and was answered with a token."""
        if self.front.answer(asked) is not None:
            raise Conflict("token-already-issued")

    def at(self) -> str:
        """What time it is, as it is kept."""
        return clock.stamp(self._now())

    def after(self, time: timedelta) -> str:
        """What time it is so much later; earlier, where that is negative."""
        return clock.stamp(self._now() + time)

    def sign_up(
        self,
        wanted: SignUpWanted,
        asked: Once | None,
        before: Sequence[Statement] = (),
        after: Sequence[Statement] = (),
        lasts: timedelta | None = None,
    ) -> tuple[Player, str]:
        """A new player and their first token, which is told this once; with what else is to be written then.

        Shape:   `lasts`: None makes a token that lasts until it is revoked; otherwise it is a session, for a browser,
                 that lasts so long.
        Raises:  Conflict where another account logs in by that name.
        """
        player = Player(
            id=wanted.id,
            name=wanted.name,
            kind=wanted.kind,
            email=wanted.email,
            created=self.at(),
            owner=wanted.owner,
            login=wanted.login,
            has_password=wanted.password is not None,
        )
        told = [*before, people.enter(player, wanted.password), *after]
        try:
            if lasts is None:
                _, token = self.hand_out(player.id, "first", GRANTED, None, asked, told)
            else:
                ends = self.after(lasts)
                _, token = self.hand_out(player.id, "session", GRANTED, ends, asked, told, kind=people.SESSION)
        except BrokenConstraint:
            if wanted.login is not None and self.proofs.of_login(wanted.login) is not None:
                raise Conflict("login-taken", login=wanted.login) from None
            raise
        return player, token

    def player(self, asker: Asker) -> Player:
        """Whoever asks. Raises Unauthorized, Forbidden."""
        self.own(asker)
        return self.find(asker.player)

    @Deed("rename", (ACCOUNT,), limits=(SETTINGS,), is_players=True, is_silent=True)
    def rename(self, asker: Asker, name: str, *, once: Once | None = None) -> None:
        """Be called so from now on, also in matches that are over. The name is one that may be kept (`names`)."""
        self.front.write(once, [people.rename(asker.player, name)])

    def find(self, player_id: str) -> Player:
        """The player of that id. Raises Unknown when there is none, or they are there no longer."""
        try:
            found = self._people.player(player_id)
        except NulInText:
            found = None
        if found is None or found.kind == people.ERASED:
            raise Unknown("unknown-player", player=player_id)
        return found

    def need(self, player_id: str) -> None:
        """Raises Unknown when there is no such player."""
        self.find(player_id)

    def tokens(self, asker: Asker) -> tuple[Token, ...]:
        """The tokens of whoever asks, the oldest first."""
        self.own(asker, ACCOUNT)
        return self._people.tokens(asker.player)

    @Deed("createToken", (ACCOUNT,), limits=(TOKENS,), is_players=True)
    def issue(
        self,
        asker: Asker,
        name: str,
        scopes: tuple[str, ...] | None = None,
        expires: str | None = None,
        *,
        once: Once | None = None,
    ) -> tuple[Token, str]:
        """One more token, which grants nothing that the asker's own doesn't, nor to manage tokens; told this once."""
        if expires is not None and expires <= self.at():
            raise Malformed("already-past", expires=expires)
        wanted = tuple(scope for scope in SCOPES if scope in (asker.scopes if scopes is None else scopes))
        for scope in wanted:
            asker.need(scope)
        return self.hand_out(asker.player, name, wanted, expires, once, [])

    @Deed("revokeToken", (ACCOUNT,), limits=(SETTINGS,), is_players=True, is_silent=True)
    def revoke(self, asker: Asker, token_id: str, *, once: Once | None = None) -> None:
        """Forget one of one's own tokens, also the one that asks. Raises Unknown."""
        if token_id not in {one.id for one in self._people.tokens(asker.player)}:
            raise Unknown("unknown-token-id", token=token_id)
        self.forget([people.revoke(asker.player, token_id), *self.front.remember(once, "")])

    def own(self, asker: Asker, *scopes: str) -> None:
        """Raises Unauthorized, Forbidden when no player asks, or their token grants none of the scopes."""
        asker.need(*(scopes or (*SCOPES, ACCOUNT)), BOT, ADMIN)
        if asker.player in {WORKER, OPERATOR}:
            raise Forbidden("no-player")

    def forget(self, statements: Sequence[Statement]) -> tuple[int, ...]:
        """Write what has tokens forgotten: no process knows them from then on."""
        try:
            return self.recorder.write(statements)
        finally:
            self._revocations.add()
            self.when_forgotten()

    def hand_out(
        self,
        player: str,
        name: str,
        scopes: tuple[str, ...],
        expires: str | None,
        asked: Once | None,
        before: Iterable[Statement] = (),
        kind: str = people.TOKEN,
    ) -> tuple[Token, str]:
        """A new token of a player, with what is written before it. Raises Conflict when the request came before."""
        token, at = fresh_token(), self.at()
        kept = Token(id=fresh_id("t"), name=name, scopes=scopes, created=at, expires=expires, kind=kind, used=at[:DAY])
        told = [*before, people.hand_out(digest(token), player, kept), *self.front.remember(asked, kept.id)]

        def write() -> str:
            self.recorder.write(told)
            return kept.id

        if self.front.do(asked, write) != kept.id:
            raise Conflict("token-already-issued")
        return kept, token

    def _note_use(self, hashed: str, grant: Grant, day: str) -> None:
        """A token's first use of a day is noted; where the store takes nothing just now, a later one."""
        if grant.used is None or grant.used < day:
            with suppress(StoreError):
                self.recorder.write([people.use(hashed, day)])
                self._granted.forget(hashed)
