"""Examples, cards and the first page's table in a real browser: drawn as told, and moving as the match does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.replays.report.browser import CHROMIUM, Browser, browser
from tests.service.web.test_server import serving

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="needs chromium"),
]
WEIGHT = 250 * 1024
GAMES = ("three-magic", "ttmp", "magicative", "troll-master", "terraformers")
DRAWN = """[...document.querySelectorAll('[data-figure]')].map(one => [
    one.dataset.figure, one.classList.contains('done'), one.querySelectorAll('[data-piece]').length,
    JSON.parse(document.getElementById('data').textContent).figures[one.dataset.figure].scene.zones
        .flatMap(function of(one) { return (one.pieces ?? one.on ?? []).flatMap(piece => [piece, ...of({ on: piece.on })]) }).length,
])"""
SCROLL = "scrollTo(0, document.documentElement.scrollHeight * {part})"
LINE = "document.querySelector('#stage .line').textContent.trim()"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a service."""
    with serving(tmp_path_factory.mktemp("data")) as (_, url):
        yield url


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all."""
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def check_page(page: Browser, width: int) -> None:
    """Nothing was complained of, nothing asked for elsewhere, nothing is wider than the screen or too heavy."""
    assert page.complaints == []
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
        for name, is_done, pieces, told in page.value(DRAWN):
            assert (is_done, pieces) == (True, told), name
        check_page(page, width)


def test_the_first_pages_film_runs_and_can_be_stopped(page: Browser, address: str) -> None:
    page.looks(1280, 900)
    page.open(f"{address}/")
    page.waits_for("document.querySelector('#stage.done .line')")
    first = page.value("document.querySelector('#stage').textContent")
    page.waits_for(f"document.querySelector('#stage').textContent !== {first!r}" if False else _changed(first))
    page.value("document.getElementById('pause').click()")
    page.value("new Promise(done => setTimeout(done, 1000))")
    stopped = page.value("document.querySelector('#stage').textContent")
    page.value("new Promise(done => setTimeout(done, 2500))")
    assert page.value("document.querySelector('#stage').textContent") == stopped
    check_page(page, 1280)


def _changed(text: str) -> str:
    import json

    return f"document.querySelector('#stage').textContent !== {json.dumps(text)}"
