"""Passes, each of which lets one person sign up where not everybody may."""

from __future__ import annotations

import msgspec

from events.store import Statement, Tables

FIND = "SELECT id, maker, created, expires, player FROM passes WHERE maker = :maker ORDER BY created, id"
FIND_GOOD = "SELECT 1 FROM passes WHERE hash = :hash AND player IS NULL AND expires > :at"
HOLD = "UPDATE players SET name = name WHERE id = :maker"
MAKE = (
    "INSERT INTO passes (hash, id, maker, created, expires, player)"
    " SELECT :hash, :id, :maker, :created, :expires, NULL"
    " WHERE (SELECT count(*) FROM passes WHERE maker = :maker AND created > :since) < :most"
)
TAKE = "UPDATE passes SET player = :player WHERE hash = :hash AND player IS NULL AND expires > :at"
DEMAND = (
    "INSERT INTO passes (hash, id, maker, created, expires, player)"
    " SELECT NULL, '', '', '', '', NULL WHERE NOT EXISTS (SELECT 1 FROM passes WHERE hash = :hash AND player = :player)"
)
WITHDRAW = "DELETE FROM passes WHERE maker = :maker AND id = :id AND player IS NULL"
FORGET = "DELETE FROM passes WHERE maker = :maker AND created <= :since AND (expires <= :at OR player IS NOT NULL)"


class Pass(msgspec.Struct, frozen=True):
    """A pass without its secret: enough to tell it from others, not to sign up with it."""

    id: str
    maker: str
    created: str
    expires: str
    player: str | None = None
    """Who has signed up with it; None for nobody yet."""


def of_maker(store: Tables, maker: str) -> tuple[Pass, ...]:
    """Return the passes that the account has made, oldest first."""
    return tuple(Pass(*row) for row in store.find(Statement(FIND, {"maker": maker})))


def is_good(store: Tables, hashed: str, at: str) -> bool:
    """Return whether somebody may sign up with the pass of that hash."""
    return bool(store.find(Statement(FIND_GOOD, {"hash": hashed, "at": at})))


def make(fresh: Pass, hashed: str, since: str, most: int) -> list[Statement]:
    """Return the statements that make a pass, if its maker has made fewer than `most` since then.

    The last one writes a row if so. Of two passes that are made at once the second waits for the first.
    """
    row = {name: getattr(fresh, name) for name in ("id", "maker", "created", "expires")}
    return [
        Statement(FORGET, {"maker": fresh.maker, "since": since, "at": fresh.created}),
        Statement(HOLD, {"maker": fresh.maker}),
        Statement(MAKE, {**row, "hash": hashed, "since": since, "most": most}),
    ]


def take(hashed: str, player: str, at: str) -> list[Statement]:
    """Return the statements with which the player signs up with that pass; they fail if it is not good.

    Their transaction fails with them.
    """
    named = {"hash": hashed, "player": player}
    return [Statement(TAKE, {**named, "at": at}), Statement(DEMAND, named)]


def withdraw(maker: str, id: str) -> Statement:
    """Return the statement that deletes the pass; it changes no row if there is none, or somebody has used it."""
    return Statement(WITHDRAW, {"maker": maker, "id": id})
