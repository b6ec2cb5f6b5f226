"""What a script adds to lists and forms, in a real browser: lists that stay fresh, one's own time, and nothing cut."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import expect

from service.config import Config
from tests.browser import Browser, browser
from tests.service.house import House, build
from tests.service.web.pages.onloopback import on_loopback

pytestmark = pytest.mark.browser

NAME = "A name that is as long as a name may ever be, with sixty-four cc"
ACCEPT = """fetch('/api/matches/{match}/invitations/accept', {{method: 'POST', headers: {{
    'X-CSRF-Token': document.querySelector('meta[name=csrf]').content}}}}).then(answer => answer.status)"""
WAITING = "fetch('/api/me/turns').then(answer => answer.json()).then(told => told.turns.length)"
TITLED = re.compile(r"^\(1\)")
SMALL = """[...document.querySelectorAll('main button, main select, main .button, main input:not([type=hidden])')]
    .filter(one => one.offsetHeight && !['checkbox', 'radio'].includes(one.type) && one.offsetHeight < 40)
    .map(one => one.outerHTML)"""
STAGE = re.compile(r"/stage[^/]*\.js$")
BELOW = "document.querySelector('.choice').offsetTop"


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with closing(build(Config(data=tmp_path_factory.mktemp("data")))) as service:
        yield House(service)


@pytest.fixture(scope="module")
def address(inside: House) -> Iterator[str]:
    with on_loopback(inside) as url:
        yield url


@pytest.fixture
def page(chromium: Chromium, address: str) -> Iterator[Browser]:
    """The browser of somebody who has signed up."""
    with browser(chromium) as opened:
        opened.open(f"{address}/sign-in")
        form = opened.page.locator("form[action='/sign-up']")
        form.locator("[name=name]").fill(NAME)
        form.locator("button").click()
        opened.page.wait_for_url("**/lobby")
        yield opened


def me(page: Browser) -> str:
    return str(page.value("document.querySelector('.me').pathname.split('/').pop()"))


def test_an_invitation_and_a_turn_appear_by_themselves(page: Browser, address: str, inside: House) -> None:
    page.open(f"{address}/turns?lang=en")
    zoe = inside.player("Zoe")
    page.value("window.stays = true")
    match = zoe.open("magicative", [{"player": me(page)}, None])
    expect(page.page.locator(f"form[action='/matches/{match}/invitation']").first).to_be_attached()
    assert page.value("window.stays")
    # who begins is drawn: sooner or later it is their turn
    for number in range(40):
        if number:
            match = zoe.open("magicative", [{"player": me(page)}, None])
        zoe.sit(match, seat=1)
        assert page.value(ACCEPT.format(match=match)) == 200
        if page.value(WAITING):
            break
    assert page.value(WAITING) == 1
    expect(page.page.locator("#waiting")).to_have_text("1")
    expect(page.page).to_have_title(TITLED)
    expect(page.page.locator(f"form[action='/matches/{match}/invitation']")).to_have_count(0)
    assert page.value("window.stays")


def test_moments_are_told_in_the_readers_own_time(page: Browser, address: str) -> None:
    page.open(f"{address}/lobby?lang=en")
    told = page.value("[...document.querySelectorAll('time')].map(one => one.textContent)")
    assert told
    assert not [one for one in told if "UTC" in one]
    page.open(f"{address}/new?game=magicative")
    shown = "getComputedStyle(document.querySelector('.named')).display"
    assert page.value(shown) == "none"
    page.page.select_option("#seat1", "somebody")
    assert page.value(shown) == "block", "a player is named where a seat is somebody's"


def test_the_theme_that_was_chosen_is_there_before_any_script(page: Browser, address: str) -> None:
    page.open(f"{address}/lobby")
    light = page.value("getComputedStyle(document.body).backgroundColor")
    page.page.click(".looks button[value=dark]")
    expect(page.page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.value("getComputedStyle(document.body).backgroundColor") != light
    page.page.click(".looks button[value=auto]")
    expect(page.page.locator("html:not([data-theme])")).to_be_attached()


def test_the_longest_name_is_not_cut_on_a_phone_nor_any_button_small(page: Browser, address: str) -> None:
    page.looks(390, 844)
    for path in (f"/players/{me(page)}", "/lobby", "/settings"):
        page.open(f"{address}{path}")
        assert page.value("document.documentElement.scrollWidth") <= 390, path
        assert page.value(SMALL) == [], path
    # nor does what lies below the table of the first page move when that is drawn
    page.page.route(STAGE, lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.open(f"{address}/")
    before = page.value(BELOW)
    page.page.unroute(STAGE)
    page.open(f"{address}/")
    page.waits_for("!!document.querySelector('#stage.done .zone') && !document.querySelector('#pause').hidden")
    assert page.value(BELOW) == before
