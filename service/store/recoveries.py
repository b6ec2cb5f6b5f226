"""For which mail addresses a new password was asked for, lately: as digests, whether anybody has them or not.

So one address is written to only now and then, whoever asks of which process; and since a row is written in any case,
how long that takes tells nobody whether there is such an account.
"""

from __future__ import annotations

from events.store import Statement, Tables

FIND = "SELECT 1 FROM recoveries WHERE hash = :hash AND at > :since"
FORGET = "DELETE FROM recoveries WHERE at <= :since"
NOTE = "INSERT INTO recoveries (hash, at) VALUES (:hash, :at) ON CONFLICT (hash) DO NOTHING"


def is_asked(store: Tables, hashed: str, since: str) -> bool:
    """Whether it was asked for since then."""
    return bool(store.find(Statement(FIND, {"hash": hashed, "since": since})))


def note(hashed: str, at: str, since: str) -> list[Statement]:
    """It was asked for; what was before is forgotten."""
    return [Statement(FORGET, {"since": since}), Statement(NOTE, {"hash": hashed, "at": at})]
