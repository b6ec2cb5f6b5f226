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
from service.signing import digest
from service.store import deliveries, people
from service.store.deliveries import Delivery
from service.store.statements import Queries, insert, read_sql, statement, statements


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


SQL = read_sql("notices", all=", ".join(Subscription.__struct_fields__))


class Subscriptions(Queries):
    """Reads subscriptions."""

    def find(self, id: str) -> Subscription | None:
        """Return the subscription of that id, None if there is none."""
        return self._one(SQL["find"], id=id)

    def of(self, player: str, channel: str) -> tuple[Subscription, ...]:
        """Return the player's subscriptions of that channel, the oldest first."""
        return tuple(map(_subscription, self._find(SQL["of_player"], player=player, channel=channel)))

    def by_secret(self, channel: str, secret: str) -> Subscription | None:
        """Return the channel's subscription with that secret, None if there is none."""
        return self._one(SQL["by_secret"], channel=channel, secret=secret)

    def _one(self, sql: str, **named: str) -> Subscription | None:
        return next(map(_subscription, self._find(sql, **named)), None)


def _subscription(row: Any) -> Subscription:
    id, channel, player, name, address, kinds, *rest = row
    return Subscription(id, channel, player, name, address, tuple(kinds.split()), *rest)


def subscribe(subscription: Subscription, most: int) -> list[Statement]:
    """Return the statements that store it; they fail for a missing value if the player has `most`, or was erased.

    They break a constraint if another one of the player's is stored at the same time.
    """
    account = people.demand_account(subscription.player)
    return [*account, *_subscribe(subscription, most, kinds=_kinds(subscription.kinds))]


def subscribe_only(subscription: Subscription) -> list[Statement]:
    """Return the statements that store it in place of the player's only one of its channel.

    They fail for a missing value if the player was erased.
    """
    account = people.demand_account(subscription.player)
    return [*account, _subscribe_only(subscription, number=1, kinds=_kinds(subscription.kinds))]


def change_subscription(
    id: str, player: str, name: str | None, address: str | None, kinds: tuple[str, ...] | None
) -> Statement:
    """Return the statement that changes what is not None."""
    return _change(id, player, name, address, None if kinds is None else _kinds(kinds))


def _kinds(kinds: tuple[str, ...]) -> str:
    """Return the kinds with spaces around each, so that `note` can look for one."""
    return f" {' '.join(kinds)} "


_subscribe = statements(
    "id channel player name address kinds secret created most", SQL["subscribe"], SQL["demand_subscribed"]
)
_subscribe_only = insert("subscriptions", "id channel player number name address kinds secret created", SQL["in_place"])
CHANGE = "UPDATE subscriptions SET {} WHERE id = :id"
_change = statement(
    "id player name address kinds",
    CHANGE.format(
        "name = coalesce(:name, name), address = coalesce(:address, address), kinds = coalesce(:kinds, kinds)"
    )
    + " AND player = :player",
)
renew = statement(
    "id player fresh until",
    CHANGE.format("former = secret, former_until = :until, secret = :fresh") + " AND player = :player",
)
"""Gives it another secret. The one before also signs until then."""
enable = statement("id", CHANGE.format("failing = NULL, disabled = NULL, reason = NULL") + " AND disabled IS NOT NULL")
"""Has notices sent to it again."""
disable = statement("id at reason", CHANGE.format("disabled = :at, reason = :reason") + " AND disabled IS NULL")
"""Stops all sending to it."""
fails = statement("id at", CHANGE.format("failing = :at") + " AND failing IS NULL")
"""Notes a failed delivery, unless one was noted since the last success."""
works = statement("id", CHANGE.format("failing = NULL") + " AND failing IS NOT NULL")
"""Notes a successful delivery."""
end_all = statements("player at", SQL["end_fetched"], SQL["end_sent"])
"""Delete what the player, and the bot accounts that they have made, fetch from (feeds), and disable all else."""
unsubscribe = statement("id player", "DELETE FROM subscriptions WHERE id = :id AND player = :player")
"""Deletes it."""

TURN, REMINDER = "turn", "reminder"
STARTED, FINISHED, INVITATION = "match.started", "match.finished", "invitation"
PROPOSAL, STAND_IN = "proposal", "stand-in"
KINDS = (TURN, STARTED, FINISHED, INVITATION, PROPOSAL, STAND_IN, REMINDER)
"""The kinds that a player can choose."""

NEWS = frozenset({STARTED, FINISHED, INVITATION, PROPOSAL, STAND_IN})
"""The kinds about something that has happened. The others are about a decision, and hold as long as it is open."""

ASKED, WARNED = "asked", "warned"
"""Notes about a decision that a player was asked again by mail, or warned of a stranger's mail: each is done once."""

PING = "ping"
"""A test message, which the owner asks for."""

BY_MAIL = {TURN: "turn_by_mail", REMINDER: "reminder_by_mail", **dict.fromkeys((INVITATION, PROPOSAL), "asked_by_mail")}


class Notice(msgspec.Struct, frozen=True):
    """A message to a player about a match. It is sent once, however often it is stored."""

    kind: str
    match: str
    game: str
    player: str
    seat: int
    """The player's seat, or the one that is kept for them or offered to them."""
    at: str
    """When it happened, by the match's log. This is in the future if the clock was set back."""
    decision: int | None = None
    more: dict[str, Any] = {}
    """Further members of the body."""
    mark: str = ""
    """What tells it from other notices of its kind to the seat that are about no decision."""

    @property
    def key(self) -> str:
        """The part of a delivery's id that is equal for equal notices."""
        return digest(f"{self.kind} {self.match} {self.seat} {self.decision or self.mark}")[:24]

    @property
    def body(self) -> str:
        """The body as JSON, without the deadline, which can change until the message is sent."""
        about = {"match": self.match, "game": self.game, "seat": self.seat, "decision": self.decision, **self.more}
        members = {name: value for name, value in about.items() if name != "decision" or value}
        return msgspec.json.encode(members).decode()


def listens(store: Tables, player: str) -> bool:
    """Return whether the player gets any notices."""
    return bool(store.find(Statement(SQL["listens"], {"player": player})))


def note(notice: Notice, now: datetime) -> list[Statement]:
    """Return the statements that store a delivery of the notice for each place that its player has chosen for its kind.

    Shape:   `now`: the time by this machine's clock. A subscription gets only notices of what happened after it was
             made. One that was made after `now` gets all: the clock was set back since.
    """
    moment = clock.stamp(now)
    about = {name: getattr(notice, name) for name in ("kind", "player", "seat", "decision", "at", "key", "body")}
    named = {**about, "home": notice.match, "due": min(notice.at, moment)}
    more = {"now": moment, "wanted": f"% {notice.kind} %"}
    return [
        Statement(deliveries.SQL["to_subscriptions"], named | more, notice.match),
        Statement(deliveries.SQL[BY_MAIL.get(notice.kind, "news_by_mail")], named, notice.match),
    ]


def mailed(notice: Notice, status: str) -> Delivery:
    """Return the delivery of the notice by mail."""
    return Delivery(
        home=notice.match,
        id=f"{deliveries.MAIL}:{notice.player}_{notice.key}",
        channel=deliveries.MAIL,
        target=notice.player,
        player=notice.player,
        kind=notice.kind,
        seat=notice.seat,
        decision=notice.decision,
        body=notice.body,
        at=notice.at,
        status=status,
        due=notice.at,
    )
