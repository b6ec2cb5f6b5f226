"""Requests that may be sent twice: the answer to the first one, by the request's key (`Idempotency-Key`).

The store makes a key count once: a row for it is inserted by the same transaction that does what was asked, and of two
such transactions the second fails as a whole. So callers need to share nothing but the store. A move's row is the
command of its append (`Command`), which lies with the match and is kept for ever; all others are kept here for a day.

A request that opens a match can't be a command of it, since the key alone does not name the match: here the key leads
to the match.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import msgspec

from events.store import Appended, Command, Statement, Store
from service import clock
from service.problems import Malformed
from service.signing import digest
from service.store.statements import statement, statements

KEPT = timedelta(hours=24)
"""How long everything but a move is remembered; moves are remembered for ever, as commands of the store."""


FIND = "SELECT digest, answer FROM requests WHERE partition = :partition AND id = :id AND at > :horizon"
_remember = statements(
    "id digest answer at horizon",
    "DELETE FROM requests WHERE partition = :partition AND at <= :horizon",
    "INSERT INTO requests (partition, id, digest, answer, at) VALUES (:partition, :id, :digest, :answer, :at)",
)
_remember_instead = statement(
    "id answer", "UPDATE requests SET answer = :answer WHERE partition = :partition AND id = :id"
)


class Once(msgspec.Struct, frozen=True):
    """A request with a key: `id` stands for asker, route and key, `digest` for the body."""

    id: str
    digest: str

    @property
    def command(self) -> Command:
        """The request as a command of the store."""
        return Command(id=f"request:{self.id}", digest=self.digest)


def once(owner: str, route: str, key: str, body: bytes) -> Once:
    """Return the request with that key."""
    return Once(id=digest("\n".join((owner, route, key))), digest=digest(body))


class Requests:
    """Remembers the answers to requests with a key."""

    def __init__(self, recorder: Store, now: clock.Now) -> None:
        self._store = recorder
        self.now = now

    def command(self, asked: Once | None, match_id: str) -> Appended | None:
        """Return what the request stored in the match, if it did; None if not. Raises Malformed."""
        if asked is None or (before := self._store.command(match_id, asked.command.id)) is None:
            return None
        if before[0].digest != asked.digest:
            raise Malformed("idempotency-key-reused")
        return before[1]

    def answer(self, asked: Once | None) -> str | None:
        """Return what `remember` was given at the first success; None if there was none in the last 24 hours."""
        if asked is None:
            return None
        rows = self._store.find(Statement(FIND, {"id": asked.id, "horizon": self._horizon()}, asked.id))
        if not rows:
            return None
        if rows[0][0] != asked.digest:
            raise Malformed("idempotency-key-reused")
        return str(rows[0][1])

    def do(self, asked: Once | None, deed: Callable[[], str]) -> str:
        """Return the answer of the first success; if there was none, call `deed`, which must remember its answer.

        Of two requests at once the store lets one pass. The other fails, in whatever way, and gets the answer of a
        repeat.
        Raises:  Malformed (idempotency-key-reused); what `deed` raises, if there is still no success.
        """
        if (before := self.answer(asked)) is not None:
            return before
        try:
            return deed()
        except Exception:
            if (before := self.answer(asked)) is None:
                raise
            return before

    def remember(self, asked: Once | None, answer: str) -> list[Statement]:
        """Return statements that remember the answer and delete old ones, for the transaction of what was asked.

        They fail, and the transaction with them, if the key is remembered already.
        """
        if asked is None:
            return []
        return _remember(asked.id, asked.digest, answer, clock.stamp(self.now()), self._horizon())

    def remember_instead(self, asked: Once | None, answer: str) -> list[Statement]:
        """Return the statements that replace a remembered answer."""
        return [] if asked is None else [_remember_instead(asked.id, answer)]

    def _horizon(self) -> str:
        return clock.stamp(self.now() - KEPT)
