"""Passes: each lets one person sign up where not everybody may."""

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
    """What is kept of a pass: enough to tell it from others, not to sign up by it."""

    id: str
    maker: str
    created: str
    expires: str
    player: str | None = None
    """Who has signed up by it; None: nobody yet."""


def of_maker(store: Tables, maker: str) -> tuple[Pass, ...]:
    """Those that somebody has made, the oldest first."""
    return tuple(Pass(*row) for row in store.find(Statement(FIND, {"maker": maker})))


def is_good(store: Tables, hashed: str, at: str) -> bool:
    """Whether somebody may sign up by the pass of that hash."""
    return bool(store.find(Statement(FIND_GOOD, {"hash": hashed, "at": at})))


def make(one: Pass, hashed: str, since: str, most: int) -> list[Statement]:
    """A new pass, if its maker has made less than that many since then: the last statement tells it by its row. Of two
    that are made at once the second waits for the first.
    """
    row = {name: getattr(one, name) for name in ("id", "maker", "created", "expires")}
    return [
        Statement(FORGET, {"maker": one.maker, "since": since, "at": one.created}),
        Statement(HOLD, {"maker": one.maker}),
        Statement(MAKE, {**row, "hash": hashed, "since": since, "most": most}),
    ]


def take(hashed: str, player: str, at: str) -> list[Statement]:
    """The player signs up by that pass. It fails, and its transaction with it, if nobody may."""
    named = {"hash": hashed, "player": player}
    return [Statement(TAKE, {**named, "at": at}), Statement(DEMAND, named)]


def withdraw(maker: str, id: str) -> Statement:
    """Nobody signs up by it any longer: one row, none if there is no such pass, or somebody has."""
    return Statement(WITHDRAW, {"maker": maker, "id": id})
