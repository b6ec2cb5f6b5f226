"""Whole matches in real browsers, from the first page to the result: by fingers, by keys alone, and through outages."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path
from threading import Event
from time import monotonic

import pytest
from playwright.sync_api import Browser as Chromium

from service.jobs.door import Door
from service.jobs.player import BotPlayer
from tests.browser import PHONE, Browser, browser
from tests.screens.staged import SHORT
from tests.service.house import House, games
from tests.service.jobs.workrun import Work
from tests.service.run.uprun import running
from tests.service.web.pages.tabs import AT_TABLE, ENDED, LAST, LONGEST, OVER, SCRIPT, play, tab

pytestmark = pytest.mark.browser

GAMES = {"three-magic": 2, "magicative": 1, "terraformers": 1, "troll-master": 2, "ttmp": 1}
"""And how many others sit there."""


QUICK = "ttmp"
"""The game that is not played under soak only."""

RESULT = "[...document.querySelector('.ended tbody').rows].map(row => [0, 2].map(at => row.cells[at].innerText))"
OWN = "document.querySelector('.ended tr:has(.tag)').cells[2].innerText"
"""Of all their places and points; and what is one's own."""


NUMBERS = "[...document.querySelectorAll('#log li')].map(one => one.value)"
PLAYS = "document.activeElement.closest('form')?.querySelector('[name=game]')?.value === '{game}'"
AT_REPLAY = "(document.activeElement.getAttribute('href') ?? '').endsWith('/replay')"
WITHIN = "document.getElementById('table').contains(document.activeElement)"
CONFIRMS = "document.activeElement.matches('.confirm')"


@pytest.mark.parametrize(
    "game", [slug if slug == QUICK else pytest.param(slug, marks=pytest.mark.soak) for slug in GAMES]
)
def test_a_whole_match_is_played_on_a_phone_by_touching_what_is_lit(chromium: Chromium, url: str, game: str) -> None:
    with tab(chromium, url, **PHONE) as ann:
        match = ann.sit(game, GAMES[game], options=SHORT.get(game, {}))
        ann.waits_for(AT_TABLE)
        assert ann.page.is_visible(".learn")
        play(ann)
        assert ann.ask("GET", f"/matches/{match}")["status"] == "finished"
        ann.waits_for(ENDED)
        assert ann.page.is_hidden(".learn"), "who has played it to the end need not learn it"


@pytest.mark.parametrize("game", ["high-card", pytest.param("three-magic", marks=pytest.mark.soak)])
def test_a_match_is_played_by_two_in_two_browsers(chromium: Chromium, url: str, toys: str, game: str) -> None:
    at, bots = (toys, 0) if game == "high-card" else (url, 1)
    with tab(chromium, at) as ann, tab(chromium, at, lang="ja", **PHONE) as bob:
        match = ann.sit(game, bots, free=1, options=SHORT.get(game, {}))
        assert not ann.value(AT_TABLE), "nothing is drawn before the start"
        bob.open(f"{at}/matches/{match}")
        bob.page.locator("form[action$='/seat'] button").tap()
        ann.waits_for(AT_TABLE)
        bob.waits_for(AT_TABLE)
        for one in (ann, bob):
            one.value(f"{SCRIPT}.watchHead()")
        play(ann, bob)
        for one in (ann, bob):
            one.waits_for(ENDED)
            assert len(one.value("heads")) == 1, "nothing moves as the turn passes"
        assert ann.value(LAST) == bob.value(LAST)
        assert sorted(ann.value(RESULT)) == sorted(bob.value(RESULT))
        points = ann.ask("GET", f"/matches/{match}")["result"]["points"][:2]
        assert [one.value(OWN) for one in (ann, bob)] == [str(one).replace("-", "−") for one in points]


def tab_to(ann: Browser, what: str) -> None:
    for _ in range(120):
        if ann.value(what):
            return
        ann.presses("Tab")
    raise AssertionError(f"no key leads to {what}\n{ann.text}")


def keyed(ann: Browser, draw: random.Random) -> None:
    """Go to something that is lit and press Enter; what is asked then has the focus, and is confirmed."""
    tab_to(ann, WITHIN)
    ann.presses(*["n"] * draw.randint(1, 4), "Enter")
    # what another does meanwhile may end what is asked
    ann.waits_for(f"!document.querySelector('#table .confirm') || {CONFIRMS}")
    if ann.value(CONFIRMS):
        ann.presses("Enter")


@pytest.mark.parametrize("game", ["high-card", pytest.param("magicative", marks=pytest.mark.soak)])
def test_by_keys_alone_one_goes_from_the_first_page_to_the_result_and_its_replay(
    chromium: Chromium, url: str, toys: str, toyhouse: House, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.setattr("service.jobs.player.Catalogue", games)
    config = toyhouse.service.config
    bots = BotPlayer(Door(toys, config.worker_token), Event(), config.packs) if game == "high-card" else None
    with browser(chromium) as ann:
        ann.open(f"{toys if bots else url}/")
        tab_to(ann, PLAYS.format(game=game))
        ann.presses("Enter")
        ann.waits_for(AT_TABLE)
        match = ann.page.url.rpartition("/")[2]
        draw, end = random.Random(5), monotonic() + LONGEST
        while not ann.value(OVER):
            if bots is not None:
                bots.play(Work(match), 0.1)
            keyed(ann, draw)
            assert monotonic() < end, ann.text
        ann.waits_for(ENDED)
        tab_to(ann, AT_REPLAY)
        ann.presses("Enter")
        ann.page.wait_for_selector("html[data-ready]", state="attached")
        before = ann.page.get_attribute("#player", "data-version")
        ann.presses("ArrowRight")
        assert ann.page.get_attribute("#player", "data-version") != before


def test_through_outages_nothing_is_lost_and_nothing_done_twice(chromium: Chromium, url: str, data: Path) -> None:
    with tab(chromium, url) as ann:
        match = ann.sit("magicative", 1)
        ann.waits_for(AT_TABLE)
        ann.forgives("net::ERR_", "status of 50", "Failed to fetch")
        draw, end, outages = random.Random(7), monotonic() + LONGEST, 0
        while (said := ann.touches(draw)) is not None:
            # after the first moves that are confirmed: chance may have the match end with the next one
            if said and outages < 2:
                outages += 1
                for process in running(data, "service web"):
                    os.kill(process, signal.SIGKILL)
            assert monotonic() < end, ann.text
        assert outages
        ann.waits_for(ENDED)
        head = ann.ask("GET", f"/matches/{match}")["version"]
        ann.waits_for(f"{LAST} === {head}")
        numbers, events = ann.value(NUMBERS), ann.ask("GET", f"/matches/{match}/events?limit=1000")["events"]
        told = [event["version"] for event in events if "aside" not in event]
        assert numbers == told[: -len(numbers) - 1 : -1]
