"""What tests of clocks share: the audit of what came of them, and bots that play as a worker has them do."""

from __future__ import annotations

from typing import Any

from replays.checking.audit.report import Report
from tests.replays.exported import audited
from tests.service.house import House


def audit(house: House, match: str) -> Report:
    """The match, broken off if need be, holds for whoever checks it; and for each seat before that."""
    if house.stranger.look(match)["status"] == "playing":
        assert audited(exported(house, match)).failures == ()
        assert house.operator.post(f"/matches/{match}/abort").json["status"] == "aborted"
    report = audited(exported(house, match))
    assert (report.ok, report.failures) == (True, ())
    return report


def exported(house: House, match: str) -> bytes:
    answer = house.stranger.get(f"/matches/{match}/export")
    assert answer.status_code == 200, answer.json
    return bytes(answer.data)


def asked_of(house: House, match: str) -> list[dict[str, Any]]:
    """The match's bots that are asked."""
    found = house.worker.get(f"/matches/{match}/bots")
    assert found.status_code == 200, found.json
    return list(found.json["decisions"])


def bots_play(house: House, match: str) -> int:
    """Each bot that is asked makes its first legal move: how many did."""
    made = 0
    while asked := asked_of(house, match):
        one = asked[0]
        moves = house.worker.moves(match, seat=one["seat"])["moves"]
        answer = house.worker.move(match, moves[0]["id"], one["decision"], seat=one["seat"])
        assert answer.status_code == 200, answer.json
        made += 1
    return made
