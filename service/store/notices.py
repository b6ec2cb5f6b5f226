"""Notices: what a player can be told of a match. It is little, and nothing that the player can't ask for.

A notice is noted by statements for the transaction of what it tells about, a row for each place that its player wants
to be told at; where nobody listens they write nothing.
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

TURN, REMINDER = "turn", "reminder"
STARTED, FINISHED, INVITATION = "match.started", "match.finished", "invitation"
KINDS = (TURN, STARTED, FINISHED, INVITATION, REMINDER)
"""What can be asked for."""

NEWS = frozenset({STARTED, FINISHED, INVITATION})
"""Kinds that tell of what has happened; the others tell of a decision, as long as it is open."""

ASKED, WARNED = "asked", "warned"
"""Noted of a player's mail about a decision: that they were asked back, or warned of a stranger, so that it is once."""

PING = "ping"
"""Sent when the owner wants to see whether it arrives."""

BY_MAIL = {TURN: deliveries.TURN_BY_MAIL, REMINDER: deliveries.REMINDER_BY_MAIL}
LISTENS = (
    "SELECT 1 FROM subscriptions WHERE player = :player AND disabled IS NULL"
    " UNION ALL SELECT 1 FROM mailing WHERE player = :player AND stopped = '' LIMIT 1"
)


class Notice(msgspec.Struct, frozen=True):
    """Something that a player is to be told of a match, once, however often it is noted and by whom."""

    kind: str
    match: str
    game: str
    player: str
    seat: int
    """Theirs, or the one that is kept for them."""
    at: str
    """When it happened, as the match's log says. After the clock was set back, that may be in the future."""
    decision: int | None = None
    more: dict[str, Any] = {}
    """What its kind tells beside that."""

    @property
    def key(self) -> str:
        """The same for the same notice, whoever notes it."""
        return digest(f"{self.kind} {self.match} {self.seat} {self.decision or ''}")[:24]

    @property
    def body(self) -> str:
        """What is told, as JSON. When an answer is due is put in when it is sent: a clock may have moved it by then."""
        about = {"match": self.match, "game": self.game, "seat": self.seat, "decision": self.decision, **self.more}
        told = {name: value for name, value in about.items() if name != "decision" or value}
        return msgspec.json.encode(told).decode()


def listens(store: Tables, player: str) -> bool:
    """Return whether the player wants to be told anything anywhere."""
    return bool(store.find(Statement(LISTENS, {"player": player})))


def note(one: Notice, now: datetime) -> list[Statement]:
    """Have it told wherever its player wants to hear of its kind.

    Shape:   `now`: by the clock by which it is sent. A subscription that was made after `now` was there before the
             clock was set back; any other hears only of what came after it.
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
    """Return the row that says of a notice what became of it by mail."""
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
