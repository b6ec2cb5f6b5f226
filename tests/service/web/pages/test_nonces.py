"""What forms bring where somebody sits down: a nonce; or a mark of the script that sits down once a match is there."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.service.house import House
from tests.service.together import meanwhile
from tests.service.web.pages.browsing import Browser, signed_up

pytestmark = pytest.mark.sqlite

NONCE, MARK = "ab" * 32, "12345678901234567890"


def nonces(house: House, match: str) -> list[str]:
    """Those in the match's log."""
    events = house.stranger.get(f"/matches/{match}/events").json["events"]
    return [event["public"]["nonce"] for event in events if event["type"] == "match/SeatTaken"]


def test_what_is_no_nonce_is_told_and_nobody_sits_down_or_becomes_a_guest(house: House) -> None:
    free = house.player("Bob").open("high-card", [None, None])
    stranger = Browser(house)
    for nonce in ("ab", "AB" * 32, NONCE + "\n", "no"):
        assert "Set-Cookie" not in stranger.send(f"/matches/{free}/seat", status=422, nonce=nonce).headers
        assert nonces(house, free) == []


@pytest.mark.parametrize("path", ["/", "/games", "/games/high-card"])
def test_a_game_is_begun_with_a_nonce_from_whichever_page(house: House, path: str) -> None:
    forms = re.findall('<form[^>]* action="/play"[^>]*>', Browser(house).look(path))
    assert forms
    assert all(" data-brings" in form for form in forms)


def by_play(house: House, ann: Browser, later: str) -> str:
    return str(ann.send("/play", later=later, game="high-card", against="people").headers["Location"])


def by_form(house: House, ann: Browser, later: str) -> str:
    sent = ann.send(
        "/new", later=later, game="high-card", seat1="anybody", clock="none", visibility="public", talk="seats"
    )
    return str(sent.headers["Location"])


def by_rematch(house: House, ann: Browser, later: str) -> str:
    bob = house.player("Bob")
    before = bob.open("high-card", [{"player": ann.id}, None])
    ann.send(f"/matches/{before}/do/accept")
    bob.sit(before)
    bob.post(f"/matches/{before}/abort")
    ann.send(f"/matches/{before}/do/abort")
    return str(ann.send(f"/matches/{before}/do/rematch", later=later).headers["Location"])


@pytest.mark.parametrize("way", [by_play, by_form, by_rematch])
def test_a_scripts_match_keeps_its_seat_for_the_nonce(house: House, way: Callable[[House, Browser, str], str]) -> None:
    ann = signed_up(house, "Ann")
    path, _, mark = way(house, ann, MARK).partition("#sit-")
    match = path.rpartition("/")[2]
    assert mark == MARK
    told = house.stranger.look(match)
    (kept,) = [one for one in told["seats"] if one["reserved"] and one["reserved"]["name"] == "Ann"]
    assert (told["status"], kept["player"]) == ("open", None)
    assert house.player("Zoe").post(f"/matches/{match}/seats", {"seat": kept["seat"]}).json["code"] == "seat-reserved"
    ann.look(path)
    ann.send(f"{path}/do/accept", nonce=NONCE)
    assert NONCE in nonces(house, match)


def test_what_is_no_mark_of_a_script_sits_down_at_once(house: House) -> None:
    ann = signed_up(house, "Ann")
    for mark in ("", "null", "-1", "1" * 41, "٣", "1 2", "<b>"):
        path = by_play(house, ann, mark)
        assert "#" not in path
        assert nonces(house, path.rpartition("/")[2]) == [""]


def test_who_asks_twice_for_a_rematch_finds_their_seat_there(house: House) -> None:
    ann = signed_up(house, "Ann")
    path = by_rematch(house, ann, "")
    before = house.stranger.look(path.rpartition("/")[2])["rematch"]["of"]
    for later in ("", MARK):
        assert ann.send(f"/matches/{before}/do/rematch", later=later).headers["Location"] == path
    bob = house.player("Bob")
    touched, off = Browser(house, who=bob), bob.open(seats=[{"player": bob.id}, None])
    bob.sit(off)
    bob.post(f"/matches/{off}/abort")
    with meanwhile(lambda: bob.sit(bob.look(off)["rematch"]["next"]), house.service.seats, "accept"):
        there = touched.send(f"/matches/{off}/do/rematch").headers["Location"]
    assert bob.look(there.rpartition("/")[2])["seat"] == 1, "touched twice at once, the first has sat down already"
