"""Two web processes, two workers and two who sweep: a match whose players have all vanished goes on to its end."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from pathlib import Path

import httpx
import pytest

from events.store import Streams
from events.stores import open_to_read
from replays.checking.audit.report import Report
from service.store import Timetable
from tests import postgres
from tests.replays.exported import audited
from tests.service.run.callers import Caller
from tests.service.run.crew import Crew, crew
from tests.service.run.uprun import until

pytestmark = pytest.mark.faults

LIVE = {"allowance": "PT2S", "claims": "PT1S", "bank": "PT2S", "defaults": 2, "bot": "random"}


def vanished(one: Crew, clock: dict[str, object]) -> str:
    """A match whose players have sat down, and are not seen again."""
    players = [Caller(one.url, f"Player {seat}") for seat in range(3)]
    wanted = {"game": "three-magic", "seats": [None] * 3, "options": {"laps": 1}, "clock": clock}
    match = str(players[0].ask("POST", "/matches", wanted, key="open")["id"])
    for seat, player in enumerate(players):
        player.ask("POST", f"/matches/{match}/seats", {"seat": seat}, key="sit")
        player.client.close()
    return match


def get(one: Crew, path: str) -> httpx.Response:
    return httpx.get(f"{one.url}/api{path}", trust_env=False, timeout=30)


def audit(one: Crew, match: str) -> Report:
    return audited(get(one, f"/matches/{match}/export").content)


def latest(store: Streams, match: str) -> list[float]:
    """How many seconds after it was due each rung came."""
    found: list[float] = []
    due: dict[str, datetime] = {}
    for stored in store.read(match):
        told = stored.public.decode()
        at = datetime.fromisoformat(stored.at)
        if stored.type in {"match/DeadlineSet", "match/BankUsed"}:
            seat, moment = told.split('"seat":')[1][0], told.split('"due":"')[1][:24]
            if stored.type == "match/BankUsed":
                found.append((at - due[seat]).total_seconds())
            due[seat] = datetime.fromisoformat(moment)
        elif stored.type == "match/MoveMade" and '"cause":"clock"' in told:
            found.append((at - due[told.split('"seat":')[1][0]]).total_seconds())
    return found


def ends(one: Crew) -> None:
    """Of each match that everybody has left: bots take over, it is played to its end, and no rung came twice."""
    store = open_to_read(one.config.store_url)
    until(lambda: Timetable(store).pulse(), "somebody looks after the clocks")
    matches = [vanished(one, LIVE) for _ in range(2)]
    until(
        lambda: all(get(one, f"/matches/{match}").json()["status"] == "finished" for match in matches),
        "all have ended",
    )
    try:
        for match in matches:
            assert audit(one, match).failures == ()
            stored = store.read(match)
            handed = Counter(event.public for event in stored if event.type == "match/SeatHandedOver")
            assert len(handed) == 3
            assert set(handed.values()) == {1}
            banked = Counter(event.public for event in stored if event.type == "match/BankUsed")
            assert set(banked.values()) == {1}
            late = latest(store, match)
            assert late
            print(f"{match}: {len(late)} rungs, after {[round(one, 2) for one in late]} s")
    finally:
        store.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_match_that_everybody_has_left_is_played_to_its_end(tmp_path: Path, kind: str) -> None:
    if kind == "sqlite":
        with crew(tmp_path / "data") as one:
            ends(one)
        return
    with postgres.server(fsync="on") as server, crew(tmp_path / "data", server.database(), server) as one:
        ends(one)
