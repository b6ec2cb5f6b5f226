"""Deliveries: one row for each message and each place that it goes to, by any channel.

A row about a match is in the match's partition, so that it is stored in the transaction of what it tells. A letter is
in its player's partition, and any other row in its target's. A row is stored only if somebody wants the message.
"""

from __future__ import annotations

import msgspec

from events.store import Statement
from service.store.statements import NEWEST, Queries, insert, read_sql, reading, statement

ANSWER = "answer"
"""The kind of the letter that answers a player's mail."""

WAITING, HELD, DELIVERED, FAILED, DROPPED, NOTED = "waiting", "held", "delivered", "failed", "dropped", "noted"
"""The states of a delivery. A held one is not sent, but fetched by a feed or a digest. One is dropped if it is no
longer true or nobody listens any more. A noted one is never sent: it keeps something from being done twice.
"""

MAIL = "mail"
"""The channel of mails. Its settings are in `mailing`, those of all other channels in `subscriptions`."""


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """A message to one place, sent or not."""

    home: str
    """Determines its partition: the match that it is about, the player of a letter, or else its target."""
    id: str
    channel: str
    target: str
    """The subscription, or for a mail its player; "" for a letter, whose row is deleted when it was sent."""
    player: str
    """Its reader; "" for a reader without an account."""
    kind: str
    seat: int | None = None
    decision: int | None = None
    """The decision that it is about. If that is closed, the delivery is dropped."""
    body: str = "{}"
    """JSON."""
    at: str
    """When the thing happened, by the match's log."""
    status: str = WAITING
    asked: bool = False
    """Whether its owner asked for it once more. Then it is sent even if it is no longer true."""
    due: str
    """When it is tried next. While it is tried: when another process may try it."""
    tries: int = 0
    tried: str | None = None
    answer: int | None = None
    """The status code of the answer to the last try."""
    problem: str | None = None
    """The code of what was wrong with the last try."""

    @property
    def is_notice(self) -> bool:
        """Whether it is a notice, and no letter."""
        return self.target != ""

    @property
    def is_kept(self) -> bool:
        """Whether it is kept for a while after it was sent. Of letters, answers are: the mail may come once more."""
        return self.is_notice or self.kind == ANSWER

    @property
    def is_later(self) -> bool:
        """Whether it may come after the news that its match has started."""
        return self.kind != "match.started"


_delivery = reading(Delivery)

ALL = ", ".join(Delivery.__struct_fields__)
SQL = read_sql("deliveries", all=ALL, mail=MAIL, waiting=WAITING, held=HELD, noted=NOTED, dropped=DROPPED)


class DeliveryTable(Queries):
    """Reads deliveries."""

    def page(self, target: str, most: int, after: tuple[str, str] = NEWEST) -> tuple[Delivery, ...]:
        """Return the target's deliveries, the latest first."""
        named = {"target": target, "moment": after[0], "after": after[1]}
        return self._first(most, _delivery, "at id", SQL["page"], named, is_last=True)

    def find(self, id: str) -> Delivery | None:
        """Return the delivery of that id, None if there is none."""
        return next(map(_delivery, self._store.find_everywhere(SQL["find"], id=id)), None)

    def held(self, player: str, target: str) -> tuple[Delivery, ...]:
        """Return what is held for that target of the player's and still true, the earliest first."""
        held = map(_delivery, self._store.find_everywhere(SQL["held_for"], player=player, target=target))
        return tuple(sorted(held, key=lambda delivery: (delivery.at, delivery.id)))

    def who_is_due(self, channel: str, now: str, most: int) -> tuple[str, ...]:
        """Return the players with deliveries due on that channel, the one who waits longest first."""
        rows = self._store.find_everywhere(SQL["who_is_due"], channel=channel, now=now, most=most)
        rows.sort(key=lambda row: str(row[1]))
        return tuple(dict.fromkeys([str(player) for player, _ in rows]))[:most]

    def due(self, channel: str, player: str, now: str, most: int) -> tuple[Delivery, ...]:
        """Return the player's due deliveries: letters first, then those that wait longest.

        Those to subscriptions that fail come last, so that no other waits until they do not answer.
        """
        named = {"channel": channel, "player": player, "now": now}
        order = "is_notice due is_later id"
        found = self._first(most, _delivery, order, SQL["due"], named)
        left = most - len(found)
        return (*found, *self._first(left, _delivery, order, SQL["due_to_failing"], named)) if left else found

    def open_until(self, delivery: Delivery) -> str | None:
        """Return when its decision is due, "" if it has no limit of time; None if it is closed."""
        named = {"seat": delivery.seat, "decision": delivery.decision, "who": f"player:{delivery.player}"}
        return next((str(due) for (due,) in self._in_match(SQL["is_open"], delivery.home, **named)), None)


FIELDS = f"partition {' '.join(Delivery.__struct_fields__)}"
enter = insert("deliveries", FIELDS, SQL["once"])
"""Stores the delivery unless it is stored."""
enter_as_told = insert(
    "deliveries",
    FIELDS,
    "ON CONFLICT (partition, id) DO UPDATE SET status = excluded.status, due = excluded.due"
    f" WHERE deliveries.status = '{WAITING}'",
)
"""Stores the delivery as ended, also if it waits already: another message has told the player."""


def release(player: str, now: str, partitions: int) -> list[Statement]:
    """Return the statements that have the player sent what is held for a mail, in a store with so many partitions."""
    return [_release(number, player, now) for number in range(partitions)]


def change(before: Delivery, after: Delivery) -> Statement:
    """Return the statement that stores status and tries; it changes no row if another process has changed it."""
    changed = {name: getattr(after, name) for name in ("status", "due", "tries", "tried", "answer", "problem")}
    return _change(before.home, before.id, before.status, before.due, **changed)


tell = statement("home id status", SQL["tell"])
"""Stores what became of it in a digest, also if it waits by now, since its player has just turned digests off."""
_change = statement("home id was before status due tries tried answer problem", SQL["change"])
_release = statement("partition player now", SQL["release"])
forget_one = statement(
    "home id status due",
    "DELETE FROM deliveries WHERE partition = :partition AND id = :id AND status = :status AND due = :due",
)
"""Deletes the delivery; it deletes no row if another process has changed it."""
again = statement("home id now soon", SQL["again"])
"""Has the delivery delivered once more; it changes no row if it is delivered soon anyway."""
forget = statement("partition horizon", SQL["forget"])
"""Deletes what came to an end before the horizon."""
