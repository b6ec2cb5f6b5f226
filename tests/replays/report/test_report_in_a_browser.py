"""The report's page in a real browser, from a file: what it shows, what it says of the log, and what it never does."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser as Chromium

from domain.scene import pieces_of
from domain.texts import figure
from events.memory import MemoryRecorder
from replays.files import exports
from replays.film import Film, reel, viewers
from replays.log import TRUTH, Log
from replays.report import SAY, CostlyMove, ReviewedSeat
from replays.report import page as render
from tests.browser import Browser, browser
from tests.laws.rooms import CATALOGUE, SLUGS
from tests.replays.exported import keyring
from tests.replays.report.test_report import MEAN, Parts, forked_log, mean_log, running, whole
from tests.replays.timed import stage

pytestmark = pytest.mark.browser

SHOWN = [slug if slug == "three-magic" else pytest.param(slug, marks=pytest.mark.soak) for slug in SLUGS]
"""Games; how each is drawn is tested of the table, so all but the one with the longest matches are for soak."""

JUDGED = "!['', 'checking'].includes(document.documentElement.dataset.verdict ?? '')"
LYING = "[...document.querySelectorAll('.player-table [data-piece]')].map(one => one.dataset.piece).sort()"


@cache
def log_of(slug: str) -> Log:
    """Return the log of a match that is over."""
    recorder = MemoryRecorder()
    stage(recorder, slug, f"o_{slug}")
    return Log(recorder, f"o_{slug}", CATALOGUE)


@cache
def page_of(slug: str) -> str:
    return whole(log_of(slug))


@pytest.fixture
def page(chromium: Chromium) -> Iterator[Browser]:
    with browser(chromium) as opened:
        yield opened


GONE = """new Promise(done => {
    setTimeout(() => { location.hash = '#v=%d'; done() }, 200)
    document.querySelector('.player-first').click()
})"""
"""Goes elsewhere just when the page is to write down where it is, before it has heard of that."""

Shown = Callable[..., Browser]


@pytest.fixture
def shown(page: Browser, tmp_path: Path) -> Iterator[Shown]:
    """Opens a page, and demands at the end that it asked nobody for anything."""
    addresses = []

    def show(text: str, address: str = "") -> Browser:
        file = tmp_path / "page.html"
        file.write_text(text, encoding="utf-8")
        addresses.append(file.as_uri())
        # an address that differs in its hash alone would not load anew
        page.open("about:blank")
        page.open(f"{file.as_uri()}{address}")
        page.waits_for(JUDGED)
        return page

    yield show
    asked = {request.partition("#")[0] for request in page.requests if not request.startswith("blob:")}
    assert asked == {addresses[-1]}


def shows(page: Browser, film: Film, version: int) -> None:
    """Demand that the table is that of the moment, once nothing travels any more."""
    scene = film.game.scene(film.game.view(film.frame(version).table, film.viewer), "en")
    lying = json.dumps(sorted(piece.id for piece in pieces_of(scene)), separators=(",", ":"))
    page.waits_for(f"JSON.stringify({LYING}) === {json.dumps(lying)}")


def verdict(page: Browser) -> object:
    return page.value("document.documentElement.dataset.verdict")


def version(page: Browser) -> int:
    return int(page.value("document.documentElement.dataset.version"))


def text(page: Browser, selector: str) -> str:
    return page.page.locator(selector).first.text_content() or ""


def click(page: Browser, selector: str) -> None:
    page.page.locator(selector).first.click()


def goes(page: Browser, version: int) -> None:
    page.value(f"location.hash = '#v={version}'")
    page.waits_for(f"document.documentElement.dataset.version === '{version}'")


@pytest.mark.parametrize("slug", SHOWN)
def test_every_game_is_shown_and_verified(shown: Shown, slug: str) -> None:
    log = log_of(slug)
    film = Film(log, TRUTH)
    page = shown(page_of(slug))
    assert verdict(page) == "verified"
    assert text(page, "#badge") == SAY["en"]["verified_short"]
    assert keyring().keys[-1].key in text(page, "#verdict")
    moves = [frame.move for frame in film.frames]
    assert version(page) == moves.index(1), "a match that is over begins at its beginning"
    for at in (film.head, film.head // 2):
        goes(page, at)
        shows(page, film, at)
        assert text(page, ".player-now") == film.told("en")[at - 1]
        listed = max(frame.version for frame in reel(film, "en").frames[:at] if not frame.aside)
        assert page.value("document.querySelector('[aria-current]').value") == listed


def lost_review() -> ReviewedSeat:
    words = {
        "en": {"of": "{name} lost", "cost": "{lost} ± {error}", "gains": "gains {names}", "range": "{low} to {high}"},
        "ja": {"of": "{name}の負け", "cost": "{lost}±{error}", "gains": "{names}が増す", "range": "{low}〜{high}"},
    }
    rest = (
        *("account-about", "luck-about", "luck-unclear", "moments", "no-moments", "played", "better", "see", "event"),
        *("start", "luck", "own", "others", "result"),
    )
    played, better = {"en": MEAN, "ja": "甲"}, {"en": "this", "ja": "乙"}
    return ReviewedSeat(
        seat=1,
        account={"start": 0.256, "luck": -0.0004, "own": 0.059, "others": -0.3146, "result": 0.0},
        moments=(CostlyMove(40, 0.123, 0.02, played, better, {"en": ("cards",), "ja": ("手札",)}),),
        words={lang: {**said, **{name: name for name in rest}} for lang, said in words.items()},
        luck_error=0.03,
        notes=("luck-unclear",),
    )


def test_a_review_is_told_in_both_languages_and_leads_to_its_moment(shown: Shown) -> None:
    log = log_of("ttmp")
    page = shown(whole(log, review=lost_review()))
    told = text(page, "#review")
    assert "Seat 1 lost" in told
    assert "start: 26luck: 0 (−6 to +6)own: +6others: −32result: 0" in told, "what is told adds up"
    assert "luck-about" in told
    assert "luck-unclear" in told
    assert page.value("document.querySelectorAll('#review p.help').length") == 3
    assert "12 ± 4" in told
    assert f"played: {MEAN}" in told
    assert "gains cards" in told
    click(page, "#review button")
    page.waits_for("document.documentElement.dataset.version === '40'")
    page.waits_for("location.hash === '#v=40&seat=1&lang=en'")
    click(page, "#language")
    page.waits_for("document.getElementById('review').textContent.includes('席1の負け')")
    assert "better: 乙" in text(page, "#review")


def test_buttons_step_and_the_address_follows_and_leads_back(shown: Shown) -> None:
    log = log_of("ttmp")
    moves = [frame.move for frame in Film(log, TRUTH).frames]
    head = len(moves)
    page, last_move = shown(page_of("ttmp"), "#v=1"), moves.index(moves[-1])
    for button, expected in (
        *((".player-last", head), (".player-back", last_move), (".player-on", head), (".player-first", 1)),
        (".player-list li:nth-child(20) button", 20),
    ):
        click(page, button)
        assert version(page) == expected
    page.waits_for("location.hash === '#v=20&seat=all&lang=en'")
    # an address that is gone to is not overwritten by the one that was left
    for at in range(20, 30):
        page.value(GONE % at)
        page.waits_for(f"document.documentElement.dataset.version === '{at}'")


def test_the_address_names_a_version_a_viewer_and_a_language(shown: Shown) -> None:
    log = log_of("three-magic")
    page = shown(page_of("three-magic"), "#v=60&seat=1&lang=ja")
    shows(page, Film(log, 1), 60)
    assert text(page, ".player-now") == Film(log, 1).told("ja")[59]
    assert page.value("document.documentElement.lang") == "ja"
    assert text(page, "#badge") == SAY["ja"]["verified_short"]
    assert page.value("document.querySelector('.player-eyes').value") == "1"
    click(page, "#language")
    page.waits_for("document.querySelector('[data-title]').textContent === 'Three Magic'")
    page.waits_for(f"document.querySelector('#badge').textContent === {json.dumps(SAY['en']['verified_short'])}")
    for viewer, value in ((None, "nobody"), (TRUTH, "all"), (2, "2")):
        page.page.select_option(".player-eyes", value)
        film = Film(log, viewer)
        shows(page, film, 60)
        told = page.value("[...document.querySelectorAll('.player-list li')].map(one => one.textContent)")
        assert tuple(told) == film.told("en")[:60]
    # one key is one step, also after the page was told anew
    page.presses("Shift+ArrowRight")
    assert version(page) == 61


def test_points_and_thinking_times_are_drawn_up_to_what_is_known(shown: Shown) -> None:
    log = log_of("three-magic")
    film = Film(log, TRUTH)
    page = shown(page_of("three-magic"), "#v=200")
    assert page.value("document.querySelectorAll('.player-chart path.line').length") == 3
    points = film.frame(200).points
    assert text(page, ".player-legend") == "".join(f"Seat {seat} {value}" for seat, value in enumerate(points))
    known = page.value("document.querySelectorAll('.times rect.thought').length")
    width = page.value("document.querySelector('.player-chart .later').getBBox().width")
    assert known > 30
    assert width > 300
    click(page, ".player-spoil")
    assert page.value("document.querySelectorAll('.times rect.thought').length") > known
    assert page.value("document.querySelector('.player-chart .later')") is None
    end = film.frames[-1]
    assert text(page, ".player-places") == "".join(
        f"Seat {seat} {figure(end.points[seat])} points" for seat in sorted(range(3), key=lambda one: end.ranking[one])
    )


def tampered(page: str, change: Callable[[bytes], bytes]) -> str:
    """The page with another export in it."""
    old = Parts(page).scripts["export-data"]
    return page.replace(old, b64encode(gzip.compress(change(gzip.decompress(b64decode(old))))).decode())


def test_a_log_that_was_changed_is_not_verified(shown: Shown) -> None:
    good = page_of("three-magic")

    def later(export: bytes) -> bytes:
        lines = export.split(b"\n")
        lines[50] = re.sub(rb'"move":\d+', b'"move":999', lines[50])
        return b"\n".join(lines)

    page = shown(tampered(good, later), "#v=3")
    assert verdict(page) == "failed"
    assert "LOG-4 chain · o_three-magic, version 50" in text(page, ".failures")
    page.value("document.querySelector('.failures button').focus({ focusVisible: true })")
    assert page.value("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.presses("Enter")
    assert version(page) == 50
    page = shown(tampered(good, lambda export: export[:-40]))
    assert verdict(page) == "failed"
    assert "LOG-1 file" in text(page, ".failures")


def test_where_signatures_cannot_be_checked_the_page_says_so(shown: Shown) -> None:
    without = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page_of("ttmp")).replace(
        '<script type="module">',
        "<script>Object.defineProperty(crypto, 'subtle', { value: undefined })</script><script type=\"module\">",
        1,
    )
    page = shown(without)
    assert verdict(page) == "unchecked"
    assert text(page, "#badge") == SAY["en"]["unchecked_short"]
    assert "WebCrypto" in text(page, "#verdict")
    assert page.value("document.querySelectorAll('.player-list li').length") > 5


def test_a_running_match_is_verified_as_its_seat_sees_it(shown: Shown) -> None:
    recorder = MemoryRecorder()
    stage(recorder, "three-magic", "r_three-magic", 12)
    log = Log(recorder, "r_three-magic", CATALOGUE)
    film = Film(log, 1)
    page = shown(running(log, 1))
    assert verdict(page) == "verified"
    assert page.value("[...document.querySelectorAll('.player-eyes option')].map(one => one.value)") == ["nobody", "1"]
    assert version(page) == film.head
    shows(page, film, film.head)


def test_whatever_got_into_the_page_could_not_call_anybody_nor_run(page: Browser, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(page_of("ttmp"), encoding="utf-8")
    page.open(file.as_uri())
    page.waits_for(JUDGED)
    assert page.complaints == []
    for call in ("fetch('http://127.0.0.1:9/')", "import('http://127.0.0.1:9/')"):
        assert page.value(f"{call}.then(() => 'answered', () => 'refused')") == "refused"
    page.value("document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.1:9/a.png' }))")
    page.value(
        "document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = 1' }))"
    )
    assert page.value("window.ran") is None
    assert all("Content Security Policy" in one or one.startswith("failed: http://127.0.0.1:9/") for one in page.take())


def test_a_fork_is_verified_with_what_it_goes_on_from_and_names_that_would_be_html_stay_names(shown: Shown) -> None:
    log, export = forked_log()
    page = shown(render(log, viewers(log), TRUTH, "ja", export))
    assert verdict(page) == "verified"
    assert text(page, "[data-fact=forked]").startswith("m_0のバージョン")
    log = mean_log()
    at = next(i for i, one in enumerate(Film(log, TRUTH).told("en"), 1) if MEAN in one)
    page = shown(whole(log), f"#v={at}")
    assert page.value("document.querySelectorAll('img').length") == 0
    assert MEAN in text(page, ".player-now")
    assert MEAN in text(page, "dl.about")
    assert verdict(page) == "verified"
    with page.page.expect_download() as download:
        click(page, "#download")
    assert download.value.suggested_filename == f"{log.id}.jsonl"
    assert download.value.path().read_bytes() == b"".join(exports.lines(log, keyring()))


def test_it_fits_a_phone_and_a_wide_window_light_and_dark(shown: Shown) -> None:
    page = shown(page_of("troll-master"), "#v=90")
    papers = set()
    for width, height, is_dark in ((360, 740, False), (360, 740, True), (1600, 1000, False)):
        page.looks(width, height, is_dark=is_dark)
        assert page.value("document.documentElement.scrollWidth") <= width
        papers.add(page.value("getComputedStyle(document.body).backgroundColor"))
        top = page.value("document.querySelector('.player-table').getBoundingClientRect().y + scrollY")
        assert top < height / 3
    assert len(papers) == 2
