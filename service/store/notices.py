"""Notices of matches, and the subscriptions by which players get them. The settings of mail are in `mailing`.

A notice is what a player can be told about a match. It holds nothing that the player could not ask for. It is stored in
the transaction of what it tells, as one delivery for each place that its player has chosen for its kind.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from events.store import Statement, Tables
from service import clock
from service.ids import digest
from service.store import deliveries
from service.store.deliveries import Delivery


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
SUBSCRIBE = (
    "INSERT INTO subscriptions (id, channel, player, number, name, address, kinds, secret, created)"
    " SELECT :id, :channel, :player, coalesce(max(number), 0) + 1, :name, :address, :kinds, :secret, :created"
    " FROM subscriptions WHERE player = :player AND channel = :channel HAVING count(*) < :most"
)
SUBSCRIBE_ONLY = (
    "INSERT INTO subscriptions (id, channel, player, number, name, address, kinds, secret, created)"
    " VALUES (:id, :channel, :player, 1, :name, :address, :kinds, :secret, :created)"
    " ON CONFLICT (player, channel, number) DO UPDATE SET id = excluded.id, kinds = excluded.kinds,"
    " secret = excluded.secret, created = excluded.created"
)
CHANGE_SUBSCRIPTION = (
    "UPDATE subscriptions SET name = :name, address = :address, kinds = :kinds WHERE id = :id AND player = :player"
)
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
UNSUBSCRIBE = "DELETE FROM subscriptions WHERE id = :id AND player = :player"
UNSUBSCRIBE_ALL = "DELETE FROM subscriptions WHERE player = :player"


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


def subscribe(one: Subscription, most: int) -> Statement:
    """Return the statement that stores it, which writes no row if the player has `most` of its channel already.

    Raises:  BrokenConstraint, when it is executed, if another one of the player's is stored at the same time.
    """
    named = {**msgspec.structs.asdict(one), "kinds": _kinds(one.kinds), "most": most}
    return Statement(SUBSCRIBE, named)


def subscribe_only(one: Subscription) -> Statement:
    """Return the statement that stores it in place of the player's only one of its channel."""
    return Statement(SUBSCRIBE_ONLY, {**msgspec.structs.asdict(one), "kinds": _kinds(one.kinds)})


def change_subscription(one: Subscription) -> Statement:
    """Return the statement that changes its name, address and kinds."""
    return Statement(CHANGE_SUBSCRIPTION, {**msgspec.structs.asdict(one), "kinds": _kinds(one.kinds)})


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


def unsubscribe(id: str, player: str) -> Statement:
    """Return the statement that deletes it."""
    return Statement(UNSUBSCRIBE, {"id": id, "player": player})


def unsubscribe_all(player: str) -> Statement:
    """Return the statement that deletes all of the player's."""
    return Statement(UNSUBSCRIBE_ALL, {"player": player})


TURN, REMINDER = "turn", "reminder"
STARTED, FINISHED, INVITATION = "match.started", "match.finished", "invitation"
KINDS = (TURN, STARTED, FINISHED, INVITATION, REMINDER)
"""The kinds that a player can choose."""

NEWS = frozenset({STARTED, FINISHED, INVITATION})
"""The kinds about something that has happened. The others are about a decision, and hold as long as it is open."""

ASKED, WARNED = "asked", "warned"
"""Noted about a player's mail on a decision, so that they are asked back once, and warned of a stranger once."""

PING = "ping"
"""A test message, which the owner asks for."""

BY_MAIL = {TURN: deliveries.TURN_BY_MAIL, REMINDER: deliveries.REMINDER_BY_MAIL}
LISTENS = (
    "SELECT 1 FROM subscriptions WHERE player = :player AND disabled IS NULL"
    " UNION ALL SELECT 1 FROM mailing WHERE player = :player AND stopped = '' LIMIT 1"
)


class Notice(msgspec.Struct, frozen=True):
    """A message to a player about a match. It is sent once, however often it is stored."""

    kind: str
    match: str
    game: str
    player: str
    seat: int
    """The player's seat, or the one that is kept for them."""
    at: str
    """When it happened, by the match's log. This is in the future if the clock was set back."""
    decision: int | None = None
    more: dict[str, Any] = {}
    """Further members of the body."""

    @property
    def key(self) -> str:
        """The part of a delivery's id that is equal for equal notices."""
        return digest(f"{self.kind} {self.match} {self.seat} {self.decision or ''}")[:24]

    @property
    def body(self) -> str:
        """The body as JSON, without the deadline, which can change until the message is sent."""
        about = {"match": self.match, "game": self.game, "seat": self.seat, "decision": self.decision, **self.more}
        told = {name: value for name, value in about.items() if name != "decision" or value}
        return msgspec.json.encode(told).decode()


def listens(store: Tables, player: str) -> bool:
    """Return whether the player gets any notices."""
    return bool(store.find(Statement(LISTENS, {"player": player})))


def note(one: Notice, now: datetime) -> list[Statement]:
    """Return the statements that store a delivery of the notice for each place that its player has chosen for its kind.

    Shape:   `now`: the time by this machine's clock. A subscription gets only notices of what happened after it was
             made. One that was made after `now` gets all: the clock was set back since.
    """
    moment = clock.stamp(now)
    about = {"kind": one.kind, "player": one.player, "seat": one.seat, "decision": one.decision, "at": one.at}
    named = {**about, "home": one.match, "key": one.key, "body": one.body, "due": min(one.at, moment)}
    more = {"now": moment, "wanted": f"% {one.kind} %"}
    return [
        Statement(deliveries.TO_SUBSCRIPTIONS, named | more, one.match),
        Statement(BY_MAIL.get(one.kind, deliveries.NEWS_BY_MAIL), named, one.match),
    ]


def mailed(one: Notice, status: str) -> Delivery:
    """Return the delivery of the notice by mail."""
    return Delivery(
        home=one.match,
        id=f"{deliveries.MAIL}:{one.player}_{one.key}",
        channel=deliveries.MAIL,
        target=one.player,
        player=one.player,
        kind=one.kind,
        seat=one.seat,
        decision=one.decision,
        body=one.body,
        at=one.at,
        status=status,
        due=one.at,
    )
