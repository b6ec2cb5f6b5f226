"""Two web processes, two workers and two who sweep: a match whose players have all vanished goes on to its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from threading import Event

import httpx2
import pytest

from events.stores import open_to_write
from service import clock
from service.store import Statement, Timetable
from tests import postgres
from tests.replays.exported import audited
from tests.service.run.callers import Caller
from tests.service.run.crew import Crew, crew
from tests.service.run.uprun import until, until_over

pytestmark = pytest.mark.faults

SLOW = {"allowance": "PT2S", "claims": "PT1S", "bank": "PT1S", "defaults": 1, "bot": "random"}
AWAY = 5.0
"""Seconds: longer than such a deadline and the bank."""


def get(one: Crew, path: str) -> httpx2.Response:
    return httpx2.get(f"{one.url}/api{path}", trust_env=False, timeout=30)


def vanished(one: Crew, clock: dict[str, object]) -> str:
    """A match whose players have sat down, and are not seen again."""
    players = [Caller(one.url, f"Player {seat}") for seat in range(3)]
    wanted = {"game": "three-magic", "seats": [None] * 3, "options": {"laps": 1}, "clock": clock}
    match = str(players[0].ask("POST", "/matches", wanted, key="open")["id"])
    for seat, player in enumerate(players):
        player.ask("POST", f"/matches/{match}/seats", {"seat": seat}, key="sit")
        player.client.close()
    return match


@contextmanager
def running(data: Path, kind: str) -> Iterator[Crew]:
    if kind == "sqlite":
        with crew(data) as one:
            yield one
        return
    with postgres.server(fsync="on") as server, crew(data, server.database(), server) as one:
        yield one


@pytest.mark.parametrize(
    ("kind", "seconds_of_outage"), [("sqlite", 0), pytest.param("postgres", 90, marks=pytest.mark.soak)]
)
def test_after_a_time_without_anybody_the_ladder_goes_on(tmp_path: Path, kind: str, seconds_of_outage: int) -> None:
    """Web processes and who sweeps were gone for longer than a deadline, and by the sign of life for so long."""
    with running(tmp_path / "data", kind) as one, closing(open_to_write(one.config.store_url)) as store:
        until(lambda: Timetable(store).pulse(), "somebody looks after the clocks")
        match, away = vanished(one, SLOW), [*one.of("web"), *one.of("follow")]
        for part in away:
            part.leave()
        version = len(store.read(match))
        Event().wait(AWAY)
        assert len(store.read(match)) == version
        if seconds_of_outage:
            sign = clock.stamp(clock.now() - timedelta(seconds=seconds_of_outage))
            store.write([Statement("UPDATE pulse SET at = :sign", {"sign": sign})])
        for part in away:
            part.come_back()
        until(one.answers, "a web process answers")
        until_over(lambda: get(one, f"/matches/{match}").json())
        assert audited(get(one, f"/matches/{match}/export").content).failures == ()
        # bots have taken over, and each rung came once
        stored = store.read(match)
        handed, banked = (
            Counter(event.public for event in stored if event.type == f"match/{name}")
            for name in ("SeatHandedOver", "BankUsed")
        )
        assert (len(handed), {*handed.values(), *banked.values()}) == (3, {1})
        # a slow machine may need so long to start processes that it is an outage all the same
        outages = store.find(Statement("SELECT began, ended FROM outages"))
        extended = [event for event in stored if event.type == "match/OutageExtended"]
        assert bool(extended) == bool(outages) >= bool(seconds_of_outage)
        assert len(extended) <= len(outages)
