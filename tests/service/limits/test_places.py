"""No more are under way at the same time than may, and whoever holds most loses the oldest when there is too little."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from service.limits import Holders
from service.limits.places import Places
from service.limits.settings import ACCOUNT, ADDRESS, Room

TWO, MANY = Room("waits", ADDRESS, 2), Room("waits", ACCOUNT, 160)


def test_a_place_that_is_given_back_is_there_again() -> None:
    places = Places()
    first, second = places.take([(TWO, "a")]), places.take([(TWO, "a")])
    assert places.take([(TWO, "a")]) == TWO
    assert callable(places.take([(TWO, "b")]))
    assert callable(first)
    assert callable(second)
    for _ in range(2):
        first()
    assert callable(places.take([(TWO, "a")]))
    assert places.take([(TWO, "a")]) == TWO, "twice is as good as once"
    assert places.used(TWO, "a") == 2


def test_where_one_room_is_full_no_place_is_taken_in_another() -> None:
    places = Places()
    for _ in range(2):
        places.take([(TWO, "a"), (MANY, "p")])
    assert places.take([(MANY, "p"), (TWO, "a")]) == TWO
    assert places.used(MANY, "p") == 2


def test_what_others_tell_counts_until_they_tell_something_else() -> None:
    places = Places()
    places.hear([{"waits-by-address a": 1}, {"waits-by-address a": 1, "waits-by-address b": 1}])
    assert places.take([(TWO, "a")]) == TWO
    assert callable(places.take([(TWO, "b")]))
    assert places.take([(TWO, "b")]) == TWO
    places.hear([])
    assert callable(places.take([(TWO, "a")]))


def test_others_are_told_only_of_whom_it_matters() -> None:
    places = Places()
    for _ in range(9):
        places.take([(MANY, "p")])
    places.take([(TWO, "a")])
    assert places.shares() == {"waits-by-address a": 1}
    places.take([(MANY, "p")])
    assert places.shares() == {"waits-by-address a": 1, "waits-by-account p": 10}


def test_fifty_threads_at_once_get_no_more_places_than_there_are() -> None:
    places, barrier = Places(), Barrier(50)

    def ask(_: int) -> int:
        barrier.wait()
        taken = 0
        for number in range(20):
            found = places.take([(MANY, "p"), (MANY, f"q{number}")])
            assert places.used(MANY, "p") <= MANY.most
            taken += callable(found)
        return taken

    with ThreadPoolExecutor(50) as pool:
        assert sum(pool.map(ask, range(50))) == 160
    assert places.used(MANY, "p") == 160


def test_what_is_held_is_counted_until_it_is_let_go() -> None:
    holders: Holders[str] = Holders()
    holders.hold("ann", "first", 5)
    holders.hold("bob", "second", 3)
    holders.hold("ann", "first", 7)
    assert holders.total == 10
    holders.hold("bob", "first", 7)
    assert holders.total == 10, "it is another's now"
    for _ in range(2):
        holders.let_go("first")
        assert holders.total == 3
    holders.hold("bob", "second", 0)
    assert holders.total == 0
    assert holders.relieve(0) == []


def test_who_holds_most_loses_the_oldest_and_nobody_else_does() -> None:
    holders: Holders[str] = Holders()
    holders.hold("bob", "bob's")
    for number in range(10):
        holders.hold("ann", f"ann's {number}")
    assert holders.relieve(8) == ["ann's 0", "ann's 1", "ann's 2"]
    holders.hold("ann", "ann's 3")
    assert holders.relieve(8) == []
    assert holders.relieve(2) == [f"ann's {number}" for number in range(3, 9)]
    assert holders.total == 2


def test_of_several_who_hold_most_each_loses_some() -> None:
    holders: Holders[str] = Holders()
    for name in ("ann", "bob"):
        for number in range(4):
            holders.hold(name, f"{name}'s {number}", 10)
    holders.hold("cy", "cy's", 10)
    assert holders.relieve(50) == ["ann's 0", "ann's 1", "bob's 0", "bob's 1"]


def test_a_large_thing_weighs_more_than_many_small_ones() -> None:
    holders: Holders[str] = Holders()
    for number in range(9):
        holders.hold("ann", f"ann's {number}")
    holders.hold("bob", "bob's", 10)
    assert holders.relieve(15) == ["bob's"]
