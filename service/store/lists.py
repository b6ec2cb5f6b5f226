"""The lists that a match is in: the lobby reads a page of one list, and never searches all matches for what fits.

A list is named by whose matches it has and by its filters: `public&game=ttmp`, `player=p_1&status=open`. Its rows are
(moment, match), in the order of the pages. There is a list for every filter of the lobby and for every pair. The lists
of a match follow from `matches` and `seats`: `keep` puts the statements for them around a change. They are executed
when a match is opened, when somebody sits down or leaves, when it starts and when it ends, never by a move.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from events.store import Statement

HOUR, DAY = 3_600_000, 86_400_000

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


SPEED = f"""CASE WHEN allowance IS NULL THEN 'none' WHEN allowance < {HOUR} THEN 'minutes'
        WHEN allowance < {DAY} THEN 'hours' ELSE 'days' END"""

ROWS = f"""
WITH shapes (kind, sort, stage, game, speed, seats, result) AS (VALUES {_shapes()}),
theirs (match, who) AS (
    SELECT matches.id, creator FROM matches WHERE partition = :partition{{matches}} AND creator IS NOT NULL
    UNION SELECT seats.match, player FROM seats WHERE partition = :partition{{seats}} AND player IS NOT NULL
    UNION SELECT seats.match, reserved FROM seats WHERE partition = :partition{{seats}} AND reserved IS NOT NULL
),
known (match, who, is_shown) AS (
    SELECT theirs.match, theirs.who, CASE WHEN matches.visibility = 'public' AND EXISTS (
        SELECT 1 FROM seats WHERE seats.partition = :partition AND seats.match = theirs.match
        AND seats.player = theirs.who) THEN 1 ELSE 0 END
    FROM theirs CROSS JOIN matches WHERE matches.partition = :partition AND matches.id = theirs.match
),
scopes (match, kind, name, viewer, place) AS (
    SELECT matches.id, 'public', 'public', '', NULL FROM matches
    WHERE partition = :partition{{matches}} AND visibility = 'public'
    UNION ALL SELECT seats.match, 'player', 'player=' || player, '', place FROM seats
    JOIN matches ON matches.partition = seats.partition AND matches.id = seats.match
    WHERE seats.partition = :partition{{seats}} AND visibility = 'public' AND player IS NOT NULL
    UNION ALL SELECT match, 'mine', 'mine=' || who, who, NULL FROM known WHERE is_shown = 0
    UNION ALL SELECT seats.match, CASE WHEN is_shown = 1 THEN 'both' ELSE 'player' END,
        'mine=' || who || '&player=' || player, who, place
    FROM known CROSS JOIN seats WHERE seats.partition = :partition AND seats.match = known.match
    AND player IS NOT NULL AND NOT (is_shown = 1 AND player = who)
),
staged AS (
    SELECT scopes.match, kind, name, place, game, size, created, ended, {SPEED} AS pace,
        '&status=' || status AS first_stage,
        CASE WHEN status = 'aborted' THEN '&how=' || how
            WHEN status = 'open' AND EXISTS (
                SELECT 1 FROM seats WHERE seats.partition = :partition AND seats.match = scopes.match
                AND seats.player IS NULL AND seats.bot IS NULL
                AND (seats.reserved IS NULL OR seats.reserved = viewer)) THEN '&free' END AS second_stage
    FROM scopes CROSS JOIN matches WHERE matches.partition = :partition AND matches.id = scopes.match
),
named (list, moment, match) AS (
    SELECT name || CASE shapes.stage WHEN 0 THEN '' WHEN 1 THEN first_stage ELSE second_stage END
        || CASE shapes.game WHEN 0 THEN '' ELSE '&game=' || staged.game END
        || CASE shapes.speed WHEN 0 THEN '' ELSE '&speed=' || pace END
        || CASE shapes.seats WHEN 0 THEN '' ELSE '&seats=' || size END
        || CASE WHEN shapes.result = 0 THEN '' WHEN place = 1 THEN '&result=won' WHEN place > 1 THEN '&result=lost' END
        || CASE sort WHEN 1 THEN '' ELSE '&ended' END,
        CASE sort WHEN 1 THEN created ELSE ended END, match
    FROM staged CROSS JOIN shapes WHERE shapes.kind = staged.kind
)
SELECT list, moment, match FROM named WHERE list IS NOT NULL AND moment IS NOT NULL
"""
"""Selects the lists and moments of matches, from the present `matches` and `seats`."""

OF_MATCH = ROWS.format(matches=" AND matches.id = :match", seats=" AND seats.match = :match")
TAKE_OUT = (
    "DELETE FROM listed WHERE partition = :partition AND match = :match"
    f" AND (list, moment) IN (SELECT list, moment FROM ({OF_MATCH}) AS before)"
)
# another process may be entering the same match at the same time
PUT_IN = (
    "INSERT INTO listed (partition, list, moment, match)"
    f" SELECT :partition, list, moment, match FROM ({OF_MATCH}) AS now WHERE true ON CONFLICT DO NOTHING"
)


def keep(match_id: str, beside: Iterable[Statement], *, is_new: bool = False) -> tuple[Statement, ...]:
    """Return the statements that change a match's row or seats, with those around them that update its lists."""
    out, into = (Statement(sql, {"match": match_id}, match_id) for sql in (TAKE_OUT, PUT_IN))
    return (*(() if is_new else (out,)), *beside, into)


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
