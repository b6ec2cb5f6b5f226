"""Players and their tokens. There are no passwords: a token is all that proves who somebody is."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from events.naming import fresh_id
from events.sqlite import SqliteRecorder
from service import clock
from service.ids import digest, fresh_token
from service.problems import Conflict, Forbidden, Malformed, Unauthorized, Unknown, scope_missing, token_missing
from service.store import idempotency
from service.store.idempotency import Once, Requests

READ, PLAY, CREATE = "match:read", "match:play", "match:create"
ACCOUNT = "account"
"""To manage tokens: sign-up's token grants it, and no other is given it."""

BOT, ADMIN = "bot:play", "admin"
SCOPES = (READ, PLAY, CREATE)
"""What a player's further tokens may grant."""

WORKER, OPERATOR = "worker", "operator"
"""Stand for the workers, and for the operator, where a player's id would."""


class HouseTokens(NamedTuple):
    """Those that lie in files beside the store and are nobody's account."""

    worker: str
    admin: str


class Asker(msgspec.Struct, frozen=True):
    """Whoever asks: a player, a worker, the operator, or a stranger."""

    player: str = ""
    scopes: frozenset[str] = frozenset()

    def may(self, scope: str) -> bool:
        """Whether the token grants it."""
        return scope in self.scopes

    def need(self, *scopes: str) -> None:
        """Raises Unauthorized for strangers, Forbidden when the token grants none of them."""
        if not self.player:
            raise token_missing()
        if not self.scopes.intersection(scopes):
            raise scope_missing(scopes[0])


STRANGER = Asker()


class Player(msgspec.Struct, frozen=True):
    """An account."""

    id: str
    name: str
    kind: str
    email: str | None
    created: str


class Token(msgspec.Struct, frozen=True):
    """What is kept of a token: enough to tell it from others, not to use it."""

    id: str
    name: str
    scopes: tuple[str, ...]
    created: str
    expires: str | None
    """The moment from which it is refused; None: it lasts until it is revoked."""


class Accounts:
    """Who there is."""

    def __init__(self, recorder: SqliteRecorder, asked: Requests, now: clock.Now, tokens: HouseTokens) -> None:
        self._recorder = recorder
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
        sql = "SELECT player, scopes, expires FROM tokens WHERE hash = ?"
        row = self._recorder.reader().execute(sql, (hashed,)).fetchone()
        if row is None:
            raise Unauthorized("unknown-token")
        if row[2] is not None and row[2] <= clock.stamp(self._now()):
            raise Unauthorized("token-expired", expires=row[2])
        return Asker(player=row[0], scopes=frozenset(row[1].split()))

    def sign_up(self, name: str, kind: str, email: str | None, asked: Once | None) -> tuple[Player, str]:
        """A new player and their first token, which is told this once."""
        player = Player(id=fresh_id("p"), name=name, kind=kind, email=email, created=clock.stamp(self._now()))
        insert = ("INSERT INTO players VALUES (?, ?, ?, ?, ?)", msgspec.structs.astuple(player))
        _, token = self._hand_out(player.id, "first", (*SCOPES, ACCOUNT), None, asked, [insert])
        return player, token

    def player(self, asker: Asker) -> Player:
        """Whoever asks. Raises Unauthorized, Forbidden."""
        self._own(asker)
        sql = "SELECT id, name, kind, email, created FROM players WHERE id = ?"
        return Player(*self._recorder.reader().execute(sql, (asker.player,)).fetchone())

    def exists(self, player_id: str) -> bool:
        """Whether there is such a player."""
        sql = "SELECT 1 FROM players WHERE id = ?"
        return self._recorder.reader().execute(sql, (player_id,)).fetchone() is not None

    def need(self, player_id: str) -> None:
        """Raises Unknown when there is no such player."""
        if not self.exists(player_id):
            raise Unknown("unknown-player", player=player_id)

    def tokens(self, asker: Asker) -> tuple[Token, ...]:
        """The tokens of whoever asks, the oldest first."""
        self._own(asker, ACCOUNT)
        sql = "SELECT id, name, scopes, created, expires FROM tokens WHERE player = ? ORDER BY created, rowid"
        rows = self._recorder.reader().execute(sql, (asker.player,)).fetchall()
        return tuple(Token(id, name, tuple(scopes.split()), *times) for id, name, scopes, *times in rows)

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
        sql = "DELETE FROM tokens WHERE player = ? AND id = ?"
        if not self._recorder.write(lambda connection: connection.execute(sql, (asker.player, token_id)).rowcount):
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
        before: list[tuple[str, tuple[object, ...]]],
    ) -> tuple[Token, str]:
        token = fresh_token()
        kept = Token(id=fresh_id("t"), name=name, scopes=scopes, created=clock.stamp(self._now()), expires=expires)
        row = (digest(token), kept.id, player, name, " ".join(scopes), kept.created, expires)
        statements = [
            *before,
            ("INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?)", row),
            *self._requests.remember(asked, kept.id),
        ]

        def write() -> str:
            self._recorder.write(lambda connection: idempotency.execute(connection, statements))
            return kept.id

        if self._requests.do(asked, write) != kept.id:
            raise Conflict("token-already-issued")
        return kept, token
