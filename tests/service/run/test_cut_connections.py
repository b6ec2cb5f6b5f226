"""Who hangs up before the answer and asks again by the same key has moved once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from events.stores import open_to_read
from tests.service.run.callers import GAMES, Caller
from tests.service.run.crew import Crew, crew
from tests.service.run.reckoning import answers
from tests.service.run.uprun import until

pytestmark = pytest.mark.faults

MOVES = 24


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.soak)])
def service(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Crew]:
    store = request.getfixturevalue("postgres_url") if request.param == "postgres" else ""
    with crew(tmp_path / "data", store) as found:
        yield found


@pytest.fixture
def people(service: Crew) -> Iterator[list[Caller]]:
    found = [Caller(service.url, name) for name in ("Ann", "Bob")]
    yield found
    for one in found:
        one.close()


def sit_down(people: list[Caller]) -> str:
    """A match that both play."""
    match: str = people[0].ask("POST", "/matches", GAMES[0], "open")["id"]
    for seat, one in enumerate(people):
        one.ask("POST", f"/matches/{match}/seats", {"seat": seat}, "sit")
    return match


def due(people: list[Caller], match: str) -> tuple[Caller, dict[str, Any]]:
    """Whose turn it is, and the move that they choose."""
    for one in people:
        now = one.ask("GET", f"/matches/{match}/moves")
        if now["moves"]:
            return one, {"decision": now["decision"], "id": now["moves"][0]["id"]}
    raise AssertionError("somebody is asked")


def version(one: Caller, match: str) -> int:
    found: int = one.ask("GET", f"/matches/{match}")["version"]
    return found


@pytest.mark.parametrize("when", ["once it was stored", pytest.param("at once", marks=pytest.mark.soak)])
def test_a_move_whose_answer_was_not_waited_for_is_made_once(service: Crew, people: list[Caller], when: str) -> None:
    match = sit_down(people)
    path = f"/matches/{match}/moves"
    for number in range(MOVES):
        one, body = due(people, match)
        before = version(one, match)
        one.hang_up(path, body, f"move-{number}")
        if when != "at once":
            until(lambda: version(one, match) > before, "it is stored all the same")  # noqa: B023
        told = one.ask("POST", path, body, f"move-{number}")
        assert told["events"][0]["version"] == before + 1
        assert told["events"][-1]["version"] == told["version"] == version(one, match)
        assert one.ask("POST", path, body, f"move-{number}")["events"] == told["events"]
    with closing(open_to_read(service.config.store_url)) as store:
        found = answers(store)
    assert set(found.values()) == {1}
    assert len(found) == MOVES


@pytest.mark.soak
def test_what_is_opened_and_not_waited_for_is_opened_once(service: Crew, people: list[Caller]) -> None:
    ann, _ = people
    for number in range(8):
        ann.hang_up("/matches", GAMES[0], f"open-{number}")
        opened = {ann.ask("POST", "/matches", GAMES[0], f"open-{number}")["id"] for _ in range(2)}
        assert len(opened) == 1
    with closing(open_to_read(service.config.store_url)) as store:
        assert len(store.matches()) == 8
