"""The lobby by pages: which matches somebody may know of and asks for, found by indexes and never by reading them all.

A page is put together from few places, of each no more than fits: what is everybody's, and what is the asker's as a
player, as one who is awaited, or as who opened it. What a row tells beside is then read for the page's rows alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from events.store import Row, Statement, Tables, partition_of
from service.store.lobby import IN_MATCH, PUBLIC, Entry, read_entries

HOUR, DAY = 3_600_000, 86_400_000

SPEEDS: dict[str, str] = {
    "none": "matches.allowance IS NULL",
    "minutes": f"matches.allowance < {HOUR}",
    "hours": f"matches.allowance >= {HOUR} AND matches.allowance < {DAY}",
    "days": f"matches.allowance >= {DAY}",
}
"""How fast a match is: by what its clock allows for a decision."""

RESULTS = {"won": "seats.place = 1", "lost": "seats.place > 1"}
"""What a player has reached in a match that was played to its end; one of several firsts has won."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What the lobby is asked for."""

    game: str | None = None
    status: str | None = None
    free: bool = False
    mine: bool = False
    player: str | None = None
    """Who plays in it."""
    result: str | None = None
    """What that player has reached."""
    how: str | None = None
    """How it came to be over."""
    since: str | None = None
    """From when on it was over: then the page is in the order of their ends."""
    speed: str | None = None
    seats: int | None = None
    limit: int = 20
    after: tuple[str, str] | None = None
    """Moment and id of the match after which the page begins, the newest being first."""


THEIRS = (
    "(matches.creator = :me OR EXISTS (SELECT 1 FROM seats AS own WHERE own.partition = matches.partition"
    " AND own.match = matches.id AND (own.player = :me OR own.reserved = :me)))"
)
HAS_ROOM = (
    "{table}.status = 'open' AND EXISTS (SELECT 1 FROM seats AS free WHERE free.partition = {table}.partition"
    " AND free.match = {id} AND free.player IS NULL AND free.bot IS NULL"
    " AND (free.reserved IS NULL OR free.reserved = :me))"
)
FREE = HAS_ROOM.format(table="matches", id="matches.id")
FROM_MATCHES = "FROM matches WHERE matches.partition = :partition"
FROM_SEATS = (
    "FROM seats JOIN matches ON matches.partition = seats.partition AND matches.id = seats.match"
    " WHERE seats.partition = :partition"
)
FROM_SEATS_ALONE = "FROM seats WHERE seats.partition = :partition"
OF_SEATS = {
    "matches.status = :status": "seats.status = :status",
    "matches.ended >= :since": "seats.ended >= :since",
    FREE: HAS_ROOM.format(table="seats", id="seats.match"),
}
"""What a seat knows of its match."""

MOVES = "('match/MoveMade', 'match/AnswersClosed')"
LAST_MOVE = f"""
SELECT matches.id, events.move, events.at FROM matches
JOIN events ON events.partition = matches.partition AND events.stream = matches.id AND events.version = (
    SELECT last.version FROM events AS last WHERE last.partition = :partition AND last.stream = matches.id
    AND (last.type IN {MOVES} OR last.move = 0) ORDER BY last.version DESC LIMIT 1)
WHERE matches.partition = :partition
"""
"""The number and the time of each match's last move; where none was made, of an event before."""


LAST_UP_TO = f"""
SELECT events.at, events.move FROM events WHERE events.partition = :partition AND events.stream = :match
    AND events.version <= :version AND (events.type IN {MOVES} OR events.move = 0)
ORDER BY events.version DESC LIMIT 1
"""


def page_of(me: str, wanted: Wanted) -> tuple[str, dict[str, Any]]:
    """The statement that finds moment and id of a page's matches in a partition, and what stands in its places."""
    where, named = _conditions(wanted)
    if wanted.player is not None:
        among = ["seats.player = :player", f"(matches.visibility = '{PUBLIC}' OR {THEIRS})"]
        branches = [_of_seats(among, where, wanted)]
    else:
        own = [_branch(FROM_MATCHES, ["matches.creator = :me", *where], wanted)]
        own += [_of_seats([f"seats.{whose} = :me"], where, wanted) for whose in ("player", "reserved")]
        public = _branch(FROM_MATCHES, [f"matches.visibility = '{PUBLIC}'", *where], wanted)
        branches = own if wanted.mine else [public, *(own if me else [])]
    found = " UNION ".join(f"SELECT * FROM ({branch}) AS part{number}" for number, branch in enumerate(branches))
    named |= {"me": me, "limit": wanted.limit + 1}
    return f"SELECT moment, id FROM ({found}) AS page ORDER BY moment DESC, id DESC LIMIT :limit", named


def _of_seats(among: list[str], where: list[str], wanted: Wanted) -> str:
    """The newest of a player's: their seats lie in the order of the list, and know how far their matches are."""
    where = [*among, *(OF_SEATS.get(one, one) for one in where)]
    start = FROM_SEATS if any("matches." in one for one in where) else FROM_SEATS_ALONE
    return _branch(start, where, wanted, "seats.match", "seats")


def _branch(start: str, where: Iterable[str], wanted: Wanted, id: str = "matches.id", table: str = "matches") -> str:
    """The newest of one place."""
    moment = f"{table}.{'ended' if wanted.since is not None else 'created'}"
    before = [f"({moment}, {id}) < (:moment, :after)"] if wanted.after is not None else []
    narrowed = "".join(f" AND {one}" for one in (*where, *before))
    return f"SELECT {moment} AS moment, {id} AS id {start}{narrowed} ORDER BY {moment} DESC, {id} DESC LIMIT :limit"


def _conditions(wanted: Wanted) -> tuple[list[str], dict[str, Any]]:
    where: list[str] = []
    named: dict[str, Any] = {}
    for name, column in (("game", "game"), ("status", "status"), ("how", "how"), ("seats", "size")):
        if (value := getattr(wanted, name)) is not None:
            where.append(f"matches.{column} = :{name}")
            named[name] = value
    if wanted.free:
        where.append(FREE)
    if wanted.speed is not None:
        where.append(SPEEDS[wanted.speed])
    if wanted.since is not None:
        where.append("matches.ended >= :since")
        named["since"] = wanted.since
    if wanted.player is not None:
        named["player"] = wanted.player
        where += [RESULTS[wanted.result]] if wanted.result is not None else []
    if wanted.after is not None:
        named["moment"], named["after"] = wanted.after
    return where, named


def page(store: Tables, partitions: int, me: str, wanted: Wanted) -> tuple[tuple[str, Entry], ...]:
    """The newest matches that the player ("": a stranger) may know of, each with its moment; one past the limit if
    there are more.
    """
    sql, named = page_of(me, wanted)
    rows = sorted(store.find_everywhere(sql, **named), reverse=True)[: wanted.limit + 1]
    found = entries(store, partitions, [id for _, id in rows])
    # one may have been lost meanwhile only by an operator's hand
    return tuple((moment, found[id]) for moment, id in rows if id in found)


def entries(store: Tables, partitions: int, match_ids: Sequence[str]) -> dict[str, Entry]:
    """The matches by id, with their seats and the moves that were made."""
    homes: dict[int, list[str]] = {}
    for match_id in match_ids:
        homes.setdefault(partition_of(match_id, partitions), []).append(match_id)
    rows = _of_these(store, IN_MATCH, homes, " ORDER BY seats.seat")
    found = {one.id: one for one in read_entries(rows)}
    going = {home: [id for id in ids if id in found and found[id].moves is None] for home, ids in homes.items()}
    for id, moves, at in _of_these(store, LAST_MOVE, going):
        found[id] = msgspec.structs.replace(found[id], moves=moves, moved=at if moves else None)
    return found


def last_move(store: Tables, match_id: str, version: int) -> str | None:
    """When the last move of a match up to that version was made; None where none was."""
    rows = store.find(Statement(LAST_UP_TO, {"match": match_id, "version": version}, match_id))
    return rows[0][0] if rows and rows[0][1] else None


def _of_these(store: Tables, sql: str, homes: Mapping[int, list[str]], order: str = "") -> list[Row]:
    """What is found of these matches, partition by partition, asked at once."""
    asked = [_of_home(sql, ids, order) for ids in homes.values() if ids]
    return [row for rows in store.find_each(asked) for row in rows] if asked else []


def _of_home(sql: str, ids: list[str], order: str) -> Statement:
    # few lengths are few statements, which the store plans once
    ids = ids + ids[-1:] * ((1 << (len(ids) - 1).bit_length()) - len(ids))
    places = ", ".join(f":m{number}" for number, _ in enumerate(ids))
    named = {f"m{number}": id for number, id in enumerate(ids)}
    return Statement(f"{sql} AND matches.id IN ({places}){order}", named, ids[0])
