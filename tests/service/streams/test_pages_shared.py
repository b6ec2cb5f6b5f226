"""What many streams are told alike is made once, however large, and what is kept of it stays within bounds."""

from __future__ import annotations

import pytest

from service.streams.streams import LARGEST, PAGES, ROOM
from tests.service.house import House, play_out

pytestmark = pytest.mark.sqlite


def test_a_large_page_is_made_once_for_all_and_an_enormous_one_is_not_kept(house: House) -> None:
    streams, made = house.service.streams, []

    def make(size: int) -> tuple[bytes, int, bool]:
        made.append(size)
        return b"x" * size, 1, False

    for _ in range(3):
        streams.page("m1", ("large",), lambda: make(LARGEST))
    assert made == [LARGEST]
    for _ in range(2):
        streams.page("m1", ("enormous",), lambda: make(LARGEST + 1))
    assert made[1:] == [LARGEST + 1] * 2


def test_pages_are_forgotten_before_they_take_too_much_room(house: House) -> None:
    streams = house.service.streams
    for number in range(3 * ROOM // LARGEST):
        streams.page("m1", (number,), lambda: (b"x" * LARGEST, 1, False))
    assert sum(len(page[0]) for page in streams._pages.values()) == streams._kept <= ROOM
    for number in range(2 * PAGES):
        streams.page("m1", ("small", number), lambda: (b"x", 1, False))
    assert len(streams._pages) == PAGES
    assert sum(len(page[0]) for page in streams._pages.values()) == streams._kept


@pytest.mark.parametrize("game", ["high-card", "three-magic"])
def test_scenes_are_the_same_read_on_step_by_step_at_once_or_again_from_before(house: House, game: str) -> None:
    match, players = house.table(game, 2 if game == "high-card" else 3)
    play_out(match, players, most=20)
    for who in (players[0], house.stranger):
        whole = who.get(f"/matches/{match}/events", scenes="true", limit=1000).json["events"]
        for size in (1, 7):
            found, after = [], 0
            while page := who.get(f"/matches/{match}/events", scenes="true", after=after, limit=size).json["events"]:
                found += page
                after = page[-1]["version"]
                before = who.get(f"/matches/{match}/events", scenes="true", after=max(0, after - 3), limit=2).json
                assert before["events"] == whole[max(0, after - 3) : max(0, after - 3) + 2]
            assert found == whole
