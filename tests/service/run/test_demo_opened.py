"""The matches that a first start opens: on a new store, whatever else is there already, and once."""

from __future__ import annotations

from threading import Event
from typing import Any

import httpx2
import pytest

from service.run import demo
from tests.service.house import House
from tests.service.stored import change

pytestmark = pytest.mark.sqlite


@pytest.fixture(autouse=True)
def asked_of_the_app(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked of a server is asked of the app."""
    monkeypatch.setattr(demo, "Patient", lambda _: httpx2.WSGITransport(app=house.app))


def shown(house: House) -> str:
    said: list[str] = []
    demo.show("http://localhost", house.service.config.data, said.append, Event())
    return "\n".join(said)


def games(house: House) -> list[str]:
    return sorted(one["game"] for one in house.stranger.get("/matches", limit=100).json["matches"])


@pytest.mark.parametrize("others", [0, 1, 7])
def test_they_are_opened_on_a_new_store_once_whoever_was_faster(house: House, others: int) -> None:
    player = house.player()
    for _ in range(others):
        player.open()
    said = [shown(house) for _ in range(3)]
    assert games(house) == sorted([*["high-card"] * others, "magicative", "three-magic"])
    for one in said:
        assert "three-magic, playing" in one
        assert "magicative, open: it waits until somebody sits down" in one


def test_one_that_was_not_opened_since_the_start_was_cut_off_is_opened_by_the_next(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    unknown: dict[str, Any] = {**demo.PLAYED, "game": "none"}
    with monkeypatch.context() as cut:
        cut.setattr(demo, "PLAYED", unknown)
        assert "no match could be opened" in shown(house)
    assert games(house) == ["three-magic"]
    shown(house)
    assert games(house) == ["magicative", "three-magic"]


def test_a_store_in_use_gets_none(house: House) -> None:
    house.player().open()
    change(house.service, "UPDATE matches SET created = '2026-01-01T00:00:00.000Z'")
    assert "high-card, open" in shown(house)
    assert games(house) == ["high-card"]


def test_a_store_that_others_use_since_gets_none_anew(house: House) -> None:
    """The file of the demo's token was lost."""
    shown(house)
    change(house.service, "UPDATE matches SET created = '2026-01-01T00:00:00.000Z'")
    (house.service.config.data / "demo-token").unlink()
    shown(house)
    assert games(house) == ["magicative", "three-magic"]


def test_where_nobody_may_sign_up_that_is_what_is_said(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house.service.sign_ups, "mode", "closed")
    assert "no match could be opened: Nobody can sign up" in shown(house)


def test_nothing_is_said_to_who_reads_no_longer(house: House) -> None:
    """And nothing is raised, so that the service goes on."""

    def gone(line: str) -> None:
        raise BrokenPipeError

    demo.show("http://localhost", house.service.config.data, gone, Event())
