"""Folded states are kept, caught up and forgotten."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from domain.catalogue import Catalogue
from domain.matches import Status
from events.store import Append, StoreError
from replays.log import TRUTH, Log, OtherRules, UnknownMatch
from service.matches.states import Recent, States
from service.wiring import Service
from tests.service.house import House, step


@pytest.mark.parametrize(("game", "seats", "most"), [("high-card", 4, 100), ("three-magic", 3, 120)])
def test_what_is_cached_is_what_folding_anew_gives(house: House, game: str, seats: int, most: int) -> None:
    match, players = house.table(game, seats)
    tables, draw = house.service.states, random.Random(3)
    for made in range(most):
        moved = step(match, draw.sample(players, seats), draw)
        if made % 10 == 0 or not moved:
            log = Log(house.service.recorder, match, house.service.catalogue)
            for viewer in (None, TRUTH, *range(seats)):
                assert tables.folded(tables.log(match), viewer) == log.fold(viewer)
        if not moved:
            break


def test_states_are_caught_up_not_read_back_and_never_go_back(house: House, service: Service) -> None:
    match, (ann, _) = house.table()
    reads: list[int] = []

    class Counting:
        """The recorder, and from where it is asked to read."""

        def __getattr__(self, name: str) -> Any:
            read = getattr(service.recorder, name)
            if name not in {"facts", "briefs"}:
                return read

            def noted(stream: str, after: int = 0) -> object:
                reads.append(after)
                return read(stream, after)

            return noted

    tables = States(Counting(), service.catalogue)  # type: ignore[arg-type]  # it answers as the recorder does
    log = tables.log(match)
    first = tables.folded(log, None)
    ours = service.states.log(match)
    old, seen = service.changes.look(match), service.states.folded(ours, 0)
    ann.choose(match)
    second = tables.folded(log, None)
    assert tables.folded(log, None) is second
    assert reads == [0, first.version, second.version]
    new = service.changes.look(match)
    service.states.keep(old)
    service.states.tell(ours, 0, seen, ())
    assert service.states.folded(ours, TRUTH) == new.truth
    assert service.states.folded(ours, 0).version == new.truth.version


def test_a_cache_that_forgets_gives_the_same(house: House, service: Service) -> None:
    found = [house.table()[0] for _ in range(4)]
    small = States(service.recorder, service.catalogue, states=2, logs=1)
    for match in found * 2:
        log = small.log(match)
        assert small.folded(log, 0).status == Status.PLAYING
        assert small.folded(log, 0) == service.states.folded(service.states.log(match), 0)
    assert len(small._states) == 2
    assert len(small._logs) == 1


def test_of_a_match_that_is_not_there_or_has_other_rules_there_is_no_log(house: House, service: Service) -> None:
    match, _ = house.table()
    with pytest.raises(UnknownMatch):
        service.states.log("m_none")
    with pytest.raises(OtherRules):
        States(service.recorder, Catalogue()).log(match)


def test_what_the_store_can_not_write_is_tried_once(
    house: House, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also on a position that was kept: that is looked at again where it is refused or stale, and only there."""
    match, (ann, bob) = house.table()
    assert step(match, [ann, bob], random.Random(1))
    assert service.states.at_hand(match) is not None
    tried: list[str] = []

    def failing(appends: Sequence[Append]) -> None:
        tried.extend(append.match for append in appends)
        raise StoreError("the store could not write")

    mover = next(player for player in (ann, bob) if player.moves(match)["moves"])
    now = mover.moves(match)
    with monkeypatch.context() as patched:
        patched.setattr(service.recorder, "append_all", failing)
        assert mover.move(match, now["moves"][0]["id"], now["decision"]).status_code == 503
    assert tried == [match]
    assert mover.move(match, now["moves"][0]["id"], now["decision"]).status_code == 200


def test_a_cache_that_many_threads_use_loses_nobody_and_stays_small() -> None:
    cache: Recent[int, int] = Recent(8)
    ready, interval = Barrier(8), sys.getswitchinterval()

    def use(seed: int) -> int:
        draw, hits = random.Random(seed), 0
        ready.wait()
        for _ in range(20_000):
            key = draw.randrange(16)
            found = cache.get(key)
            assert found in {None, 10 * key}
            hits += found is not None
            deed = draw.randrange(8)
            if deed == 0:
                cache.drop(key)
            elif deed < 4:
                cache.put(key, 10 * key)
        return hits

    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            assert all(threads.map(use, range(8)))
    finally:
        sys.setswitchinterval(interval)
    cache.put(99, 990)
    assert (len(cache) <= 8, cache.get(99)) == (True, 990)
