"""Matches as the service's own tables have them: who opened one, who sits where or is awaited, who agrees to end it.

Statements that change them are made here and executed by the append that tells the same in the log, so that both stay
in step. What it all means to whoever asks is said in `service.matches`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from events.store import Statement, Tables

PUBLIC, PRIVATE = "public", "private"

RULES = "rules:default"
"""Who answers for a seat that was given up where no bot plays for it, as decisions name it."""


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
    stand_in: str | None = None
    """The bot that plays for the player."""
    resigned: bool = False
    """The player has given the seat up for good."""
    pausing: bool = False
    """The player wishes the match paused, or resumed if it is."""

    @property
    def is_free(self) -> bool:
        """Nobody sits there; it may be reserved."""
        return self.player is None and self.bot is None

    @property
    def who(self) -> str:
        """Who answers for it, as decisions name it."""
        if (bot := self.played_by) is not None:
            return f"bot:{bot}"
        return RULES if self.resigned else f"player:{self.player}"

    @property
    def played_by(self) -> str | None:
        """The bot that plays it, also for a player; None: nobody does, or the player."""
        return self.bot if self.bot is not None else self.stand_in

    @property
    def is_asked_itself(self) -> bool:
        """Whether what it is asked, and what is to be agreed on, is for its player to say."""
        return self.player is not None and self.stand_in is None and not self.resigned


class Entry(msgspec.Struct, frozen=True):
    """A match in the lobby."""

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
        return self.status in {"finished", "aborted"}


class Kept(msgspec.Struct, frozen=True):
    """A seat of an open match that is kept for a player who has not taken it."""

    match: str
    game: str
    seat: int
    by: str | None
    """Who opened the match; None: it was adopted."""
    by_name: str | None
    visibility: str
    created: str


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What the lobby is asked for."""

    game: str | None = None
    status: str | None = None
    free: bool = False
    mine: bool = False
    limit: int = 20
    after: tuple[str, str] | None = None
    """Moment and id of the match after which the page begins, the newest being first."""


COLUMNS = "matches.id, matches.game, matches.status, matches.visibility, matches.creator, matches.created"

CHAIRS = """
seats.seat, seats.player, seats.bot, seats.reserved, sitting.name, awaited.name, agreements.seat IS NOT NULL,
seats.stand_in, seats.resigned, seats.pausing
FROM {} JOIN seats ON seats.partition = matches.partition AND seats.match = matches.id
LEFT JOIN players AS sitting ON sitting.id = seats.player
LEFT JOIN players AS awaited ON awaited.id = seats.reserved
LEFT JOIN agreements ON agreements.partition = seats.partition AND agreements.match = seats.match
    AND agreements.seat = seats.seat
"""

FIND = (
    f"SELECT {COLUMNS}, {CHAIRS.format('matches')} WHERE matches.partition = :partition AND matches.id = :match"
    " ORDER BY seats.seat"
)
ANY = "SELECT 1 FROM matches WHERE partition = :partition LIMIT 1"
SITTINGS = "SELECT player, times FROM sittings WHERE partition = :partition AND match = :match"
DECLINED = "SELECT 1 FROM declined WHERE partition = :partition AND match = :match AND player = :player"

THEIRS = (
    "(matches.creator = :me OR EXISTS (SELECT 1 FROM seats WHERE seats.partition = matches.partition"
    " AND seats.match = matches.id AND (seats.player = :me OR seats.reserved = :me)))"
)
FREE = (
    "matches.status = 'open' AND EXISTS (SELECT 1 FROM seats WHERE seats.partition = matches.partition"
    " AND seats.match = matches.id AND seats.player IS NULL AND seats.bot IS NULL"
    " AND (seats.reserved IS NULL OR seats.reserved = :me))"
)
STANDING = """
SELECT count(*) FROM seats JOIN matches ON matches.partition = seats.partition AND matches.id = seats.match
WHERE matches.partition = :partition AND matches.status = 'open' AND matches.creator = :me
    AND seats.reserved <> matches.creator AND seats.player IS NULL
"""
OPENED = "SELECT count(*) FROM matches WHERE partition = :partition AND creator = :me AND status IN ('open', 'playing')"
KEPT = """
SELECT matches.id, matches.game, seats.seat, matches.creator, players.name, matches.visibility, matches.created
FROM seats JOIN matches ON matches.partition = seats.partition AND matches.id = seats.match
LEFT JOIN players ON players.id = matches.creator
WHERE seats.partition = :partition AND seats.reserved = :me AND seats.player IS NULL AND matches.status = 'open'
    AND (matches.created, matches.id) < (:moment, :after)
ORDER BY matches.created DESC, matches.id DESC LIMIT :limit
"""
NEWEST = ("~", "")
"""Before this place in a list everything is."""


class Lobby:
    """Reads them."""

    def __init__(self, store: Tables) -> None:
        self._store = store

    def find(self, match_id: str) -> Entry | None:
        """The match with its seats, None if there is none."""
        rows = self._store.find(Statement(FIND, {"match": match_id}, match_id))
        return _entry(rows) if rows else None

    def page(self, player: str, wanted: Wanted) -> tuple[Entry, ...]:
        """The newest matches that the player ("": a stranger) may know of; one past the limit if there are more."""
        where, named = _conditions(player, wanted)
        sql = (
            f"SELECT {COLUMNS}, {CHAIRS.format('page AS matches')}"
            " ORDER BY matches.created DESC, matches.id DESC, seats.seat"
        )
        page = (
            f"WITH page AS (SELECT * FROM matches WHERE {' AND '.join(where)}"
            " ORDER BY matches.created DESC, matches.id DESC LIMIT :limit)"
        )
        rows = self._store.find_everywhere(f"{page} {sql}", **named, limit=wanted.limit + 1)
        found = sorted(_entries(rows), key=lambda entry: (entry.created, entry.id), reverse=True)
        return tuple(found[: wanted.limit + 1])

    def is_empty(self) -> bool:
        """Whether no service has ever known a match here: those that came beside it are entered when it starts."""
        return not self._store.find_everywhere(ANY)

    def sittings(self, match_id: str) -> dict[str, int]:
        """By player, how often they have sat down in an open match."""
        return dict(self._store.find(Statement(SITTINGS, {"match": match_id}, match_id)))

    def has_declined(self, match_id: str, player: str) -> bool:
        """Whether the player wants no seat kept for them in the match."""
        return bool(self._store.find(Statement(DECLINED, {"match": match_id, "player": player}, match_id)))

    def standing(self, player: str) -> int:
        """How many seats are kept for others by whom the match was opened."""
        return sum(count for (count,) in self._store.find_everywhere(STANDING, me=player))

    def opened(self, player: str) -> int:
        """How many matches that are not over the player has opened."""
        return sum(count for (count,) in self._store.find_everywhere(OPENED, me=player))

    def kept(self, player: str, limit: int, after: tuple[str, str] = NEWEST) -> tuple[Kept, ...]:
        """The seats that are kept for the player, in the newest match first."""
        rows = self._store.find_everywhere(KEPT, me=player, moment=after[0], after=after[1], limit=limit)
        found = sorted((Kept(*row) for row in rows), key=lambda kept: (kept.created, kept.match), reverse=True)
        return tuple(found[:limit])


def _conditions(me: str, wanted: Wanted) -> tuple[list[str], dict[str, str]]:
    where, named = ["matches.partition = :partition", f"(matches.visibility = '{PUBLIC}' OR {THEIRS})"], {"me": me}
    if wanted.mine:
        where.append(THEIRS)
    if wanted.game is not None:
        where.append("matches.game = :game")
        named["game"] = wanted.game
    if wanted.status is not None:
        where.append("matches.status = :status")
        named["status"] = wanted.status
    if wanted.free:
        where.append(FREE)
    if wanted.after is not None:
        where.append("(matches.created, matches.id) < (:moment, :after)")
        named["moment"], named["after"] = wanted.after
    return where, named


def _entries(rows: Iterable[Any]) -> tuple[Entry, ...]:
    """A row a seat, those of a match together."""
    found: dict[str, list[Any]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row)
    return tuple(_entry(rows) for rows in found.values())


def _entry(rows: list[Any]) -> Entry:
    id, game, status, visibility, creator, created = rows[0][:6]
    # a store without truth values has numbers for them
    told = [(*row[6:-4], bool(row[-4]), row[-3], bool(row[-2]), bool(row[-1])) for row in rows]
    chairs = tuple([msgspec.convert(one, Chair) for one in told])
    return Entry(id, game, status, visibility, creator, created, chairs)


ENTER = (
    "INSERT INTO matches (partition, id, game, status, visibility, creator, created)"
    " VALUES (:partition, :match, :game, :status, :visibility, :creator, :created)"
)
PLACE = (
    "INSERT INTO seats (partition, match, seat, player, bot, reserved)"
    " VALUES (:partition, :match, :seat, :player, :bot, :reserved)"
)
SIT = "UPDATE seats SET player = :player WHERE partition = :partition AND match = :match AND seat = :seat"
NOTE_SITTING = (
    "INSERT INTO sittings (partition, match, player, times) VALUES (:partition, :match, :player, 1)"
    " ON CONFLICT (partition, match, player) DO UPDATE SET times = sittings.times + 1"
)
RESERVE = "UPDATE seats SET reserved = :player WHERE partition = :partition AND match = :match AND seat = :seat"
DECLINE = "INSERT INTO declined (partition, match, player) VALUES (:partition, :match, :player) ON CONFLICT DO NOTHING"
START = tuple(
    f"DELETE FROM {table} WHERE partition = :partition AND match = :match" for table in ("sittings", "declined")
)
STAND_IN = (
    "UPDATE seats SET stand_in = :bot, resigned = :resigned WHERE partition = :partition AND match = :match"
    " AND seat = :seat"
)
TURN = "UPDATE matches SET status = :status WHERE partition = :partition AND id = :match"
AGREE = "INSERT INTO agreements (partition, match, seat) VALUES (:partition, :match, :seat) ON CONFLICT DO NOTHING"
DEMAND_AGREEMENT = """
INSERT INTO agreements (partition, match, seat) SELECT seats.partition, seats.match, NULL FROM seats
LEFT JOIN agreements ON agreements.partition = seats.partition AND agreements.match = seats.match
    AND agreements.seat = seats.seat
WHERE seats.partition = :partition AND seats.match = :match AND seats.seat <> :seat
    AND seats.player IS NOT NULL AND seats.stand_in IS NULL AND seats.resigned = 0 AND agreements.seat IS NULL
"""
DISAGREE = "DELETE FROM agreements WHERE partition = :partition AND match = :match AND seat = :seat"
SETTLE = "DELETE FROM agreements WHERE partition = :partition AND match = :match"


def _told(sql: str, match_id: str, **named: object) -> Statement:
    return Statement(sql, {"match": match_id, **named}, match_id)


def enter(entry: Entry) -> list[Statement]:
    """Statements that enter a new match."""
    told = {name: getattr(entry, name) for name in ("game", "status", "visibility", "creator", "created")}
    seats = [
        _told(PLACE, entry.id, seat=chair.seat, player=chair.player, bot=chair.bot, reserved=chair.reserved)
        for chair in entry.chairs
    ]
    return [_told(ENTER, entry.id, **told), *seats]


def adopt(entry: Entry) -> list[Statement]:
    """The same for a match that others may have entered meanwhile: what they told stays."""
    return [msgspec.structs.replace(one, sql=f"{one.sql} ON CONFLICT DO NOTHING") for one in enter(entry)]


def sit(match_id: str, seat: int, player: str | None) -> Statement:
    """The player sits there; None: the seat is free again."""
    return _told(SIT, match_id, seat=seat, player=player)


def note_sitting(match_id: str, player: str) -> Statement:
    """The player has sat down once more."""
    return _told(NOTE_SITTING, match_id, player=player)


def reserve(match_id: str, seat: int, player: str | None) -> Statement:
    """The seat is kept for the player; None: for nobody."""
    return _told(RESERVE, match_id, seat=seat, player=player)


def decline(match_id: str, player: str) -> Statement:
    """The player wants no seat kept for them in this match."""
    return _told(DECLINE, match_id, player=player)


def start(match_id: str) -> list[Statement]:
    """The match waits for nobody any longer: who declined, and how often who sat down, need not be known."""
    return [_told(sql, match_id) for sql in START]


def stand_in(match_id: str, seat: int, bot: str | None, *, resigned: bool = False) -> Statement:
    """The bot plays for whoever sits there; None: nobody does. `resigned`: they don't come back."""
    return _told(STAND_IN, match_id, seat=seat, bot=bot, resigned=int(resigned))


def turn(match_id: str, status: str) -> Statement:
    """The match is in another part of its life."""
    return _told(TURN, match_id, status=status)


def agree(match_id: str, seat: int) -> Statement:
    """The seat agrees to break the match off."""
    return _told(AGREE, match_id, seat=seat)


def demand_agreement(match_id: str, seat: int) -> Statement:
    """Fails, and its transaction with it, unless every other player at the table agrees: none may be NULL."""
    return _told(DEMAND_AGREEMENT, match_id, seat=seat)


def disagree(match_id: str, seat: int) -> Statement:
    """The seat no longer agrees to break the match off."""
    return _told(DISAGREE, match_id, seat=seat)


def settle(match_id: str) -> Statement:
    """The match is over: there is nothing left to agree on."""
    return _told(SETTLE, match_id)
