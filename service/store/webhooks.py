"""Webhooks as the service's own tables have them, and what is to be delivered to them.

A delivery lies in the partition of the match that it tells of, so that it is noted in the transaction of what it is
about; one that tells of none lies in the webhook's. A row is noted for each webhook of a player that asks for its kind:
where there is none, none is.
"""

from __future__ import annotations

from typing import Any

import msgspec

from events.store import Statement, Tables

WAITING, DELIVERED, FAILED, DROPPED = "waiting", "delivered", "failed", "dropped"
"""What becomes of a delivery. One is dropped that tells nothing any more: the turn was taken, nobody listens."""

LATEST = ("~", "")
"""Before this place in a list of deliveries all of them stand."""


class Webhook(msgspec.Struct, frozen=True):
    """Where an account wants to be told of what."""

    id: str
    player: str
    name: str
    url: str
    kinds: tuple[str, ...]
    secret: str
    """Sealed."""
    former: str | None
    """The secret before, sealed, by which is signed as well for a while."""
    former_until: str | None
    created: str
    failing: str | None
    """Since when nothing could be delivered."""
    disabled: str | None
    """Since when nothing is to be."""
    reason: str | None


class Delivery(msgspec.Struct, frozen=True):
    """Something that a webhook is told."""

    home: str
    """What tells its partition: the match that it is about, or else its webhook."""
    id: str
    webhook: str
    player: str
    kind: str
    seat: int | None
    decision: int | None
    """The one that it is about: once that is closed there is nothing to tell."""
    body: str
    """JSON."""
    at: str
    status: str
    asked: bool
    """Whether it was asked for once more: then it is told whatever has become of its decision."""
    due: str
    """When it is tried next; while it is tried, when somebody else may."""
    tries: int
    tried: str | None
    answer: int | None
    """The status that the last try was answered with."""
    problem: str | None
    """What was wrong with the last try."""


WEBHOOK = ", ".join(Webhook.__struct_fields__)
DELIVERY = ", ".join(Delivery.__struct_fields__)

FIND_OWN = f"SELECT {WEBHOOK} FROM webhooks WHERE player = :player ORDER BY number"
FIND = f"SELECT {WEBHOOK} FROM webhooks WHERE id = :id"
LISTENS = "SELECT 1 FROM webhooks WHERE player = :player AND disabled IS NULL LIMIT 1"
ENTER = (
    "INSERT INTO webhooks (id, player, number, name, url, kinds, secret, created)"
    " SELECT :id, :player, coalesce(max(number), 0) + 1, :name, :url, :kinds, :secret, :created"
    " FROM webhooks WHERE player = :player HAVING count(*) < :most"
)
CHANGE = "UPDATE webhooks SET name = :name, url = :url, kinds = :kinds WHERE id = :id AND player = :player"
ENABLE = "UPDATE webhooks SET failing = NULL, disabled = NULL, reason = NULL WHERE id = :id AND disabled IS NOT NULL"
DISABLE = "UPDATE webhooks SET disabled = :at, reason = :reason WHERE id = :id AND disabled IS NULL"
RENEW = (
    "UPDATE webhooks SET former = secret, former_until = :until, secret = :secret WHERE id = :id AND player = :player"
)
FAILS = "UPDATE webhooks SET failing = :at WHERE id = :id AND failing IS NULL"
WORKS = "UPDATE webhooks SET failing = NULL WHERE id = :id AND failing IS NOT NULL"
REMOVE = "DELETE FROM webhooks WHERE id = :id AND player = :player"
REMOVE_ALL = "DELETE FROM webhooks WHERE player = :player"

COLUMNS = "partition, home, id, webhook, player, kind, seat, decision, body, at, status, asked, due, tries"
NOTE = f"""
INSERT INTO deliveries ({COLUMNS})
SELECT :partition, :home, webhooks.id || '_' || :key, webhooks.id, webhooks.player, :kind, CAST(:seat AS integer),
    CAST(:decision AS bigint), :body, :at, '{WAITING}', 0, :due, 0
FROM webhooks WHERE webhooks.player = :player AND webhooks.disabled IS NULL
    AND (webhooks.created <= :at OR webhooks.created > :now) AND webhooks.kinds LIKE :wanted
ON CONFLICT (partition, id) DO NOTHING
"""
NOTE_ONE = f"INSERT INTO deliveries ({COLUMNS}) VALUES (:partition, :home, :id, :webhook, :player, :kind, NULL, NULL,"
NOTE_ONE = f"{NOTE_ONE} :body, :at, '{WAITING}', 1, :at, 0)"
PAGE = f"""
SELECT {DELIVERY} FROM deliveries WHERE partition = :partition AND webhook = :webhook
    AND (at, id) < (:moment, :after) ORDER BY at DESC, id DESC LIMIT :most
"""
FIND_ONE = f"SELECT {DELIVERY} FROM deliveries WHERE partition = :partition AND id = :id"
WHO_IS_DUE = f"""
SELECT player, min(due) FROM deliveries WHERE partition = :partition AND status = '{WAITING}' AND due <= :now
GROUP BY player ORDER BY min(due) LIMIT :most
"""
DUE = f"""
SELECT {DELIVERY} FROM deliveries WHERE partition = :partition AND status = '{WAITING}' AND due <= :now
    AND player = :player ORDER BY due, id LIMIT :most
"""
OURS = f"WHERE partition = :partition AND id = :id AND status = '{WAITING}' AND due = :due"
CLAIM = f"UPDATE deliveries SET due = :until, tries = tries + 1, tried = :at {OURS}"
SETTLE = f"UPDATE deliveries SET status = :status, due = :next, answer = :answer, problem = :problem {OURS}"
AGAIN = f"""
UPDATE deliveries SET status = '{WAITING}', asked = 1, due = :at, tries = 0
WHERE partition = :partition AND id = :id AND (status <> '{WAITING}' OR due > :soon)
"""
FORGET = "DELETE FROM deliveries WHERE partition = :partition AND status = :status AND due <= :horizon"
IS_OPEN = (
    "SELECT due FROM decisions WHERE partition = :partition AND match = :match AND seat = :seat AND since = :decision"
    " AND who = :who"
)


class Webhooks:
    """Reads them."""

    def __init__(self, store: Tables) -> None:
        self._store = store

    def find(self, id: str) -> Webhook | None:
        """The webhook of that id, None if there is none."""
        rows = self._store.find(Statement(FIND, {"id": id}))
        return _webhook(rows[0]) if rows else None

    def of(self, player: str) -> tuple[Webhook, ...]:
        """The player's, the oldest first."""
        return tuple([_webhook(row) for row in self._store.find(Statement(FIND_OWN, {"player": player}))])

    def listens(self, player: str) -> bool:
        """Whether the player has one that is to be told something."""
        return bool(self._store.find(Statement(LISTENS, {"player": player})))

    def page(self, webhook: str, most: int, after: tuple[str, str] = LATEST) -> tuple[Delivery, ...]:
        """Its deliveries, the latest first."""
        rows = self._store.find_everywhere(PAGE, webhook=webhook, moment=after[0], after=after[1], most=most)
        found = sorted(map(_delivery, rows), key=lambda one: (one.at, one.id), reverse=True)
        return tuple(found[:most])

    def delivery(self, id: str) -> Delivery | None:
        """The delivery of that id, None if there is none."""
        rows = self._store.find_everywhere(FIND_ONE, id=id)
        return _delivery(rows[0]) if rows else None

    def who_is_due(self, now: str, most: int) -> tuple[str, ...]:
        """The players to whom something is to be delivered now, who waits longest first."""
        rows = sorted(self._store.find_everywhere(WHO_IS_DUE, now=now, most=most), key=lambda row: str(row[1]))
        return tuple(dict.fromkeys([str(player) for player, _ in rows]))[:most]

    def due(self, player: str, now: str, most: int) -> tuple[Delivery, ...]:
        """What is to be delivered to the player now, what waits longest first."""
        rows = self._store.find_everywhere(DUE, player=player, now=now, most=most)
        return tuple(sorted(map(_delivery, rows), key=lambda one: (one.due, one.id))[:most])

    def open_until(self, one: Delivery) -> str | None:
        """When the decision that it is about is due, "" if never; None when that is closed."""
        named = {"match": one.home, "seat": one.seat, "decision": one.decision, "who": f"player:{one.player}"}
        rows = self._store.find(Statement(IS_OPEN, named, one.home))
        return str(rows[0][0]) if rows else None


def _webhook(row: Any) -> Webhook:
    id, player, name, url, kinds, *rest = row
    return Webhook(id, player, name, url, tuple(kinds.split()), *rest)


def _delivery(row: Any) -> Delivery:
    found = Delivery(*row)
    return msgspec.structs.replace(found, asked=bool(found.asked))


def enter(webhook: Webhook, most: int) -> Statement:
    """A new webhook: no row when the player has as many as may be; it fails where another one is entered meanwhile."""
    named = {**msgspec.structs.asdict(webhook), "kinds": _kinds(webhook.kinds), "most": most}
    return Statement(ENTER, named)


def change(webhook: Webhook) -> Statement:
    """What its owner calls it, where it is, and of what it wants to be told."""
    return Statement(CHANGE, {**msgspec.structs.asdict(webhook), "kinds": _kinds(webhook.kinds)})


def _kinds(kinds: tuple[str, ...]) -> str:
    """With a space around each, as `note` looks for one."""
    return f" {' '.join(kinds)} "


def renew(webhook: Webhook, secret: str, until: str) -> Statement:
    """It has another secret; is signed by the one before as well until then."""
    return Statement(RENEW, {"id": webhook.id, "player": webhook.player, "secret": secret, "until": until})


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


def note(
    match: str,
    player: str,
    kind: str,
    key: str,
    body: str,
    at: str,
    now: str,
    seat: int | None = None,
    decision: int | None = None,
) -> Statement:
    """The player is to be told, by each webhook that was there by then and asks for the kind; once for each key.

    Shape:   `at` is when it happened, as its log tells it: after the clock was set back that may come after `now`. A
             webhook that was made after `now` was there before the clock was set back.
    """
    named = {"home": match, "player": player, "kind": kind, "key": key, "body": body, "at": at, "now": now}
    named["due"] = min(at, now)
    return Statement(NOTE, {**named, "wanted": f"% {kind} %", "seat": seat, "decision": decision}, match)


def note_one(webhook: Webhook, id: str, kind: str, body: str, at: str) -> Statement:
    """The webhook is to be told, whatever it asks for."""
    named = {"home": webhook.id, "id": id, "webhook": webhook.id, "player": webhook.player}
    return Statement(NOTE_ONE, {**named, "kind": kind, "body": body, "at": at}, webhook.id)


def claim(one: Delivery, at: str, until: str) -> Statement:
    """It is tried now, by nobody else until then: one row, none if somebody else was first."""
    return Statement(CLAIM, {"id": one.id, "due": one.due, "at": at, "until": until}, one.home)


def settle(one: Delivery, status: str, next: str, answer: int | None, problem: str | None) -> Statement:
    """What came of it: no row if somebody else has it by now."""
    named = {"id": one.id, "due": one.due, "status": status, "next": next, "answer": answer, "problem": problem}
    return Statement(SETTLE, named, one.home)


def again(one: Delivery, at: str, soon: str) -> Statement:
    """It is to be delivered once more: one row, none if it is about to be."""
    return Statement(AGAIN, {"id": one.id, "at": at, "soon": soon}, one.home)


def forget(partition: int, status: str, horizon: str) -> Statement:
    """What has become of those is not to be told any longer."""
    return Statement(FORGET, {"partition": partition, "status": status, "horizon": horizon})
