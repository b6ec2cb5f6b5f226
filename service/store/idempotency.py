"""Requests that may be sent twice: the answer to the first one, by the request's key (`Idempotency-Key`).

The store makes a key count once: a row for it is inserted by the same transaction that does what was asked, and of two
such transactions the second fails as a whole. So callers need to share nothing but the store. A move's row is the
command of its append (`Command`), which lies with the match and is kept for ever; all others are kept here for a day.

A request that opens a match can't be a command of it, since the key alone does not name the match: here the key leads
to the match.
"""

from __future__ import annotations

from datetime import timedelta

import msgspec

from events.store import Command
from service.signing import digest
from service.store.statements import statement, statements

KEPT = timedelta(hours=24)
"""How long everything but a move is remembered; moves are remembered for ever, as commands of the store."""


FIND = "SELECT digest, answer FROM requests WHERE partition = :partition AND id = :id AND at > :horizon"
remember = statements(
    "id digest answer at horizon",
    "DELETE FROM requests WHERE partition = :partition AND at <= :horizon",
    "INSERT INTO requests (partition, id, digest, answer, at) VALUES (:partition, :id, :digest, :answer, :at)",
)
"""Remember the answer, and delete old ones. They fail, and their transaction, if the key is remembered already."""
remember_instead = statement(
    "id answer", "UPDATE requests SET answer = :answer WHERE partition = :partition AND id = :id"
)
"""Replaces a remembered answer."""


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
