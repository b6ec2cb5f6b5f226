"""What tests of clocks share: the audit of what came of them, and bots that play as a worker has them do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from freezegun import freeze_time

from replays.checking.audit import Report
from tests.replays.exported import audited
from tests.service.house import House


def audit(house: House, match: str) -> Report:
    """The match, broken off if need be, holds for whoever checks it; and for each seat before that."""
    if house.stranger.look(match)["status"] == "playing":
        assert audited(house.stranger.get(f"/matches/{match}/export").data).failures == ()
        assert house.operator.post(f"/matches/{match}/abort").json["status"] == "aborted"
    report = audited(house.stranger.get(f"/matches/{match}/export").data)
    assert (report.ok, report.failures) == (True, ())
    return report


def asked_of(house: House, match: str) -> list[dict[str, Any]]:
    """The match's bots that are asked."""
    return list(house.worker.shown(f"/matches/{match}/bots")["decisions"])


def bots_play(house: House, match: str) -> int:
    """Each bot that is asked makes its first legal move: how many did."""
    made = 0
    while asked := asked_of(house, match):
        answer = house.worker.choose(match, seat=asked[0]["seat"])
        assert answer.status_code == 200, answer.json
        made += 1
    return made


def fire(house: House, *match_ids: str) -> None:
    """Have what is due done, as a worker does."""
    answer = house.worker.post("/clocks", {"matches": list(match_ids)})
    assert answer.status_code == 200, answer.json
    assert answer.json == {"matches": [{"match": match, "problem": None} for match in match_ids]}


def kinds(house: House, match: str, after: int = 0) -> list[str]:
    """What was told in the match's log, by its types."""
    return [event["type"].rpartition("/")[2] for event in house.stranger.events(match, after=after)]


def moves_made(house: House, match: str) -> list[dict[str, Any]]:
    """What the match's log tells of each open move."""
    return [event["public"] for event in house.stranger.events(match) if event["type"] == "match/MoveMade"]


@contextmanager
def at(moment: str) -> Iterator[None]:
    """It is that time of the day, on a day to come."""
    with freeze_time(f"2126-03-{moment}Z", tick=False):
        yield
