"""The lobby page by page: the matches that an asker may know of, read from lists and never searched for among all.

A list is named by whose matches it has and by its filters: `public&game=ttmp`, `player=p_1&status=open`. Its rows are
(moment, match), in the order of the pages. There is a list for every filter of the lobby and for every pair. The lists
of a match follow from `matches` and `seats`: `keep` puts the statements for them around a change. They are executed
when a match is opened, when somebody sits down or leaves, when it starts and when it ends, never by a move.

A page is merged from at most two lists, the public one and the asker's, of each no more than a page. So a page costs
only what it shows; a third filter is checked match by match. The rest of a row is then read for the page's matches
alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from events.store import Reader, Row, Statement, partition_of
from service.clock import DAY, HOUR
from service.store import lobby
from service.store.lobby import Entry, read_entries
from service.store.statements import read_sql, statement

FILTERS = ("stage", "game", "speed", "seats", "result")
"""The filters of lists, in the order of a list's name. A stage is a status, `free`, or how a match was broken off."""

Shape = tuple[str, ...]
"""The filters that a list has."""

SINGLE: tuple[Shape, ...] = ((), *((one,) for one in FILTERS[:-1]))
PAIRS: tuple[Shape, ...] = (*SINGLE, *combinations(FILTERS[:-1], 2))
RESULT: tuple[Shape, ...] = (("result",), ("game", "result"), ("speed", "result"), ("seats", "result"))
LAST: tuple[Shape, ...] = ((), ("stage",))

SHAPES: dict[str, tuple[tuple[Shape, ...], tuple[Shape, ...]]] = {
    "public": (PAIRS, PAIRS),
    "player": ((*SINGLE, *RESULT), (*LAST, ("result",))),
    "mine": (PAIRS, PAIRS),
    "both": (((), ("result",)), ((), ("result",))),
}
"""By whose matches they are: the shapes of the lists ordered by opening, and of those ordered by ending.

`public`: public matches. `player`: public matches in which the player sits; with `mine=` before it, matches in which
the player sits and which that other one may see because they belong to them. `mine`: the other matches that belong to a
player; a signed-in visitor sees them among the public ones, so they have the same pairs. `both`: public matches in
which two players sit. A player and `since` are filters themselves, so the lists of a player have one filter less.
"""


def _shapes() -> str:
    """Return the shapes as rows of numbers: 1 and 2 are the two stages of a match, and the two orders."""
    rows = []
    for kind, orders in SHAPES.items():
        for order, shapes in enumerate(orders, 1):
            for shape in shapes:
                marks = [int(name in shape) for name in FILTERS]
                for stage in (1, 2) if marks[0] else (0,):
                    rows.append(f"('{kind}', {', '.join(map(str, [order, stage, *marks[1:]]))})")
    return ", ".join(rows)


SPEEDS: dict[str, str] = {
    "none": "matches.allowance IS NULL",
    "minutes": f"matches.allowance < {HOUR}",
    "hours": f"matches.allowance >= {HOUR} AND matches.allowance < {DAY}",
    "days": f"matches.allowance >= {DAY}",
}
"""How fast a match is, by its clock's allowance for a decision."""

SPEED = " ".join(["CASE", *(f"WHEN {condition} THEN '{name}'" for name, condition in SPEEDS.items()), "END"])

ROWS = Path(__file__).with_name("lists.sql").read_text(encoding="utf-8").partition("\n\n")[2]


def moments(matches: str = "", seats: str = "") -> str:
    """Return the statement that selects lists and moments, of all matches or by conditions on the two tables."""
    return ROWS.format(shapes=_shapes(), speed=SPEED, matches=matches, seats=seats)


OF_MATCH = moments(" AND matches.id = :match", " AND seats.match = :match")
_take_out = statement(
    "match",
    "DELETE FROM listed WHERE partition = :partition AND match = :match"
    f" AND (list, moment) IN (SELECT list, moment FROM ({OF_MATCH}) AS before)",
)
# another process may be entering the same match at the same time
_put_in = statement(
    "match",
    "INSERT INTO listed (partition, list, moment, match)"
    f" SELECT :partition, list, moment, match FROM ({OF_MATCH}) AS now WHERE true ON CONFLICT DO NOTHING",
)


def keep(match_id: str, beside: Iterable[Statement], *, is_new: bool = False) -> tuple[Statement, ...]:
    """Return the statements that change a match's row or seats, with those around them that update its lists."""
    return (*(() if is_new else (_take_out(match_id),)), *beside, _put_in(match_id))


def name_of(scope: str, shape: Sequence[str], values: dict[str, str], *, is_by_end: bool) -> str:
    """Return the list's name; `values`: the filters' values, a stage in the form that the name has."""
    named = [
        values[filter] if filter == "stage" else f"{filter}={plain(values[filter])}"
        for filter in FILTERS
        if filter in shape
    ]
    return "&".join([scope, *named, *(["ended"] if is_by_end else [])])


def plain(value: str) -> str:
    """Return a filter's value for a name, escaped so that it can't name another list."""
    return value.replace("&", "&&")


FINISHED, PLAYED = "status=finished", "played"
"""The stage of matches that are finished, and how these ended."""

RESULTS = ("won", "lost")
"""A player's result in a match that was played to its end; several firsts have all won."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """The filters of a lobby page."""

    game: str | None = None
    status: str | None = None
    free: bool = False
    mine: bool = False
    player: str | None = None
    """Who plays in the match."""
    result: str | None = None
    """That player's result."""
    how: str | None = None
    """How the match ended."""
    since: str | None = None
    """The earliest moment of its end; the page is then ordered by the ends."""
    speed: str | None = None
    seats: int | None = None
    limit: int = 20
    after: tuple[str, str] | None = None
    """Moment and id of the match before the page; the newest match comes first."""


SQL = read_sql("listing", is_move=lobby.SQL["is_move"])
CHECKS = {
    "game": "matches.game = :game",
    "status": "matches.status = :status",
    "how": "matches.how = :how",
    "seats": "matches.size = :seats",
    "free": SQL["has_room"],
    **{f"speed {name}": condition for name, condition in SPEEDS.items()},
    "result won": SQL["has_won"],
    "result lost": SQL["has_lost"],
}
"""The conditions that are checked match by match where no list covers all filters."""
PAGE = """
SELECT listed.moment AS moment, listed.match AS id FROM listed{join}
WHERE listed.partition = :partition AND listed.list = :{list}{more}
ORDER BY listed.moment DESC, listed.match DESC LIMIT :limit
"""
JOIN = " CROSS JOIN matches"
JOINED = " AND matches.partition = :partition AND matches.id = listed.match"
AFTER = " AND (listed.moment, listed.match) < (:moment, :after)"
SINCE = " AND listed.moment >= :since"


def scopes_of(me: str, wanted: Wanted) -> list[tuple[str, str]]:
    """Return the lists from which the page is merged: kind and name of each, as in `SHAPES`."""
    own, whose = f"mine={me}", None if wanted.player is None else plain(wanted.player)
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


_demand_known = statement("partition known shown_open shown_playing own_open own_playing", SQL["demand_known"])


def demand_known(player: str, known: Iterable[str], partitions: int) -> list[Statement]:
    """Return the statements that fail if other matches than these are the player's and not over."""
    lists = [
        name_of(scope, ("stage",), {"stage": f"status={status}"}, is_by_end=False)
        for _, scope in scopes_of(player, Wanted(mine=True))
        for status in ("open", "playing")
    ]
    named = "".join(f" {match_id} " for match_id in known)
    return [_demand_known(partition, named, *lists) for partition in range(partitions)]


def page_of(me: str, wanted: Wanted) -> tuple[str, dict[str, Any]] | None:
    """Return the statement that selects moment and id of a page's matches, and its values; None if none can match."""
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
        named[f"list{number}"] = name_of(scope, shape, values, is_by_end=wanted.since is not None)
        parts.append(f"SELECT * FROM ({_part(f'list{number}', wanted, shape)}) AS part{number}")
    union = " UNION ".join(parts)
    return f"SELECT moment, id FROM ({union}) AS page ORDER BY moment DESC, id DESC LIMIT :limit", named


def _stage(wanted: Wanted) -> str | None:
    """Return the stage of the matches, as names of lists have it; "" for any; None if filters exclude each other."""
    # those that were played to their end are the finished ones, and only these have results
    asked = {f"status={plain(wanted.status)}"} if wanted.status is not None else set()
    if wanted.how is not None:
        asked.add(FINISHED if wanted.how == PLAYED else f"how={plain(wanted.how)}")
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
    """Return the values of the filters beside the stage."""
    filters = {"game": wanted.game, "speed": wanted.speed, "seats": wanted.seats, "result": wanted.result}
    return {name: str(value) for name, value in filters.items() if value is not None}


def _shape(kind: str, values: dict[str, str], *, is_by_end: bool) -> Shape:
    """Return the narrowest list that covers the filters; of two equal ones that whose filter lets less through."""
    wanted = set(values)
    fitting = [shape for shape in SHAPES[kind][is_by_end] if wanted.issuperset(shape)]
    # few matches are in any other stage: in the long run most are finished
    narrows = values.get("stage") not in {None, FINISHED}
    return max(fitting, key=lambda shape: (len(shape), "result" in shape, narrows and "stage" in shape))


def _part(list: str, wanted: Wanted, shape: Shape) -> str:
    """Return the statement for a page of one list; filters that the list does not cover are checked by match."""
    checks = [f"speed {wanted.speed}"] if wanted.speed is not None and "speed" not in shape else []
    checks += [f"result {wanted.result}"] if wanted.result is not None and "result" not in shape else []
    checks += [name for name in ("game", "seats") if getattr(wanted, name) is not None and name not in shape]
    if "stage" not in shape and wanted.result is None:
        checks += [name for name in ("status", "how") if getattr(wanted, name) is not None]
        checks += ["free"] if wanted.free else []
    asked = "".join(f" AND {CHECKS[check]}" for check in checks)
    more = (SINCE if wanted.since is not None else "") + (AFTER if wanted.after is not None else "")
    return PAGE.format(list=list, join=JOIN if checks else "", more=(JOINED if checks else "") + more + asked)


def page(store: Reader, me: str, wanted: Wanted) -> tuple[tuple[str, Entry], ...]:
    """Return the newest matches that the player ("": a stranger) may know of, with moments; one past the limit too."""
    asked = page_of(me, wanted)
    if asked is None:
        return ()
    rows = sorted(store.find_everywhere(asked[0], **asked[1]), reverse=True)[: wanted.limit + 1]
    known = entries(store, [id for _, id in rows])
    # a match can be missing only if an operator has deleted it
    return tuple((moment, known[id]) for moment, id in rows if id in known)


def entries(store: Reader, match_ids: Sequence[str]) -> dict[str, Entry]:
    """Return the matches by id, with their seats and their number of moves."""
    homes: dict[int, list[str]] = {}
    for match_id in match_ids:
        homes.setdefault(partition_of(match_id, store.partitions), []).append(match_id)
    rows = _of_these(store, lobby.SQL["in_match"], homes, " ORDER BY seats.seat")
    known = {entry.id: entry for entry in read_entries(rows)}
    running = {home: [id for id in ids if id in known and known[id].moves is None] for home, ids in homes.items()}
    for id, moves, at in _of_these(store, SQL["last_moves"], running):
        known[id] = msgspec.structs.replace(known[id], moves=moves, moved=at if moves else None)
    return known


def _of_these(store: Reader, sql: str, homes: Mapping[int, list[str]], order: str = "") -> list[Row]:
    """Return the rows of these matches, asked of all partitions at once."""
    asked = [_of_home(sql, ids, order) for ids in homes.values() if ids]
    return [row for rows in store.find_each(asked) for row in rows] if asked else []


def _of_home(sql: str, ids: list[str], order: str) -> Statement:
    # the number of ids is filled up to a power of two, so that there are few statements for the store to plan
    ids = ids + ids[-1:] * ((1 << (len(ids) - 1).bit_length()) - len(ids))
    places = ", ".join(f":m{number}" for number, _ in enumerate(ids))
    named = {f"m{number}": id for number, id in enumerate(ids)}
    return Statement(f"{sql} AND matches.id IN ({places}){order}", named, ids[0])
