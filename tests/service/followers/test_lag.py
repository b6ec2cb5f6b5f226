"""What is told of how far a follower is behind."""

from __future__ import annotations

from threading import Event

import pytest

from service.telemetry import metrics
from tests.service.followers.stands import Stand


class Wake:
    """Lets a follower look so many times."""

    def __init__(self, stop: Event, times: int) -> None:
        self._stop = stop
        self._times = times

    def wait(self, seconds: float) -> None:
        self._times -= 1
        if self._times <= 0:
            self._stop.set()


def told(name: str) -> float | None:
    found = metrics.REGISTRY.get_sample_value(name, {"follower": "seeing"})
    return None if found is None else float(found)


@pytest.mark.parametrize("waits", [False, True])
def test_a_follower_tells_how_many_events_lie_before_it(stand: Stand, waits: bool) -> None:
    stand.say("m", "one", "two", "away" if waits else "three", "four")
    follower, handler = stand.follower()
    handler.is_away = waits
    stop = Event()
    follower.run(Wake(stop, 2), stop)
    assert told("foldtable_follower_behind_events") == (2 if waits else 0)
    if not waits:
        lag = told("foldtable_follower_lag_seconds")
        assert lag is not None
        assert lag < 60
