"""The replay page in a real browser: stepping, keys, eyes, clicks, links, and the verdict."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, expect

from tests.browser import PHONE, browser
from tests.service.web.pages.replayed import READY, There, shown, version

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]

LIES = """ids =>
    [...document.querySelectorAll('.player-table [data-piece]')].map(one => one.dataset.piece).sort().join() === ids"""

LISTED = ".player-list > li:not([hidden])"


def scene_of(film: dict[str, Any], at: int) -> list[dict[str, Any]]:
    """What lies on the table then."""
    reel = film["reel"]
    scene = reel["scenes"][reel["frames"][at - 1]["scene"]]
    return [reel["pieces"][one] for zone in scene["zones"] for one in reel["zones"][zone]["pieces"]]


def lies(page: Page, film: dict[str, Any], at: int) -> None:
    """Wait until all of that lies on the table, and nothing else."""
    ids = sorted(one["id"] for piece in scene_of(film, at) for one in (piece, *piece.get("on", [])))
    page.wait_for_function(LIES, arg=",".join(ids))


def test_keys_step_through_a_match_and_the_table_is_that_of_the_moment(page: Page, there: There) -> None:
    film = there.film
    shown(page, there)
    begun = version(page)
    assert [film["reel"]["frames"][at]["moves"] for at in (begun - 1, begun)] == [0, 1]
    page.keyboard.press("ArrowRight")
    moved = version(page)
    assert film["reel"]["frames"][moved - 1]["moves"] == 1
    page.keyboard.press("Shift+ArrowRight")
    assert version(page) == moved + 1
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    lies(page, film, version(page))
    page.keyboard.press("Home")
    assert version(page) == 1
    page.keyboard.press("End")
    assert version(page) == film["version"]
    lies(page, film, film["version"])
    # what happened is said aloud once, and not while the match runs by itself
    assert page.locator("#player output").count() == 0, "a browser reads out each change of one"
    for aloud in (1, 0):
        assert page.locator("#player [aria-live=polite]").count() == aloud
        page.locator(".player-play").click()
    # nothing below the table moves while one steps
    page.wait_for_selector("#player[data-measured]", state="attached")
    below = "document.querySelector('.player-chartPanel').getBoundingClientRect().y + scrollY"
    tops = set()
    for at in (15, 30, 45, 60):
        page.locator(LISTED).nth(at).locator("button").click()
        # all that is drawn of it
        page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        tops.add(round(page.evaluate(below)))
    assert len(tops) == 1


def test_nothing_of_the_end_is_told_before_it_was_seen_or_asked_for(page: Page, there: There) -> None:
    last = there.film["reel"]["frames"][-2]["text"]
    shown(page, there)
    assert last not in page.inner_text("#player")
    assert page.is_hidden(".player-result")
    assert page.locator(".player-list > li").count() == version(page)
    page.check(".player-spoil")
    assert page.is_visible(".player-result")
    assert last in page.inner_text("#player")
    assert page.locator(".player-list > li").count() == there.film["version"]
    page.uncheck(".player-spoil")
    assert page.is_hidden(".player-result")
    page.keyboard.press("End")
    assert page.is_visible(".player-result")


def test_a_match_is_seen_with_the_eyes_of_each_seat_at_the_same_moment(page: Page, there: There) -> None:
    shown(page, there, "?at=60")
    assert version(page) == 60
    hidden: dict[str, int] = {}
    for eyes, query in (("nobody", {"nobody": "true"}), ("1", {"seat": 1}), ("all", {})):
        page.select_option(".player-eyes", eyes)
        # the film of other eyes is fetched first; the address tells when it is there
        expect(page).to_have_url(re.compile(r"[?]at=60" + ("$" if eyes == "all" else f"&eyes={eyes}$")))
        assert version(page) == 60
        lies(page, there.films(**query), 60)
        hidden[eyes] = page.locator(".player-table .face-down").count()
    assert hidden["all"] < hidden["nobody"]


def test_a_click_on_an_event_or_a_piece_goes_there(page: Page, there: There) -> None:
    shown(page, there, "?at=100")
    listed = page.locator(LISTED)
    told = [frame["version"] for frame in there.film["reel"]["frames"][:100] if "aside" not in frame]
    assert listed.evaluate_all("rows => rows.map(row => row.value)") == told
    listed.nth(20).locator("button").click()
    assert version(page) == int(str(listed.nth(20).get_attribute("value"))) > 20
    listed.last.locator("button").click()
    here = version(page)

    def looks(at: int) -> dict[str, Any]:
        if there.film["reel"]["frames"][at - 1]["scene"] is None:
            return {}
        names = ("kind", "label", "title", "tone", "count", "face")
        return {one["id"]: {name: one.get(name) for name in names} for one in scene_of(there.film, at)}

    came = {}
    for id, look in looks(here).items():
        came[id] = next((at + 1 for at in range(here - 1, 0, -1) if looks(at).get(id) != look), 1)
    id, at = max(((id, at) for id, at in came.items() if at < here - 1 and "hand" in id), key=lambda one: one[1])
    page.locator(f'.player-table .face[data-id="{id}"]').click()
    assert version(page) == at
    assert page.is_visible(".details")


def test_the_address_is_that_of_the_moment_and_opens_it_again(page: Page, there: There) -> None:
    shown(page, there, "?at=50&eyes=2")
    assert version(page) == 50
    assert page.input_value(".player-eyes") == "2"
    page.keyboard.press("ArrowRight")
    at = version(page)
    expect(page).to_have_url(re.compile(rf"\?at={at}&eyes=2$"))
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.click(".player-share")
    assert page.input_value(".player-shared input") == page.url
    page.reload()
    page.wait_for_selector(READY, state="attached")
    assert version(page) == at
    # and from there a match goes on at a table of its own
    page.select_option("#fork select", "1")
    page.click("#fork button")
    page.wait_for_url("**/matches/m_*")
    made = there.house.stranger.look(page.url.rpartition("/")[2])
    assert made["forked"]["match"] == there.over
    assert 1 < made["forked"]["version"] <= at
    assert made["seats"][1]["bot"] is None


@pytest.mark.parametrize("forged", ["", "export", "keys"])
def test_the_log_is_checked_in_the_page_and_a_forged_one_is_not_verified(page: Page, there: There, forged: str) -> None:
    def answer(route: Any) -> None:
        body = route.fetch().text()
        if forged == "export":
            lines = body.split("\n")
            lines[30] = lines[30].replace('"seat":0', '"seat":1') if '"seat":0' in lines[30] else lines[30][:-2] + " }"
            body = "\n".join(lines)
        else:
            keys = json.loads(body)["keys"]
            keys[-1]["public"] = "0" * 64
            body = json.dumps({"keys": keys})
        route.fulfill(body=body)

    if forged:
        page.route(f"**/{forged}?*", answer)
    shown(page, there)
    page.click("#judge")
    expect(page.locator("#verdict")).to_be_focused()
    if forged:
        page.wait_for_selector(".verdict.failed")
        assert "LOG-" in page.inner_text(".failures")
    else:
        page.wait_for_selector(".verdict.verified")
        key = there.house.stranger.get("/keys").json["keys"][-1]["key"]
        assert key in page.inner_text("#verdict")
        assert "publishes at /api/keys" in page.inner_text("#verdict")


def test_on_a_phone_the_table_fills_the_first_screen_and_plays_by_itself(chromium: Chromium, there: There) -> None:
    with browser(chromium, locale="ja", **PHONE) as opened:
        page = opened.page
        page.clock.install()
        shown(page, there, "?at=60")
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        assert page.evaluate("document.querySelector('.player-table').getBoundingClientRect().y") < 844 / 3.5
        assert page.evaluate("document.querySelector('.player-walk').getBoundingClientRect().bottom") <= 844
        small = page.evaluate(
            "[...document.querySelectorAll('.player-walk button, .player-walk select, .controls select')]"
            ".filter(one => one.offsetWidth).filter(one => one.offsetHeight < 44).length"
        )
        assert small == 0
        for _ in range(3):
            page.keyboard.press("+")
        assert page.input_value(".player-speed") == "8"
        page.keyboard.press(" ")
        page.wait_for_function("least => Number(document.querySelector('#player').dataset.version) > least", arg=64)
        page.keyboard.press(" ")
        stopped = version(page)
        page.clock.run_for(10_000)
        assert version(page) == stopped
        page.keyboard.press("-")
        assert page.input_value(".player-speed") == "4"


def test_a_running_match_is_played_up_to_now_and_watched_as_anybody_may_see_it(page: Page, there: There) -> None:
    page.goto(f"{there.address}/matches/{there.running}/replay")
    page.wait_for_selector(READY, state="attached")
    assert version(page) == there.house.stranger.look(there.running)["version"]
    assert page.is_hidden(".player-spoil")
    assert page.locator("#fork").count() == 0
    page.goto(f"{there.address}/watch/{there.running}")
    page.wait_for_selector(READY, state="attached")
    lying = page.inner_html("#table")
    mover = next(one for one in there.players if one.moves(there.running)["moves"])
    mover.choose(there.running)
    page.wait_for_function("before => document.querySelector('#table').innerHTML !== before", arg=lying)
    expect(page.locator("#said")).to_contain_text("Player")
    assert page.locator("#table button:visible").count() == 0
    assert page.locator("#table .zone-hand .face-up").count() == 0


def test_an_event_that_was_found_is_gone_to_by_keys(page: Page, there: There) -> None:
    told = [frame["text"] for frame in there.film["reel"]["frames"]]
    shown(page, there, f"?at={len(told)}")
    page.keyboard.press("/")
    page.keyboard.type("TURN begins")
    rows = page.locator(LISTED)
    expect(rows).to_have_text(found := [one for one in told if "turn begins" in one])
    assert page.inner_text(".player-found") == f"{len(found)} of {len(told)}"
    page.keyboard.press("Home")
    assert version(page) == len(told), "keys are letters there"
    page.keyboard.press("Tab")
    for key, at in (("ArrowDown", 0), ("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1)):
        page.keyboard.press(key)
        expect(rows.nth(at).locator("button")).to_be_focused()
        assert rows.nth(at).locator("button").evaluate("one => getComputedStyle(one).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    assert str(version(page)) == rows.nth(1).get_attribute("value")


def test_lines_beside_names_and_the_moments_row_are_seen_in_forced_colours(page: Page, there: There) -> None:
    page.emulate_media(forced_colors="active")
    shown(page, there)
    drawn = page.locator(".replay-head .key").first
    assert "gradient" in drawn.evaluate("one => getComputedStyle(one, '::before').backgroundImage")
    outline = "one => getComputedStyle(one).outline"
    here, other = (page.locator(f"{LISTED}{which}").first.evaluate(outline) for which in ("[aria-current]", ""))
    assert "rgb(0, 0, 0) solid" in here
    assert "solid" not in other


def test_where_the_film_can_not_be_had_the_moment_stays_readable(chromium: Chromium, there: There) -> None:
    with browser(chromium) as opened:
        opened.page.route("**/film?*", lambda route: route.abort())
        opened.forgives("net::ERR_FAILED", "at async openPlayer")
        opened.open(f"{there.address}/matches/{there.over}/replay?at=50")
        expect(opened.page.locator("#player [role=alert]")).to_be_visible()
        expect(opened.page.locator("#player .told")).to_be_visible()
