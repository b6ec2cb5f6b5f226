"""Examples, cards and the first page's table in a real browser: drawn as told, and moving as the match does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing

import httpx2
import pytest
from playwright.sync_api import Browser as Chromium

from service.config import Config
from tests.browser import Browser, browser
from tests.service.house import House, build
from tests.service.web.pages.onloopback import on_loopback

pytestmark = pytest.mark.browser
WEIGHT = 250 * 1024
OTHERS = ("three-magic", "ttmp", "magicative", "terraformers")
GAMES = ("troll-master", *(pytest.param(slug, marks=pytest.mark.soak) for slug in OTHERS))
DRAWN = """(figures => [...document.querySelectorAll('[data-figure]')].map(one => [
    one.dataset.figure, one.querySelectorAll('[data-piece]').length,
    figures[one.dataset.figure].scene.zones.flatMap(zone => zone.pieces)
        .reduce((sum, piece) => sum + 1 + (piece.on?.length ?? 0), 0),
]))(JSON.parse(document.getElementById('data').textContent).figures)"""
"""Of each figure: its name, how many pieces are drawn, and how many lie there."""
SCROLL = "scrollTo(0, document.documentElement.scrollHeight * {part})"
STAGE = "document.querySelector('#stage').innerText"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a house."""
    with closing(build(Config(data=tmp_path_factory.mktemp("data")))) as service, on_loopback(House(service)) as url:
        yield url


@pytest.fixture
def page(chromium: Chromium) -> Iterator[Browser]:
    with browser(chromium) as opened:
        yield opened


def check_page(page: Browser, width: int) -> None:
    """Nothing was asked for elsewhere, nothing is wider than the screen or too heavy."""
    hosts = {request.partition("//")[2].partition("/")[0] for request in page.requests}
    assert len(hosts) == 1
    assert page.value("document.documentElement.scrollWidth") <= width
    weight = page.value("performance.getEntries().reduce((sum, one) => sum + (one.encodedBodySize ?? 0), 0)")
    assert weight <= WEIGHT


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
        check_page(page, width)


def test_the_first_pages_film_runs_and_can_be_stopped(page: Browser, address: str) -> None:
    page.open(f"{address}/")
    page.waits_for("document.querySelector('#stage.done .line') !== null")
    page.waits_for(f"{STAGE} !== {json.dumps(page.value(STAGE))}")
    page.page.click("#pause")
    page.value("new Promise(done => setTimeout(done, 1000))")
    stopped = page.value(STAGE)
    page.value("new Promise(done => setTimeout(done, 2500))")
    assert page.value(STAGE) == stopped
    check_page(page, 1280)


def test_who_prefers_less_movement_has_a_film_that_stands_until_asked(page: Browser, address: str) -> None:
    page.page.emulate_media(reduced_motion="reduce")
    page.open(f"{address}/")
    page.waits_for("document.querySelector('#stage.done .line') !== null")
    first = page.value(STAGE)
    page.value("new Promise(done => setTimeout(done, 2500))")
    assert page.value(STAGE) == first
    page.page.click("#pause")
    page.waits_for(f"{STAGE} !== {json.dumps(first)}")


def test_the_first_page_follows_a_match_as_it_goes_on(page: Browser, address: str) -> None:
    with httpx2.Client(base_url=f"{address}/api", trust_env=False) as client:
        players = [client.post("/players", json={"name": name}).json()["token"] for name in ("Ann", "Ben")]
        heads = [{"Authorization": f"Bearer {token}"} for token in players]
        seats = {"game": "ttmp", "seats": [None, None]}
        match = client.post("/matches", json=seats, headers=heads[0]).json()["id"]
        for head in heads:
            assert client.post(f"/matches/{match}/seats", headers=head).is_success
        move(client, match, heads)
        page.open(f"{address}/")
        page.waits_for("document.querySelector('#stage.done .line') !== null")
        assert page.value("JSON.parse(document.getElementById('data').textContent).match") == match
        assert page.value("document.querySelector('#stage .player').textContent") in {"Ann", "Ben"}
        for _ in range(3):
            before = page.value(STAGE)
            move(client, match, heads)
            page.waits_for(f"{STAGE} !== {json.dumps(before)}")
        check_page(page, 1280)


def move(client: httpx2.Client, match: str, heads: list[dict[str, str]]) -> None:
    """Whoever is asked makes the first move that they may make."""
    for head in heads:
        now = client.get(f"/matches/{match}/moves", headers=head).json()
        if now["moves"]:
            chosen = {"decision": now["decision"], "id": now["moves"][0]["id"]}
            assert client.post(f"/matches/{match}/moves", json=chosen, headers=head).is_success
            return
    raise AssertionError("nobody is asked")
