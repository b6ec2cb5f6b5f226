"""What was used comes back evenly, and nobody gets more than there is."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from freezegun import freeze_time
from freezegun.api import FrozenDateTimeFactory

from service.limits.limits import Buckets, Share
from service.limits.settings import ACCOUNT, ADDRESS, Rate

SIX = Rate("things", ADDRESS, 6, 60)
TWO = Rate("things", ACCOUNT, 2, 60)
SLOW = Rate("things", ADDRESS, 1000, 10**9)
"""Nothing of it comes back while a test runs."""


@pytest.fixture
def frozen() -> Iterator[FrozenDateTimeFactory]:
    with freeze_time("2026-03-01T12:00:00Z") as time:
        assert isinstance(time, FrozenDateTimeFactory)
        yield time


def test_so_many_pass_at_once_and_then_as_many_as_come_back(frozen: FrozenDateTimeFactory) -> None:
    buckets = Buckets()
    assert [buckets.take([(SIX, "a")], 1) for _ in range(6)] == [None] * 6
    for _ in range(3):
        assert buckets.take([(SIX, "a")], 1) == (SIX, 10), "who is refused is not counted"
    frozen.tick(timedelta(seconds=9))
    assert buckets.take([(SIX, "a")], 1) == (SIX, 1)
    frozen.tick(timedelta(seconds=1))
    assert buckets.take([(SIX, "a")], 1) is None
    assert buckets.take([(SIX, "a")], 1) == (SIX, 10)
    frozen.tick(timedelta(hours=1))
    assert [buckets.take([(SIX, "a")], 1) for _ in range(7)] == [None] * 6 + [(SIX, 10)]


def test_at_no_edge_do_twice_as_many_pass(frozen: FrozenDateTimeFactory) -> None:
    buckets, passed = Buckets(), 0
    for _ in range(59):
        frozen.tick(timedelta(seconds=1))
    for _ in range(2):
        passed += sum(buckets.take([(SIX, "a")], 1) is None for _ in range(20))
        frozen.tick(timedelta(seconds=2))
    assert passed == 6


def test_everybody_is_counted_for_themselves(frozen: FrozenDateTimeFactory) -> None:
    buckets = Buckets()
    assert all(buckets.take([(SIX, whom)], 6) is None for whom in "abc")
    assert buckets.take([(SIX, "a")], 1) is not None
    assert buckets.used(SIX, "b") == 6
    assert buckets.used(SIX, "d") == 0


def test_what_one_limit_refuses_counts_in_none(frozen: FrozenDateTimeFactory) -> None:
    buckets = Buckets()
    wanted = [(SIX, "a"), (TWO, "p")]
    assert [buckets.take(wanted, 1) for _ in range(4)] == [None, None, (TWO, 30), (TWO, 30)]
    assert buckets.used(SIX, "a") == 2


def test_what_costs_more_than_all_takes_all(frozen: FrozenDateTimeFactory) -> None:
    buckets = Buckets()
    assert buckets.take([(SIX, "a")], 100) is None
    assert buckets.take([(SIX, "a")], 100) == (SIX, 60)
    assert buckets.take([(SIX, "a")], 0.5) == (SIX, 5)


def test_fifty_threads_at_once_get_no_more_than_there_is() -> None:
    buckets, barrier = Buckets(), Barrier(50)

    def ask(_: int) -> int:
        barrier.wait()
        return sum(buckets.take([(SLOW, "a")], 1) is None for _ in range(40))

    with ThreadPoolExecutor(50) as pool:
        assert sum(pool.map(ask, range(50))) == 1000
    assert buckets.used(SLOW, "a") == pytest.approx(1000, abs=0.01)


def test_who_has_not_asked_for_longest_is_forgotten(frozen: FrozenDateTimeFactory) -> None:
    buckets = Buckets(most=3)
    for whom in "abcadae":
        buckets.take([(SIX, whom)], 1)
    assert len(buckets) == 3
    assert {share.whom: share.unsent for share in buckets.shares(10)} == {"a": 3, "d": 1, "e": 1}
    assert buckets.used(SIX, "b") == 0
    assert len(buckets) == 3


def test_what_others_count_is_added_once(frozen: FrozenDateTimeFactory) -> None:
    buckets = Buckets()
    buckets.take([(SIX, "a")], 2)
    (share,) = buckets.shares(10)
    assert share == Share(SIX, "a", 0, 2)
    buckets.take([(SIX, "a")], 1)
    buckets.settle([(share, 4.0)])
    assert buckets.used(SIX, "a") == 5, "two of another process, two told, and one that came meanwhile"
    assert buckets.shares(10) == [Share(SIX, "a", 4, 1)]
    assert buckets.shares(10) == [], "once"


def test_what_could_not_be_told_is_told_later_and_no_more_than_is_left_of_it(frozen: FrozenDateTimeFactory) -> None:
    buckets = Buckets()
    buckets.take([(SIX, "a")], 6)
    buckets.put_back(buckets.shares(10))
    frozen.tick(timedelta(seconds=40))
    assert buckets.shares(10) == [Share(SIX, "a", 0, 2)]


def test_what_was_forgotten_meanwhile_is_settled_by_nobody(frozen: FrozenDateTimeFactory) -> None:
    buckets = Buckets(most=1)
    buckets.take([(SIX, "a")], 1)
    shares = buckets.shares(10)
    buckets.take([(SIX, "b")], 1)
    buckets.settle([(shares[0], 4.0)])
    buckets.put_back(shares)
    assert [share.whom for share in buckets.shares(10)] == ["b"]
    assert buckets.used(SIX, "a") == 0
