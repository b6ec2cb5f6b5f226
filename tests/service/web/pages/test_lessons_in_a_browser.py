"""Lessons in a real browser: played by finger on a phone, and by keys alone, to their end."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import expect

from tests.browser import PHONE, browser
from tests.domain.test_lessons import LEARNT

pytestmark = pytest.mark.browser
SIDEWAYS = {**PHONE, "viewport": {"width": 844, "height": 390}}
LOW = {**PHONE, "viewport": {"width": 568, "height": 320}}
HELD = {"upright": ("ja", PHONE), "sideways": ("en", SIDEWAYS), "en-upright": ("en", PHONE), "low": ("en", LOW)}
QUICK = {"three-magic": "upright", "magicative": "sideways"}
"""By game, the way in which its lesson is always played; MAGICATIVE has the highest bar. All else is for soak."""
NEXT = ".teach .next"
LIT = ".ft-table button.face, .ft-table .zone-touch, .ft-table .buttons .button.lit"
WORDS = ".ft-table .choices.words .button"
READY = f"document.querySelector('{LIT}, {WORDS}, {NEXT}') !== null"
SEEN = """(() => {
    const text = document.querySelector('.teach .said').getBoundingClientRect()
    return text.height > 0 && text.top >= 0 && text.bottom <= innerHeight
        && document.documentElement.scrollWidth <= innerWidth
})()"""
"""Whether all of a step's text is on the screen, and the page is no wider than it."""
AT = "document.querySelector('.teach .progress').textContent + document.querySelectorAll('.lit, .chosen').length"
END = "!document.getElementById('end').hidden"
FADED = "new Promise(done => requestAnimationFrame(() => setTimeout(done, 30)))"


@pytest.mark.parametrize(
    ("slug", "lang", "held"),
    [
        pytest.param(slug, *HELD[way], id=f"{way}-{slug}", marks=() if QUICK.get(slug) == way else pytest.mark.soak)
        for way in HELD
        for slug in LEARNT
    ],
)
def test_a_lesson_is_played_by_finger_on_a_phone(
    chromium: Chromium, address: str, slug: str, lang: str, held: dict[str, Any]
) -> None:
    with browser(chromium, **held, reduced_motion="reduce") as phone:
        phone.open(f"{address}/games/{slug}/lesson?lang={lang}")
        for touches in range(80):
            phone.waits_for(READY)
            phone.value(FADED)
            if touches == 12:
                # a phone forgets pages that nobody looks at
                was = phone.page.inner_text(".teach .progress")
                phone.page.reload()
                phone.waits_for(READY)
                assert phone.page.inner_text(".teach .progress") == was != ""
            assert phone.value(SEEN), phone.text
            if phone.value(END):
                break
            touched = phone.page.query_selector(WORDS) or phone.page.query_selector(LIT)
            if touched := touched or phone.page.query_selector(NEXT):
                touched.tap()
        assert phone.value(END)
        # it is learnt, and not offered any more
        phone.open(f"{address}/games/{slug}")
        assert not phone.page.is_visible(f"[data-learn={slug}]")
        assert [request for request in phone.requests if not request.startswith(address)] == []


def test_a_lesson_is_played_by_keys_and_another_legal_touch_says_why_not_now(chromium: Chromium, address: str) -> None:
    with browser(chromium, reduced_motion="reduce") as desk:
        desk.open(f"{address}/games/three-magic")
        assert desk.page.is_visible("[data-learn=three-magic]")
        desk.open(f"{address}/games/three-magic/lesson?lang=en")
        has_strayed = False
        heard = set()
        for _ in range(80):
            desk.waits_for(READY)
            desk.value(FADED)
            if desk.value(END):
                break
            heard.add(desk.page.text_content(".teach .unseen[role=status]"))
            if not has_strayed and desk.value("document.querySelector('.ft-table .zone-hand .chosen') !== null"):
                desk.page.click("[data-id='seat.0/hand/4']", force=True)
                assert "not now" in desk.page.inner_text(".teach .aside")
                has_strayed = True
            desk.presses("n")
            if desk.value("document.activeElement.matches('.return')"):
                desk.presses("n")  # whoever goes back is where they were
            desk.presses("Enter")
        assert has_strayed
        # what happens on the table is said aloud too
        assert len(heard) > 3
        assert desk.value(END)
        # the button at the end leads to the one that opens a match against bots
        desk.page.click(NEXT)
        desk.presses("Enter")
        desk.page.wait_for_url("**/matches/*")
        assert desk.page.is_hidden("[data-learn=three-magic]")


def test_a_lesson_goes_on_where_it_was_in_another_language_and_theme(chromium: Chromium, address: str) -> None:
    with browser(chromium, **PHONE, reduced_motion="reduce") as phone:
        phone.open(f"{address}/games/three-magic/lesson?lang=en")
        phone.page.tap(NEXT)
        expect(phone.page.locator(".teach .progress")).to_have_text("2 of 10")
        phone.page.tap("footer a[hreflang=ja]")
        expect(phone.page.locator(".teach .progress")).to_have_text("2／10")
        phone.page.tap(NEXT)
        expect(phone.page.locator(".teach .progress")).to_have_text("3／10")
        phone.page.tap("footer button[value=dark]")
        phone.page.wait_for_selector("html[data-theme=dark]")
        expect(phone.page.locator(".teach .progress")).to_have_text("3／10")


def test_the_title_of_a_lesson_is_one_line_in_every_language(chromium: Chromium, address: str) -> None:
    with browser(chromium, **PHONE, reduced_motion="reduce") as phone:
        for lang in ("en", "ja"):
            phone.open(f"{address}/games/ttmp/lesson?lang={lang}")
            assert phone.value("document.querySelector('.lesson-title').offsetHeight") < 40, lang


HAND = """(() => {
    const [table, bar, hand] = ['#lesson', '#lesson .actions', '.near .zone-hand']
        .map(one => document.querySelector(one).getBoundingClientRect())
    return hand.height > 0 && hand.top >= table.top && hand.bottom <= bar.top && bar.bottom <= innerHeight
})()"""
"""Whether all of the hand is in sight, between what is above the table and what is said below it."""


def test_on_a_small_phone_on_its_side_what_is_said_does_not_cover_the_hand(chromium: Chromium, address: str) -> None:
    with browser(chromium, **LOW, reduced_motion="reduce") as phone:
        for step in (1, 3):
            phone.open(f"{address}/games/magicative/lesson?lang=en&step={step}")
            phone.waits_for(READY)
            phone.value(FADED)
            assert phone.value(HAND), step
