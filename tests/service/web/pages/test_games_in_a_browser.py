"""Examples, cards and the first page's table in a real browser: drawn as told, and moving as the match does."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser as Chromium

from tests.browser import Browser, browser
from tests.service.house import House, step

pytestmark = pytest.mark.browser
OTHERS = ("three-magic", "ttmp", "magicative", "terraformers")
GAMES = ("troll-master", *(pytest.param(slug, marks=pytest.mark.soak) for slug in OTHERS))
DRAWN = """(figures => [...document.querySelectorAll('[data-figure]')].map(one => [
    one.dataset.figure, one.querySelectorAll('[data-piece]').length,
    figures[one.dataset.figure].scene.zones.flatMap(zone => zone.pieces)
        .reduce((sum, piece) => sum + 1 + (piece.on?.length ?? 0), 0),
]))(JSON.parse(document.getElementById('data').textContent).figures)"""
"""Of each figure: its name, how many pieces are drawn, and how many lie there."""
TALLEST = "Math.max(0, ...[...document.querySelectorAll('.example .pane')].map(one => one.offsetHeight))"
SCROLL = "scrollTo(0, document.documentElement.scrollHeight * {part})"
KEEPS_NOTHING = """['localStorage', 'sessionStorage'].forEach(name => Object.defineProperty(window, name, { get() {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
} }))"""
STAGE = "document.querySelector('#stage').innerText"


@pytest.fixture
def page(chromium: Chromium) -> Iterator[Browser]:
    with browser(chromium) as opened:
        yield opened


@pytest.mark.parametrize("slug", GAMES)
def test_every_example_is_drawn_with_all_that_lies_in_it(page: Browser, address: str, slug: str) -> None:
    for path, lang, width in ((f"/games/{slug}", "en", 1280), (f"/games/{slug}/rules", "ja", 390)):
        page.looks(width, 844)
        page.open(f"{address}{path}?lang={lang}")
        for part in range(11):
            page.value(SCROLL.format(part=part / 10))
            page.value("new Promise(done => requestAnimationFrame(() => setTimeout(done, 30)))")
        page.waits_for("[...document.querySelectorAll('[data-figure]')].every(one => one.matches('.done'))")
        for name, drawn, lying in page.value(DRAWN):
            assert drawn == lying > 0, name
        assert page.value(TALLEST) < 300, "no face is as high as the place of a whole example"


def test_the_first_pages_film_runs_and_can_be_stopped(page: Browser, address: str) -> None:
    page.open(f"{address}/")
    page.waits_for("document.querySelector('#stage.done .line') !== null")
    page.waits_for(f"{STAGE} !== {json.dumps(page.value(STAGE))}")
    # nobody who listens is told of it again and again
    assert page.page.locator("#stage [aria-live=polite]").count() == 0
    # who prefers less movement has a film that stands until asked
    page.page.emulate_media(reduced_motion="reduce")
    page.page.clock.install()
    page.open(f"{address}/")
    page.waits_for("document.querySelector('#stage.done .line') !== null")
    first = page.value(STAGE)
    page.page.clock.run_for(10_000)
    assert page.value(STAGE) == first
    page.page.click("#pause")
    page.waits_for(f"{STAGE} !== {json.dumps(first)}")
    page.page.click("#pause")
    stopped = page.value(STAGE)
    page.page.clock.run_for(10_000)
    assert page.value(STAGE) == stopped


def test_the_page_of_a_game_works_where_the_browser_keeps_nothing_of_a_site(page: Browser, address: str) -> None:
    page.context.add_init_script(KEEPS_NOTHING)
    page.open(f"{address}/games/ttmp")
    page.waits_for("!document.querySelector('[data-learn]').hidden")
    page.value("import(document.querySelector('script[src*=\"/frame.js\"]').src).then(({ learnt }) => learnt('ttmp'))")


def test_a_match_is_watched_where_the_browser_keeps_nothing(page: Browser, toys: str, toyhouse: House) -> None:
    match, _ = toyhouse.table("three-magic", 3)
    page.context.add_init_script(KEEPS_NOTHING)
    page.open(f"{toys}/matches/{match}")
    page.waits_for("document.documentElement.dataset.state === 'live'")


def test_the_first_page_follows_a_match_as_it_goes_on(page: Browser, toys: str, toyhouse: House) -> None:
    match, players = toyhouse.table("ttmp")
    draw = random.Random(1)
    assert step(match, players, draw)
    page.open(f"{toys}/")
    page.waits_for("document.querySelector('#stage.done .line') !== null")
    assert page.value("JSON.parse(document.getElementById('data').textContent).match") == match
    assert page.value("document.querySelector('#stage .player').textContent").startswith("Player ")
    for _ in range(3):
        before = page.value(STAGE)
        assert step(match, players, draw)
        page.waits_for(f"{STAGE} !== {json.dumps(before)}")


def test_two_bots_of_one_kind_have_their_numbers_once(page: Browser, toys: str, toyhouse: House) -> None:
    ann = toyhouse.player("of seat 1!")
    while True:
        match = ann.open_with(game="ttmp", seats=[None, *[{"bot": "greedy"}] * 2])
        if step(match, [ann], random.Random(1)):
            break  # the first page shows what was moved in lately, and any seat may begin
    for path in (f"/watch/{match}", f"/matches/{match}/replay", "/"):
        page.open(f"{toys}{path}")
        page.waits_for("document.querySelector('.ft-table .line') !== null")
        shown = page.value("document.body.innerText")
        assert "greedy bot (seat 2)" in shown
        assert "(greedy bot" not in shown
        assert "of seat 1!" in shown, "a player's own name stays as it is"
