"""Whoever sits down by a page brings a nonce of their browser's, and goes home with what proves it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Error, expect

from tests.browser import PATIENCE, PHONE, held_back
from tests.service.house import House, Visitor
from tests.service.run.uprun import until
from tests.service.web.pages.tabs import AT_TABLE, ENDED, Tab, play, tab

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[4]
HELD = "import(document.querySelector('link[href$=\"/evidence.js\"]').href).then(held => held.held({match}))"
SEATED = "!!document.querySelector('#deeds #deed-leave, #deeds #deed-resign')"
READY = "document.documentElement.dataset.ready === 'true'"


def match_of(one: Tab) -> str:
    """The match at whose table they are, once they sit there."""
    one.waits_for(f"location.pathname.startsWith('/matches/') && !location.hash && {SEATED}")
    # not asked of the page, which may be on its way to another
    return urlsplit(one.page.url).path.split("/")[2]


def held_by(one: Tab, match: str) -> list[dict[str, Any]]:
    """What their browser holds of the match, once it has the receipt for sitting there."""
    until, held = time.monotonic() + PATIENCE, list[dict[str, Any]]()
    while len(held) < 3:
        assert time.monotonic() < until, held
        # the stream may have shown the seat on the page that is being left
        with suppress(Error):
            held = one.value(HELD.format(match=json.dumps(match)))
    return held


def brought(one: Tab, match: str) -> dict[int, str]:
    """The nonces in the match's log, by seat."""
    events = one.ask("GET", f"/matches/{match}/events?limit=1000")["events"]
    return {event["public"]["seat"]: event["public"]["nonce"] for event in events if event["type"] == "match/SeatTaken"}


def audit(folder: Path, export: bytes, evidence: Path) -> str:
    """What the audit says of the match to whoever holds that."""
    (folder / "match.jsonl").write_bytes(export)
    command = [sys.executable, "-m", "replays", "audit", str(folder / "match.jsonl"), "--receipt", str(evidence)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return str(done.stdout)


def downloaded(one: Tab, folder: Path) -> Path:
    """The file of evidence that the page hands out."""
    with one.page.expect_download() as download:
        one.page.locator("button[data-evidence]:visible").first.click()
    download.value.save_as(folder / download.value.suggested_filename)
    return folder / download.value.suggested_filename


def test_a_match_goes_home_with_proof_that_chance_was_shared(chromium: Chromium, url: str, tmp_path: Path) -> None:
    with tab(chromium, url, accept_downloads=True, **PHONE) as ann:
        ann.open(f"{url}/games/magicative")
        ann.page.locator("button[value='bots']").first.tap()
        ann.waits_for(AT_TABLE)
        match = match_of(ann)
        audit(tmp_path, ann.export(match), downloaded(ann, tmp_path))
        deeds = play(ann)[0]
        ann.waits_for(ENDED)
        evidence = downloaded(ann, tmp_path)
        assert evidence.name == f"{match}.evidence.jsonl"
        lines = [json.loads(line) for line in evidence.read_text().splitlines()]
        told = audit(tmp_path, ann.export(match), evidence)
        assert "chance: not the service's alone: your nonce is in it (seat 0) and came last" in told
        assert "no receipt from before" not in told
        assert f"{len(lines)} receipts" in told, "the nonce is none of them, and the export has one of its own"
        assert len(lines) > len(deeds) > 0
        ann.open(f"{url}/matches/{match}/replay")
        ann.waits_for(READY)
        ann.page.locator("#judge").tap()
        expect(ann.page.locator("#verdict")).to_contain_text("Not the service's alone: your nonce is in it, seat 0's")
        expect(ann.page.locator("#verdict")).to_contain_text("during play fit the log")


def by_home(ann: Tab, bob: Visitor) -> None:
    ann.open(f"{ann.url}/")
    ann.page.locator("form[action='/play']:has([value=high-card]) button").click()


def by_table(ann: Tab, bob: Visitor) -> None:
    ann.open(f"{ann.url}/matches/{bob.open()}")
    ann.page.locator("form[action$='/seat'] button").click()


def by_link(ann: Tab, bob: Visitor) -> None:
    match = bob.open(visibility="link")
    ann.open(f"{ann.url}/matches/{match}?link={bob.shown(f'/matches/{match}/link')['token']}")
    ann.page.locator("form[action*='/seat'] button").click()


def by_coming_as_a_stranger(ann: Tab, bob: Visitor) -> None:
    ann.context.clear_cookies()
    by_table(ann, bob)


def by_sitting_down_again(ann: Tab, bob: Visitor) -> None:
    by_table(ann, bob)
    match = match_of(ann)
    first = brought(ann, match)
    ann.page.locator("#deed-leave summary").click()
    ann.page.locator("#deed-leave button").click()
    ann.waits_for("!document.querySelector('#deeds #deed-leave')")
    ann.page.locator("form[action$='/seat'] button").click()
    assert match_of(ann) == match
    assert brought(ann, match) == first, "the same nonce once more"


def by_lobby(ann: Tab, bob: Visitor) -> None:
    match = bob.open()
    ann.open(f"{ann.url}/lobby")
    ann.page.locator(f"#do-{match}").click()


def invite(ann: Tab, bob: Visitor) -> str:
    return bob.open(seats=[{"player": ann.ask("GET", "/me")["id"]}, None])


def by_invitation(ann: Tab, bob: Visitor) -> None:
    invite(ann, bob)
    ann.open(f"{ann.url}/turns")
    ann.page.locator("form[action$='/do/accept'] button").first.click()


def by_invitation_at_the_table(ann: Tab, bob: Visitor) -> None:
    ann.open(f"{ann.url}/matches/{invite(ann, bob)}")
    ann.page.locator("form[action$='/do/accept'] button").click()


def over(ann: Tab, bob: Visitor) -> str:
    """A match of both that was begun, and broken off."""
    match = ann.opens()
    for deed in ("seats", "abort"):
        ann.ask("POST", f"/matches/{match}/{deed}", {})
        assert bob.post(f"/matches/{match}/{deed}").status_code == 200
    return match


def by_rematch(ann: Tab, bob: Visitor) -> None:
    ann.open(f"{ann.url}/matches/{over(ann, bob)}")
    ann.page.locator("form[action$='/do/rematch'] button").click()


def by_fork(ann: Tab, bob: Visitor) -> None:
    ann.open(f"{ann.url}/matches/{over(ann, bob)}/replay")
    ann.waits_for(f"{READY} && !document.querySelector('#fork button').disabled")
    ann.page.locator("#fork button").click()


WAYS: tuple[Callable[[Tab, Visitor], None], ...] = (
    *(by_home, by_table, by_sitting_down_again, by_link, by_lobby, by_invitation, by_invitation_at_the_table),
    *(by_rematch, by_fork, by_coming_as_a_stranger),
)


def test_every_way_to_sit_down_brings_a_nonce_after_a_receipt(guest: Tab, toyhouse: House) -> None:
    bob = toyhouse.player("Bob")
    for way in WAYS:
        way(guest, bob)
        match = match_of(guest)
        receipt, own, sat, *_ = held_by(guest, match)
        assert list(own) == ["nonce"], way
        mine = brought(guest, match)[guest.ask("GET", f"/matches/{match}")["seat"]]
        assert (len(mine), own["nonce"]) == (64, mine), way
        events = guest.ask("GET", f"/matches/{match}/events?limit=1000")["events"]
        there = next(event for event in events if event["version"] == receipt["version"])
        taken = next(event for event in events if event["public"].get("nonce") == mine)
        assert (there["hash"], there["version"] < taken["version"]) == (receipt["hash"], True), way
        assert sat["version"] >= taken["version"], way


def _signed_in(one: Tab) -> Any:
    """The cookie of whoever is signed in there."""
    (cookie,) = [each for each in one.context.cookies() if each["name"] == "foldtable"]
    return {"name": "foldtable", "value": cookie["value"], "domain": cookie["domain"], "path": "/"}


def test_who_plays_in_the_same_browser_has_evidence_of_their_own(guest: Tab, toyhouse: House, toys: str) -> None:
    by_coming_as_a_stranger(guest, toyhouse.player("Bob"))
    match = match_of(guest)
    mine, first = held_by(guest, match), _signed_in(guest)
    guest.context.add_cookies([first | {"value": str(toyhouse.player("Cat").token)}])
    guest.open(f"{toys}/matches/{match}")
    guest.page.wait_for_selector("form[action$='/seat'] button")
    assert guest.value(HELD.format(match=json.dumps(match))) == []
    assert guest.page.is_hidden("button[data-evidence]")
    guest.page.locator("form[action$='/seat'] button").click()
    match_of(guest)
    theirs = held_by(guest, match)
    assert theirs[1] != mine[1]
    assert {*brought(guest, match).values()} == {mine[1]["nonce"], theirs[1]["nonce"]}
    # also whoever has signed out by now can take what this browser holds
    for cookies, kept in (([first], mine), ([], [*mine, *theirs])):
        guest.context.clear_cookies()
        guest.context.add_cookies(cookies)
        guest.open(f"{toys}/matches/{match}")
        expect(guest.page.locator("button[data-evidence]:visible")).to_have_count(1)
        assert guest.value(HELD.format(match=json.dumps(match)))[: len(kept)] == kept


def test_the_way_back_leads_from_the_table_to_where_one_came_from(guest: Tab, toyhouse: House, toys: str) -> None:
    by_home(guest, toyhouse.stranger)
    match_of(guest)
    guest.waits_for("document.documentElement.dataset.state === 'live'")
    guest.page.go_back()
    guest.page.wait_for_url(f"{toys}/")


def test_without_a_script_a_phone_shows_all_of_whose_turn_it_is(chromium: Chromium, toys: str, toyhouse: House) -> None:
    with tab(chromium, toys, **PHONE, java_script_enabled=False) as ann:
        ann.forgives(" csp")  # what is loaded ahead for a script that does not run
        match = ann.opens(clock={"preset": "day"})
        ann.ask("POST", f"/matches/{match}/seats", {"seat": 0})
        toyhouse.player("Bob").sit(match)
        while (asked := ann.ask("GET", f"/matches/{match}/moves"))["moves"]:
            choice = {"decision": asked["decision"], "id": asked["moves"][0]["id"]}
            ann.ask("POST", f"/matches/{match}/moves", choice)
        ann.open(f"{toys}/matches/{match}")
        assert ann.page.inner_text("#state") == "The others are to move."
        assert "UTC" in ann.page.inner_text("#until")
        assert not ann.page.locator("button[data-evidence]").first.is_visible()
        assert ann.value("[...document.querySelectorAll('.head > *')].every(one => one.scrollWidth <= one.clientWidth)")


def test_an_address_that_somebody_else_made_seats_nobody(guest: Tab, toyhouse: House, toys: str) -> None:
    match = toyhouse.player("Bob").open()
    for mark in ("", "null", "undefined", "1"):
        guest.open(f"{toys}/matches/{match}#sit-{mark}")
        guest.waits_for("document.documentElement.dataset.state === 'live'")
        assert guest.ask("GET", f"/matches/{match}")["seat"] is None


def test_a_nonce_that_got_no_seat_is_noted_as_in_vain_and_brought_again(guest: Tab, toyhouse: House, toys: str) -> None:
    """Somebody else was faster, say: who comes to play here another way must not miss it in the log."""
    match = toyhouse.player("Bob").open()
    guest.open(f"{toys}/matches/{match}")
    guest.waits_for("document.documentElement.dataset.state === 'live'")
    nonce = guest.value(HELD.replace("held.held(", "held.bring(").format(match=json.dumps(match)))
    guest.open(f"{toys}/matches/{match}")
    assert held_by(guest, match)[1:] == [{"nonce": nonce}, {"in_vain": nonce}]
    guest.page.locator("form[action$='/seat'] button").click()
    assert match_of(guest) == match
    assert nonce in brought(guest, match).values()
    assert held_by(guest, match)[4] == {"nonce": nonce}


def test_another_page_refuses_no_nonce_on_its_way_or_with_a_seat(guest: Tab, toyhouse: House, toys: str) -> None:
    match = toyhouse.player("Bob").open()
    name, own = json.dumps(f"foldtable.evidence.{match}"), json.dumps(match)
    waits = f"async () => window.done || (await navigator.locks.query()).pending.some(one => one.name === {name})"
    unseated = HELD.replace("held.held(", "held.unseated(").format(match=own)

    beside = guest.context.new_page()
    for page in (beside, guest.page):
        page.goto(f"{toys}/matches/{match}")
        expect(page.locator("html[data-state=live]")).to_have_count(1)
    # without a receipt nothing but the service tells that the nonce got a seat
    guest.forgives("net::ERR_FAILED")
    guest.page.route("**/export*", lambda route: route.abort())
    sent = held_back(guest.page, "**/seat")
    with guest.page.expect_request("**/seat"):
        guest.page.locator("form[action$='/seat'] button").click()
    beside.evaluate(f"{unseated}.then(() => {{ window.done = true }}); 0")
    until(lambda: beside.evaluate(waits), "it waits for the lock, or did not need to")
    meanwhile = beside.evaluate(HELD.format(match=own))[-1]
    sent[0].continue_()
    assert [*meanwhile] == ["nonce"]
    assert match_of(guest) == match
    until(lambda: beside.evaluate("window.done"), "it has looked")
    assert [*beside.evaluate(HELD.format(match=own))[-1]] == ["nonce"]
