"""Subscriptions: which notices players get by which channel. The settings of mail are in `mailing`."""

from __future__ import annotations

from typing import Any

import msgspec

from events.store import Statement, Tables


class Subscription(msgspec.Struct, frozen=True):
    """A place that gets an account's notices."""

    id: str
    channel: str
    """`webhook` or `feed`."""
    player: str
    name: str
    address: str
    """The address that notices are sent to; "" if they are fetched."""
    kinds: tuple[str, ...]
    secret: str
    """Of a webhook the sealed secret, of a feed the digest of its token."""
    created: str
    former: str | None = None
    """The sealed secret before this one, which also signs until `former_until`."""
    former_until: str | None = None
    failing: str | None = None
    """Since when no delivery has succeeded; None if the last one did."""
    disabled: str | None = None
    """Since when nothing is sent."""
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
    """Reads subscriptions."""

    def __init__(self, store: Tables) -> None:
        self._store = store

    def find(self, id: str) -> Subscription | None:
        """Return the subscription of that id, None if there is none."""
        return self._one(Statement(FIND, {"id": id}))

    def of(self, player: str, channel: str) -> tuple[Subscription, ...]:
        """Return the player's subscriptions of that channel, the oldest first."""
        rows = self._store.find(Statement(FIND_OWN, {"player": player, "channel": channel}))
        return tuple([_subscription(row) for row in rows])

    def by_secret(self, channel: str, secret: str) -> Subscription | None:
        """Return the channel's subscription with that secret, None if there is none."""
        return self._one(Statement(FIND_BY_SECRET, {"channel": channel, "secret": secret}))

    def _one(self, statement: Statement) -> Subscription | None:
        rows = self._store.find(statement)
        return _subscription(rows[0]) if rows else None


def _subscription(row: Any) -> Subscription:
    id, channel, player, name, address, kinds, *rest = row
    return Subscription(id, channel, player, name, address, tuple(kinds.split()), *rest)


def enter(one: Subscription, most: int) -> Statement:
    """Return the statement that stores it, which writes no row if the player has `most` of its channel already.

    Raises:  BrokenConstraint, when it is executed, if another one of the player's is stored at the same time.
    """
    named = {**msgspec.structs.asdict(one), "kinds": _kinds(one.kinds), "most": most}
    return Statement(ENTER, named)


def put(one: Subscription) -> Statement:
    """Return the statement that stores it in place of the player's only one of its channel."""
    return Statement(PUT, {**msgspec.structs.asdict(one), "kinds": _kinds(one.kinds)})


def change(one: Subscription) -> Statement:
    """Return the statement that changes its name, address and kinds."""
    return Statement(CHANGE, {**msgspec.structs.asdict(one), "kinds": _kinds(one.kinds)})


def _kinds(kinds: tuple[str, ...]) -> str:
    """Return the kinds with spaces around each, so that `notices.note` can look for one."""
    return f" {' '.join(kinds)} "


def renew(one: Subscription, secret: str, until: str) -> Statement:
    """Return the statement that gives it another secret. The one before also signs until then."""
    return Statement(RENEW, {"id": one.id, "player": one.player, "secret": secret, "until": until})


def enable(id: str) -> Statement:
    """Return the statement that has notices sent to it again."""
    return Statement(ENABLE, {"id": id})


def disable(id: str, at: str, reason: str) -> Statement:
    """Return the statement that stops all sending to it."""
    return Statement(DISABLE, {"id": id, "at": at, "reason": reason})


def fails(id: str, at: str) -> Statement:
    """Return the statement that notes a failed delivery, unless one was noted since the last success."""
    return Statement(FAILS, {"id": id, "at": at})


def works(id: str) -> Statement:
    """Return the statement that notes a successful delivery."""
    return Statement(WORKS, {"id": id})


def remove(id: str, player: str) -> Statement:
    """Return the statement that deletes it."""
    return Statement(REMOVE, {"id": id, "player": player})


def remove_all(player: str) -> Statement:
    """Return the statement that deletes all of the player's."""
    return Statement(REMOVE_ALL, {"player": player})
