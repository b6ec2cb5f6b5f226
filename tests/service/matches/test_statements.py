"""How many SQL statements a move takes, on a match that is kept: each one costs everybody who waits."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from threading import current_thread

import pytest

from events import opening
from service.config import Config
from tests.service.house import THREE_MAGIC, House, build

pytestmark = pytest.mark.sqlite

OPEN, SEALED = 6, 10
"""Most, BEGIN and COMMIT among them, open and under seal."""

LISTENER = "listener"
"""The thread of `service.wakeups.commits`."""

UNCOUNTED = re.compile(r"PRAGMA data_version$|SELECT content FROM kept ")
"""Whether another process has written, which looks at no table; and once a second which keys are published."""


class Count:
    """The statements that any connection executes, but for those of the thread that looks for others' commits: it looks
    as often as it is woken, whatever a move does.
    """

    def __init__(self) -> None:
        self.statements: list[str] = []

    def note(self, statement: str) -> None:
        if current_thread().name != LISTENER:
            self.statements.append(statement)


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Count:
    found, connect = Count(), opening.connect

    def counting(uri: str) -> opening.Connection:
        connection = connect(uri)
        connection.set_trace_callback(found.note)
        return connection

    monkeypatch.setattr(opening, "connect", counting)
    return found


@pytest.fixture
def house(count: Count, config: Config) -> Iterator[House]:
    """Whose connections are counted."""
    service = build(config)
    yield House(service)
    service.close()


@pytest.mark.parametrize("is_keyed", [False, True])
def test_a_move_takes_few_statements(house: House, count: Count, is_keyed: bool) -> None:
    match, players = house.table(THREE_MAGIC, 3, options={"laps": 1})
    draw, most = random.Random(2), {"open": 0, "sealed": 0}
    for number in range(150):
        for player in players:
            now = player.moves(match)
            if not now["moves"]:
                continue
            body = {"decision": now["decision"], "id": draw.choice(now["moves"])["id"]}
            count.statements.clear()
            answer = player.post(f"/matches/{match}/moves", body, f"{number}" if is_keyed else None)
            assert answer.status_code == 200, answer.json
            statements = [one for one in count.statements if not UNCOUNTED.match(one)]
            kind = "sealed" if answer.json["sealed"] else "open"
            # the first moves find nothing kept, and a short deal's last one ends the match
            if number >= len(players) and house.stranger.look(match)["status"] == "playing":
                most[kind] = max(most[kind], len(statements))
            break
    assert 0 < most["open"] <= OPEN, most
    assert 0 < most["sealed"] <= SEALED, most


def test_a_repeated_move_is_answered_from_the_store(house: House, count: Count) -> None:
    match, (ann, _) = house.table()
    now = ann.moves(match)
    first = ann.move(match, now["moves"][0]["id"], now["decision"], key="k")
    count.statements.clear()
    again = ann.move(match, now["moves"][0]["id"], now["decision"], key="k")
    assert again.json["events"] == first.json["events"]
    assert not [one for one in count.statements if one.startswith("INSERT")]
