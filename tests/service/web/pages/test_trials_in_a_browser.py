"""What is tried at a table before it is sent, in a real browser: taken back, kept, and advised."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Error, Route, expect

from tests.browser import PHONE
from tests.service.house import House
from tests.service.jobs.workrun import door, reviewer
from tests.service.web.pages.tabs import ANSWERED, AT_TABLE, LAST, LIVE, MINE, OVER, Tab, tab, to_insert

pytestmark = pytest.mark.browser

TOP = "document.querySelector('#table').getBoundingClientRect().top"
STILL = "document.querySelector('#table').getAnimations({ subtree: true }).length === 0"
TRIAL = re.compile(r"/trial\b")


def test_a_move_that_can_be_taken_back_is_tried_and_kept_and_sent_when_asked_for(chromium: Chromium, url: str) -> None:
    panel = "document.querySelector('#table .details:not([hidden])')"
    with tab(chromium, url) as ann:
        match = ann.sit("three-magic", 2)
        to_insert(ann)
        top = ann.value(TOP)
        for way in ("button", "Escape"):
            version = ann.ask("GET", f"/matches/{match}")["version"]
            ann.value("document.querySelector('button[data-id=\"seat.0/hand/drawn\"]').click()")
            ann.value("document.querySelector('#table button.face').click()")
            ann.waits_for("document.querySelectorAll('#hand .staged li').length === 1")
            ann.waits_for(STILL)
            assert ann.value(TOP) == top, "what is said of it moves nothing that may be touched next"
            assert ann.ask("GET", f"/matches/{match}")["version"] == version
            if way == "button":
                ann.value("document.querySelector('[data-do=undo]').click()")
            else:
                ann.presses("Escape")
            ann.waits_for("!document.querySelector('#hand .staged')")
            ann.waits_for("!!document.querySelector('button[data-id=\"seat.0/hand/drawn\"]')")
        ann.page.clock.install()
        ann.page.click("button[data-id='seat.0/hand/drawn']")
        ann.page.clock.run_for(2000)
        assert not ann.value(f"!!{panel}"), "who rests there wants to see where it may go"
        ann.page.hover("[data-piece^='indicator'] > .face, .middle .piece > .face")
        ann.waits_for(f"!!{panel}")
        assert ann.value(f"getComputedStyle({panel}).pointerEvents") == "none"
        ann.value("document.querySelector('#table button.face').click()")
        ann.waits_for("document.querySelectorAll('#hand .staged li').length === 1")
        # where a player wants it so, everything is asked for
        ann.value("localStorage.setItem('foldtable.table', JSON.stringify({ pace: '0', confirm: 'all' }))")
        ann.value("document.querySelector('[data-do=undo]').click()")
        ann.waits_for("!document.querySelector('#hand .staged')")
        ann.open(f"{url}/matches/{match}")
        ann.page.locator("button[data-id='seat.0/hand/drawn']").click()
        ann.page.locator("#table button.face").first.click()
        ann.page.locator("#table .confirm").click()
        ann.waits_for("document.querySelectorAll('#hand .staged li').length === 1")


@contextmanager
def hold(ann: Tab) -> Iterator[list[Route]]:
    """Have what they try not come to the service: it waits there; what still waits at the end goes nowhere."""
    held: list[Route] = []

    def take(route: Route) -> None:
        held.append(route)

    ann.page.route(TRIAL, take)
    try:
        yield held
    finally:
        ann.page.unroute(TRIAL)
        ann.forgives("net::ERR_FAILED", "Failed to fetch")
        for one in held:
            # those that went on are done with
            with suppress(Error):
                one.abort()


def test_however_late_a_trial_is_answered_nothing_wrong_is_asked_or_said(chromium: Chromium, url: str) -> None:
    with tab(chromium, url) as ann:
        match = ann.sit("three-magic", 2)
        to_insert(ann)
        with hold(ann) as held:
            with ann.page.expect_request(TRIAL):
                ann.open(f"{url}/matches/{match}")
            ann.page.locator("button[data-id='seat.0/hand/drawn']").click()
            ann.page.locator("#table button.face").first.click()
            ann.value(ANSWERED)
            assert held, "what is for good is not known yet"
            assert ann.page.locator("#table .confirm, #hand .staged").all_inner_texts() == []
            held[-1].continue_()
            ann.page.unroute(TRIAL)
            ann.waits_for("document.querySelectorAll('#hand .staged li').length === 1")
        # nor is what was sent meanwhile said to be taken back
        with hold(ann) as held:
            ann.open(f"{url}/matches/{match}")
            ann.waits_for("document.querySelectorAll('#hand .staged li').length === 1")
            version = ann.value(LAST)
            ann.page.click("[data-do=send]")
            ann.waits_for(f"{LAST} > {version}")
            ann.forgives("status of 409")
            with ann.page.expect_response(TRIAL):
                held[0].continue_()
            ann.page.unroute(TRIAL)
            ann.value(ANSWERED)
            assert ann.page.locator("#wrong").is_hidden()


def test_a_double_click_in_the_list_tries_a_move_once(chromium: Chromium, url: str) -> None:
    with tab(chromium, url) as ann:
        ann.sit("three-magic", 2)
        to_insert(ann)
        ann.value("document.getElementById('list').open = true")
        asked: list[str] = []
        ann.page.on("request", lambda one: asked.append(one.url) if TRIAL.search(one.url) else None)
        with ann.page.expect_response(TRIAL):
            ann.page.locator("#list .moves button").first.dblclick()
        ann.waits_for("document.querySelectorAll('#hand .staged li').length === 1")
        assert [one.partition("moves=")[2].count(",") + one.partition("moves=")[2].count("%2C") for one in asked] == [0]


def test_without_https_moves_are_made_too(chromium: Chromium, toys: str) -> None:
    with tab(chromium, toys) as ann:
        ann.page.add_init_script("delete Crypto.prototype.randomUUID; delete Navigator.prototype.locks")
        ann.sit("high-card", 1)
        ann.waits_for(f"{AT_TABLE} && {MINE} && !!document.querySelector('#table .words button')")
        version = ann.value(LAST)
        ann.page.locator("#table .words button").first.click()
        ann.page.locator("#table .confirm").click()
        ann.waits_for(f"{LAST} > {version}")


LOST = {
    "refused": lambda route: route.abort(),
    "cut off": lambda route: route.fulfill(status=200, content_type="application/json", body='{"decision": 1, '),
    "silent": lambda route: None,
}
"""How a trial gets no answer."""


@pytest.mark.parametrize("how", LOST)
def test_a_table_goes_on_after_a_trial_that_got_no_answer(chromium: Chromium, url: str, how: str) -> None:
    with tab(chromium, url) as ann:
        ann.sit("three-magic", 2)
        to_insert(ann)
        ann.forgives("net::ERR_FAILED", "Failed to fetch")
        ann.page.clock.install()
        asked: list[str] = []
        ann.page.on("request", lambda one: asked.append(one.url))
        ann.page.route(TRIAL, LOST[how], times=1)
        with ann.page.expect_request(TRIAL):
            ann.value("document.querySelector('button[data-id=\"seat.0/hand/drawn\"]').click()")
            ann.value("document.querySelector('#table button.face').click()")
        ann.waits_for("document.querySelectorAll('#hand .staged li').length === 1")
        if how == "silent":
            ann.page.clock.run_for(30_000)
        ann.waits_for("document.querySelectorAll('#table button.face').length > 0")
        assert ann.value("document.querySelectorAll('#hand .staged li').length") == 1, "what was tried is kept"
        # not since the page was read anew
        assert [bool(TRIAL.search(one)) for one in asked if "events" not in one][:2] == [True, True]


def test_what_was_tried_is_kept_and_the_end_is_shown_where_the_service_could_not_answer_at_once(
    chromium: Chromium, url: str, toys: str, toyhouse: House
) -> None:
    with tab(chromium, url) as ann:
        match = ann.sit("three-magic", 2)
        to_insert(ann)
        ann.forgives("status of 503")
        ann.value("document.querySelector('button[data-id=\"seat.0/hand/drawn\"]').click()")
        ann.value("document.querySelector('#table button.face').click()")
        ann.waits_for("document.querySelectorAll('#hand .staged li').length === 1")
        with ann.page.expect_response(lambda one: bool(TRIAL.search(one.url)) and one.status == 503):
            ann.page.route(TRIAL, lambda route: route.fulfill(status=503), times=1)
            ann.open(f"{url}/matches/{match}")
        ann.waits_for("document.querySelectorAll('#table button.face').length > 0")
        assert ann.page.locator("#hand .staged li").count() == 1
        assert ann.page.locator("#wrong").is_hidden()
    with tab(chromium, toys) as ann:
        bob = toyhouse.player("Bob")
        match = ann.sit("high-card", 0, free=1)
        bob.sit(match)
        ann.waits_for(f"{AT_TABLE} && {LIVE}")
        ann.forgives("status of 502")
        ann.page.route(re.compile(r"/matches/\w+$"), lambda route: route.fulfill(status=502, body="<h1>"), times=1)
        bob.post(f"/matches/{match}/resign")
        ann.waits_for(OVER)


def test_a_digit_answers_what_is_asked_next_and_neither_takes_back_nor_sends_what_was_tried(
    chromium: Chromium, url: str
) -> None:
    with tab(chromium, url) as ann:
        ann.sit("three-magic", 2)
        to_insert(ann)
        ann.value("document.querySelector('button[data-id=\"seat.0/hand/drawn\"]').click()")
        ann.value("document.querySelector('#table button.face').click()")
        ann.waits_for("document.querySelectorAll('#hand .staged li').length === 1")
        ann.waits_for("document.querySelectorAll('#table button.face').length > 0")
        ann.value("""[window.pressed = [], document.addEventListener('click', event => {
            window.pressed.push(event.target.closest('[data-do]')?.dataset.do ?? 'an answer')
        }, true)].length""")
        for digit in ("1", "2"):
            ann.presses("n")
            ann.presses(digit)
            assert set(ann.value("window.pressed")) <= {"an answer"}
            if ann.page.locator("#table .confirm").count():
                ann.presses("Escape")


def test_a_digit_that_is_held_answers_no_more_than_one_decision(chromium: Chromium, url: str) -> None:
    with tab(chromium, url) as ann:
        ann.sit("terraformers", 1)
        ann.waits_for(f"{AT_TABLE} && {MINE}")
        ann.presses("n")
        sent: list[str] = []
        ann.page.on("request", lambda one: sent.append(one.url) if one.method == "POST" else None)
        # the browser repeats a key that goes down again without having come up
        for _ in range(8):
            ann.page.keyboard.down("1")
        ann.page.keyboard.up("1")
        assert not [one for one in sent if one.endswith("/moves")]


def test_a_hint_is_told_by_the_hand_and_goes_with_the_decision(chromium: Chromium, toys: str, toyhouse: House) -> None:
    with tab(chromium, toys, **PHONE) as ann:
        match = ann.sit("magicative", 1)
        while ann.ask("GET", f"/matches/{match}/moves")["decision"] is None:
            match = ann.sit("magicative", 1)  # nobody plays the bot here: until it is she who begins
        ann.waits_for(f"{AT_TABLE} && {MINE}")
        with ann.page.expect_response(re.compile("/hints")):
            ann.page.locator("#hint").tap()
        expect(ann.page.locator(".why")).to_contain_text("A bot thinks")
        reviewer(toyhouse).review([match], lambda: False)
        (hint,) = ann.ask("GET", f"/matches/{match}/hints")["hints"]
        expect(ann.page.locator(".why")).to_contain_text(f"Hint: {hint['moves'][0]['text']}")
        for gain in hint["gains"]:
            expect(ann.page.locator(".why")).to_contain_text(gain)
        expect(ann.page.locator("#hint")).to_be_enabled()
        ann.value("document.getElementById('list').open = true")
        ann.page.locator("#list .moves button").first.tap()
        ann.page.locator("#table .confirm").tap()
        expect(ann.page.locator(".why")).to_have_count(0)


@pytest.mark.parametrize("share", [0.3, 0.35])
def test_a_hint_calls_no_move_the_next_best_that_seems_to_be_better(
    chromium: Chromium, toys: str, toyhouse: House, share: float
) -> None:
    with tab(chromium, toys, **PHONE) as ann:
        match = ann.sit("magicative", 1)
        while (asked := ann.ask("GET", f"/matches/{match}/moves"))["decision"] is None:
            match = ann.sit("magicative", 1)
        ann.waits_for(f"{AT_TABLE} && {MINE}")
        with ann.page.expect_response(re.compile("/hints")):
            ann.page.locator("#hint").tap()
        best, other = (one["id"] for one in asked["moves"][:2])
        weighed = [
            {"move": best, "share": 0.33, "behind": 0.0, "error": 0.0},
            {"move": other, "share": share, "behind": 0.33 - share, "error": 0.05},
        ]
        hint = {"seat": 0, "decision": asked["decision"], "weighed": weighed}
        door(toyhouse).post("/api/thoughts", {"match": match, "hints": [hint]})
        told = ann.page.locator(".why")
        expect(told).to_contain_text("Hint: ")
        assert ("with the next best move 30 %" in told.inner_text()) == (share < 0.33)
        assert "35 %" not in told.inner_text()
