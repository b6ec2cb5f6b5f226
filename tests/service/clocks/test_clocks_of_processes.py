"""Two web processes, two workers and two who sweep: a match whose players have all vanished goes on to its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event

import httpx2
import pytest

from events.store import Streams
from events.stores import open_to_write
from replays.checking.audit import Report
from service import clock
from service.store import Statement, Timetable
from tests import postgres
from tests.replays.exported import audited
from tests.service.run.callers import Caller
from tests.service.run.crew import Crew, crew
from tests.service.run.uprun import until

pytestmark = pytest.mark.faults

SLOW = {"allowance": "PT2S", "claims": "PT1S", "bank": "PT1S", "defaults": 1, "bot": "random"}
AWAY = 5.0
"""Seconds: longer than such a deadline and the bank."""


def vanished(one: Crew, clock: dict[str, object]) -> str:
    """A match whose players have sat down, and are not seen again."""
    players = [Caller(one.url, f"Player {seat}") for seat in range(3)]
    wanted = {"game": "three-magic", "seats": [None] * 3, "options": {"laps": 1}, "clock": clock}
    match = str(players[0].ask("POST", "/matches", wanted, key="open")["id"])
    for seat, player in enumerate(players):
        player.ask("POST", f"/matches/{match}/seats", {"seat": seat}, key="sit")
        player.client.close()
    return match


def get(one: Crew, path: str) -> httpx2.Response:
    return httpx2.get(f"{one.url}/api{path}", trust_env=False, timeout=30)


def audit(one: Crew, match: str) -> Report:
    return audited(get(one, f"/matches/{match}/export").content)


def latest(store: Streams, match: str) -> list[float]:
    """How many seconds after it was due each rung came."""
    found: list[float] = []
    due: dict[str, datetime] = {}
    for stored in store.read(match):
        told = stored.public.decode()
        if stored.type == "match/OutageExtended":
            longer = timedelta(milliseconds=int(told.split('"length":')[1].rstrip("}")))
            due = {seat: moment + longer for seat, moment in due.items()}
        at = datetime.fromisoformat(stored.at)
        if stored.type in {"match/DeadlineSet", "match/BankUsed"}:
            seat, moment = told.split('"seat":')[1][0], told.split('"due":"')[1][:24]
            if stored.type == "match/BankUsed":
                found.append((at - due[seat]).total_seconds())
            due[seat] = datetime.fromisoformat(moment)
        elif stored.type == "match/MoveMade" and '"cause":"clock"' in told:
            found.append((at - due[told.split('"seat":')[1][0]]).total_seconds())
    return found


def ended(one: Crew, matches: list[str]) -> bool:
    return all(get(one, f"/matches/{match}").json()["status"] == "finished" for match in matches)


def is_played_to_its_end(one: Crew, store: Streams, match: str) -> None:
    """Bots have taken over, each rung came once, and none before it was due."""
    assert audit(one, match).failures == ()
    stored = store.read(match)
    handed = Counter(event.public for event in stored if event.type == "match/SeatHandedOver")
    assert len(handed) == 3
    assert set(handed.values()) == {1}
    banked = Counter(event.public for event in stored if event.type == "match/BankUsed")
    assert set(banked.values()) == {1}
    late = latest(store, match)
    assert late
    assert min(late) >= 0
    print(f"{match}: {len(late)} rungs, after {[round(one, 2) for one in late]} s")


def goes_on(one: Crew, seconds_of_outage: int) -> None:
    """Where web processes and who sweeps were gone for longer than a deadline, and by the sign of life for so long."""
    store = open_to_write(one.config.store_url)
    away = [*one.of("web"), *one.of("follow")]
    try:
        until(lambda: Timetable(store).pulse(), "somebody looks after the clocks")
        match = vanished(one, SLOW)
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
        until(lambda: ended(one, [match]), "it has ended")
        is_played_to_its_end(one, store, match)
        extended = [event.public for event in store.read(match) if event.type == "match/OutageExtended"]
        # a slow machine may need so long to start processes that it is an outage all the same
        outages = store.find(Statement("SELECT began, ended FROM outages"))
        assert bool(extended) == bool(outages) >= bool(seconds_of_outage)
        assert len(extended) <= len(outages)
    finally:
        store.close()


@contextmanager
def running(data: Path, kind: str) -> Iterator[Crew]:
    """All processes, on a store of that kind."""
    if kind == "sqlite":
        with crew(data) as one:
            yield one
        return
    with postgres.server(fsync="on") as server, crew(data, server.database(), server) as one:
        yield one


@pytest.mark.parametrize(
    ("kind", "seconds_of_outage"), [("sqlite", 0), pytest.param("postgres", 90, marks=pytest.mark.soak)]
)
def test_after_a_time_without_anybody_the_ladder_goes_on_where_it_stood(
    tmp_path: Path, kind: str, seconds_of_outage: int
) -> None:
    with running(tmp_path / "data", kind) as one:
        goes_on(one, seconds_of_outage)
