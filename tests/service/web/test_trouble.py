"""The store fails, a log can't be read, Redis goes: the service says so, loses nothing, and goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from service.wiring import Service
from tests.service.house import House, beside
from tests.service.stored import change, pragma, spoil

pytestmark = pytest.mark.sqlite


@contextmanager
def a_full_disk(service: Service) -> Iterator[None]:
    """As far as the store can tell: it may not grow by one page."""
    pragma(service, f"max_page_count = {pragma(service, 'page_count')}")
    yield
    pragma(service, "max_page_count = 1073741823")


def test_a_full_disk_is_503_and_nothing_is_lost(house: House) -> None:
    match, players = house.table("three-magic", 3)
    before = house.stranger.events(match)
    with a_full_disk(house.service):
        failed = None
        for number in range(400):
            mover = next(player for player in players if player.moves(match)["moves"])
            now = mover.moves(match)
            answer = mover.move(match, now["moves"][0]["id"], now["decision"], key=f"move-{number}")
            if answer.status_code != 200:
                failed = answer
                break
            mover.post("/players", {"name": "x" * 64})
        assert failed is not None
        assert (failed.status_code, failed.json["code"]) == (503, "store-failed")
        assert failed.headers["Retry-After"]
        assert mover.moves(match) == now, "reading goes on, and the move was not made"
    assert mover.move(match, now["moves"][0]["id"], now["decision"], key=f"move-{number}").status_code == 200
    assert house.stranger.events(match)[: len(before)] == before


def test_a_log_that_can_not_be_read_is_an_error_of_its_own(house: House) -> None:
    match, (ann, _) = house.table()
    healthy, _ = house.table()
    spoil(house.service, match)
    strange = ann.open()
    change(house.service, "UPDATE events SET type = 'match/Sung' WHERE stream = :match AND version = 1", match=strange)
    unknown = house.stranger.get(f"/matches/{strange}/events")
    there = House(beside(house.service))
    for answer in (
        unknown,
        there.stranger.get(f"/matches/{match}"),
        there.stranger.get(f"/matches/{match}/export"),
        there.again(ann).get(f"/matches/{match}/events"),
        there.again(ann).post(f"/matches/{match}/moves", {"decision": 8, "id": "x"}),
    ):
        assert (answer.status_code, answer.json["code"]) == (500, "unreadable-log")
    assert there.stranger.look(healthy)["status"] == "playing"
