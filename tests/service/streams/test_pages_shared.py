"""What many streams are told alike is made once, however large, and what is kept of it stays within bounds."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import pytest

from service.streams.match import LARGEST, PAGES, ROOM
from tests.service.house import House, play_out

pytestmark = pytest.mark.sqlite


def test_pages_are_made_once_for_all_and_forgotten_before_they_take_too_much_room(house: House) -> None:
    def made(size: int, numbers: Iterable[int]) -> list[int]:
        """Which of the pages of that size were not kept."""
        anew: list[int] = []

        def make(number: int) -> tuple[bytes, int, bool]:
            anew.append(number)
            return b"x" * size, 1, False

        for number in numbers:
            house.service.streams.page("m1", (size, number), partial(make, number))
        return anew

    assert made(LARGEST + 1, [1, 1]) == [1, 1], "an enormous one is not kept"
    for size, fit in ((LARGEST, ROOM // LARGEST), (1, PAGES)):
        assert made(size, range(3 * fit)) == [*range(3 * fit)]
        assert made(size, range(2 * fit, 3 * fit)) == [], "so many are kept"
        assert made(size, [2 * fit - 1]) == [2 * fit - 1], "and not one more"


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
