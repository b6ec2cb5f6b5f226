"""The service's own record of matches: who opened one, who sits where, which the lobby lists."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import msgspec

from domain.match import Status
from events.batch import PARTITION
from events.sqlite import SqliteRecorder
from service.accounts.players import ADMIN, BOT, PLAY, READ, Asker
from service.problems import Malformed, not_your_seat, unknown_match, unknown_seat

PUBLIC, PRIVATE = "public", "private"

Statement = tuple[str, tuple[Any, ...]]


class Chair(msgspec.Struct, frozen=True, array_like=True):
    """A seat of a match and whose it is: a player's, a bot's, reserved for a player, or nobody's."""

    seat: int
    player: str | None = None
    bot: str | None = None
    reserved: str | None = None
    player_name: str | None = None
    reserved_name: str | None = None
    agreed: bool = False
    """To break the match off."""

    @property
    def is_free(self) -> bool:
        """Nobody sits there; it may be reserved."""
        return self.player is None and self.bot is None

    @property
    def who(self) -> str:
        """Who answers for it, as decisions name it."""
        return f"bot:{self.bot}" if self.bot is not None else f"player:{self.player}"


class Entry(msgspec.Struct, frozen=True):
    """A match in the register."""

    id: str
    game: str
    status: str
    visibility: str
    creator: str | None
    created: str
    chairs: tuple[Chair, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether everything of it is open to everybody."""
        return self.status in {Status.FINISHED, Status.ABORTED}

    def seat_of(self, asker: Asker) -> int | None:
        """Where the asker sits."""
        if not asker.player:
            return None
        return next((chair.seat for chair in self.chairs if chair.player == asker.player), None)

    def is_open_to(self, asker: Asker) -> bool:
        """Whether the asker may know of it."""
        if self.visibility == PUBLIC:
            return True
        if not asker.player:
            return False
        if asker.may(ADMIN):
            return True
        if asker.may(BOT):
            return any(chair.bot is not None for chair in self.chairs)
        theirs = {self.creator, *(chair.player for chair in self.chairs), *(chair.reserved for chair in self.chairs)}
        return asker.player in theirs

    def viewpoint(self, asker: Asker, wanted: int | None, *, any_when_over: bool = False) -> int | None:
        """The seat from which the asker looks or plays, None if from none; `wanted` is the one that they named.

        Raises:  Unknown when there is no such seat; Forbidden when it is neither theirs nor a bot's that they play.
        """
        if asker.player:
            asker.need(READ, PLAY, BOT)
        own = self.seat_of(asker)
        if wanted is None or wanted == own:
            return own
        if not 0 <= wanted < len(self.chairs):
            raise unknown_seat(wanted, len(self.chairs))
        if asker.may(BOT) and self.chairs[wanted].bot is not None:
            return wanted
        if any_when_over and self.is_over:
            return wanted
        raise not_your_seat(wanted)


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What the lobby is asked for."""

    game: str | None = None
    status: str | None = None
    free: bool = False
    mine: bool = False
    limit: int = 20
    cursor: str | None = None


COLUMNS = "matches.id, matches.game, matches.status, matches.visibility, matches.creator, matches.created"

CHAIRS = """
SELECT seats.match, seats.seat, seats.player, seats.bot, seats.reserved, sitting.name, awaited.name,
    agreements.seat IS NOT NULL
FROM seats
LEFT JOIN players AS sitting ON sitting.id = seats.player
LEFT JOIN players AS awaited ON awaited.id = seats.reserved
LEFT JOIN agreements ON agreements.match = seats.match AND agreements.seat = seats.seat
WHERE seats.match IN ({})
ORDER BY seats.match, seats.seat
"""


class Register:
    """Finds matches, and makes the statements that keep the register in step with the log."""

    def __init__(self, recorder: SqliteRecorder) -> None:
        self._recorder = recorder

    def entry(self, match_id: str, asker: Asker) -> Entry:
        """The match. Raises Unknown also when it is private and the asker is a stranger to it."""
        found = self.find(match_id)
        if found is None or not found.is_open_to(asker):
            raise unknown_match(match_id)
        return found

    def find(self, match_id: str) -> Entry | None:
        """The match, whoever asks."""
        sql = f"SELECT {COLUMNS} FROM matches WHERE id = ?"
        row = self._recorder.reader().execute(sql, (match_id,)).fetchone()
        return self._with_chairs([row])[0] if row else None

    def page(self, asker: Asker, wanted: Wanted) -> tuple[tuple[Entry, ...], str | None]:
        """The newest matches that the asker may know of, and the cursor to older ones."""
        where, parameters = self._conditions(asker, wanted)
        if wanted.cursor is not None:
            where.append("(matches.created, matches.id) < (?, ?)")
            parameters += parse_cursor(wanted.cursor)
        sql = (
            f"SELECT {COLUMNS} FROM matches WHERE {' AND '.join(where)}"
            " ORDER BY matches.created DESC, matches.id DESC LIMIT ?"
        )
        rows = self._recorder.reader().execute(sql, (*parameters, wanted.limit + 1)).fetchall()
        found = self._with_chairs(rows[: wanted.limit])
        more = format_cursor(found[-1].created, found[-1].id) if len(rows) > wanted.limit else None
        return found, more

    def is_empty(self) -> bool:
        """Whether no service has ever known a match here: those that came beside it are entered when it starts."""
        return self._recorder.reader().execute("SELECT 1 FROM matches LIMIT 1").fetchone() is None

    def idle(self) -> tuple[Entry, ...]:
        """The matches that are being played while nobody is asked, those left out in which nobody sits."""
        sql = (
            f"SELECT {COLUMNS} FROM matches WHERE status = '{Status.PLAYING}'"
            f" AND NOT EXISTS (SELECT 1 FROM decisions WHERE partition = {PARTITION} AND decisions.match = matches.id)"
        )
        rows = self._recorder.reader().execute(sql).fetchall()
        found = (entry for row in rows for entry in self._with_chairs([row]))
        return tuple(entry for entry in found if not any(chair.is_free for chair in entry.chairs))

    def _conditions(self, asker: Asker, wanted: Wanted) -> tuple[list[str], list[str]]:
        me = asker.player
        theirs = (
            "(matches.creator = ? OR EXISTS (SELECT 1 FROM seats WHERE seats.match = matches.id"
            " AND (seats.player = ? OR seats.reserved = ?)))"
        )
        where, parameters = [f"(matches.visibility = '{PUBLIC}' OR {theirs})"], [me, me, me]
        if wanted.mine:
            where.append(theirs)
            parameters += [me, me, me]
        if wanted.game is not None:
            where.append("matches.game = ?")
            parameters.append(wanted.game)
        if wanted.status is not None:
            where.append("matches.status = ?")
            parameters.append(wanted.status)
        if wanted.free:
            where.append(
                f"matches.status = '{Status.OPEN}' AND EXISTS (SELECT 1 FROM seats WHERE seats.match = matches.id"
                " AND seats.player IS NULL AND seats.bot IS NULL AND (seats.reserved IS NULL OR seats.reserved = ?))"
            )
            parameters.append(me)
        return where, parameters

    def _with_chairs(self, rows: list[Any]) -> tuple[Entry, ...]:
        marks = ", ".join("?" * len(rows))
        chairs: dict[str, list[Chair]] = {row[0]: [] for row in rows}
        found = self._recorder.reader().execute(CHAIRS.format(marks), tuple(chairs)).fetchall() if rows else []
        for match_id, *chair, agreed in found:
            chairs[match_id].append(msgspec.convert((*chair, bool(agreed)), Chair))
        return tuple(msgspec.structs.replace(Entry(*row), chairs=tuple(chairs[row[0]])) for row in rows)


def enter(entry: Entry) -> list[Statement]:
    """Statements that enter a new match."""
    row = (entry.id, entry.game, entry.status, entry.visibility, entry.creator, entry.created)
    seats = [
        ("INSERT INTO seats VALUES (?, ?, ?, ?, ?)", (entry.id, chair.seat, chair.player, chair.bot, chair.reserved))
        for chair in entry.chairs
    ]
    return [("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?)", row), *seats]


def sit(match_id: str, seat: int, player: str | None) -> Statement:
    """The player sits there; None: the seat is free again."""
    return ("UPDATE seats SET player = ? WHERE match = ? AND seat = ?", (player, match_id, seat))


def reserve(match_id: str, seat: int, player: str | None) -> Statement:
    """The seat is kept for the player; None: for nobody."""
    return ("UPDATE seats SET reserved = ? WHERE match = ? AND seat = ?", (player, match_id, seat))


def decline(match_id: str, player: str) -> Statement:
    """The player wants no seat kept for them in this match."""
    return ("INSERT OR IGNORE INTO declined VALUES (?, ?)", (match_id, player))


def start(match_id: str) -> list[Statement]:
    """The match waits for nobody any longer: who declined, and how often who sat down, need not be known."""
    return [(f"DELETE FROM {table} WHERE match = ?", (match_id,)) for table in ("sittings", "declined")]


def turn(match_id: str, status: str) -> Statement:
    """The match is in another part of its life."""
    return ("UPDATE matches SET status = ? WHERE id = ?", (status, match_id))


def agree(match_id: str, seat: int) -> Statement:
    """The seat agrees to break the match off."""
    return ("INSERT OR IGNORE INTO agreements VALUES (?, ?)", (match_id, seat))


def demand_agreement(match_id: str, seat: int) -> Statement:
    """Fails, and its transaction with it, unless every other player at the table agrees: none may be NULL."""
    return (
        "INSERT INTO agreements SELECT seats.match, NULL FROM seats"
        " LEFT JOIN agreements ON agreements.match = seats.match AND agreements.seat = seats.seat"
        " WHERE seats.match = ? AND seats.seat <> ? AND seats.player IS NOT NULL AND agreements.seat IS NULL",
        (match_id, seat),
    )


def disagree(match_id: str, seat: int) -> Statement:
    """It does so no longer."""
    return ("DELETE FROM agreements WHERE match = ? AND seat = ?", (match_id, seat))


def settle(match_id: str) -> Statement:
    """The match is over: there is nothing left to agree on."""
    return ("DELETE FROM agreements WHERE match = ?", (match_id,))


def format_cursor(*key: str) -> str:
    """A place in a list, opaque to clients."""
    return urlsafe_b64encode("\n".join(key).encode()).decode().rstrip("=")


def parse_cursor(cursor: str) -> list[str]:
    """The place again. Raises Malformed for what is none of ours."""
    try:
        key = urlsafe_b64decode(cursor.encode() + b"=" * (-len(cursor) % 4)).decode().split("\n")
    except ValueError:
        key = []
    if len(key) != 2:
        raise Malformed("malformed-cursor")
    return key
