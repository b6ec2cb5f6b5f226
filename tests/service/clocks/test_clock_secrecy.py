"""The clock tells nobody what they may not know: least of all who is asked under seal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from events.chain import Stored
from replays.log import Log
from service.config import Config
from service.store import Statement
from service.telemetry import logs
from tests.service.clocks.timing import at, fire, kinds
from tests.service.house import House, Visitor, build, each
from tests.service.matches.test_secrecy import dealt_otherwise, masked, questions, rewritten, watched
from tests.toy.high_card.events import Dealt

pytestmark = pytest.mark.sqlite

TERMS = {"allowance": "PT1H", "claims": "PT10M", "bank": "PT1H", "defaults": 2}

Hands = list[tuple[Any, ...]]
Twins = tuple[str, list[Visitor], House]


def hands(log: Log, stored: Iterable[Stored]) -> Hands:
    events = (log.codec.decode(one.type, one.schema, one.public, one.secret) for one in stored)
    return [event.cards for event in events if isinstance(event, Dealt)]


def with_pairs(dealt: Hands) -> list[int]:
    """The seats that can be asked, if they wish to."""
    return [seat for seat, cards in enumerate(dealt) if len(set(cards)) < len(cards)]


def set_aside(house: House, match: str, players: list[Visitor], dealt: Hands) -> None:
    """Everybody sets a card aside, which opens a window: all but the first seat keep their pairs."""
    for seat, player in enumerate(players):
        cards = dealt[seat]
        odd = next((card for card in cards if cards.count(card) == 1), cards[0])
        paired = next((card for card in cards if cards.count(card) > 1), odd)
        card = odd if seat else paired
        assert house.again(player).move(match, {"type": "SetAside", "card": card}).status_code == 200


@pytest.fixture
def twins(house: House, tmp_path: Path) -> Iterator[Twins]:
    """A match, and the same with other cards in the hands of the last two: other seats are asked under seal in it, and
    the first one in neither.
    """
    with at("04T12:00:00"):
        fire(house)
    for _ in range(200):
        with at("04T12:00:01"):
            match, players = house.table(seats=3, clock=TERMS)
        log = house.service.states.log(match)
        other = dealt_otherwise(log, 0)
        dealt = [hands(log, log.store.read(match)), hands(log, other)]
        asked = [[seat for seat in with_pairs(one) if seat] for one in dealt]
        if asked[0] != asked[1] and all(asked):
            break
    rewritten(house, tmp_path / "other", other)
    with House(build(Config(data=tmp_path / "other", bot_pause=0.0))) as there:
        with at("04T12:00:01"):
            for one, cards in zip((house, there), dealt, strict=True):
                set_aside(one, match, players, cards)
                owing = [decision.seat for decision in one.service.recorder.decisions(match=match)]
                assert owing == asked[one is there], "they do differ"
        yield match, players, there


def seen(house: House, match: str, viewer: Visitor) -> list[Any]:
    """Whatever can be asked."""
    mine = house.again(viewer)
    own = "true" if viewer.id else "false"
    more = [mine.get("/me/turns"), mine.get("/me/vacation"), mine.get("/matches", mine=own)]
    return [masked(answer) for answer in (*questions(mine, match, 12, 12), *more)]


def test_who_is_asked_shows_at_no_rung(house: House, twins: Twins, monkeypatch: pytest.MonkeyPatch) -> None:
    match, players, there = twins
    monkeypatch.setattr(logs, "tells_requests", True)
    viewers = [players[0], house.stranger]
    rungs = {
        "04T12:00:01": [],
        "04T12:08:02": [],  # those who are asked are reminded
        "04T12:10:00.999": [],
        "04T12:10:01": ["AnswersClosed"],
    }
    for moment, expected in rungs.items():
        told = []
        for one in (house, there):
            before = one.stranger.look(match)["version"]
            one.service.recorder.write([Statement("DELETE FROM pulse")])
            with at(moment):
                _, logged, counted = watched(one, lambda side: [fired(side, match)])
                # what the closing turns up is open by then
                answers = [] if expected else [seen(one, match, viewer) for viewer in viewers]
                told.append([answers, logged, counted])
            assert kinds(one, match, before)[:1] == expected
        assert told[0] == told[1], moment


def fired(house: House, match: str) -> dict[str, Any]:
    answer = house.worker.post("/clocks", {"matches": [match]})
    assert answer.status_code == 200
    return dict(answer.json)


def test_an_outage_and_a_pause_under_seal_look_the_same_whoever_was_asked(house: House, twins: Twins) -> None:
    match, players, there = twins
    viewers = [players[0], house.stranger]
    for moment, what in (("04T15:00:00", ""), ("04T15:05:00", "pause"), ("04T15:30:00", "resume")):
        told = []
        for one in (house, there):
            with at(moment):
                fire(one, match)
                if what:
                    each(map(one.again, players), match, what)
                if what == "resume":
                    fire(one, match)
                told.append([seen(one, match, viewer) for viewer in viewers])
        assert told[0] == told[1], moment
    assert kinds(house, match)[-3:] == ["OutageExtended", "Paused", "Resumed"]
