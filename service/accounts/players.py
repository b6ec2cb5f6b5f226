"""Players and their tokens, with a cache of what tokens grant, since every request asks for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from threading import Lock
from time import monotonic

from cachetools import TTLCache

from events.chain import fresh_id
from events.store import BrokenConstraint, MissingValue, NulInText, Store, StoreError
from service.deeds import (
    ACCOUNT,
    ADMIN,
    BOT,
    OPERATOR,
    PLAY,
    SCOPES,
    STRANGER,
    WORKER,
    Asker,
    Deed,
    Front,
    judge,
)
from service.folder import HouseTokens
from service.limits import SETTINGS, TOKENS
from service.problems import Conflict, Malformed, Problem, Unauthorized, Unknown
from service.signing import digest, fresh_token
from service.store import Credentials, Grant, Once, People, Player, Statement, Token, people

MOST = 10_000
"""The most tokens that are kept."""

LASTS = 30.0
"""Seconds for which a token is kept: a process may die between its revocation and the count of it."""


class Revocations:
    """Counts how often any process revoked tokens, as the length of a file beside the store."""

    def __init__(self, path: Path | None) -> None:
        """`path`: None if processes on other machines use the store, which would not see the file."""
        self._path = path

    def count(self) -> int | None:
        """Return the count; None if there is no file to count in. Raises OSError."""
        if self._path is None:
            return None
        try:
            return os.stat(self._path).st_size
        except FileNotFoundError:
            return 0

    def add(self) -> None:
        """Count one more. To be called once the store has the revocation. Raises OSError."""
        if self._path is None:
            return
        with open(self._path, "ab", opener=partial(os.open, mode=0o600)) as file:
            file.write(b".")


class Granted:
    """Keeps each token that was found for LASTS seconds, or until any process revokes one. Any thread may use it."""

    def __init__(
        self, find: Callable[[Sequence[str]], dict[str, Grant]], revocations: Callable[[], int | None]
    ) -> None:
        """`find` asks the store by tokens' hashes. If `revocations` returns None, nothing is kept."""
        self._find = find
        self._revocations = revocations
        self._lock = Lock()
        self._known: TTLCache[str, Grant] = TTLCache(MOST, LASTS, monotonic)
        self._as_of: int | None = None
        """The count of revocations for which they are known."""

    def forget(self, hashed: str) -> None:
        """Drop the token with this hash, so that it is looked up anew."""
        with self._lock:
            self._known.pop(hashed, None)

    def find(self, hashed: str) -> Grant | None:
        """Return what the token with this hash grants; None, which is not kept, if nobody has such a token."""
        return self.find_all((hashed,)).get(hashed)

    def find_all(self, hashed: Sequence[str]) -> dict[str, Grant]:
        """Return what the tokens with these hashes grant, without those that nobody has."""
        # counted before the store is asked, so that a revocation from here on is noticed next time
        now = self._revocations()
        with self._lock:
            if now != self._as_of:
                self._known.clear()
                self._as_of = now
            grants = {each: grant for each in hashed if (grant := self._known.get(each)) is not None}
        if missing := [each for each in hashed if each not in grants]:
            found = self._find(missing)
            with self._lock:
                # if not, a token may have been revoked since it was found
                if now is not None and now == self._as_of:
                    self._known.update(found)
            grants |= found
        return grants


DAY = len("2026-01-01")
"""The number of characters of a moment that are its date."""

GRANTED = (*SCOPES, ACCOUNT)
"""The scopes of sessions and of the token that sign-up returns: everything that players may do."""


class Accounts:
    """The use cases of players and tokens. They raise Problems, and the store's errors."""

    def __init__(self, recorder: Store, front: Front, tokens: HouseTokens, revocations: Revocations) -> None:
        self.recorder = recorder
        self.people = People(recorder)
        self._revocations = revocations
        self.when_forgotten: Callable[[], object] = lambda: None
        """Called when this process has revoked tokens; it must not block."""
        self._granted = Granted(self.people.grants, revocations.count)
        self.front = front
        self._house = {
            digest(tokens.worker): Asker(player=WORKER, scopes=frozenset({BOT})),
            digest(tokens.admin): Asker(player=OPERATOR, scopes=frozenset({ADMIN})),
        }

    def asker(self, token: str | None) -> Asker:
        """Return the asker with this token, `STRANGER` for None. Raises Unauthorized if nobody has the token."""
        if token is None:
            return STRANGER
        hashed = digest(token)
        return self._house.get(hashed) or self._of(hashed)[0]

    def _of(self, hashed: str) -> tuple[Asker, Grant]:
        if (grant := self._granted.find(hashed)) is None:
            raise Unauthorized("unknown-token")
        at = self.front.at()
        if _is_over(grant, at):
            raise Unauthorized("token-expired", expires=grant.expires or at)
        if grant.used is None or grant.used < at[:DAY]:
            # the first use in a day is noted; if the store can't write now, the next one is
            with suppress(StoreError):
                self.recorder.write([people.use(hashed, at[:DAY])])
                self._granted.forget(hashed)
        return Asker(player=grant.player, scopes=grant.scopes), grant

    def in_browser(self, token: str) -> Asker:
        """Return the asker with the token of a browser's cookie. Raises Unauthorized.

        A token that somebody put there by hand is made a session in the store, so that it ends when these end.
        """
        hashed = digest(token)
        if (known := self._house.get(hashed)) is not None:
            return known
        asker, grant = self._of(hashed)
        if grant.kind != people.SESSION:
            # if the store can't write now, the next request does it
            with suppress(StoreError):
                self.recorder.write([people.keep_in_browser(hashed)])
                self._granted.forget(hashed)
        return asker

    def lost(self, hashed: Collection[str]) -> set[str]:
        """Return which of the tokens with these hashes were revoked or have expired."""
        others, at = [each for each in hashed if each not in self._house], self.front.at()
        held = self._granted.find_all(others)
        return {each for each in others if (grant := held.get(each)) is None or _is_over(grant, at)}

    def refuse_repeat(self, asked: Once | None) -> None:
        """Raise Conflict if the request came before: its answer was a token, which is never shown again."""
        if self.front.answer(asked) is not None:
            raise Conflict("token-already-issued")

    def sign_up(
        self,
        player: Player,
        asked: Once | None,
        before: Sequence[Statement] = (),
        after: Sequence[Statement] = (),
        lasts: timedelta | None = None,
        password: str | None = None,
    ) -> tuple[Player, str]:
        """Enter a player in a transaction with `before` and `after`. Returns the player and their first token.

        Shape:   `password`: its hash; `lasts`: None makes a token that lasts until it is revoked; otherwise it is a
                 browser's session that lasts so long.
        Raises:  Conflict if another account has the login.
        """
        statements = [*before, people.enter(player, password), *after]
        name, kind = ("first", people.TOKEN) if lasts is None else ("session", people.SESSION)
        ends = None if lasts is None else self.front.at(lasts)
        try:
            _, token = self.hand_out(player.id, name, GRANTED, ends, asked, statements, kind)
        except BrokenConstraint:
            if player.login is not None and self.people.of_login(player.login) is not None:
                raise Conflict("login-taken", login=player.login) from None
            raise
        return player, token

    def player(self, asker: Asker) -> Player:
        """Return the asker's player. Raises Unauthorized, also if the account was erased meanwhile; Forbidden."""
        self.own(asker)
        try:
            return self.find(asker.player)
        except Unknown:
            raise Unauthorized("unknown-token") from None

    @contextmanager
    def refusing(self, asker: Asker, problem: Problem) -> Iterator[None]:
        """Raise the problem if a value is missing in the block, or Unauthorized if the account was erased meanwhile."""
        try:
            yield
        except MissingValue as error:
            self.player(asker)
            raise problem from error

    def credentials(self, player_id: str) -> Credentials:
        """Return the credentials of the player with this id. Raises Unknown if there is none."""
        if (account := self.people.of_player(player_id)) is None:
            raise Unknown("unknown-player", player=player_id)
        return account

    def learnt(self, asker: Asker) -> tuple[str, ...]:
        """Return the games whose lesson the asker has gone through; none for a stranger."""
        return self.people.learnt(asker.player) if asker.player else ()

    @Deed("learn", (PLAY,), limits=(SETTINGS,), is_silent=True)
    def learn(self, asker: Asker, game: str, *, once: Once | None = None) -> None:
        """Note that the asker has gone through the lesson of a game. A second call changes nothing."""
        self.front.write_for([asker.player], once, [people.learn(asker.player, game, self.front.at())])

    @Deed("rename", (ACCOUNT,), limits=(SETTINGS,), is_players=True, is_silent=True)
    def rename(self, asker: Asker, name: str, *, once: Once | None = None) -> None:
        """Change the asker's name, also in matches that are over. `names.enforce` must have checked it."""
        self.front.write(once, [people.rename(asker.player, name)])

    def find(self, player_id: str) -> Player:
        """Return the player with this id. Raises Unknown if there is none, or if the account was erased."""
        try:
            player = self.people.player(player_id)
        except NulInText:
            player = None
        if player is None or player.kind == people.ERASED:
            raise Unknown("unknown-player", player=player_id)
        return player

    def tokens(self, asker: Asker) -> tuple[Token, ...]:
        """Return the asker's tokens, the oldest first."""
        self.own(asker, ACCOUNT)
        return self.people.tokens(asker.player)

    @Deed("createToken", (ACCOUNT,), limits=(TOKENS,), is_players=True)
    def issue(
        self,
        asker: Asker,
        name: str,
        scopes: Collection[str] | None = None,
        expires: str | None = None,
        *,
        once: Once | None = None,
    ) -> tuple[Token, str]:
        """Make one more token of the asker, with none but the asker's own scopes and without `ACCOUNT`.

        Returns the token's row and the token, which is never shown again.
        Raises:  Malformed if `expires` is past; Forbidden for a scope that the asker lacks; Conflict for a repeat;
                 Unauthorized if the asker was erased meanwhile.
        """
        if expires is not None and expires <= self.front.at():
            raise Malformed("already-past", expires=expires)
        wanted = tuple(scope for scope in SCOPES if scope in (asker.scopes if scopes is None else scopes))
        for scope in wanted:
            asker.need(scope)
        try:
            return self.hand_out(asker.player, name, wanted, expires, once)
        except MissingValue:
            raise Unauthorized("unknown-token") from None

    @Deed("revokeToken", (ACCOUNT,), limits=(SETTINGS,), is_players=True, is_silent=True)
    def revoke(
        self, asker: Asker, token_id: str, *, once: Once | None = None, beside: Sequence[Statement] = ()
    ) -> None:
        """Revoke one of the asker's tokens; it may be the one of this request. Raises Unknown.

        `beside`: what is stored with it.
        """
        if token_id not in {each.id for each in self.people.tokens(asker.player)}:
            raise Unknown("unknown-token-id", token=token_id)
        self.forget([people.revoke(asker.player, token_id), *beside, *self.front.remember(once, "")])

    def own(self, asker: Asker, *scopes: str) -> None:
        """Raise Unauthorized or Forbidden if the asker is no player, or has none of the scopes."""
        judge(asker, scopes or GRANTED, is_players=True)

    def forget(self, statements: Sequence[Statement]) -> None:
        """Write statements that revoke tokens; from then on no process accepts them."""
        try:
            self.recorder.write(statements)
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
        """Make a token in a transaction with `before`. Returns its row and the token.

        Raises:  Conflict for a repeat; MissingValue if the account was erased meanwhile.
        """
        token, at = fresh_token(), self.front.at()
        kept = Token(id=fresh_id("t"), name=name, scopes=scopes, created=at, expires=expires, kind=kind, used=at[:DAY])
        statements = [*before, *people.demand_account(player), people.hand_out(digest(token), player, kept)]
        write = partial(self.front.write, asked, statements, kept.id)
        self.front.tell_once(asked, kept.id, write, Conflict("token-already-issued"))
        return kept, token


def _is_over(grant: Grant, at: str) -> bool:
    return grant.expires is not None and grant.expires <= at
