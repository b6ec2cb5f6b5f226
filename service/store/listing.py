"""The lobby by pages: which matches somebody may know of and asks for, read from lists and never looked for among all.

A page is put together from the lists of `service.store.lists`, two at most, and of each no more than fits: what is
everybody's, and what is the asker's. Every filter and every pair of filters has its list, so a page costs what it
shows; a third filter is checked match by match. What a row tells beside is then read for the page's rows alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from events.store import Row, Statement, Tables, partition_of
from service.store import lists
from service.store.lists import DAY, HOUR
from service.store.lobby import IN_MATCH, Entry, read_entries

SPEEDS: dict[str, str] = {
    "none": "matches.allowance IS NULL",
    "minutes": f"matches.allowance < {HOUR}",
    "hours": f"matches.allowance >= {HOUR} AND matches.allowance < {DAY}",
    "days": f"matches.allowance >= {DAY}",
}
"""How fast a match is: by what its clock allows for a decision."""

FINISHED, PLAYED = "status=finished", "played"
"""How far a match is, and how it came to be over, when it was played to its end."""

RESULTS = ("won", "lost")
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


HAS_ROOM = """matches.status = 'open' AND EXISTS (
    SELECT 1 FROM seats AS free WHERE free.partition = matches.partition AND free.match = matches.id
    AND free.player IS NULL AND free.bot IS NULL AND (free.reserved IS NULL OR free.reserved = :me))"""
# found by the match and not by the player, who may have many seats
HAS_RESULT = """EXISTS (SELECT 1 FROM seats AS theirs WHERE theirs.partition = matches.partition
    AND theirs.match = matches.id AND coalesce(theirs.player, '') = :player AND theirs.place {})"""
CHECKS = {
    "game": "matches.game = :game",
    "status": "matches.status = :status",
    "how": "matches.how = :how",
    "seats": "matches.size = :seats",
    "free": HAS_ROOM,
    **{f"speed {name}": condition for name, condition in SPEEDS.items()},
    "result won": HAS_RESULT.format("= 1"),
    "result lost": HAS_RESULT.format("> 1"),
}
"""What a match is asked one by one, where no list is narrowed by all that is wanted."""
PAGE = """
SELECT listed.moment AS moment, listed.match AS id FROM listed{join}
WHERE listed.partition = :partition AND listed.list = :{list}{more}
ORDER BY listed.moment DESC, listed.match DESC LIMIT :limit
"""
JOIN = " CROSS JOIN matches"
JOINED = " AND matches.partition = :partition AND matches.id = listed.match"
AFTER = " AND (listed.moment, listed.match) < (:moment, :after)"
SINCE = " AND listed.moment >= :since"

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


def scopes_of(me: str, wanted: Wanted) -> list[tuple[str, str]]:
    """Whose lists the page is put together from: kind and name of each, as `lists.SHAPES` has them."""
    own, whose = f"mine={me}", None if wanted.player is None else lists.plain(wanted.player)
    if whose is None:
        if not wanted.mine:
            return [("public", "public"), *([("mine", own)] if me else [])]
        return [("player", f"player={me}"), ("mine", own)]
    shown, both = ("player", f"player={whose}"), ("player", f"{own}&player={whose}")
    if not me:
        return [shown]
    if wanted.mine and wanted.player != me:
        return [("both", both[1])]
    return [shown, both]


def page_of(me: str, wanted: Wanted) -> tuple[str, dict[str, Any]] | None:
    """The statement that finds moment and id of a page's matches in a partition, and what stands in its places.

    None where nothing can be found, as no match is open and over.
    """
    stage, values = _stage(wanted), _values(wanted)
    if stage is None:
        return None
    if stage and wanted.result is None:
        values["stage"] = stage
    named: dict[str, Any] = {"me": me, "limit": wanted.limit + 1}
    for name in ("game", "status", "how", "seats", "player", "since"):
        named[name] = getattr(wanted, name)
    if wanted.after is not None:
        named["moment"], named["after"] = wanted.after
    parts = []
    for number, (kind, scope) in enumerate(scopes_of(me, wanted)):
        shape = _shape(kind, values, is_by_end=wanted.since is not None)
        named[f"list{number}"] = lists.name_of(scope, shape, values, is_by_end=wanted.since is not None)
        parts.append(f"SELECT * FROM ({_part(f'list{number}', wanted, shape)}) AS part{number}")
    found = " UNION ".join(parts)
    return f"SELECT moment, id FROM ({found}) AS page ORDER BY moment DESC, id DESC LIMIT :limit", named


def _stage(wanted: Wanted) -> str | None:
    """How far the matches are, as lists are named by it; "": however far; None: they would be in two places at once.

    Those that were played to their end are the finished ones, and a result is one of theirs. What is over has an end.
    """
    asked = {f"status={lists.plain(wanted.status)}"} if wanted.status is not None else set()
    if wanted.how is not None:
        asked.add(FINISHED if wanted.how == PLAYED else f"how={lists.plain(wanted.how)}")
    asked |= {FINISHED} if wanted.result is not None else set()
    asked |= {"free"} if wanted.free else set()
    if asked == {"status=open", "free"}:
        asked = {"free"}
    if len(asked) == 2 and "status=aborted" in asked and (how := asked - {"status=aborted"}) <= {f"how={wanted.how}"}:
        asked = how
    if len(asked) > 1:
        return None
    stage = next(iter(asked), "")
    return None if wanted.since is not None and stage in {"free", "status=open", "status=playing"} else stage


def _values(wanted: Wanted) -> dict[str, str]:
    """What is asked for beside the stage, by filter."""
    said = {"game": wanted.game, "speed": wanted.speed, "seats": wanted.seats, "result": wanted.result}
    return {name: str(value) for name, value in said.items() if value is not None}


def _shape(kind: str, values: dict[str, str], *, is_by_end: bool) -> lists.Shape:
    """The narrowest list that holds all that is wanted. Of two alike, the one by a filter that lets less through."""
    wanted = set(values)
    fitting = [one for one in lists.SHAPES[kind][is_by_end] if wanted.issuperset(one)]
    return max(fitting, key=lambda one: (len(one), "result" in one, _narrows(values) and "stage" in one))


def _narrows(values: dict[str, str]) -> bool:
    """Whether few matches are that far: in the end most are finished."""
    return values.get("stage") not in {None, FINISHED}


def _part(list: str, wanted: Wanted, shape: lists.Shape) -> str:
    """The page of one list; what the list does not promise is asked of each match."""
    checks = [f"speed {wanted.speed}"] if wanted.speed is not None and "speed" not in shape else []
    checks += [f"result {wanted.result}"] if wanted.result is not None and "result" not in shape else []
    checks += [name for name in ("game", "seats") if getattr(wanted, name) is not None and name not in shape]
    if "stage" not in shape and wanted.result is None:
        checks += [name for name in ("status", "how") if getattr(wanted, name) is not None]
        checks += ["free"] if wanted.free else []
    asked = "".join(f" AND {CHECKS[one]}" for one in checks)
    more = (SINCE if wanted.since is not None else "") + (AFTER if wanted.after is not None else "")
    return PAGE.format(list=list, join=JOIN if checks else "", more=(JOINED if checks else "") + more + asked)


def page(store: Tables, partitions: int, me: str, wanted: Wanted) -> tuple[tuple[str, Entry], ...]:
    """The newest matches that the player ("": a stranger) may know of, each with its moment; one past the limit if
    there are more.
    """
    asked = page_of(me, wanted)
    if asked is None:
        return ()
    rows = sorted(store.find_everywhere(asked[0], **asked[1]), reverse=True)[: wanted.limit + 1]
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
