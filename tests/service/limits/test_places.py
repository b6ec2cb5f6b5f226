"""No more are under way at the same time than may, and whoever holds most loses the oldest when there is too little."""

from __future__ import annotations

import pytest

from service.limits import Holders
from service.limits.places import Places
from service.limits.settings import ACCOUNT, ADDRESS, Room
from tests.service.together import at_once

TWO, MANY = Room("waits", ADDRESS, 2), Room("waits", ACCOUNT, 160)


def test_a_place_that_is_given_back_is_there_again_and_a_full_room_keeps_all_others() -> None:
    places = Places()
    first, second = places.take([(TWO, "a"), (MANY, "p")]), places.take([(TWO, "a"), (MANY, "p")])
    assert places.take([(MANY, "p"), (TWO, "a")]) == TWO
    assert places.used(MANY, "p") == 2
    assert callable(places.take([(TWO, "b")]))
    assert callable(first)
    assert callable(second)
    for _ in range(2):
        first()
    assert callable(places.take([(TWO, "a")]))
    assert places.take([(TWO, "a")]) == TWO, "twice is as good as once"
    assert places.used(TWO, "a") == 2


def test_processes_tell_each_other_whom_it_matters_until_they_tell_something_else() -> None:
    places = Places()
    places.hear([{"waits-by-address a": 1}, {"waits-by-address a": 1, "waits-by-address b": 1}])
    assert places.take([(TWO, "a")]) == TWO
    assert callable(places.take([(TWO, "b")]))
    assert places.take([(TWO, "b")]) == TWO
    places.hear([])
    assert callable(places.take([(TWO, "a")]))
    for _ in range(9):
        places.take([(MANY, "p")])
    assert places.shares() == {"waits-by-address a": 1, "waits-by-address b": 1}
    places.take([(MANY, "p")])
    assert places.shares()["waits-by-account p"] == 10


def test_fifty_threads_at_once_get_no_more_places_than_there_are() -> None:
    places = Places()

    def ask() -> int:
        taken = 0
        for number in range(20):
            taken += callable(places.take([(MANY, "p"), (MANY, f"q{number}")]))
            assert places.used(MANY, "p") <= MANY.most
        return taken

    assert sum(at_once(*[ask] * 50)) == 160
    assert places.used(MANY, "p") == 160


def test_what_is_held_is_counted_until_it_is_let_go() -> None:
    holders: Holders[str] = Holders()
    for holder, thing, size, total in (
        *(("ann", "first", 5, 5), ("bob", "second", 3, 8), ("ann", "first", 7, 10)),
        ("bob", "first", 7, 10),  # it is another's now
    ):
        holders.hold(holder, thing, size)
        assert holders.total == total
    for _ in range(2):
        holders.let_go("first")
        assert holders.total == 3
    holders.hold("bob", "second", 0)
    assert holders.total == 0
    assert holders.relieve(0) == []


@pytest.mark.parametrize(
    ("held", "most", "lost"),
    [
        ({"bob": (1, 1), "ann": (10, 1)}, 8, ["ann 0", "ann 1", "ann 2"]),
        ({"bob": (1, 1), "ann": (10, 1)}, 2, [f"ann {number}" for number in range(9)]),
        ({"bob": (1, 1), "ann": (10, 1)}, 11, []),
        ({"ann": (4, 10), "bob": (4, 10), "cy": (1, 10)}, 50, ["ann 0", "ann 1", "bob 0", "bob 1"]),
        ({"ann": (9, 1), "bob": (1, 10)}, 15, ["bob 0"]),
    ],
)
def test_who_holds_most_loses_the_oldest(held: dict[str, tuple[int, int]], most: int, lost: list[str]) -> None:
    """By holder: how many things it holds, and the size of each."""
    holders: Holders[str] = Holders()
    for name, (count, size) in held.items():
        for number in range(count):
            holders.hold(name, f"{name} {number}", size)
    holders.hold("ann", "ann 3", held["ann"][1])  # again, but it stays as old as it is
    assert holders.relieve(most) == lost
    assert holders.total <= most
