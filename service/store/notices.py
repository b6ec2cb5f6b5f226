"""Notices: what a player can be told about a match. A notice holds nothing that the player could not ask for.

It is stored in the transaction of what it tells, as one delivery for each place that its player has chosen for its
kind.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from events.store import Statement, Tables
from service import clock
from service.signing import digest
from service.store import deliveries
from service.store.deliveries import Delivery

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
