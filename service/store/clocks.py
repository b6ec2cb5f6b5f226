"""The service's own tables about clocks: what the matches' logs don't hold, and when what is due."""

from __future__ import annotations

import msgspec

from service.store.statements import THE_MATCH, THE_SEAT, Queries, insert, read_sql, statement, statements

SQL = read_sql("clocks")
DUE_LAST = SQL["due"].replace("ORDER BY due", "ORDER BY due DESC").replace("ORDER BY at", "ORDER BY at DESC")


class Terms(msgspec.Struct, frozen=True):
    """The terms with which a match was opened and that its log does not hold, and which outages are accounted for."""

    preset: str | None
    bot: str
    """The bot that plays for a seat that was silent for too long or was given up."""
    resignation: str
    """Who plays a seat that was given up: `bot`, or `rules` for the rules' default; `end`: the match ends by it."""
    outage: int = 0
    """The number of the last outage for which the match was extended or needed no extension."""


class Pause(msgspec.Struct, frozen=True):
    """A pause of a match: the reason, its beginning, and when it breaks the match off."""

    reason: str
    since: str
    due: str


class Vacation(msgspec.Struct, frozen=True):
    """A time in which a player's deadlines don't run."""

    id: str
    since: str
    until: str
    days: int = 0
    """The days that it was planned to have. They are spent even if the player came back earlier."""


class Outage(msgspec.Struct, frozen=True):
    """A time in which no process looked after the clocks."""

    id: int
    began: str
    ended: str


class Timetable(Queries):
    """Reads these tables."""

    def terms(self, match_id: str) -> Terms | None:
        """Return the terms with which the match was opened; None if it has none."""
        return next((Terms(*row) for row in self._in_match(SQL["terms"], match_id)), None)

    def pause(self, match_id: str) -> Pause | None:
        """Return the pause that the match is in; None if it is not paused."""
        return next((Pause(*row) for row in self._in_match(SQL["pause"], match_id)), None)

    def reminders(self, match_id: str, now: str) -> tuple[tuple[int, int], ...]:
        """Return the seats that are to be reminded by now, each with its decision."""
        return tuple((int(seat), int(since)) for seat, since in self._in_match(SQL["reminders"], match_id, now=now))

    def is_reminded(self, match_id: str, seat: int, decision: int) -> bool:
        """Return whether the seat was reminded of that decision."""
        return bool(self._in_match(SQL["is_reminded"], match_id, seat=seat, since=decision))

    def vacations(self, player: str, after: str = "") -> tuple[Vacation, ...]:
        """Return the player's vacations that end after that moment, earliest first."""
        return tuple(Vacation(*row) for row in self._find(SQL["vacations"], player=player, after=after))

    def due(self, now: str, most: int) -> dict[str, str]:
        """Return the matches in which something is due by now, with the moment of the first such thing, earliest first.

        Of each kind and partition these are the `most` that were due first, and the `most` that were due last.
        """
        rows = self._store.find_everywhere(SQL["due"], now=now, most=most)
        if len(rows) >= most:
            # if those that were due first can't be settled, those that became due last must not wait for them
            rows = [*rows, *self._store.find_everywhere(DUE_LAST, now=now, most=most)]
        first_due: dict[str, str] = {}
        for match, due in sorted(rows, key=lambda row: (row[1], row[0])):
            first_due.setdefault(match, due)
        return first_due

    def played(self, after: str, most: int) -> tuple[str, ...]:
        """Return at most `most` ids of matches after that id that are being played by a clock, in order."""
        rows = self._store.find_everywhere(SQL["played"], after=after, most=most)
        return tuple(sorted(match for (match,) in rows)[:most])

    def pulse(self) -> str | None:
        """Return when a process last looked after the clocks; None before the first time."""
        return next((str(at) for (at,) in self._find(SQL["pulse"])), None)

    def outages(self, after: int, asked: str) -> tuple[Outage, ...]:
        """Return the outages after that number which ended after that moment."""
        return tuple(Outage(*row) for row in self._find(SQL["outages"], after=after, asked=asked))

    def latest_outage(self) -> int:
        """Return the number of the last outage; 0 before the first."""
        return int(self._find(SQL["latest_outage"])[0][0])


keep = insert("clocks", "partition match preset bot resignation outage")
"""Keeps the terms of a match that is opened."""
reach_outage = statement("match outage", f"UPDATE clocks SET outage = :outage WHERE {THE_MATCH}")
"""Notes that outages up to that number are taken into account for the match."""
wish = statement("match seat wish", f"UPDATE seats SET pausing = :wish WHERE {THE_SEAT}")
"""Notes whether the seat wishes the match paused, or resumed if it is paused."""
END_WISHES = f"UPDATE seats SET pausing = 0 WHERE {THE_MATCH}"
END_PAUSE = f"DELETE FROM pauses WHERE {THE_MATCH}"
demand_wishes = statement("match seat", SQL["demand_wishes"])
"""Fails, and its transaction with it, unless every other player at the table wishes the same."""
pause = statements(
    "match reason since due",
    "INSERT INTO pauses (partition, match, reason, since, due) VALUES (:partition, :match, :reason, :since, :due)",
    END_WISHES,
)
"""Begin a pause and clear all wishes for it."""
resume = statements("match", END_PAUSE, END_WISHES)
"""End the pause and clear all wishes for that."""
remind = insert(
    "reminders",
    "partition match seat since at",
    "ON CONFLICT (partition, match, seat) DO UPDATE SET since = excluded.since, at = excluded.at",
)
"""Has the seat reminded of its decision then, in place of an earlier reminder."""
forget_reminder = statement("match seat since", f"DELETE FROM reminders WHERE {THE_SEAT} AND since = :since")
"""Removes the reminder of that decision."""
reminded = insert("reminded", "partition match seat since player due at")
"""Notes a reminder. It fails, and its transaction, if the player was reminded before."""
settle = statements(
    "match",
    END_WISHES,
    END_PAUSE,
    f"DELETE FROM reminders WHERE {THE_MATCH}",
    f"DELETE FROM reminded WHERE {THE_MATCH}",
)
"""Clear everything about the clock of a match that is over."""

leave = insert("vacations", "id player since until days")
"""Enters a player's vacation."""
come_back = statement(
    "player now", "UPDATE vacations SET until = :now WHERE player = :player AND since <= :now AND until > :now"
)
"""Ends the player's vacation now."""
first_pulse = statement("now", "INSERT INTO pulse (name, at) VALUES ('clocks', :now) ON CONFLICT DO NOTHING")
"""Notes the first look after the clocks; it changes nothing if there was one."""
beat = statement("before now", "UPDATE pulse SET at = :now WHERE name = 'clocks' AND at = :before")
"""Notes a look after the clocks, unless another process noted one since then."""
note_outage = statement(
    "before now",
    "INSERT INTO outages (id, began, ended)"
    " SELECT coalesce((SELECT max(id) FROM outages), 0) + 1, at, CAST(:now AS text)"
    " FROM pulse WHERE name = 'clocks' AND at = :before",
)
"""Enters an outage between the two moments, unless another process did so."""
