"""Messages at tables, in the service's own tables: beside the log, never in it, and erased for good.

A message has a number in its match, and the number of the change of the match's talk that made it as it is. A reader
who continues after a change gets what was said since, and also what was erased.
"""

from __future__ import annotations

import msgspec

from events.store import Row
from service.shapes import Moment
from service.store.people import Who, somebody, who
from service.store.statements import Queries, insert, read_sql, statement, statements

SQL = read_sql("talk")


class Message(msgspec.Struct, frozen=True):
    """A message from a seat."""

    number: int
    """The message's number in its match, which never changes."""
    seat: int
    player: Who | None
    """The player; null if the account was erased."""
    text: str | None
    """Lines of plain text; null if the message was erased."""
    at: Moment


class Report(msgspec.Struct, frozen=True):
    """A message that was reported to the operator, as it was then."""

    at: Moment
    match: str
    number: int
    """The message's number in its match."""
    by: Who
    """Who reported it."""
    author: Who | None
    """Who wrote it; null if the account was erased."""
    seat: int
    text: str | None
    """Lines of plain text; null if the author's account was erased."""
    reason: str
    """Why, in the reporter's words."""


Place = tuple[str, str, int, str]
"""Moment, match, number and reporter: where a page of reports ended."""

FIRST: Place = ("", "", 0, "")


class Muted(msgspec.Struct, frozen=True):
    """Somebody whom you have muted."""

    player: Who
    at: Moment


class Spoken(Queries):
    """Reads these tables."""

    def since(self, match_id: str, change: int, limit: int) -> tuple[tuple[int, Message], ...]:
        """Return the messages that are new or changed after that change, each after its change, ordered by change."""
        rows = self._in_match(SQL["since"], match_id, since=change, limit=limit)
        return tuple([(row[0], _message(row)) for row in rows])

    def before(self, match_id: str, number: int, limit: int) -> tuple[Message, ...]:
        """Return the messages before that number, newest first."""
        return tuple(map(_message, self._in_match(SQL["before"], match_id, before=number, limit=limit)))

    def message(self, match_id: str, number: int) -> Message | None:
        """Return the message with that number; None if there is none."""
        return next(map(_message, self._in_match(SQL["message"], match_id, number=number)), None)

    def last(self, match_id: str) -> int:
        """Return the number of the match's last change."""
        return int(self._in_match(SQL["last"], match_id)[0][0])

    def count(self, match_id: str, player: str) -> int:
        """Return how many messages the player has written in the match."""
        return int(self._in_match(SQL["count"], match_id, player=player)[0][0])

    def reports(self, after: Place, limit: int) -> tuple[Report, ...]:
        """Return the reports after that place, oldest first."""
        at, match_id, number, reporter = after
        named = {"at": at, "match": match_id, "number": number, "reporter": reporter}
        return self._first(limit, _report, "at match number by.id", SQL["reports"], named)

    def mutes(self, player: str) -> tuple[Muted, ...]:
        """Return the players that this player has muted, in the order in which they did."""
        rows = self._find(SQL["mutes"], player=player)
        return tuple([Muted(somebody(*row[:3]), row[3]) for row in rows])


def _message(row: Row) -> Message:
    return Message(row[1], row[2], who(*row[3:6]), row[6], row[7])


def _report(row: Row) -> Report:
    at, match, number, *people, seat, text, reason = row
    return Report(at, match, number, somebody(*people[:3]), who(*people[3:]), seat, text, reason)


say = insert("talk", "partition match number change seat player text at")
"""Enters a message. It fails if there is one with that number."""
erase = statement("match number", SQL["erase"])
"""Erases the message, as a change that readers will see."""
report = statement("match number reporter reason at", SQL["report"])
"""Reports the message to the operator; once for each reporter."""
settle = statement("match number", SQL["settle"])
"""Deletes the reports of a message that the operator has looked at."""
mute = statements(
    "player muted at most",
    SQL["demand_mute"],
    "INSERT INTO mutes (player, muted, at) VALUES (:player, :muted, :at) ON CONFLICT DO NOTHING",
)
"""The player mutes another one; they fail, and their transaction with them, if the player has muted `most` others."""
unmute = statement("player muted", "DELETE FROM mutes WHERE player = :player AND muted = :muted")
"""The player stops muting another one."""
