"""What is tried at a table before it is sent, in a real browser: taken back, kept, and advised."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Error, Route, expect

from tests.browser import PHONE, held_back
from tests.service.house import House
from tests.service.jobs.workrun import door, reviewer
from tests.service.web.pages.tabs import ANSWERED, AT_TABLE, LAST, LIVE, MINE, OVER, TRIAL, Tab, Two, tab, to_insert

pytestmark = pytest.mark.browser

TOP = "document.querySelector('#table').getBoundingClientRect().top"
STILL = "document.querySelector('#table').getAnimations({ subtree: true }).length === 0"
DRAWN = "document.querySelector('button[data-id=\"seat.0/hand/drawn\"]')"
TRIED = "document.querySelectorAll('#hand .staged li').length === 1"


@pytest.fixture
def ann(chromium: Chromium, url: str) -> Iterator[Tab]:
    """Somebody who has drawn a card in Three Magic, against bots."""
    with tab(chromium, url) as opened:
        opened.sit("three-magic", 2)
        to_insert(opened)
        yield opened


def insert(ann: Tab) -> None:
    """Try the card where it may go."""
    ann.value(f"{DRAWN}.click()")
    ann.value("document.querySelector('#table button.face').click()")
    ann.waits_for(TRIED)


def test_a_move_that_can_be_taken_back_is_tried_and_kept_and_sent_when_asked_for(ann: Tab) -> None:
    panel = "document.querySelector('#table .details:not([hidden])')"
    match, top = ann.page.url.rpartition("/")[2], ann.value(TOP)
    for way in ("button", "Escape"):
        version = ann.ask("GET", f"/matches/{match}")["version"]
        insert(ann)
        ann.waits_for(STILL)
        assert ann.value(TOP) == top, "what is said of it moves nothing that may be touched next"
        assert ann.ask("GET", f"/matches/{match}")["version"] == version
        if way == "button":
            ann.value("document.querySelector('[data-do=undo]').click()")
        else:
            ann.presses("Escape")
        ann.waits_for("!document.querySelector('#hand .staged')")
        ann.waits_for(f"!!{DRAWN}")
    ann.page.clock.install()
    ann.page.click("button[data-id='seat.0/hand/drawn']")
    ann.page.clock.run_for(2000)
    assert not ann.value(f"!!{panel}"), "who rests there wants to see where it may go"
    ann.page.hover("[data-piece^='indicator'] > .face, .middle .piece > .face")
    ann.waits_for(f"!!{panel}")
    assert ann.value(f"getComputedStyle({panel}).pointerEvents") == "none"
    ann.value("document.querySelector('#table button.face').click()")
    ann.waits_for(TRIED)
    # where a player wants it so, everything is asked for
    ann.value("localStorage.setItem('foldtable.table', JSON.stringify({ pace: '0', confirm: 'all' }))")
    ann.value("document.querySelector('[data-do=undo]').click()")
    ann.waits_for("!document.querySelector('#hand .staged')")
    ann.page.reload()
    ann.page.locator("button[data-id='seat.0/hand/drawn']").click()
    ann.page.locator("#table button.face").first.click()
    ann.page.locator("#table .confirm").click()
    ann.waits_for(TRIED)


@contextmanager
def hold(ann: Tab) -> Iterator[list[Route]]:
    """Have what they try not come to the service: it waits there; what still waits at the end goes nowhere."""
    waiting = held_back(ann.page, TRIAL)
    try:
        yield waiting
    finally:
        ann.page.unroute(TRIAL)
        ann.forgives("net::ERR_FAILED", "Failed to fetch")
        for one in waiting:
            # those that went on are done with
            with suppress(Error):
                one.abort()


def test_however_late_a_trial_is_answered_nothing_wrong_is_asked_or_said(ann: Tab) -> None:
    with hold(ann) as waiting:
        with ann.page.expect_request(TRIAL):
            ann.page.reload()
        ann.page.locator("button[data-id='seat.0/hand/drawn']").click()
        ann.page.locator("#table button.face").first.click()
        ann.value(ANSWERED)
        assert waiting, "what is for good is not known yet"
        assert ann.page.locator("#table .confirm, #hand .staged").all_inner_texts() == []
        waiting[-1].continue_()
        ann.page.unroute(TRIAL)
        ann.waits_for(TRIED)
    # nor is what was sent meanwhile said to be taken back
    with hold(ann) as waiting:
        ann.page.reload()
        ann.waits_for(TRIED)
        version = ann.value(LAST)
        ann.page.click("[data-do=send]")
        ann.waits_for(f"{LAST} > {version}")
        ann.forgives("status of 409")
        with ann.page.expect_response(TRIAL):
            waiting[0].continue_()
        ann.page.unroute(TRIAL)
        ann.value(ANSWERED)
        assert ann.page.locator("#wrong").is_hidden()


def test_a_double_click_in_the_list_tries_a_move_once(ann: Tab) -> None:
    ann.value("document.getElementById('list').open = true")
    ann.requests.clear()
    with ann.page.expect_response(TRIAL):
        ann.page.locator("#list .moves button").first.dblclick()
    ann.waits_for(TRIED)
    (asked,) = filter(TRIAL.search, ann.requests)
    assert not re.search(",|%2C", asked.partition("moves=")[2]), "one move"


def test_without_https_moves_are_made_too(guest: Tab) -> None:
    guest.page.add_init_script("delete Crypto.prototype.randomUUID; delete Navigator.prototype.locks")
    guest.sit("high-card", 1)
    guest.waits_for(f"{AT_TABLE} && {MINE} && !!document.querySelector('#table .words button')")
    version = guest.value(LAST)
    guest.page.locator("#table .words button").first.click()
    guest.page.locator("#table .confirm").click()
    guest.waits_for(f"{LAST} > {version}")


def test_on_a_small_phone_the_choices_stay_in_the_bar_which_never_hides_more_than_half_of_the_table(
    chromium: Chromium, url: str
) -> None:
    with tab(chromium, url, **PHONE | {"viewport": {"width": 320, "height": 568}}) as ann:
        ann.sit("terraformers", 1)
        ann.waits_for(f"{AT_TABLE} && {MINE}")
        ann.page.locator("#table [data-id='seat.0/sheet/city']").tap()
        ann.waits_for(f"{TRIED} && !!document.querySelector('#table .choices.words')")
        bar = ann.page.locator("#table .actions")
        assert bar.evaluate("one => one.scrollHeight <= one.clientHeight"), "nothing is cut off at its end"
        # what a phone of 390 by 844 has room for, if its letters are twice as large
        ann.page.set_viewport_size({"width": 195, "height": 422})
        assert bar.evaluate("one => one.offsetHeight") <= 422 / 2
        assert bar.evaluate("one => getComputedStyle(one).overflowY") == "auto"


def test_where_a_move_could_not_be_sent_that_is_in_sight_and_the_table_shows_no_more_what_was_tried(
    chromium: Chromium, url: str
) -> None:
    with tab(chromium, url, **PHONE) as ann:
        ann.forgives("net::ERR_FAILED", "Failed to fetch")
        match = ann.sit("terraformers", 1)
        ann.waits_for(f"{AT_TABLE} && {MINE}")
        line = ann.page.locator("#table .line").inner_text()
        ann.page.locator("#table [data-id='seat.0/sheet/city']").tap()
        ann.waits_for(f"{TRIED} && !!document.querySelector('#table .choices.words')")
        ann.page.locator("#table .words button").first.tap()
        asked = re.compile(rf"/api/matches/{match}(/moves|\?|$)")
        ann.page.route(asked, lambda route: route.abort())
        ann.page.locator("#table .confirm").tap()
        expect(ann.page.locator("#wrong")).to_be_visible()
        ann.value("scrollTo({ top: 400, behavior: 'instant' })")
        expect(ann.page.locator("#wrong")).to_be_in_viewport()
        ann.page.unroute(asked)
        expect(ann.page.locator("#table .line")).to_have_text(line)
        ann.waits_for("document.querySelectorAll('#table button.face').length > 0")


def test_a_move_that_another_tab_was_faster_with_is_refused_in_words_without_a_number(two: Two) -> None:
    ann, _, match = two
    ann.forgives("status of 409")

    def late(route: Route) -> None:
        ann.ask("POST", f"/matches/{match}/moves", route.request.post_data_json)
        route.continue_()

    ann.page.route("**/moves", late, times=1)
    ann.page.locator("#table .words button").first.click()
    ann.page.locator("#table .confirm").click()
    expect(ann.page.locator("#wrong")).to_contain_text("The match may have gone on meanwhile")


def test_a_move_after_somebody_else_signed_in_in_another_tab_is_refused_in_words_that_stay(
    two: Two, toyhouse: House, toys: str
) -> None:
    ann, _, _ = two
    ann.forgives("status of 40")
    ann.page.locator("#table .words button").first.click()
    eve = toyhouse.player("Eve")
    ann.context.add_cookies([{"name": "foldtable", "value": eve.token or "", "url": toys}])
    ann.page.locator("#table .confirm").click()
    # the table is hers no more: nothing is lit, and why not is still said
    ann.waits_for("!document.querySelector('#table .confirm, #table button.face')")
    expect(ann.page.locator("#wrong")).to_contain_text("This page is from an older session")
    ann.page.locator("textarea").fill("hello")
    ann.page.get_by_role("button", name="Say").click()
    expect(ann.page.locator("#wrong")).to_contain_text("This page is from an older session")


LOST = {
    "refused": lambda route: route.abort(),
    "cut off": lambda route: route.fulfill(status=200, content_type="application/json", body='{"decision": 1, '),
    "silent": lambda route: None,
}
"""How a trial gets no answer."""


@pytest.mark.parametrize("how", LOST)
def test_a_table_goes_on_after_a_trial_that_got_no_answer(ann: Tab, how: str) -> None:
    ann.forgives("net::ERR_FAILED", "Failed to fetch")
    ann.page.clock.install()
    ann.requests.clear()
    ann.page.route(TRIAL, LOST[how], times=1)
    with ann.page.expect_request(TRIAL):
        insert(ann)
    if how == "silent":
        ann.page.clock.run_for(30_000)
    ann.waits_for("document.querySelectorAll('#table button.face').length > 0")
    assert ann.value("document.querySelectorAll('#hand .staged li').length") == 1, "what was tried is kept"
    # not since the page was read anew; in 30 seconds streams may be begun again too, and the turns be counted
    others = [one for one in ann.requests if "events" not in one and "/me/turns" not in one]
    assert [bool(TRIAL.search(one)) for one in others[:2]] == [True, True]


def test_what_was_tried_is_kept_where_the_service_could_not_answer_at_once(ann: Tab) -> None:
    ann.forgives("status of 503")
    insert(ann)
    with ann.page.expect_response(lambda one: bool(TRIAL.search(one.url)) and one.status == 503):
        ann.page.route(TRIAL, lambda route: route.fulfill(status=503), times=1)
        ann.page.reload()
    ann.waits_for("document.querySelectorAll('#table button.face').length > 0")
    assert ann.page.locator("#hand .staged li").count() == 1
    assert ann.page.locator("#wrong").is_hidden()


def test_that_a_match_was_broken_off_is_said_as_it_is_written(two: Two) -> None:
    ann, bob, match = two
    with ann.page.expect_navigation():
        ann.value("document.querySelector('#deed-abort form').submit()")
    ann.waits_for(f"{AT_TABLE} && {LIVE}")
    bob.post(f"/matches/{match}/abort")
    ann.waits_for("document.getElementById('state').textContent === 'The match was broken off.'")
    expect(ann.page.locator("#said")).to_contain_text("The match was broken off.")


def test_the_end_is_shown_where_the_service_could_not_answer_at_once(two: Two) -> None:
    ann, bob, match = two
    ann.forgives("status of 502")
    ann.page.route(re.compile(r"/matches/\w+$"), lambda route: route.fulfill(status=502, body="<h1>"), times=1)
    bob.post(f"/matches/{match}/resign")
    ann.waits_for(OVER)


def test_a_digit_answers_what_is_asked_next_and_neither_takes_back_nor_sends_what_was_tried(ann: Tab) -> None:
    insert(ann)
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


Asking = tuple[Tab, str, dict[str, Any]]


@pytest.fixture
def asking(chromium: Chromium, toys: str) -> Iterator[Asking]:
    """Somebody who begins against a bot that nobody plays, and has asked for a hint; the match and what is asked."""
    with tab(chromium, toys, **PHONE) as ann:
        match = ann.sit("magicative", 1)
        while (moves := ann.ask("GET", f"/matches/{match}/moves"))["decision"] is None:
            match = ann.sit("magicative", 1)
        ann.waits_for(f"{AT_TABLE} && {MINE}")
        with ann.page.expect_response(re.compile("/hints")):
            ann.page.locator("#hint").tap()
        yield ann, match, moves


def test_a_hint_is_told_by_the_hand_and_goes_with_the_decision(asking: Asking, toyhouse: House) -> None:
    ann, match, _ = asking
    told = ann.page.locator(".why")
    expect(told).to_contain_text("A bot thinks")
    reviewer(toyhouse).review([match], lambda: False)
    (hint,) = ann.ask("GET", f"/matches/{match}/hints")["hints"]
    for text in (f"Hint: {hint['moves'][0]['text']}", *hint["gains"]):
        expect(told).to_contain_text(text)
    expect(ann.page.locator("#hint")).to_be_enabled()
    ann.value("document.getElementById('list').open = true")
    ann.page.locator("#list .moves button").first.tap()
    ann.page.locator("#table .confirm").tap()
    expect(told).to_have_count(0)


@pytest.mark.parametrize("share", [0.3, 0.35])
def test_a_hint_calls_no_move_next_best_that_seems_to_be_better(asking: Asking, toyhouse: House, share: float) -> None:
    ann, match, moves = asking
    best, other = (one["id"] for one in moves["moves"][:2])
    weighed = [
        {"move": best, "share": 0.33, "behind": 0.0, "error": 0.0},
        {"move": other, "share": share, "behind": 0.33 - share, "error": 0.05},
    ]
    hint = {"seat": 0, "decision": moves["decision"], "weighed": weighed}
    door(toyhouse).post("/api/thoughts", {"match": match, "hints": [hint]})
    told = ann.page.locator(".why")
    expect(told).to_contain_text("Hint: ")
    assert ("with the next best move 30 %" in told.inner_text()) == (share < 0.33)
    assert "35 %" not in told.inner_text()
