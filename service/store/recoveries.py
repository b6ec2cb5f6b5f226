"""The mail addresses for which a new password was lately asked for, as digests, whether or not anybody has them.

So an address gets such a mail only now and then, whichever process is asked. A row is written in any case, so that the
time that takes does not show whether there is such an account.
"""

from __future__ import annotations

from events.store import Statement, Tables

FIND = "SELECT 1 FROM recoveries WHERE hash = :hash AND at > :since"
FORGET = "DELETE FROM recoveries WHERE at <= :since"
NOTE = "INSERT INTO recoveries (hash, at) VALUES (:hash, :at) ON CONFLICT (hash) DO NOTHING"


def is_asked(store: Tables, hashed: str, since: str) -> bool:
    """Return whether a new password was asked for since then."""
    return bool(store.find(Statement(FIND, {"hash": hashed, "since": since})))


def note(hashed: str, at: str, since: str) -> list[Statement]:
    """Return the statements that note the request and delete old ones."""
    return [Statement(FORGET, {"since": since}), Statement(NOTE, {"hash": hashed, "at": at})]
