"""What is told of a store that grows is what was done; how fast it is, no test asks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks import __main__ as command
from benchmarks import growth
from benchmarks.growth import EVENTS, fill, grown, match_of, milestones
from benchmarks.places import STORES, NotAtHand, Place

pytestmark = pytest.mark.faults

LEAST, MOST = 3 * EVENTS, 25 * EVENTS


def ratios(figures: dict[str, Any]) -> set[str]:
    return {name.partition(": ")[2] for name in figures if name.endswith(", ratio")}


@pytest.mark.parametrize("store", STORES)
@pytest.mark.soak
def test_a_store_is_measured_small_and_then_beside_a_small_one(store: str) -> None:
    small, big = grown(store, MOST, least=LEAST, rounds=2, played=2, pieces=4)
    for events, figures in ((LEAST, small), (MOST, big)):
        assert all(name.startswith(f"{store}, {events:,} events: ") for name in figures)
        assert {str(figure["unit"]) for figure in figures.values()} >= {"moves/s", "events/s", "bytes/event"}
        assert all(figure["value"] for figure in figures.values())
        # an event of the pattern has 150 bytes of fields, a hash, a place in two orders
        assert 200 < float(figures[f"{store}, {events:,} events: size"]["value"]) < 3000
    assert ratios(small) == set()
    assert ratios(big) == {"appended, ratio", "rows, ratio", "read, ratio", "followed, ratio"}


@pytest.mark.parametrize("store", STORES)
@pytest.mark.soak
def test_a_store_is_filled_with_whole_matches_in_no_order_and_copied_as_it_is(store: str) -> None:
    def count(place: Place) -> int:
        recorder = place.opened()
        try:
            ids = recorder.matches()
            assert set(ids) == {match_of(number) for number in range(len(ids))}
            return sum(recorder.head(one).version for one in ids)
        finally:
            recorder.close()

    with STORES[store]() as make:
        place = make("one")
        recorder = place.opened()
        fill(recorder, range(5))
        recorder.close()
        place.settle()
        with place.copied() as copy:
            assert count(copy) == 5 * EVENTS
            recorder = copy.opened()
            fill(recorder, range(5, 7))
            recorder.close()
            assert count(copy) == 7 * EVENTS
        assert count(place) == 5 * EVENTS
    assert [match_of(number) for number in range(5)] != sorted(match_of(number) for number in range(5))


def test_a_store_that_is_not_at_hand_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def nowhere() -> Iterator[Callable[[str], Place]]:
        raise NotAtHand("it lies elsewhere")
        yield

    monkeypatch.setitem(STORES, "sqlite", nowhere)
    monkeypatch.setitem(STORES, "postgres", nowhere)
    done = CliRunner().invoke(command.cli, ["store", "--events", "20000"])
    assert (done.exit_code, done.stderr.count("is not measured: it lies elsewhere")) == (0, 2)
    assert CliRunner().invoke(command.cli, ["store", "--events", "20000", "--on", "postgres"]).exit_code == 1


def test_it_is_asked_for_by_the_number_of_events(monkeypatch: pytest.MonkeyPatch) -> None:
    assert milestones(10_000, 10_000) == [10_000]
    assert milestones(10_000, 3_000_000) == [10_000, 100_000, 1_000_000, 3_000_000]
    monkeypatch.setattr(
        growth, "grown", lambda store, events: iter([{f"{store}, {events}": {"value": 1, "unit": "x"}}])
    )
    run = CliRunner().invoke
    both = run(command.cli, ["store", "--events", "20000", "--json"])
    assert list(json.loads(both.stdout)) == ["sqlite, 20000", "postgres, 20000"]
    one = run(command.cli, ["store", "--events", "20000", "--json", "--on", "sqlite"])
    assert list(json.loads(one.stdout)) == ["sqlite, 20000"]
    for wrong in (["--events", "20000"], ["fold", "--events", "20000"], ["store", "--on", "sqlite"]):
        assert run(command.cli, wrong).exit_code == 2
    assert run(command.cli, ["store", "--events", "9999"]).exit_code == 2
