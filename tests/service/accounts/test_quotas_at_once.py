"""What is counted in the store holds when two transactions overlap: the second waits for the first, and sees it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import psycopg
import pytest

from events.postgres.asking import as_psycopg
from events.store import BrokenConstraint, Statement
from service.config import Config
from service.problems import Problem
from service.store import people
from service.wiring import Service
from tests.service.house import House, build
from tests.service.stored import rows

MOMENT, LATER = "2026-05-01T00:00:00.000Z", "9999-12-31T00:00:00.000Z"


def test_of_two_who_sign_up_by_one_pass_one_is_taken_in(house: House) -> None:
    recorder = house.service.recorder
    one = people.Pass("i_1", "operator", MOMENT, LATER)
    recorder.write(people.make_pass(one, "hash", MOMENT, 5))
    recorder.write(people.take_pass("hash", "p_1", MOMENT))
    # both have found it good before
    with pytest.raises(BrokenConstraint):
        recorder.write([*people.take_pass("hash", "p_2", MOMENT), people.withdraw_pass("operator", "i_1")])
    assert rows(house.service, "SELECT player FROM passes") == [("p_1",)]


@pytest.fixture
def on_postgres(tmp_path: Path, postgres_url: str) -> Iterator[Service]:
    found = build(Config(data=tmp_path, store=postgres_url, sign_up="invitation", passes=1))
    yield found
    found.close()


def overlapping(service: Service, told: list[Statement], ask: object) -> str:
    """What the one who asks is told, while a transaction with these statements is open, and then committed."""
    assert callable(ask)
    with psycopg.connect(service.config.store_url) as first, ThreadPoolExecutor(1) as threads:
        for one in told:
            first.execute(as_psycopg(one.sql), dict(one.named))
        asked = threads.submit(ask)
        Event().wait(0.3)
        assert not asked.done(), "it waits"
        first.commit()
        try:
            asked.result(30)
        except Problem as error:
            return error.code
    return "made"


def test_two_who_make_their_last_pass_or_bot_at_once_make_one_in_postgres(on_postgres: Service) -> None:
    ann = House(on_postgres).operator.post("/players", {"name": "Ann"}).json
    asker = on_postgres.accounts.asker(ann["token"])
    told = people.make_pass(people.Pass("i_1", ann["id"], "9000", LATER), "hash", MOMENT, 1)
    assert overlapping(on_postgres, told, lambda: on_postgres.passes.make(asker)) == "too-many-passes"
    bots, most = on_postgres.owned_bots, on_postgres.owned_bots.MOST
    for number in range(most - 1):
        bots.make(asker, f"Robot {number}")
    robot = people.Player("p_robot", "Robot", people.BOT, None, MOMENT, owner=ann["id"])
    told = [*people.demand_room(ann["id"], most), people.enter(robot)]
    assert overlapping(on_postgres, told, lambda: bots.make(asker, "Another")) == "too-many-bots"
