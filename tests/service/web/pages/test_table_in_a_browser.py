"""The live table in a real browser, on a real service: matches are played by touching what is lit."""

from __future__ import annotations

import json
import random
import re

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import expect

from tests.browser import PHONE, held_back
from tests.service.house import House, step
from tests.service.web.pages.tabs import (
    ANSWERED,
    AT_TABLE,
    LAST,
    LIVE,
    MINE,
    SCRIPT,
    TRIAL,
    Tab,
    Two,
    against,
    tab,
    to_insert,
)

pytestmark = pytest.mark.browser

SLOW = "localStorage.setItem('foldtable.table', JSON.stringify({ pace: '2000' }))"

DRAW = random.Random(1)
TOUCH = re.compile(r"/touch\b")
LIT = "[...document.querySelectorAll('#table button.face, #table :is(.buttons, .words) .lit:not(:disabled)')]"
FIRST_LIT = f"{LIT}[0]"


def test_what_another_does_and_says_is_drawn_said_and_written_down_as_it_happens(two: Two) -> None:
    ann, bob, match = two
    assert step(match, [bob], DRAW)
    # what was told before may still be on its way
    ann.waits_for("document.querySelector('#log li').textContent.includes('sets ? aside')")
    text = ann.value("document.querySelector('#log li').textContent")
    ann.waits_for(f"document.getElementById('said').textContent.includes({text!r})")
    lines = ann.value("[...document.querySelectorAll('#log li')].map(one => one.textContent)")
    assert any(line.startswith("You are dealt") for line in lines)
    assert sum("sets ? aside" in line for line in lines) == 1
    assert not [line for line in lines if line.startswith("Bob:")], "the next event tells it"
    # the last two things that happened
    ann.waits_for(f"document.querySelector('#table .happened').textContent === {f'{lines[1]} {text}'!r}")
    bob.post(f"/matches/{match}/talk", {"text": "<b>hello</b>"})
    ann.waits_for("document.querySelector('#messages p')?.textContent === '<b>hello</b>'")
    ann.forgives("status of 422")
    ann.page.locator("#say textarea").fill("you\u202e")
    ann.page.locator("#say button").click()
    expect(ann.page.locator("#wrong")).to_have_text(re.compile("^A message can't contain control characters"))
    ann.page.locator("#say textarea").fill("you too")
    ann.page.locator("#say button").click()
    ann.waits_for("[...document.querySelectorAll('#messages p')].at(-1).textContent === 'you too'")
    assert [one["text"] for one in bob.shown(f"/matches/{match}/talk")["messages"]] == ["<b>hello</b>", "you too"]
    ann.page.locator("#messages .about summary").first.click()
    deeds = ann.page.locator("#messages .about[open]")
    ends = deeds.evaluate("one => [one, one.closest('ol')].map(each => each.getBoundingClientRect().bottom)")
    assert ends[0] <= ends[1], "the list shows the whole of it"
    deeds.locator("form[action$=mute] button").click()
    ann.waits_for("document.querySelectorAll('#messages li').length === 1")


def test_what_another_proposes_says_and_ends_is_seen_at_once(chromium: Chromium, toys: str, toyhouse: House) -> None:
    def stands(name: str) -> str:
        seen = f"document.getElementById('{name}').getBoundingClientRect()"
        return f"{seen}.height > 0 && {seen}.top >= 0 && {seen}.bottom <= innerHeight"

    with tab(chromium, toys, viewport={"width": 390, "height": 844}) as guest:
        ann, bob, match = against(guest, toyhouse, clock={"preset": "day"})
        bob.post(f"/matches/{match}/talk", {"text": "Good luck"})
        ann.waits_for(stands("heard"))
        assert ann.value("document.getElementById('heard').textContent") == "Bob says: Good luck"
        assert "A message" in ann.value("document.title")
        bob.post(f"/matches/{match}/pause")
        ann.waits_for("document.title.includes('A question to you')")
        assert "Bob would like to pause" in ann.value("document.querySelector('#middle .offered').textContent")
        ann.page.locator("#heard").click()
        ann.waits_for("!document.title.includes('A message')")
        ann.waits_for(stands("asked"))
        ann.page.locator("#asked").click()
        ann.page.locator("#middle .offered button").click()
        ann.waits_for("document.getElementById('middle').textContent.includes('Paused')")
        ann.waits_for("!document.title.includes('A question to you')")
        bob.post(f"/matches/{match}/resign")
        ann.waits_for("document.getElementById('middle').textContent.includes('Bob resigned, so you won.')")
        following = bob.post(f"/matches/{match}/rematch").json["id"]
        ann.waits_for(f"!!document.querySelector('#middle a[data-asks][href$={following}]')")
        ann.waits_for("document.title.includes('A question to you')")
        ann.requests.clear()
        ann.value("for (let at = 0; at < 50; at++) document.body.dispatchEvent(new CustomEvent('news'))")
        bob.post(f"/matches/{following}/abort")
        ann.waits_for("!document.querySelector('#middle a[data-asks]')")
        assert sum(one.endswith(f"/matches/{match}") for one in ann.requests) < 5, "bots make many moves in a second"


def test_a_table_where_nothing_happens_asks_for_nothing(two: Two) -> None:
    ann, _, match = two
    ann.page.clock.install()
    ann.page.reload()
    ann.waits_for(f"{AT_TABLE} && {LIVE} && !!document.querySelector('#table .actions')")
    ann.value(ANSWERED)
    ann.requests.clear()
    # a stream counts as lost after 32 seconds of silence
    ann.page.clock.fast_forward(30_000)
    ann.value(ANSWERED)
    assert not [one for one in ann.requests if match in one]


def test_in_a_low_window_the_head_scrolls_away_and_what_is_called_stands_below_it(two: Two) -> None:
    ann, bob, match = two
    box = "document.querySelector('{}').getBoundingClientRect()"
    head, heard = box.format(".head"), box.format("#heard")
    ann.page.set_viewport_size({"width": 640, "height": 256})
    bob.post(f"/matches/{match}/talk", {"text": "Good luck"})
    ann.waits_for(f"{heard}.height > 0")
    assert 0 <= ann.value(f"{heard}.top - {head}.bottom") < 20
    ann.value("scrollTo(0, 1000)")
    assert ann.value(f"{head}.bottom") < 0


def test_the_others_turns_are_told_beside_the_hand_and_shown_again_by_a_touch(chromium: Chromium, url: str) -> None:
    told = "document.querySelector('#table .actions .happened')?.textContent"
    last = "document.querySelector('#log li').textContent"
    lit = "document.querySelector('#table :is(button.face, .words .lit, .buttons .lit)')"
    board = "document.querySelector('#table .board').textContent"
    others = (
        "[...document.querySelectorAll('#log li')].slice(0, 4).some(one => one.textContent.startsWith('greedy bot'))"
    )
    with tab(chromium, url) as ann:
        ann.sit("magicative", 1)
        ann.waits_for(f"{AT_TABLE} && {MINE} && !!{lit}")
        draw = random.Random(3)
        while not ann.value(f"{others} && {MINE} && !!{lit} && {told}?.endsWith({last})"):
            ann.touches(draw)
        ann.page.locator("#table .again").click()
        ann.waits_for(f"{told} !== {last} && {lit} === null")
        ann.waits_for(f"{told} === {last} && !!{lit}")
        shown = ann.value(board)
        ann.page.reload()
        ann.waits_for(f"{AT_TABLE} && !!{lit}")
        assert ann.value(board) == shown
        ann.page.set_viewport_size({"width": 1280, "height": 900})
        ann.value("document.querySelectorAll('.learn [hidden]').forEach(one => one.hidden = false)")
        assert ann.value("document.getElementById('table').offsetWidth * 2 > innerWidth"), "most of a desk"


def test_nothing_of_the_page_is_written_while_pieces_travel(guest: Tab, toys: str, toyhouse: House) -> None:
    match, players = toyhouse.table()
    news = held_back(guest.page, "**/api/me/events?*")
    guest.page.add_init_script(SLOW)
    guest.page.add_init_script(f"{SCRIPT}.watchFlights()")
    guest.open(f"{toys}/matches/{match}")
    guest.waits_for(f"{AT_TABLE} && {LIVE}")
    for _ in range(3):
        for player in players:
            step(match, [player], DRAW)
        # what came first is on its way when the rest comes, and when the page hears of no turn that waits for eve
        guest.waits_for("flown > 0")
        while news:
            news.pop().continue_()
    head = toyhouse.stranger.look(match)["version"]
    guest.waits_for(f"{LAST} === {head}")
    assert guest.value("written") == []


def test_who_watches_a_timed_match_reads_what_is_due_and_no_page_again(guest: Tab, toys: str, toyhouse: House) -> None:
    times = "[...document.querySelectorAll('#players .due time')]"
    due = f"{times}.map(one => [one.closest('li').dataset.seat, one.dateTime])"
    asked = "performance.getEntriesByType('resource').map(one => new URL(one.name).pathname)"
    match, players = toyhouse.table("magicative", clock={"preset": "day"})
    guest.open(f"{toys}/matches/{match}")
    guest.waits_for(f"{AT_TABLE} && {LIVE}")
    for player in players:
        step(match, [player], DRAW)
    told = [[str(one["seat"]), one["due"]] for one in toyhouse.stranger.look(match)["deadlines"]]
    assert told
    guest.waits_for(f"JSON.stringify({due}) === {json.dumps(json.dumps(told, separators=(',', ':')))}")
    day = "new Date(one.dateTime).toLocaleDateString(document.documentElement.lang, {dateStyle: 'medium'})"
    assert guest.value(f"{times}.every(one => one.textContent.startsWith({day}))"), "it is due tomorrow"
    paths = guest.value(asked)
    assert f"/matches/{match}/due" in paths
    assert f"/matches/{match}" not in paths


def test_a_lost_connection_comes_back_and_nothing_was_missed(two: Two) -> None:
    ann, bob, match = two
    ann.forgives("net::ERR_INTERNET_DISCONNECTED")
    ann.context.set_offline(True)
    ann.waits_for("!document.getElementById('lost').hidden")
    head = bob.look(match)["version"] if step(match, [bob], DRAW) else 0
    assert ann.value(LAST) < head
    ann.context.set_offline(False)
    ann.waits_for(f"{LAST} === {head} && document.getElementById('lost').hidden")
    numbers = ann.value("[...document.querySelectorAll('#log li')].map(one => one.value)")
    told = [event["version"] for event in bob.events(match) if "aside" not in event]
    assert numbers == told[: -len(numbers) - 1 : -1]
    ann.context.set_offline(True)
    ann.waits_for("(window.once ??= [ordering.click()]) && /does not answer/.test(wrong.textContent)")
    ann.context.set_offline(False)
    ann.waits_for("['lost', 'wrong'].every(id => document.getElementById(id).hidden)")


def test_who_wants_to_be_notified_reads_beside_the_button_whether_they_are(two: Two) -> None:
    ann, _, _match = two
    ann.value("document.getElementById('notify').click()")
    ann.waits_for("/notif/.test(document.getElementById('notified').textContent)")
    ann.value("""void (window.Notification = class {
        static permission = 'granted'; static requestPermission = async () => 'granted'
        constructor() { throw TypeError('only a service worker may, as phones have it') }
    })""")
    ann.value("document.getElementById('notify').click()")
    ann.waits_for("/does not allow/.test(document.getElementById('notified').textContent)")


def test_a_table_that_nobody_sees_lets_go_of_its_stream_and_has_missed_nothing_when_it_is_seen_again(two: Two) -> None:
    """Else a few tables in one browser leave no connection for the next page."""
    ann, bob, match = two
    seen = "Object.defineProperty(document, 'hidden', { value: %s, configurable: true }); dispatchEvent"
    seen = seen.replace("dispatchEvent", "document.dispatchEvent(new Event('visibilitychange'))")
    ann.value(seen % "true")
    assert step(match, [bob], DRAW)
    ended = "performance.getEntriesByType('resource').some(one => /matches.*events[?]/.test(one.name))"
    ann.waits_for(f"document.querySelector('#log li').textContent.includes('sets ? aside') && {ended}")
    bob.post(f"/matches/{match}/talk", {"text": "hello"})
    ann.value(seen % "false")
    ann.waits_for("document.querySelector('#messages p')?.textContent === 'hello'")
    ann.waits_for(LIVE)


@pytest.mark.parametrize("status", [None, 429, 502, 503])
def test_what_the_page_asks_by_itself_is_asked_again_where_no_answer_comes(two: Two, status: int | None) -> None:
    ann, bob, match = two
    ann.forgives("net::ERR_FAILED", f"status of {status}")
    ann.page.route(TRIAL, lambda route: route.fulfill(status=status) if status else route.abort())
    came = "response" if status else "requestfailed"
    with ann.page.expect_event(came, lambda one: bool(TRIAL.search(one.url))):
        assert step(match, [bob], DRAW)
    ann.value(ANSWERED)
    assert ann.page.locator("#wrong").is_hidden()
    with ann.page.expect_response(TRIAL):
        ann.page.unroute(TRIAL)


def test_from_anywhere_on_the_page_a_key_leads_to_what_is_lit_unless_unwanted(chromium: Chromium, url: str) -> None:
    at_lit = "document.activeElement.matches('#table button.face, #table .zone-touch, #table .button')"
    with tab(chromium, url) as ann:
        ann.sit("magicative", 1)
        ann.waits_for(f"{AT_TABLE} && {MINE} && !!{FIRST_LIT}")
        version = ann.value(LAST)
        for key in "np":
            ann.value("document.activeElement.blur()")
            ann.presses(key)
            assert ann.value(at_lit)
        assert ann.value(f"document.activeElement === {LIT}.at(-1)"), "P comes to the last"
        ann.page.locator("#log").focus()
        ann.presses("n")
        assert ann.value(at_lit)
        ann.page.locator("#say-text").focus()
        ann.presses("n")
        assert ann.page.locator("#say-text").input_value() == "n"
        ann.page.locator("#settings summary").click()
        ann.page.get_by_label("N and P work").select_option("table")
        ann.page.locator("#log").focus()
        ann.presses("n")
        assert ann.value("document.activeElement.id") == "log"
        ann.value("document.getElementById('table').focus()")
        ann.presses("n")
        assert ann.value(at_lit)
        # and a move is chosen from the list
        ann.value("document.getElementById('list').open = true")
        ann.waits_for("!!document.querySelector('#list .moves button')")
        text = ann.value("document.querySelector('#list .moves button').textContent")
        ann.value("document.querySelector('#list .moves button').click()")
        ann.waits_for("!!document.querySelector('#table .asked')")
        assert ann.value("document.querySelector('#table .asked').textContent") == text
        ann.value("document.querySelector('#table .confirm').click()")
        ann.waits_for(f"{LAST} > {version}")


NUMBERED = """(() => {{
    const list = document.querySelector('#list .moves'), pen = document.createElement('canvas').getContext('2d')
    list.replaceChildren(...Array.from({{ length: {0} }}, () => document.createElement('li')))
    pen.font = getComputedStyle(list).font
    return parseFloat(getComputedStyle(list).paddingLeft) - pen.measureText('{0}. ').width
}})()"""


def test_in_the_list_of_all_moves_no_number_is_cut(chromium: Chromium, url: str) -> None:
    with tab(chromium, url) as ann:
        ann.sit("magicative", 1)
        ann.waits_for(AT_TABLE)
        for number in (9, 99, 100):
            assert ann.value(NUMBERED.format(number)) >= 0, number


def test_above_a_phones_table_stand_game_turn_time_and_where_to_learn_it(chromium: Chromium, url: str) -> None:
    """What the table itself answers: tests/replays/table/questions.toml."""
    with tab(chromium, url, **PHONE) as ann:
        ann.sit("magicative", 1, clock={"preset": "day"})
        ann.waits_for(f"{AT_TABLE} && {MINE}")
        ann.waits_for("document.querySelector('#until').innerText.includes('left')")
        above = ann.page.locator("#match").inner_text()
        # everything that may stand there at once
        for one in ("hint", "skip"):
            ann.value(f"document.getElementById('{one}').hidden = false")
        wide = "document.querySelector('#until').textContent = '29 d 23 h left', document.documentElement.scrollWidth"
        for width in (390, 360, 320):
            ann.looks(width, 844)
            assert ann.value(f"({wide})") == width
            top = ann.value("document.querySelector('#table').getBoundingClientRect().top")
            assert top <= 144, "what tests/replays/table/test_drawn_tables.py takes for the height above"
        for answer in ("MAGICATIVE", "Your turn", "left", "Learn it in 5 minutes"):
            assert answer in above[: above.index(ann.page.locator("#table .line").inner_text())]
        ann.looks(390, 844)
        state = "document.getElementById('state')"
        ann.value(f"document.querySelector('h1').textContent = 'MAGICATIVE '.repeat(9); {state}.className = 'state'")
        assert ann.value(f"({state}.textContent = 'To act: Bob.', {state}.scrollWidth <= {state}.clientWidth)")


def test_a_touch_in_vain_says_why_with_the_clause(chromium: Chromium, url: str) -> None:
    with tab(chromium, url, lang="ja") as ann:
        ann.sit("three-magic", 2)
        to_insert(ann)
        found = None
        for at in range(8):
            card = f"document.querySelector('.face[role=img][data-id=\"seat.0/hand/{at}\"]')"
            if not ann.value(f"!!{card}"):
                continue
            with ann.page.expect_response(TOUCH) as answer:
                ann.value(f"{card}.click()")
            # the page writes down why after it has read the answer
            if answer.value.json()["refusal"]:
                ann.waits_for("!!document.querySelector('.why')")
                found = ann.value("document.querySelector('.why').textContent")
                break
        assert found, "one of them can't be touched"
        assert ann.value("document.querySelector('.why a').getAttribute('href')").startswith(
            "/games/three-magic/rules#3m-"
        )
        assert not found.isascii()


def test_orders_are_given_listed_and_withdrawn_by_three_touches(chromium: Chromium, toys: str, toyhouse: House) -> None:
    with tab(chromium, toys, **PHONE) as guest:
        ann, _, match = against(guest, toyhouse)
        ann.waits_for(MINE)
        touch, orders = ann.page.locator, ann.page.locator("#orders")
        touch("#ordering").tap()
        orders.get_by_text("Other moves").tap()
        orders.get_by_text("Only in this round").first.tap()
        standing = orders.locator(".standing li")
        expect(standing).to_have_count(1)
        expect(standing).to_contain_text("when the choice is: set a card aside, as long as it is round 1")
        expect(touch("#ordering")).to_have_text("1")
        orders.get_by_text("Withdraw").tap()
        expect(standing).to_have_count(0)
        orders.get_by_text("Close").tap()
        assert 0 in toyhouse.stranger.look(match)["to_act"], "no order has played"
        ann.value("document.getElementById('list').open = true")
        touch("#list .moves button").first.tap()
        touch("#table .confirm").tap()
        ann.waits_for(f"!({MINE})")
        touch("#ordering").tap()
        orders.locator(".new li", has_text="pass").get_by_text("Do this").tap()
        expect(standing).to_have_text(re.compile("Next time only: Pass"))
        expect(orders).to_be_visible()


def test_what_happens_at_the_table_leaves_the_focus_and_what_is_opened_in_the_orders(two: Two) -> None:
    ann, bob, match = two
    ann.waits_for(MINE)
    ann.page.locator("#ordering").click()
    orders = ann.page.locator("#orders")
    orders.get_by_text("Other moves").click()
    button = orders.get_by_text("Only in this round").first
    button.focus()
    said = ann.value("document.activeElement.ariaLabel")
    # the last thing that the page asks after an event
    with ann.page.expect_response(TRIAL) as trial:
        assert step(match, [bob], DRAW)
    trial.value.finished()
    ann.waits_for("document.querySelector('#log li').textContent.includes('sets ? aside')")
    ann.value("new Promise(requestAnimationFrame)")
    expect(button).to_be_focused()
    assert ann.value("document.activeElement.ariaLabel") == said
    # and where the list itself is another one
    button.press("Enter")
    expect(orders.locator(".standing li")).to_have_count(1)
    expect(button).to_be_focused()
    orders.get_by_text("Withdraw").press("Enter")
    expect(orders.locator(".standing li")).to_have_count(0)
    expect(orders.get_by_text("Close")).to_be_focused()
