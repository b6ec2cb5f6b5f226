"""The service's own tables about clocks: what the matches' logs don't hold, and when what is due."""

from __future__ import annotations

import msgspec

from events.store import Row, Statement, Tables

KEEP = (
    "INSERT INTO clocks (partition, match, preset, bot, resignation, outage)"
    " VALUES (:partition, :match, :preset, :bot, :resignation, 0)"
)
FIND_TERMS = "SELECT preset, bot, resignation, outage FROM clocks WHERE partition = :partition AND match = :match"
REACH_OUTAGE = "UPDATE clocks SET outage = :outage WHERE partition = :partition AND match = :match"
PLAYED = """
SELECT clocks.match FROM clocks JOIN matches ON matches.partition = clocks.partition AND matches.id = clocks.match
WHERE clocks.partition = :partition AND clocks.match > :after AND matches.status = 'playing'
ORDER BY clocks.match LIMIT :most
"""

WISH = "UPDATE seats SET pausing = :wish WHERE partition = :partition AND match = :match AND seat = :seat"
END_WISHES = "UPDATE seats SET pausing = 0 WHERE partition = :partition AND match = :match"
PAUSE = "INSERT INTO pauses (partition, match, reason, since, due) VALUES (:partition, :match, :reason, :since, :due)"
FIND_PAUSE = "SELECT reason, since, due FROM pauses WHERE partition = :partition AND match = :match"
END_PAUSE = "DELETE FROM pauses WHERE partition = :partition AND match = :match"

REMIND = """
INSERT INTO reminders (partition, match, seat, since, at) VALUES (:partition, :match, :seat, :since, :at)
ON CONFLICT (partition, match, seat) DO UPDATE SET since = excluded.since, at = excluded.at
"""
FIND_REMINDERS = "SELECT seat, since FROM reminders WHERE partition = :partition AND match = :match AND at <= :now"
END_REMINDER = (
    "DELETE FROM reminders WHERE partition = :partition AND match = :match AND seat = :seat AND since = :since"
)
END_REMINDERS = "DELETE FROM reminders WHERE partition = :partition AND match = :match"
REMINDED = (
    "INSERT INTO reminded (partition, match, seat, since, player, due, at)"
    " VALUES (:partition, :match, :seat, :since, :player, :due, :at)"
)
IS_REMINDED = (
    "SELECT 1 FROM reminded WHERE partition = :partition AND match = :match AND seat = :seat AND since = :since"
)
END_REMINDED = "DELETE FROM reminded WHERE partition = :partition AND match = :match"

LEAVE = "INSERT INTO vacations (id, player, since, until, days) VALUES (:id, :player, :since, :until, :days)"
RETURN = "UPDATE vacations SET until = :now WHERE player = :player AND since <= :now AND until > :now"
FORGET_VACATIONS = "DELETE FROM vacations WHERE player = :player"
FIND_VACATIONS = "SELECT id, since, until, days FROM vacations WHERE player = :player AND until > :after ORDER BY since"

DUE = """
SELECT match, due FROM (SELECT match, due FROM decisions
    WHERE decisions.partition = :partition AND due <> '' AND due <= :now ORDER BY due LIMIT :most) AS late
UNION ALL SELECT match, at FROM (SELECT match, at FROM reminders
    WHERE reminders.partition = :partition AND at <= :now ORDER BY at LIMIT :most) AS slow
UNION ALL SELECT match, due FROM (SELECT match, due FROM pauses
    WHERE pauses.partition = :partition AND due <= :now ORDER BY due LIMIT :most) AS paused
"""
DUE_LAST = DUE.replace("ORDER BY due", "ORDER BY due DESC").replace("ORDER BY at", "ORDER BY at DESC")

FIND_PULSE = "SELECT at FROM pulse WHERE name = 'clocks'"
FIRST_PULSE = "INSERT INTO pulse (name, at) VALUES ('clocks', :now) ON CONFLICT DO NOTHING"
BEAT = "UPDATE pulse SET at = :now WHERE name = 'clocks' AND at = :before"
NOTE_OUTAGE = """
INSERT INTO outages (id, began, ended) SELECT coalesce((SELECT max(id) FROM outages), 0) + 1, at, CAST(:now AS text)
FROM pulse WHERE name = 'clocks' AND at = :before
"""
FIND_OUTAGES = "SELECT id, began, ended FROM outages WHERE id > :after AND ended > :asked ORDER BY id"
LATEST_OUTAGE = "SELECT coalesce(max(id), 0) FROM outages"


class Terms(msgspec.Struct, frozen=True):
    """The terms with which a match was opened and that its log does not hold, and which outages are accounted for."""

    preset: str | None
    bot: str
    """The bot that plays for a seat that was silent for too long or was given up."""
    resignation: str
    """Who plays a seat that was given up: `bot`, or `rules` for the rules' default."""
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


class Timetable:
    """Reads these tables."""

    def __init__(self, store: Tables) -> None:
        self._store = store

    def _of(self, sql: str, match_id: str, **named: object) -> list[Row]:
        return self._store.find(Statement(sql, {"match": match_id, **named}, match_id))

    def terms(self, match_id: str) -> Terms | None:
        """Return the terms with which the match was opened; None if it has no clock."""
        rows = self._of(FIND_TERMS, match_id)
        return Terms(*rows[0]) if rows else None

    def pause(self, match_id: str) -> Pause | None:
        """Return the pause that the match is in; None if it is not paused."""
        rows = self._of(FIND_PAUSE, match_id)
        return Pause(*rows[0]) if rows else None

    def reminders(self, match_id: str, now: str) -> tuple[tuple[int, int], ...]:
        """Return the seats that are to be reminded by now, each with its decision."""
        return tuple((int(seat), int(since)) for seat, since in self._of(FIND_REMINDERS, match_id, now=now))

    def is_reminded(self, match_id: str, seat: int, decision: int) -> bool:
        """Return whether the seat was reminded of that decision."""
        return bool(self._of(IS_REMINDED, match_id, seat=seat, since=decision))

    def vacations(self, player: str, after: str = "") -> tuple[Vacation, ...]:
        """Return the player's vacations that end after that moment, earliest first."""
        rows = self._store.find(Statement(FIND_VACATIONS, {"player": player, "after": after}))
        return tuple(Vacation(*row) for row in rows)

    def due(self, now: str, most: int) -> dict[str, str]:
        """Return the matches in which something is due by now, with the moment of the first such thing, earliest first.

        Of each kind and partition it finds the `most` that were due first and, if there are more, the `most` that were
        due last.
        """
        rows = self._store.find_everywhere(DUE, now=now, most=most)
        if len(rows) >= most:
            # if those that were due first can't be settled, those that became due last must not wait for them
            rows = [*rows, *self._store.find_everywhere(DUE_LAST, now=now, most=most)]
        first_due: dict[str, str] = {}
        for match, due in sorted(rows, key=lambda row: (row[1], row[0])):
            first_due.setdefault(match, due)
        return first_due

    def played(self, after: str, most: int) -> tuple[str, ...]:
        """Return at most `most` ids of matches after that id that are being played by a clock, in order."""
        return tuple(sorted(match for (match,) in self._store.find_everywhere(PLAYED, after=after, most=most))[:most])

    def pulse(self) -> str | None:
        """Return when a process last looked after the clocks; None before the first time."""
        rows = self._store.find(Statement(FIND_PULSE))
        return str(rows[0][0]) if rows else None

    def outages(self, after: int, asked: str) -> tuple[Outage, ...]:
        """Return the outages after that number which ended after that moment."""
        rows = self._store.find(Statement(FIND_OUTAGES, {"after": after, "asked": asked}))
        return tuple(Outage(*row) for row in rows)

    def latest_outage(self) -> int:
        """Return the number of the last outage; 0 before the first."""
        return int(self._store.find(Statement(LATEST_OUTAGE))[0][0])


def _told(sql: str, match_id: str, **named: object) -> Statement:
    return Statement(sql, {"match": match_id, **named}, match_id)


def keep(match_id: str, terms: Terms) -> Statement:
    """Return the statement that keeps the terms of a match that is opened."""
    return _told(KEEP, match_id, preset=terms.preset, bot=terms.bot, resignation=terms.resignation)


def reach_outage(match_id: str, outage: int) -> Statement:
    """Return the statement that notes that outages up to that number are taken into account for the match."""
    return _told(REACH_OUTAGE, match_id, outage=outage)


def wish(match_id: str, seat: int, *, wish: bool) -> Statement:
    """Return the statement that notes whether the seat wishes the match paused, or resumed if it is paused."""
    return _told(WISH, match_id, seat=seat, wish=int(wish))


def pause(match_id: str, pause: Pause) -> list[Statement]:
    """Return the statements that begin a pause and clear all wishes for it."""
    return [_told(PAUSE, match_id, **msgspec.structs.asdict(pause)), _told(END_WISHES, match_id)]


def resume(match_id: str) -> list[Statement]:
    """Return the statements that end the pause and clear all wishes for that."""
    return [_told(END_PAUSE, match_id), _told(END_WISHES, match_id)]


def remind(match_id: str, seat: int, decision: int, at: str) -> Statement:
    """Return the statement that has the seat reminded of its decision then, in place of an earlier reminder."""
    return _told(REMIND, match_id, seat=seat, since=decision, at=at)


def forget_reminder(match_id: str, seat: int, decision: int) -> Statement:
    """Return the statement that removes the reminder of that decision."""
    return _told(END_REMINDER, match_id, seat=seat, since=decision)


def reminded(match_id: str, seat: int, decision: int, player: str, due: str, at: str) -> Statement:
    """Return the statement that notes a reminder. It fails, and its transaction, if the player was reminded before."""
    return _told(REMINDED, match_id, seat=seat, since=decision, player=player, due=due, at=at)


def settle(match_id: str) -> list[Statement]:
    """Return the statements that clear everything about the clock of a match that is over."""
    return [_told(sql, match_id) for sql in (END_WISHES, END_PAUSE, END_REMINDERS, END_REMINDED)]


def leave(vacation: Vacation, player: str) -> Statement:
    """Return the statement that enters a player's vacation."""
    return Statement(LEAVE, {**msgspec.structs.asdict(vacation), "player": player})


def come_back(player: str, now: str) -> Statement:
    """Return the statement that ends the player's vacation now."""
    return Statement(RETURN, {"player": player, "now": now})


def forget_vacations(player: str) -> Statement:
    """Return the statement that deletes the vacations of a player who is erased."""
    return Statement(FORGET_VACATIONS, {"player": player})


def first_pulse(now: str) -> Statement:
    """Return the statement that notes the first look after the clocks; it changes nothing if there was one."""
    return Statement(FIRST_PULSE, {"now": now})


def beat(before: str, now: str) -> Statement:
    """Return the statement that notes a look after the clocks, unless another process noted one since then."""
    return Statement(BEAT, {"before": before, "now": now})


def note_outage(before: str, now: str) -> Statement:
    """Return the statement that enters an outage between the two moments, unless another process did so."""
    return Statement(NOTE_OUTAGE, {"before": before, "now": now})
