"""What is said at tables, as the service's own tables have it: beside the log, never in it, and erased for good.

A message has a number in its match, and the count of the match's changes at which it came to be as it is. Whoever reads
on after a change is told what was said since, and also what was erased.
"""

from __future__ import annotations

from typing import Any

import msgspec

from events.store import Reader, Statement
from service.shapes import Moment
from service.store.people import Who, somebody, who

COLUMNS = (
    "SELECT talk.number, talk.change, talk.seat, talk.player, players.name, players.kind, talk.text, talk.at FROM talk"
    " LEFT JOIN players ON players.id = talk.player WHERE talk.partition = :partition AND talk.match = :match"
)
FIND_SINCE = f"{COLUMNS} AND talk.change > :since ORDER BY talk.change LIMIT :limit"
FIND_BEFORE = f"{COLUMNS} AND talk.number < :before ORDER BY talk.number DESC LIMIT :limit"
FIND_MESSAGE = f"{COLUMNS} AND talk.number = :number"
FIND_LAST = "SELECT coalesce(max(change), 0) FROM talk WHERE partition = :partition AND match = :match"
COUNT_SAID = "SELECT count(*) FROM talk WHERE partition = :partition AND match = :match AND player = :player"
SAY = """
INSERT INTO talk (partition, match, number, change, seat, player, text, at)
VALUES (:partition, :match, :number, :number, :seat, :player, :text, :at)
"""
ERASE = """
UPDATE talk SET text = NULL, change = (
    SELECT max(said.change) + 1 FROM talk AS said WHERE said.partition = :partition AND said.match = :match)
WHERE partition = :partition AND match = :match AND number = :number AND text IS NOT NULL
"""
# each of the changes is another one, and later than all there were
ERASE_ALL = """
UPDATE talk SET text = NULL, player = NULL, change = talk.number + (
    SELECT max(said.change) FROM talk AS said WHERE said.partition = :partition AND said.match = talk.match)
WHERE partition = :partition AND player = :player
"""
REPORT = """
INSERT INTO reports (partition, match, number, reporter, author, seat, text, reason, at)
SELECT partition, match, number, :reporter, player, seat, text, :reason, :at FROM talk
WHERE partition = :partition AND match = :match AND number = :number AND text IS NOT NULL
ON CONFLICT DO NOTHING
"""
FIND_REPORTS = """
SELECT reports.at, reports.match, reports.number, reports.reporter, reporting.name, reporting.kind, reports.author,
    talking.name, talking.kind,
    reports.seat, reports.text, reports.reason
FROM reports LEFT JOIN players AS reporting ON reporting.id = reports.reporter
LEFT JOIN players AS talking ON talking.id = reports.author
WHERE reports.partition = :partition
    AND (reports.at > :at OR (reports.at = :at AND (reports.match, reports.number, reports.reporter)
        > (:match, :number, :reporter)))
ORDER BY reports.at, reports.match, reports.number, reports.reporter LIMIT :limit
"""
SETTLE = "DELETE FROM reports WHERE partition = :partition AND match = :match AND number = :number"
FORGET_REPORTS = "DELETE FROM reports WHERE partition = :partition AND reporter = :player"
FORGET_REPORTED = "UPDATE reports SET text = NULL, author = NULL WHERE partition = :partition AND author = :player"
MUTE = "INSERT INTO mutes (player, muted, at) VALUES (:player, :muted, :at) ON CONFLICT DO NOTHING"
UNMUTE = "DELETE FROM mutes WHERE player = :player AND muted = :muted"
FORGET_MUTES = "DELETE FROM mutes WHERE player = :player OR muted = :player"
FIND_MUTES = """
SELECT mutes.muted, players.name, players.kind, mutes.at FROM mutes LEFT JOIN players ON players.id = mutes.muted
WHERE mutes.player = :player ORDER BY mutes.at, mutes.muted
"""


class Message(msgspec.Struct, frozen=True):
    """Something that was said from a seat."""

    number: int
    change: int
    seat: int
    player: str | None
    """None: their account is gone."""
    player_name: str | None
    player_kind: str | None
    text: str | None
    """None: it was erased."""
    at: str


class Report(msgspec.Struct, frozen=True):
    """A message that somebody wants the operator to look at, as it was then."""

    at: Moment
    match: str
    number: int
    """The message's number in its match."""
    by: Who
    author: Who | None
    """Who said it; null: their account is gone, and what they said with it."""
    seat: int
    text: str | None
    reason: str
    """Why, in the words of who reports it."""


Place = tuple[str, str, int, str]
"""When, match, number and by whom: where a page of reports ended."""

FIRST: Place = ("", "", 0, "")


class Muted(msgspec.Struct, frozen=True):
    """Somebody of whom you hear nothing."""

    player: Who
    at: Moment


class Spoken:
    """Reads what was said."""

    def __init__(self, store: Reader) -> None:
        self._store = store

    def _ask(self, sql: str, match_id: str, **named: object) -> tuple[Message, ...]:
        found = self._store.find(Statement(sql, {"match": match_id, **named}, match_id))
        return tuple([Message(*row) for row in found])

    def since(self, match_id: str, change: int, limit: int) -> tuple[Message, ...]:
        """The messages that have come or changed after that change, in the order of their changes."""
        return self._ask(FIND_SINCE, match_id, since=change, limit=limit)

    def before(self, match_id: str, number: int, limit: int) -> tuple[Message, ...]:
        """The messages before that number, the newest first."""
        return self._ask(FIND_BEFORE, match_id, before=number, limit=limit)

    def message(self, match_id: str, number: int) -> Message | None:
        """That one, None if there is none."""
        return next(iter(self._ask(FIND_MESSAGE, match_id, number=number)), None)

    def last(self, match_id: str) -> int:
        """The match's last change."""
        return int(self._store.find(Statement(FIND_LAST, {"match": match_id}, match_id))[0][0])

    def count(self, match_id: str, player: str) -> int:
        """How often the player has said something."""
        return int(self._store.find(Statement(COUNT_SAID, {"match": match_id, "player": player}, match_id))[0][0])

    def reports(self, after: Place, limit: int) -> tuple[Report, ...]:
        """The reports after that place, the oldest first."""
        at, match_id, number, reporter = after
        named = {"at": at, "match": match_id, "number": number, "reporter": reporter, "limit": limit}
        rows = self._store.find_everywhere(FIND_REPORTS, **named)
        found = [_report(*row) for row in rows]
        return tuple(sorted(found, key=lambda one: (one.at, one.match, one.number, one.by.id))[:limit])

    def mutes(self, player: str) -> tuple[Muted, ...]:
        """Whom the player wants to hear nothing of, in the order in which they said so."""
        rows = self._store.find(Statement(FIND_MUTES, {"player": player}))
        return tuple([Muted(somebody(*row[:3]), row[3]) for row in rows])


def _report(at: str, match: str, number: int, *more: Any) -> Report:
    return Report(at, match, number, somebody(*more[:3]), who(*more[3:6]), more[6], more[7], more[8])


def say(match_id: str, message: Message) -> Statement:
    """It is said. Fails when another one has that number."""
    told = {name: getattr(message, name) for name in ("number", "seat", "player", "text", "at")}
    return Statement(SAY, {"match": match_id, **told}, match_id)


def erase(match_id: str, number: int) -> Statement:
    """The message is erased, and who reads on is told so."""
    return Statement(ERASE, {"match": match_id, "number": number}, match_id)


def report(match_id: str, number: int, reporter: str, reason: str, at: str) -> Statement:
    """The operator is to look at it; once for each who wants so."""
    named = {"match": match_id, "number": number, "reporter": reporter, "reason": reason, "at": at}
    return Statement(REPORT, named, match_id)


def settle(match_id: str, number: int) -> Statement:
    """The operator has looked at it."""
    return Statement(SETTLE, {"match": match_id, "number": number}, match_id)


def mute(player: str, muted: str, at: str) -> Statement:
    """The player wants to hear nothing of them."""
    return Statement(MUTE, {"player": player, "muted": muted, "at": at})


def unmute(player: str, muted: str) -> Statement:
    """Or wants to hear them again."""
    return Statement(UNMUTE, {"player": player, "muted": muted})


def erase_of(player: str, partitions: int) -> list[Statement]:
    """All that the player has ever said, in every match of a store of so many partitions, and whom they muted: for the
    transaction in which their account goes.
    """
    each = (FORGET_REPORTS, FORGET_REPORTED, ERASE_ALL)
    return [
        *(
            Statement(sql, {"player": player, "partition": partition})
            for partition in range(partitions)
            for sql in each
        ),
        Statement(FORGET_MUTES, {"player": player}),
    ]
