"""Parts of pages in a real browser: lists and forms change in their place, and nobody loses theirs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, expect

from tests.browser import Browser, browser, held_back
from tests.service.house import House
from tests.service.jobs.workrun import reviewer
from tests.service.web.pages.onloopback import on_loopback

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]

PASSWORD = "a long enough one"
NAME = "A name that is as long as a name may ever be, with sixty-four cc"
ACCEPT = """match => fetch(`/api/matches/${match}/invitations/accept`, { method: 'POST', headers: {
    'X-CSRF-Token': document.querySelector('meta[name=csrf]').content } }).then(answer => answer.status)"""
SMALL = """[...document.querySelectorAll('main :is(button, select, summary, .button, input:not([type=hidden]))')]
    .filter(one => one.offsetHeight && !['checkbox', 'radio'].includes(one.type) && one.offsetHeight < 40)
    .map(one => one.outerHTML)"""
STAGE = re.compile(r"/stage[^/]*\.js$")
ANEW = """new Promise(done => {
    document.addEventListener('htmx:afterSettle', () => setTimeout(done), { once: true })
    document.dispatchEvent(new Event('visibilitychange'))
})"""
BESIDE = """(([turns, me]) => {
    Object.assign(turns, { hidden: false, textContent: '1' })
    return turns.getBoundingClientRect().right <= me.getBoundingClientRect().left
})(['waiting', 'me'].map(id => document.getElementById(id)))"""
BELOW = "document.querySelector('.choice').offsetTop"


class Seen:
    """Somebody's page."""

    def __init__(self, opened: Browser, url: str) -> None:
        self.opened, self.page, self.url = opened, opened.page, url

    def go(self, path: str) -> Page:
        """Be there, on a page that is to stay."""
        self.page.goto(self.url + path)
        self.page.evaluate("window.isSame = true")
        return self.page

    @property
    def is_same(self) -> bool:
        return bool(self.page.evaluate("window.isSame === true"))


@pytest.fixture
def ann(chromium: Chromium, house: House) -> Iterator[Seen]:
    """Ann's page, who has a login and a password."""
    answer = house.stranger.post("/players", {"name": "Ann", "login": "ann", "password": PASSWORD})
    with on_loopback(house) as url, browser(chromium) as opened:
        opened.context.add_cookies([{"name": "foldtable", "value": answer.json["token"], "url": url}])
        yield Seen(opened, url)


def me(page: Page) -> str:
    return str(page.locator("#me").get_attribute("href")).removeprefix("/players/")


def test_the_lobby_is_filtered_and_leafed_through_in_place_and_the_way_back_is_right(house: House, ann: Seen) -> None:
    zoe = house.player("Zoe")
    for _ in range(9):
        zoe.open("ttmp", [None, None])
    zoe.open("magicative", [None, None])
    page = ann.go("/lobby")
    rows = page.locator("#matches .match")
    expect(rows).to_have_count(8)
    page.get_by_label("Game").focus()
    page.get_by_label("Game").select_option("magicative")
    expect(rows).to_have_count(1)
    expect(page).to_have_url(ann.url + "/lobby?game=magicative")
    expect(page.locator("#how-many")).to_have_text("1 match is listed.")
    expect(page.get_by_label("Game")).to_be_focused()
    expect(page.locator("#begin")).to_have_attribute("href", "/new?game=magicative")
    page.get_by_label("Game").select_option("ttmp")
    expect(rows).to_have_count(8)
    page.get_by_role("link", name="More to be joined").click()
    expect(rows).to_have_count(9)
    expect(page).to_have_url(ann.url + "/lobby?game=ttmp&status=open")
    expect(page.get_by_role("heading", name="To be joined")).to_be_focused()
    assert ann.is_same
    with page.expect_event("load"):  # the page is loaded anew, and hears of a way back only when it is there
        page.go_back()
    expect(rows).to_have_count(8)
    expect(page).to_have_url(ann.url + "/lobby?game=ttmp")
    expect(page.get_by_label("Game")).to_have_value("ttmp")
    page.go_back()
    expect(rows).to_have_count(1)


def test_the_way_back_is_right_also_while_the_page_is_loaded_anew(house: House, ann: Seen) -> None:
    house.player("Zoe").open("ttmp", [None, None])
    page = ann.go("/lobby")
    for game in ("magicative", "ttmp"):
        page.get_by_label("Game").select_option(game)
        expect(page).to_have_url(f"{ann.url}/lobby?game={game}")
        expect(page.locator(".htmx-request, .htmx-added, .htmx-settling")).to_have_count(0)
    expect(page.locator("#matches .match")).to_have_count(1)
    late = held_back(page, "**/htmx.js*")
    with page.expect_request("**/htmx.js*"):
        page.evaluate("setTimeout(() => history.back())")
    ann.opened.waits_for("location.search === '?game=magicative'")
    page.evaluate("history.back()")
    ann.opened.waits_for("location.search === ''")
    for route in reversed(late):
        route.continue_()
    expect(page.get_by_label("Game")).to_have_value("")
    expect(page.locator("#matches .match")).to_have_count(1)


def test_a_list_that_is_loaded_anew_gives_nobody_the_focus_that_they_have_left(house: House, ann: Seen) -> None:
    zoe = house.player("Zoe")
    zoe.open("ttmp", [None, None])
    page = ann.go("/lobby")
    game = page.get_by_label("Game")
    game.focus()
    game.select_option("ttmp")
    expect(page).to_have_url(ann.url + "/lobby?game=ttmp")
    expect(page.locator(".htmx-request, .htmx-added, .htmx-settling")).to_have_count(0)
    game.blur()
    zoe.open("ttmp", [None, None])
    page.evaluate(ANEW)
    expect(page.locator("#matches .match")).to_have_count(2)
    assert page.evaluate("document.activeElement === document.body")


def test_what_is_new_comes_by_itself_and_the_focus_stays_on_what_it_was_on(house: House, ann: Seen) -> None:
    page = ann.go("/turns")
    zoe = house.player("Zoe")
    first = zoe.open("ttmp", [{"player": me(page)}, None], visibility="private")
    expect(page.get_by_text("Zoe keeps a seat for you.")).to_have_count(1)
    page.locator(f".match a[href='/matches/{first}']").focus()
    zoe.open("ttmp", [{"player": me(page)}, None], visibility="private")
    expect(page.get_by_text("Zoe keeps a seat for you.")).to_have_count(2)
    expect(page.locator(f".match a[href='/matches/{first}']")).to_be_focused()
    # and an invitation is declined in its place
    page.get_by_role("button", name="Decline").first.click()
    expect(page.get_by_text("Zoe keeps a seat for you.")).to_have_count(1)
    page.get_by_role("button", name="Decline").click()
    expect(page.get_by_text("Zoe keeps a seat for you.")).to_have_count(0)
    assert ann.is_same
    expect(page.get_by_role("heading", name="Waiting for you")).to_be_focused()
    match = house.player("Bob").open("ttmp", [{"player": me(page)}, None], visibility="private")
    page.get_by_role("button", name="Accept").click()
    page.wait_for_url(f"**/matches/{match}")


def test_a_seat_that_was_taken_in_the_meantime_is_said_and_listed_no_more(house: House, ann: Seen) -> None:
    zoe = house.player("Zoe")
    match = zoe.open("ttmp", [None, None])
    ann.opened.forgives("409")
    page = ann.go("/lobby")
    zoe.sit(match)
    house.player("Bob").sit(match)
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator("#trouble")).not_to_be_empty()
    expect(page).to_have_url(ann.url + "/lobby")
    expect(page.get_by_role("button", name="Sit down")).to_have_count(0)
    expect(page.get_by_role("link", name="Watch")).to_be_focused()
    expect(page.locator("#trouble")).not_to_be_empty()
    assert ann.is_same


def test_settings_are_saved_in_place_and_what_is_wrong_is_said_in_its_field(house: House, ann: Seen) -> None:
    ann.opened.forgives("422")
    page = ann.go("/settings")
    page.get_by_label("Days, from now on").fill("3")
    name = page.locator("#name")
    name.get_by_label("Name").fill("Bea")
    name.get_by_role("button").click()
    expect(name.locator(".done")).to_be_focused()
    expect(page.locator("#me")).to_have_text("Bea")
    expect(page.locator("#erase .help")).to_have_text("Bea")
    expect(page.get_by_label("Days, from now on")).to_have_value("3")
    login = page.locator("#login")
    login.get_by_label("Password now").fill("not the one")
    login.get_by_label("New password").fill("another long enough one")
    login.get_by_role("button", name="Change").click()
    expect(login.get_by_label("Password now")).to_be_focused()
    expect(login.locator("[aria-invalid]")).to_have_count(1)
    expect(login.get_by_role("alert")).not_to_be_empty()
    assert ann.is_same


def test_a_token_is_told_once_in_its_place_and_its_end_is_confirmed(house: House, ann: Seen) -> None:
    page = ann.go("/settings/programs")
    page.get_by_label("Name", exact=True).first.fill("a script")
    page.locator("#tokens").get_by_role("button", name="Make").click()
    expect(page.locator("#secret-tokens")).to_be_focused()
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name=re.compile("Revoke.*a script")).click()
    expect(page.get_by_role("button", name=re.compile("Revoke.*a script"))).to_have_count(1)
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name=re.compile("Revoke.*a script")).click()
    expect(page.get_by_role("button", name=re.compile("Revoke.*a script"))).to_have_count(0)
    expect(page.locator("#secret-tokens")).to_have_count(0)
    assert ann.is_same


def test_no_answer_and_a_broken_one_are_said_in_words(house: House, ann: Seen) -> None:
    ann.opened.forgives("/lobby?game=", "htmx.js")
    page = ann.go("/lobby")
    page.route("**/lobby?*", lambda route: route.abort())
    page.get_by_label("Game").select_option("ttmp")
    expect(page.locator("#trouble")).to_have_text("The server does not answer. Try again.")

    page.unroute("**/lobby?*")
    broken = {"status": 502, "content_type": "text/html", "body": "<h1>Bad gateway</h1>"}
    page.route("**/lobby?*", lambda route: route.fulfill(**broken))
    page.get_by_label("Game").select_option("magicative")
    expect(page.locator("#trouble")).to_have_text("The server does not answer. Try again.")
    expect(page.get_by_text("Bad gateway")).to_have_count(0)
    page.unroute("**/lobby?*")
    page.get_by_label("Game").select_option("")
    expect(page.locator("#trouble")).to_be_empty()

    # also to somebody who has asked from further down on a long page
    ann.opened.forgives("/settings/vacation")
    page = ann.go("/settings")
    page.route("**/settings/vacation", lambda route: route.abort())
    page.get_by_label("Days, from now on").fill("2")
    page.get_by_role("button", name="Go on vacation").click()
    expect(page.locator("#trouble")).to_be_in_viewport()


def test_whoever_is_signed_in_no_more_is_asked_to_sign_in_or_up_and_comes_back(house: House, ann: Seen) -> None:
    # a stream that is refused would tell before anything is pressed that nobody is signed in
    ann.opened.page.route("**/api/me/events?*", lambda route: None)
    page = ann.go("/lobby")
    for game, path, name in (("ttmp", "/sign-up", "Bea"), ("magicative", "/sign-in", "")):
        page.context.clear_cookies()
        page.context.add_cookies([{"name": "foldtable", "value": "nobody", "url": ann.url}])
        page.get_by_label("Game").select_option(game)
        page.wait_for_url(re.compile(r"/sign-in\?next="))
        form = page.locator(f"form[action='{path}']")
        if name:
            form.get_by_label("Name", exact=True).fill(name)
        form.get_by_label("Login name").fill("bea")
        form.get_by_label("Password").fill(PASSWORD)
        form.get_by_role("button").click()
        page.wait_for_url(f"{ann.url}/lobby?game={game}")
    page.context.clear_cookies()
    page.get_by_label("Game").select_option("")
    expect(page.locator("#me")).to_have_count(0)
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()


def test_a_turn_appears_by_itself_and_moments_are_told_in_the_readers_own_time(house: House, ann: Seen) -> None:
    page, zoe = ann.go("/turns"), house.player("Zoe")
    # which hears of it from the page that came into sight last, and again when that one is left
    others = [page.context.new_page() for _ in range(3)]
    # over an insecure connection a page listens by itself
    others[1].add_init_script("Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })")
    for other in others:
        other.goto(f"{ann.url}/games")
        other.evaluate("window.isSame = true")
    others.pop().close()
    # who begins is drawn: sooner or later it is their turn
    for _ in range(40):
        match = zoe.open("magicative", [{"player": me(page)}, None])
        zoe.sit(match, seat=1)
        assert page.evaluate(ACCEPT, match) == 200
        if not zoe.moves(match)["moves"]:
            break
    expect(page.locator("#waiting")).to_have_text("1")
    # it is read out as a number beside the words
    expect(page.get_by_role("link", name="My turns 1", exact=True)).to_have_count(1)
    expect(page).to_have_title(re.compile(r"^\(1\)"))
    expect(page.locator(f"form[action='/matches/{match}/do/accept']")).to_have_count(0)
    assert ann.is_same
    for other in others:
        expect(other.locator("#waiting")).to_have_text("1")
        expect(other).to_have_title(re.compile(r"^\(1\) Games"))
        assert other.evaluate("window.isSame")
    moments = page.locator("time").all_inner_texts()
    assert moments
    assert "UTC" not in "".join(moments)


def test_an_invitation_is_copied_and_shared_by_its_link_also_when_the_table_changed(house: House, ann: Seen) -> None:
    page, zoe = ann.opened.page, house.player("Zoe")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.add_init_script("navigator.share = async told => { window.shared = told.url }")
    ann.go("/lobby")
    match = zoe.open("ttmp", [{"player": me(page)}, None, None], visibility="link")
    assert page.evaluate(ACCEPT, match) == 200
    ann.go(f"/matches/{match}")
    zoe.sit(match)
    page.evaluate("document.getElementById('middle').dataset.was = 'true'")
    expect(page.locator("#middle:not([data-was])")).to_be_attached()
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    page.get_by_role("button", name="Share").click()
    link = page.locator("#share").input_value()
    assert page.evaluate("async () => [window.shared, await navigator.clipboard.readText()]") == [link, link]
    assert f"/matches/{match}?link=" in link


def test_a_review_that_goes_on_shuts_nothing_and_takes_and_gives_no_focus(house: House, ann: Seen) -> None:
    match, players = house.played(game="magicative")
    ann.opened.context.add_cookies([{"name": "foldtable", "value": players[0].token or "", "url": ann.url}])
    assert players[0].post(f"/matches/{match}/reviews", {"seat": 0}).status_code == 202
    one_more = partial(reviewer(house).review, [match], lambda: True)
    one_more()
    page = ann.go(f"/matches/{match}/reviews/0")
    page.locator("#all-title").focus()
    page.keyboard.press("Enter")
    for number in (2, 3):
        one_more()
        expect(page.locator("#all-title")).to_contain_text(f"({number})")
        expect(page.locator("#all")).to_have_attribute("open", "")
        expect(page.locator("#all-title")).to_be_focused()
    page.locator("#all a").first.focus()
    one_more()
    expect(page.locator("#all-title")).to_contain_text("(4)")
    expect(page.locator("#all a").first).to_be_focused()
    # the part has come, and nothing of it is still to be done
    expect(page.locator(".htmx-settling")).to_have_count(0)
    page.locator("#all a").first.blur()
    one_more()
    expect(page.locator("#all-title")).to_contain_text("(5)")
    assert page.evaluate("document.activeElement === document.body")
    assert ann.is_same


def test_a_part_of_the_contract_is_loaded_when_it_is_opened_or_named_in_the_address(ann: Seen) -> None:
    page = ann.go("/docs#openMatch")
    expect(page.locator("#openMatch").get_by_text("Bots sit down at once")).to_be_visible()
    expect(page.locator(".docs article")).to_have_count(1)
    page.get_by_role("link", name="NewMatch").first.click()
    expect(page.locator("#schema-NewMatch article")).to_be_visible()
    page.get_by_text("sessions", exact=True).click()
    page.locator("#tag-sessions summary").first.click()
    expect(page.locator("#tag-sessions article")).to_be_visible()
    assert ann.is_same


def test_a_player_is_named_where_a_seat_is_somebodys_and_the_theme_that_was_chosen_is_kept(ann: Seen) -> None:
    page, ground = ann.go("/new?game=magicative"), "getComputedStyle(document.body).backgroundColor"
    expect(page.locator(".named").first).to_be_hidden()
    page.select_option("#seat1", "somebody")
    expect(page.locator(".named").first).to_be_visible()
    light = page.evaluate(ground)
    page.click(".looks button[value=dark]")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate(ground) != light
    page.click(".looks button[value=auto]")
    expect(page.locator("html:not([data-theme])")).to_be_attached()


def test_on_a_phone_the_longest_name_is_not_cut_and_nothing_is_small_or_moved_by_a_drawing(ann: Seen) -> None:
    page = ann.go("/settings")
    page.locator("#name").get_by_label("Name").fill(NAME)
    page.locator("#name").get_by_role("button").click()
    expect(page.locator("#me")).to_have_text(NAME)
    ann.opened.looks(390, 844)
    for path in (f"/players/{me(page)}", "/lobby", "/settings", "/new?game=ttmp"):
        ann.go(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
        assert page.evaluate(SMALL) == [], path
    for width in (390, 375, 360):
        ann.opened.looks(width, 844)
        assert page.evaluate(BESIDE), "the number of turns lies beside the name"
    ann.opened.looks(390, 844)
    page.route(STAGE, lambda route: route.fulfill(body="", content_type="text/javascript"))
    ann.go("/")
    before = page.evaluate(BELOW)
    page.unroute(STAGE)
    ann.go("/")
    expect(page.locator("#stage.done .zone").first).to_be_attached()
    expect(page.locator("#pause")).to_be_visible()
    assert page.evaluate(BELOW) == before
