"""Players and their tokens. There are no passwords: a token is all that proves who somebody is."""

from __future__ import annotations

from collections.abc import Iterable

from events.naming import fresh_id
from events.store import NulInText, Store
from service import clock
from service.accounts.access import (
    ACCOUNT,
    ADMIN,
    BOT,
    OPERATOR,
    SCOPES,
    STRANGER,
    WORKER,
    Asker,
    HouseTokens,
)
from service.accounts.granted import Granted, Revocations
from service.ids import digest, fresh_token
from service.problems import Conflict, Forbidden, Malformed, Unauthorized, Unknown
from service.store import Once, People, Player, Requests, Statement, Token, people


class Accounts:
    """Who there is."""

    def __init__(
        self, recorder: Store, asked: Requests, now: clock.Now, tokens: HouseTokens, revocations: Revocations
    ) -> None:
        self._recorder = recorder
        self._people = People(recorder)
        self._revocations = revocations
        self._granted = Granted(self._people.grant, revocations.count)
        self._requests = asked
        self._now = now
        self._house = {
            digest(tokens.worker): Asker(player=WORKER, scopes=frozenset({BOT})),
            digest(tokens.admin): Asker(player=OPERATOR, scopes=frozenset({ADMIN})),
        }

    def asker(self, token: str | None) -> Asker:
        """Whose token that is. Raises Unauthorized when nobody's."""
        if token is None:
            return STRANGER
        hashed = digest(token)
        if (known := self._house.get(hashed)) is not None:
            return known
        if (grant := self._granted.find(hashed)) is None:
            raise Unauthorized("unknown-token")
        if grant.expires is not None and grant.expires <= clock.stamp(self._now()):
            raise Unauthorized("token-expired", expires=grant.expires)
        return Asker(player=grant.player, scopes=grant.scopes)

    def sign_up(self, name: str, kind: str, email: str | None, asked: Once | None) -> tuple[Player, str]:
        """A new player and their first token, which is told this once."""
        player = Player(id=fresh_id("p"), name=name, kind=kind, email=email, created=clock.stamp(self._now()))
        _, token = self._hand_out(player.id, "first", (*SCOPES, ACCOUNT), None, asked, [people.enter(player)])
        return player, token

    def player(self, asker: Asker) -> Player:
        """Whoever asks. Raises Unauthorized, Forbidden."""
        self._own(asker)
        found = self._people.player(asker.player)
        assert found is not None, "whoever has a token is there"
        return found

    def need(self, player_id: str) -> None:
        """Raises Unknown when there is no such player."""
        if self._people.player(player_id) is None:
            raise Unknown("unknown-player", player=player_id)

    def tokens(self, asker: Asker) -> tuple[Token, ...]:
        """The tokens of whoever asks, the oldest first."""
        self._own(asker, ACCOUNT)
        return self._people.tokens(asker.player)

    def issue(
        self, asker: Asker, name: str, scopes: tuple[str, ...] | None, expires: str | None, asked: Once | None
    ) -> tuple[Token, str]:
        """One more token, which grants nothing that the asker's own doesn't, nor to manage tokens; told this once."""
        self._own(asker, ACCOUNT)
        if expires is not None and expires <= clock.stamp(self._now()):
            raise Malformed("already-past", expires=expires)
        wanted = tuple(scope for scope in SCOPES if scope in (asker.scopes if scopes is None else scopes))
        for scope in wanted:
            asker.need(scope)
        return self._hand_out(asker.player, name, wanted, expires, asked, [])

    def revoke(self, asker: Asker, token_id: str) -> None:
        """Forget one of one's own tokens, also the one that asks. Raises Unknown."""
        self._own(asker, ACCOUNT)
        try:
            is_gone = self._recorder.write([people.revoke(asker.player, token_id)]) == (1,)
        except NulInText:
            is_gone = False  # no token has such an id
        finally:
            self._revocations.add()
        if not is_gone:
            raise Unknown("unknown-token-id", token=token_id)

    def _own(self, asker: Asker, *scopes: str) -> None:
        asker.need(*(scopes or (*SCOPES, ACCOUNT)), BOT, ADMIN)
        if asker.player in {WORKER, OPERATOR}:
            raise Forbidden("no-player")

    def _hand_out(
        self,
        player: str,
        name: str,
        scopes: tuple[str, ...],
        expires: str | None,
        asked: Once | None,
        before: Iterable[Statement],
    ) -> tuple[Token, str]:
        token = fresh_token()
        kept = Token(id=fresh_id("t"), name=name, scopes=scopes, created=clock.stamp(self._now()), expires=expires)
        told = [*before, people.hand_out(digest(token), player, kept), *self._requests.remember(asked, kept.id)]

        def write() -> str:
            self._recorder.write(told)
            return kept.id

        if self._requests.do(asked, write) != kept.id:
            raise Conflict("token-already-issued")
        return kept, token
