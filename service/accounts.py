"""Players and their tokens. There are no passwords: a token is all that proves who somebody is."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from events.sqlite import SqliteRecorder
from replays.naming import fresh_id
from service import clock, requests
from service.ids import digest, fresh_token
from service.problems import Conflict, Forbidden, Unauthorized, Unknown, scope_missing, token_missing
from service.requests import Once, Requests

READ, PLAY, CREATE = "match:read", "match:play", "match:create"
BOT, ADMIN = "bot:play", "admin"
SCOPES = (READ, PLAY, CREATE)
"""What a player's token may grant."""

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
        sql = "SELECT player, scopes FROM tokens WHERE hash = ?"
        row = self._recorder.reader().execute(sql, (hashed,)).fetchone()
        if row is None:
            raise Unauthorized("unknown-token", "This token is not known, or was revoked.")
        return Asker(player=row[0], scopes=frozenset(row[1].split()))

    def sign_up(self, name: str, kind: str, email: str | None, asked: Once | None) -> tuple[Player, str]:
        """A new player and their first token, which is told this once."""
        player = Player(id=fresh_id("p"), name=name, kind=kind, email=email, created=clock.stamp(self._now()))
        insert = ("INSERT INTO players VALUES (?, ?, ?, ?, ?)", msgspec.structs.astuple(player))
        token = self._hand_out(player.id, "first", SCOPES, asked, [insert])
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

    def tokens(self, asker: Asker) -> tuple[Token, ...]:
        """The tokens of whoever asks, the oldest first."""
        self._own(asker)
        sql = "SELECT id, name, scopes, created FROM tokens WHERE player = ? ORDER BY created, id"
        rows = self._recorder.reader().execute(sql, (asker.player,)).fetchall()
        return tuple(Token(id, name, tuple(scopes.split()), created) for id, name, scopes, created in rows)

    def issue(self, asker: Asker, name: str, scopes: tuple[str, ...] | None, asked: Once | None) -> tuple[Token, str]:
        """One more token, which grants nothing that the asker's own doesn't; it is told this once."""
        self._own(asker)
        wanted = tuple(scope for scope in SCOPES if scope in (asker.scopes if scopes is None else scopes))
        for scope in wanted:
            asker.need(scope)
        token = self._hand_out(asker.player, name, wanted, asked, [])
        sql = "SELECT id, created FROM tokens WHERE hash = ?"
        id, created = self._recorder.reader().execute(sql, (digest(token),)).fetchone()
        return Token(id=id, name=name, scopes=wanted, created=created), token

    def revoke(self, asker: Asker, token_id: str) -> None:
        """Forget one of one's own tokens, also the one that asks. Raises Unknown."""
        self._own(asker)
        sql = "DELETE FROM tokens WHERE player = ? AND id = ?"
        if not self._recorder.write(lambda connection: connection.execute(sql, (asker.player, token_id)).rowcount):
            raise Unknown("unknown-token-id", f"You have no token {token_id!r}.")

    def _own(self, asker: Asker) -> None:
        asker.need(*SCOPES, BOT, ADMIN)
        if asker.player in {WORKER, OPERATOR}:
            raise Forbidden("no-player", f"The token of the {asker.player} is no player's.")

    def _hand_out(
        self,
        player: str,
        name: str,
        scopes: tuple[str, ...],
        asked: Once | None,
        before: list[tuple[str, tuple[object, ...]]],
    ) -> str:
        token = fresh_token()
        row = (digest(token), fresh_id("t"), player, name, " ".join(scopes), clock.stamp(self._now()))
        statements = [
            *before,
            ("INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?)", row),
            *self._requests.remember(asked, row[1]),
        ]

        def write() -> str:
            self._recorder.write(lambda connection: requests.execute(connection, statements))
            return row[1]

        if self._requests.do(asked, write) != row[1]:
            raise Conflict(
                "token-already-issued",
                "This request came before and was answered with a token, which is told only once.",
            )
        return token
