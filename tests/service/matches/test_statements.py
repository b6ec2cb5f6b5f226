"""How many SQL statements a move takes, on a match that is kept: each one costs everybody who waits."""

from __future__ import annotations

import random
import re

import pytest

from events import opening
from service.store import logs
from service.wiring import Service
from tests.service.house import THREE_MAGIC, House

pytestmark = pytest.mark.sqlite

OPEN, SEALED = 6, 10
"""Most, BEGIN and COMMIT among them, open and under seal."""

UNCOUNTED = re.compile(r"PRAGMA data_version$|SELECT content FROM kept ")
"""Whether another process has written, which looks at no table; and once a second which keys are published."""


@pytest.mark.usefixtures("frozen")
def test_a_move_takes_few_statements(traced: House, statements: list[str]) -> None:
    """Each second one has a key. No time passes, in which others' writing would be looked for beside."""
    match, players = traced.table(THREE_MAGIC, 3, options={"laps": 1})
    draw, most = random.Random(2), {"open": 0, "sealed": 0}
    for number in range(60):
        for player in players:
            now = player.moves(match)
            if not now["moves"]:
                continue
            body = {"decision": now["decision"], "id": draw.choice(now["moves"])["id"]}
            statements.clear()
            answer = player.post(f"/matches/{match}/moves", body, f"{number}" if number % 2 else None)
            assert answer.status_code == 200, answer.json
            counted = [one for one in statements if not UNCOUNTED.match(one)]
            kind = "sealed" if answer.json["sealed"] else "open"
            # the first moves find nothing kept, and a short deal's last one ends the match
            if number >= len(players) and traced.stranger.look(match)["status"] == "playing":
                most[kind] = max(most[kind], len(counted))
            break
    assert 0 < most["open"] <= OPEN, most
    assert 0 < most["sealed"] <= SEALED, most


def test_a_repeated_move_is_answered_from_the_store(traced: House, statements: list[str]) -> None:
    match, (ann, _) = traced.table()
    now = ann.moves(match)
    first = ann.move(match, now["moves"][0]["id"], now["decision"], key="k")
    statements.clear()
    again = ann.move(match, now["moves"][0]["id"], now["decision"], key="k")
    assert again.json["events"] == first.json["events"]
    assert not [one for one in statements if one.startswith("INSERT")]


NAMES = tuple(f"SEARCH events USING COVERING INDEX {index} (partition=?" for index in ("streams", "events_in_order"))
"""Ways that read no event: to the names of the streams, and to the last position."""


@pytest.mark.parametrize("sql", [logs.SQL["strangers"], logs.SQL["asked"], logs.SQL["idle"], opening.LOOK])
def test_a_start_finds_events_by_their_match_and_never_reads_through_them(service: Service, sql: str) -> None:
    plan = service.recorder.find_everywhere(f"EXPLAIN QUERY PLAN {sql}")
    found = [str(row[3]) for row in plan if re.search(r"\bevents\b", str(row[3]))]
    assert found
    assert [way for way in found if not way.startswith(NAMES) and "partition=? AND stream=?" not in way] == []
