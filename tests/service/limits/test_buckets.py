"""What was used comes back evenly, and nobody gets more than there is."""

from __future__ import annotations

from datetime import timedelta

import pytest
from freezegun.api import FrozenDateTimeFactory

from service.limits.limits import Buckets, Share
from service.limits.settings import ACCOUNT, ADDRESS, Rate
from tests.service.together import at_once

SIX, TWO = Rate("things", ADDRESS, 6, 60), Rate("things", ACCOUNT, 2, 60)
SLOW = Rate("things", ADDRESS, 1000, 10**9)
"""Nothing of it comes back while a test runs."""


def test_so_many_pass_at_once_and_then_as_many_as_come_back_at_whatever_moment(frozen: FrozenDateTimeFactory) -> None:
    buckets, asked = Buckets(), [(SIX, "a")]
    assert [buckets.take(asked, 1) for _ in range(9)] == [None] * 6 + [(SIX, 10)] * 3, "a refusal is not counted"
    frozen.tick(timedelta(seconds=9))
    assert buckets.take(asked, 1) == (SIX, 1)
    frozen.tick(timedelta(seconds=1))
    assert [buckets.take(asked, 1) for _ in range(2)] == [None, (SIX, 10)]
    frozen.tick(timedelta(hours=1))
    assert [buckets.take(asked, 1) for _ in range(7)] == [None] * 6 + [(SIX, 10)]
    assert buckets.take([(SIX, "b")], 100) is None, "what costs more than all takes all"
    assert buckets.take([(SIX, "b")], 100) == (SIX, 60)
    assert buckets.take([(SIX, "b")], 0.5) == (SIX, 5)


def test_each_is_counted_alone_and_what_one_limit_refuses_counts_in_none(frozen: FrozenDateTimeFactory) -> None:
    buckets, wanted = Buckets(), [(SIX, "a"), (TWO, "p")]
    assert [buckets.take(wanted, 1) for _ in range(4)] == [None, None, (TWO, 30), (TWO, 30)]
    assert (buckets.used(SIX, "a"), buckets.used(SIX, "b")) == (2, 0)


def test_fifty_threads_at_once_get_no_more_than_there_is() -> None:
    buckets = Buckets()

    def ask() -> int:
        return sum(buckets.take([(SLOW, "a")], 1) is None for _ in range(40))

    assert sum(at_once(*[ask] * 50)) == 1000
    assert buckets.used(SLOW, "a") == pytest.approx(1000, abs=0.01)


def test_who_asked_longest_ago_is_forgotten(frozen: FrozenDateTimeFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.limits.limits.MOST", 3)
    buckets = Buckets()
    for whom in "abcadae":
        buckets.take([(SIX, whom)], 1)
    shares = buckets.shares(10)
    assert {share.whom: share.unsent for share in shares} == {"a": 3, "d": 1, "e": 1}
    assert buckets.used(SIX, "b") == 0
    for whom in "fgh":
        buckets.take([(SIX, whom)], 1)
    buckets.settle([(shares[0], 4.0)])
    buckets.put_back(shares)
    assert {share.whom for share in buckets.shares(10)} == {"f", "g", "h"}, "who was forgotten meanwhile stays so"


def test_what_others_count_is_added_once_and_what_was_not_sent_is_sent_later(frozen: FrozenDateTimeFactory) -> None:
    buckets = Buckets()
    buckets.take([(SIX, "a")], 2)
    (share,) = buckets.shares(10)
    assert share == Share(SIX, "a", 0, 2)
    buckets.take([(SIX, "a")], 1)
    buckets.settle([(share, 4.0)])
    assert buckets.used(SIX, "a") == 5, "two of another process, two told, and one that came meanwhile"
    assert buckets.shares(10) == [Share(SIX, "a", 4, 1)]
    assert buckets.shares(10) == [], "once"
    buckets.take([(SIX, "b")], 6)
    buckets.put_back(buckets.shares(10))
    frozen.tick(timedelta(seconds=40))
    assert buckets.shares(10) == [Share(SIX, "b", 0, 2)], "no more than is left of it"
