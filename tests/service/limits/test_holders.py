"""Whoever holds most loses the oldest when there is too little of it."""

from __future__ import annotations

from service.limits import Holders


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
