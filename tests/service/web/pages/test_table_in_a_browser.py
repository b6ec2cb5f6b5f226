"""The live table in a real browser, on a real service: matches are played by touching what is lit."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from time import monotonic, sleep

import httpx
import pytest

from tests.replays.report.browser import CHROMIUM, Browser, browser
from tests.service.run.uprun import up
from tests.service.web.pages.tabs import AT_TABLE, LIVE, TOUCHING, Tab, tab
from tests.service.web.test_server import ROOT, free_port

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here: apt-get install chromium"),
]

GAMES = {"three-magic": 2, "magicative": 1, "terraformers": 1, "troll-master": 2, "ttmp": 1}
"""And how many others sit there."""

SHORT = {"three-magic": {"laps": 1}}
"""Options of a game that takes long."""

LONGEST = 240.0
"""Seconds in which a match is played."""

MINE = "document.documentElement.dataset.turn === 'mine'"
LINES = "document.querySelectorAll('#log li').length"
LAST = "document.querySelector('#log li').value"
FIRST_LIT = "document.querySelector('#table button.face, #table .buttons .lit:not(:disabled)')"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a service whose bots answer at once."""
    said = {"FOLDTABLE_BOT_PAUSE": "0", "FOLDTABLE_BOT_PACE": "0", "FOLDTABLE_LIMITS": ""}
    data = tmp_path_factory.mktemp("up") / "data"
    with up(data, said={name: value for name, value in said.items() if value}) as running:
        yield running.url


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a service that has the toy room, and nobody who plays bots."""
    data, port = tmp_path_factory.mktemp("toys") / "data", free_port()
    command = [sys.executable, "-m", "tests.service.web.pages.serving", str(data), str(port)]
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ, stderr=subprocess.DEVNULL)
    address, end = f"http://127.0.0.1:{port}", monotonic() + 30
    try:
        while monotonic() < end:
            try:
                if httpx.get(f"{address}/readyz", trust_env=False).is_success:
                    break
            except httpx.TransportError:
                sleep(0.05)
        yield address
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_is_played_against_bots_by_touching_what_is_lit(chromium: Browser, url: str, game: str) -> None:
    with tab(chromium, url) as ann:
        match = ann.sit(game, GAMES[game], options=SHORT.get(game))
        ann.waits_for(AT_TABLE)
        ann.value(TOUCHING)
        end = monotonic() + LONGEST
        while not ann.value("window.isOver") and monotonic() < end:
            sleep(0.2)
        assert ann.value("window.isOver"), ann.value("document.body.innerText")[:600]
        assert ann.ask("GET", f"/matches/{match}")["status"] == "finished"
        assert ann.value("deeds.length") > 0
        ann.waits_for("!!document.querySelector('.ended .result')")
        assert not ann.complaints()


def test_a_game_that_is_only_a_scene_is_played_by_two_in_two_browsers(chromium: Browser, toys: str) -> None:
    with tab(chromium, toys) as ann, tab(chromium, toys) as bob:
        match = ann.sit("high-card", 0, free=1)
        assert not ann.value(AT_TABLE), "nothing is drawn before the start"
        bob.page.open(f"{toys}/matches/{match}")
        bob.value("document.querySelector('form[action$=\"/seat\"]').submit()")
        ann.waits_for(AT_TABLE)
        bob.waits_for(AT_TABLE)
        for one in (ann, bob):
            one.value(TOUCHING)
        for one in (ann, bob):
            one.waits_for("window.isOver")
            one.waits_for("!!document.querySelector('.ended .result')")
            assert one.value("deeds.length") > 0
            assert not one.complaints()
        lines = "[...document.querySelectorAll('#log li')].map(one => one.value).join()"
        assert ann.value(lines).split(",")[0] == bob.value(lines).split(",")[0]


def test_what_another_does_is_drawn_said_and_written_down_as_it_happens(chromium: Browser, toys: str) -> None:
    with tab(chromium, toys) as ann, tab(chromium, toys) as bob:
        match = ann.sit("high-card", 0, free=1)
        bob.page.open(f"{toys}/matches/{match}")
        bob.ask("POST", f"/matches/{match}/seats", {})
        ann.waits_for(f"{AT_TABLE} && {LIVE}")
        before = ann.value(LAST)
        now = bob.ask("GET", f"/matches/{match}/moves")
        bob.ask("POST", f"/matches/{match}/moves", {"decision": now["decision"], "id": now["moves"][0]["id"]})
        ann.waits_for(f"{LAST} > {before}")
        text = ann.value("document.querySelector('#log li').textContent")
        ann.waits_for(f"document.getElementById('said').textContent.includes({text!r})")


def test_a_lost_connection_comes_back_and_nothing_was_missed(chromium: Browser, toys: str) -> None:
    with tab(chromium, toys) as ann, tab(chromium, toys) as bob:
        match = ann.sit("high-card", 0, free=1)
        bob.page.open(f"{toys}/matches/{match}")
        bob.ask("POST", f"/matches/{match}/seats", {})
        ann.waits_for(f"{AT_TABLE} && {LIVE}")
        gone = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        ann.page.send("Network.emulateNetworkConditions", offline=True, **gone)
        ann.waits_for("!document.getElementById('lost').hidden")
        now = bob.ask("GET", f"/matches/{match}/moves")
        bob.ask("POST", f"/matches/{match}/moves", {"decision": now["decision"], "id": now["moves"][0]["id"]})
        head = bob.ask("GET", f"/matches/{match}")["version"]
        assert ann.value(LAST) < head
        ann.page.send("Network.emulateNetworkConditions", offline=False, **gone)
        ann.waits_for(f"{LAST} === {head}")
        ann.waits_for("document.getElementById('lost').hidden")
        numbers = ann.value("[...document.querySelectorAll('#log li')].map(one => one.value)")
        assert numbers == list(range(head, head - len(numbers), -1))


def to_insert(ann: Tab) -> None:
    """Wait until they have drawn a card in Three Magic; what may be claimed before is passed."""
    ann.waits_for(AT_TABLE)
    ann.waits_for("""(() => {
        document.querySelector('#table .confirm, #table .buttons .lit[data-id="do/pass"]')?.click()
        return !!document.querySelector('button[data-id="seat.0/hand/drawn"]')
    })()""")


def test_keys_alone_make_moves(chromium: Browser, url: str) -> None:
    with tab(chromium, url) as ann:
        ann.sit("magicative", 1)
        for _ in range(3):
            ann.waits_for(f"{AT_TABLE} && {MINE} && !!{FIRST_LIT}")
            before = ann.value(LAST)
            ann.value("document.getElementById('table').focus()")
            for _ in range(60):
                ann.page.presses("n")
                key(ann.page, "Enter", "\r")
                if ann.value("!!document.querySelector('#table .confirm')"):
                    assert ann.value("document.activeElement.matches('.confirm')"), "what is asked has the focus"
                    key(ann.page, "Enter", "\r")
                if ann.value(f"{LAST} > {before}"):
                    break
                sleep(0.02)
            assert ann.value(f"{LAST} > {before}")
        assert not ann.complaints()


def key(page: Browser, name: str, text: str) -> None:
    """Press a key that does something beside being heard."""
    more = {"key": name, "code": name, "windowsVirtualKeyCode": ord(text), "text": text}
    page.send("Input.dispatchKeyEvent", type="keyDown", **more)
    page.send("Input.dispatchKeyEvent", type="keyUp", **{**more, "text": ""})


def test_a_move_that_can_be_taken_back_is_tried_and_not_sent(chromium: Browser, url: str) -> None:
    with tab(chromium, url) as ann:
        match = ann.sit("three-magic", 2)
        to_insert(ann)
        for way in ("button", "Escape"):
            version = ann.ask("GET", f"/matches/{match}")["version"]
            ann.value("document.querySelector('button[data-id=\"seat.0/hand/drawn\"]').click()")
            ann.value("document.querySelector('#table button.face').click()")
            ann.waits_for("document.querySelectorAll('#hand .staged li').length === 1")
            assert ann.ask("GET", f"/matches/{match}")["version"] == version
            if way == "button":
                ann.value("document.querySelector('[data-do=undo]').click()")
            else:
                ann.page.presses("Escape")
            ann.waits_for("!document.querySelector('#hand .staged')")
            ann.waits_for("!!document.querySelector('button[data-id=\"seat.0/hand/drawn\"]')")
        assert not ann.complaints()


def test_what_is_tried_is_still_there_after_the_page_was_loaded_again(chromium: Browser, url: str) -> None:
    with tab(chromium, url) as ann:
        match = ann.sit("three-magic", 2)
        to_insert(ann)
        ann.value("document.querySelector('button[data-id=\"seat.0/hand/drawn\"]').click()")
        ann.value("document.querySelector('#table button.face').click()")
        ann.waits_for("document.querySelectorAll('#hand .staged li').length === 1")
        ann.page.open(f"{url}/matches/{match}")
        ann.waits_for("document.querySelectorAll('#hand .staged li').length === 1")
        version = ann.ask("GET", f"/matches/{match}")["version"]
        ann.value("document.querySelector('[data-do=send]').click()")
        ann.waits_for(f"{LAST} > {version}")
        ann.waits_for("!document.querySelector('#hand .staged')")


def test_a_touch_in_vain_says_why_with_the_clause(chromium: Browser, url: str) -> None:
    with tab(chromium, url, lang="ja") as ann:
        ann.sit("three-magic", 2)
        to_insert(ann)
        found = None
        for at in range(8):
            ann.value(f"document.querySelector('.face[role=img][data-id=\"seat.0/hand/{at}\"]')?.click()")
            sleep(0.2)
            found = ann.value("document.querySelector('.why')?.textContent")
            if found:
                break
        assert found, "one of them can't be touched"
        assert ann.value("document.querySelector('.why a').getAttribute('href')").startswith(
            "/games/three-magic/rules#3m-"
        )
        assert not found.isascii()


def test_everything_is_asked_for_where_a_player_wants_it_so(chromium: Browser, url: str) -> None:
    with tab(chromium, url) as ann:
        ann.value("localStorage.setItem('foldtable.table', JSON.stringify({ pace: '0', confirm: 'all' }))")
        ann.sit("three-magic", 2)
        to_insert(ann)
        ann.value("document.querySelector('button[data-id=\"seat.0/hand/drawn\"]').click()")
        ann.value("document.querySelector('#table button.face').click()")
        ann.waits_for("!!document.querySelector('#table .asked')")
        ann.value("document.querySelector('#table .confirm').click()")
        ann.waits_for("document.querySelectorAll('#hand .staged li').length === 1")


def test_a_move_is_chosen_from_the_list_and_made(chromium: Browser, url: str) -> None:
    with tab(chromium, url) as ann:
        ann.sit("magicative", 1)
        ann.waits_for(f"{AT_TABLE} && {MINE}")
        before = ann.value(LAST)
        ann.value("document.getElementById('list').open = true")
        ann.waits_for("!!document.querySelector('#list .moves button')")
        text = ann.value("document.querySelector('#list .moves button').textContent")
        ann.value("document.querySelector('#list .moves button').click()")
        ann.waits_for("!!document.querySelector('#table .asked')")
        assert ann.value("document.querySelector('#table .asked').textContent") == text
        ann.value("document.querySelector('#table .confirm').click()")
        ann.waits_for(f"{LAST} > {before}")


def test_a_phone_shows_the_table_in_japanese_without_scrolling_sideways(chromium: Browser, url: str) -> None:
    with tab(chromium, url, lang="ja") as ann:
        ann.page.looks(390, 844)
        for game, others in GAMES.items():
            ann.sit(game, others)
            ann.waits_for(AT_TABLE)
            assert ann.value("document.documentElement.lang") == "ja"
            assert not ann.value("document.querySelector('#table .line').textContent").isascii()
            assert ann.value("document.documentElement.scrollWidth") <= 390, game


def test_talk_is_heard_at_the_table_as_text(chromium: Browser, toys: str) -> None:
    with tab(chromium, toys) as ann, tab(chromium, toys) as bob:
        match = ann.sit("high-card", 0, free=1)
        bob.page.open(f"{toys}/matches/{match}")
        bob.ask("POST", f"/matches/{match}/seats", {})
        ann.waits_for(AT_TABLE)
        bob.ask("POST", f"/matches/{match}/talk", {"text": "<b>hello</b>"})
        ann.waits_for("document.querySelector('#messages p')?.textContent === '<b>hello</b>'")
        ann.value("document.querySelector('#say textarea').value = 'you too'")
        ann.value("document.querySelector('#say button').click()")
        ann.waits_for("[...document.querySelectorAll('#messages p')].at(-1).textContent === 'you too'")
        said = bob.ask("GET", f"/matches/{match}/talk")["messages"]
        assert [one["text"] for one in said] == ["<b>hello</b>", "you too"]
        ann.value("document.querySelector('#messages form[action$=mute]').requestSubmit()")
        ann.waits_for("document.querySelectorAll('#messages li').length === 1")
        assert not ann.complaints()


def test_a_page_and_all_that_it_needs_is_light(chromium: Browser, url: str) -> None:
    with tab(chromium, url) as ann:
        for game, others in GAMES.items():
            ann.sit(game, others)
            ann.waits_for(AT_TABLE)
            sizes = "performance.getEntriesByType(kind).filter(one => !one.name.includes('/api/'))"
            whole = f"['navigation', 'resource'].flatMap(kind => {sizes})"
            assert ann.value(f"{whole}.reduce((sum, one) => sum + one.decodedBodySize, 0)") <= 250 * 1024, game
