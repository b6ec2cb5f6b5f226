"""Subscriptions: where players want to be told of what, by any channel but mail, whose settings lie in `mailing`."""

from __future__ import annotations

from typing import Any

import msgspec

from events.store import Statement, Tables


class Subscription(msgspec.Struct, frozen=True):
    """Where an account wants to be told of what."""

    id: str
    channel: str
    """By which they are told: `webhook` or `feed`."""
    player: str
    name: str
    address: str
    """Where it is sent; "" where it is fetched."""
    kinds: tuple[str, ...]
    secret: str
    """Sealed, or a digest."""
    created: str
    former: str | None = None
    """The secret before, sealed, by which is signed as well for a while."""
    former_until: str | None = None
    failing: str | None = None
    """Since when nothing could be delivered."""
    disabled: str | None = None
    """Since when nothing is to be."""
    reason: str | None = None


ALL = ", ".join(Subscription.__struct_fields__)

FIND_OWN = f"SELECT {ALL} FROM subscriptions WHERE player = :player AND channel = :channel ORDER BY number"
FIND = f"SELECT {ALL} FROM subscriptions WHERE id = :id"
FIND_BY_SECRET = f"SELECT {ALL} FROM subscriptions WHERE channel = :channel AND secret = :secret"
ENTER = (
    "INSERT INTO subscriptions (id, channel, player, number, name, address, kinds, secret, created)"
    " SELECT :id, :channel, :player, coalesce(max(number), 0) + 1, :name, :address, :kinds, :secret, :created"
    " FROM subscriptions WHERE player = :player AND channel = :channel HAVING count(*) < :most"
)
PUT = (
    "INSERT INTO subscriptions (id, channel, player, number, name, address, kinds, secret, created)"
    " VALUES (:id, :channel, :player, 1, :name, :address, :kinds, :secret, :created)"
    " ON CONFLICT (player, channel, number) DO UPDATE SET id = excluded.id, kinds = excluded.kinds,"
    " secret = excluded.secret, created = excluded.created"
)
CHANGE = "UPDATE subscriptions SET name = :name, address = :address, kinds = :kinds WHERE id = :id AND player = :player"
ENABLE = (
    "UPDATE subscriptions SET failing = NULL, disabled = NULL, reason = NULL WHERE id = :id AND disabled IS NOT NULL"
)
DISABLE = "UPDATE subscriptions SET disabled = :at, reason = :reason WHERE id = :id AND disabled IS NULL"
RENEW = (
    "UPDATE subscriptions SET former = secret, former_until = :until, secret = :secret"
    " WHERE id = :id AND player = :player"
)
FAILS = "UPDATE subscriptions SET failing = :at WHERE id = :id AND failing IS NULL"
WORKS = "UPDATE subscriptions SET failing = NULL WHERE id = :id AND failing IS NOT NULL"
REMOVE = "DELETE FROM subscriptions WHERE id = :id AND player = :player"
REMOVE_ALL = "DELETE FROM subscriptions WHERE player = :player"


class Subscriptions:
    """Reads them."""

    def __init__(self, store: Tables) -> None:
        self._store = store

    def find(self, id: str) -> Subscription | None:
        """Return the subscription of that id, None if there is none."""
        return self._one(Statement(FIND, {"id": id}))

    def of(self, player: str, channel: str) -> tuple[Subscription, ...]:
        """Return the player's by that channel, the oldest first."""
        rows = self._store.find(Statement(FIND_OWN, {"player": player, "channel": channel}))
        return tuple([_subscription(row) for row in rows])

    def by_secret(self, channel: str, secret: str) -> Subscription | None:
        """Return the channel's subscription that is known by that secret, None if there is none."""
        return self._one(Statement(FIND_BY_SECRET, {"channel": channel, "secret": secret}))

    def _one(self, statement: Statement) -> Subscription | None:
        rows = self._store.find(statement)
        return _subscription(rows[0]) if rows else None


def _subscription(row: Any) -> Subscription:
    id, channel, player, name, address, kinds, *rest = row
    return Subscription(id, channel, player, name, address, tuple(kinds.split()), *rest)


def enter(one: Subscription, most: int) -> Statement:
    """Enter it: no row when the player has as many as may be by its channel.

    Raises:  BrokenConstraint, when it is executed, where another one is entered at once.
    """
    named = {**msgspec.structs.asdict(one), "kinds": _kinds(one.kinds), "most": most}
    return Statement(ENTER, named)


def put(one: Subscription) -> Statement:
    """Return the statement that enters it in place of the player's only one by its channel."""
    return Statement(PUT, {**msgspec.structs.asdict(one), "kinds": _kinds(one.kinds)})


def change(one: Subscription) -> Statement:
    """What its owner calls it, where it is, and of what it wants to be told."""
    return Statement(CHANGE, {**msgspec.structs.asdict(one), "kinds": _kinds(one.kinds)})


def _kinds(kinds: tuple[str, ...]) -> str:
    """With a space around each, as `note` looks for one."""
    return f" {' '.join(kinds)} "


def renew(one: Subscription, secret: str, until: str) -> Statement:
    """It has another secret; is signed by the one before as well until then."""
    return Statement(RENEW, {"id": one.id, "player": one.player, "secret": secret, "until": until})


def enable(id: str) -> Statement:
    """It is told things again."""
    return Statement(ENABLE, {"id": id})


def disable(id: str, at: str, reason: str) -> Statement:
    """It is told nothing more."""
    return Statement(DISABLE, {"id": id, "at": at, "reason": reason})


def fails(id: str, at: str) -> Statement:
    """Nothing can be delivered to it since then, or longer."""
    return Statement(FAILS, {"id": id, "at": at})


def works(id: str) -> Statement:
    """Something was delivered to it."""
    return Statement(WORKS, {"id": id})


def remove(id: str, player: str) -> Statement:
    """It is forgotten."""
    return Statement(REMOVE, {"id": id, "player": player})


def remove_all(player: str) -> Statement:
    """All of the player's are forgotten."""
    return Statement(REMOVE_ALL, {"player": player})
