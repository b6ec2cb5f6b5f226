"""Whoever plays the bots is told of each what its seat was told and nothing else; logs and metrics tell of no hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from freezegun import freeze_time
from structlog.testing import capture_logs

from service.config import Config
from service.telemetry import logs, metrics
from service.wiring import Service
from tests.service.house import HIGH_CARD, House, build
from tests.service.matches.test_secrecy import dealt_otherwise, rewritten

pytestmark = pytest.mark.sqlite

BOT = {"bot": "random"}
DRAWN = {"request", "seconds"}
"""In log lines."""

Told = dict[str, Any]


@pytest.fixture
def twice(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., tuple[list[Told], list[Told]]]]:
    """Does the same in the house and where other cards lie wherever none of the seats may look: what both were told.

    What both logged, down to each request, and what both counted is the same.
    """
    monkeypatch.setattr(logs, "tells_requests", True)
    services: list[Service] = []

    def both(match: str, seats: tuple[int, ...], do: Callable[[House], list[Told]]) -> tuple[list[Told], list[Told]]:
        data = tmp_path / f"other-{len(services)}"
        log = house.service.states.log(match)
        other_log = dealt_otherwise(log, *seats)
        assert [one.hash for one in other_log] != [one.hash for one in log.store.read(match)], "they do differ"
        rewritten(house, data, other_log)
        services.append(build(Config(data=data, bot_pause=0.0)))
        (one, logged, counted), (two, *others) = watched(house, do), watched(House(services[-1]), do)
        assert logged
        assert any(name.startswith("foldtable_moves") for name in counted)
        assert [logged, counted] == others
        return one, two

    with freeze_time("2026-03-01T12:00:00Z"):
        yield both
    for service in services:
        service.close()


def watched(house: House, do: Callable[[House], list[Told]]) -> tuple[list[Told], list[Told], dict[str, float]]:
    """What is told, but for salts, hashes and signatures; what is logged; and what is counted, but for times."""
    before = counted()
    with capture_logs() as lines:
        told = do(house)
    after = counted()
    masked = re.sub(rb"[0-9a-f]{64,128}", b"*", msgspec.json.encode(told))
    logged = [{name: value for name, value in line.items() if name not in DRAWN} for line in lines]
    more = {name: after[name] - before.get(name, 0) for name in after if after[name] != before.get(name, 0)}
    return msgspec.json.decode(masked), logged, more


def counted() -> dict[str, float]:
    found = [one for family in metrics.REGISTRY.collect() for one in family.samples if "_sum" not in one.name]
    return {f"{one.name}{[*one.labels.values()]}": one.value for one in found if not one.name.startswith("process_")}


def taken(house: House, match: str, seat: int | None = None) -> Told:
    """A turn in the match, with that seat's first move or without one."""
    turn: Told = {"match": match, "known": {}}
    if seat is not None:
        now = house.worker.moves(match, seat=seat)
        turn["move"] = {"seat": seat, "decision": now["decision"], "move": now["moves"][0]["move"]}
    (found,) = house.worker.post("/bots/turns", {"turns": [turn]}).json["turns"]
    assert found["problem"] is None
    assert found["made"] is (seat is not None)
    return dict(found)


def moved(house: House, match: str, seat: int) -> Told:
    """The seat makes its first move."""
    answer = house.worker.choose(match, seat=seat)
    assert answer.status_code == 200, answer.json
    return dict(answer.json)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_what_is_told_of_a_bot_comes_from_what_its_seat_was_told(
    house: House, twice: Callable[..., tuple[list[Told], list[Told]]], seat: int
) -> None:
    match = house.player().open(HIGH_CARD, [BOT] * 3)
    first, second = (other for other in range(3) if other != seat)

    def do(there: House) -> list[Told]:
        found = [taken(there, match)["bots"], moved(there, match, first)["others"], taken(there, match, second)["bots"]]
        (looked,), (beside,), (after,) = ([one for one in told if one["seat"] == seat] for told in found)
        assert (len(looked["events"]), len(after["events"])) == (10, 14)
        return [looked, beside, after]

    one, two = twice(match, (seat,), do)
    assert one == two


def test_whoever_plays_bots_is_told_nothing_of_a_persons_hand(
    house: House, twice: Callable[..., tuple[list[Told], list[Told]]]
) -> None:
    ann = house.player()
    match = ann.open_with(seats=[None, BOT, BOT])

    def do(there: House) -> list[Told]:
        first, second = moved(there, match, 1), taken(there, match, 2)
        assert [one["seat"] for one in first["others"]] == [2], "of a person nobody is told whether they are asked"
        assert second["bots"] == []
        return [first, second, taken(there, match)]

    one, two = twice(match, (1, 2), do)
    assert one == two
