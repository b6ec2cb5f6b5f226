"""A seat that is passed on, by forms alone: what it tells is said before; it is agreed to, taken, or kept."""

from __future__ import annotations

import re
from contextlib import closing

import pytest

from service.followers.claims import claims_of
from service.followers.follower import Follower
from service.followers.statistics import Counting
from service.store import open_effects
from service.web.pages import table
from service.web.pages.table import TEXTS
from tests.service.followers.stands import look_until_done
from tests.service.house import House, Visitor, play_out
from tests.service.web.pages.browsing import Browser, signed_up

pytestmark = pytest.mark.sqlite

LEARNS = TEXTS["en"]["pass-learns"].split(".")[0].replace("'", "&#39;")


def at_table(house: House, visibility: str = "public") -> tuple[str, Browser, Browser]:
    """A match between Ann and Bob, who look at it."""
    ann, bob = signed_up(house, "Ann"), signed_up(house, "Bob")
    match = house.player("Zoe").open(seats=[{"player": ann.id}, {"player": bob.id}], visibility=visibility)
    for one in (ann, bob):
        one.follow(f"/matches/{match}/do/accept")
    return match, ann, bob


def hidden(page: str, what: str) -> dict[str, str]:
    """What the form of that deed says by itself."""
    form = re.search(rf'action="[^"]*/do/{what}[^"]*">(.*?)</form>', page, re.S)
    assert form, what
    return {name: value for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form[1]) if name != "csrf"}


def do(browser: Browser, match: str, what: str) -> str:
    return browser.follow(f"/matches/{match}/do/{what}", **hidden(browser.look(f"/matches/{match}"), what))


def test_a_seat_is_offered_agreed_to_and_taken(house: House) -> None:
    match, ann, bob = at_table(house, visibility="private")
    page = ann.follow(f"/matches/{match}/do/pass-on", bot="random")
    assert "You would like random bot to play on for you." in page
    assert "a bot plays for them" in do(bob, match, "agree-offer")
    assert "/do/back" in ann.look(f"/matches/{match}")
    assert "a bot plays for them" not in ann.follow(f"/matches/{match}/do/back")
    eve = signed_up(house, "Eve")
    page = ann.look(f"/matches/{match}")
    assert LEARNS in page
    page = ann.follow(f"/matches/{match}/do/pass-on", name=f"http://localhost/players/{eve.id}")
    assert "You would like Eve to play on for you. Eve has not answered yet." in page
    assert "Still asked: Bob." in page
    assert "/do/pass-on" not in page
    assert "Ann would like Eve to play on for them." in bob.look("/turns")
    page = do(bob, match, "agree-offer")
    assert "Agree: you." in page
    assert "You are asked to agree" not in bob.look("/turns")
    assert "Ann would like you to play on" in eve.look("/turns")
    assert "hidden cards too" in eve.look("/turns")
    eve.look(f"/matches/{match}", 404)  # it is private, and shows itself once the seat is theirs
    eve.follow(f"/matches/{match}/do/take-seat", seat="0")
    page = eve.look(f"/matches/{match}")
    assert '>Eve</a></span>\n<span class="tag">you</span>' in page
    ann.look(f"/matches/{match}", 404)


def met(house: House, one: Visitor, other: Visitor) -> None:
    """They have played with each other."""
    match = one.open_with(other, seats=[{"player": one.id}, {"player": other.id}])
    play_out(match, [one, other])
    url = house.service.config.store_url
    with closing(open_effects(url)) as effects:
        follower = Follower(Counting(effects.log), effects, claims_of(url, Counting.name))
        look_until_done(follower)
        follower.leave()


def test_who_has_been_met_is_offered_it_by_name(house: House) -> None:
    ann, bob, another = (house.player(name) for name in ("Ann", "Bob", "Bob"))
    met(house, ann, bob)
    match = ann.open_with(house.player("Zoe"), seats=[{"player": ann.id}, None])
    browser = Browser(house, who=ann)
    assert '<option value="Bob"></option>' in browser.look(f"/matches/{match}")
    assert "You would like Bob" in browser.follow(f"/matches/{match}/do/pass-on", name="Bob")
    browser.follow(f"/matches/{match}/do/keep-seat")
    ann.open_with(house.player("Cid"), seats=[{"player": ann.id}, None])
    page = browser.look(f"/matches/{match}")
    assert re.findall(r'<option value="(\w+)"></option>', page) == ["Bob", "Cid"], (
        "another running match; Zoe sits here"
    )
    assert "You would like Cid" in browser.follow(f"/matches/{match}/do/pass-on", name="Cid")
    browser.follow(f"/matches/{match}/do/keep-seat")
    assert "only one seat" in browser.send(f"/matches/{match}/do/pass-on", status=422, name="Zoe").text
    met(house, ann, another)
    assert "several of this name" in browser.send(f"/matches/{match}/do/pass-on", status=422, name="Bob").text


def test_the_newest_matches_offer_names_and_older_ones_know_them(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "MET", 1)
    ann, bob, zoe = (house.player(name) for name in ("Ann", "Bob", "Zoe"))
    met(house, ann, bob)
    met(house, ann, zoe)
    match = ann.open(seats=[{"player": ann.id}, None])
    for player in (ann, house.player("Yan")):
        player.sit(match)
    browser = Browser(house, who=ann)
    assert re.findall(r'<option value="(\w+)"></option>', browser.look(f"/matches/{match}")) == ["Zoe"]
    assert "You would like Bob" in browser.follow(f"/matches/{match}/do/pass-on", name="Bob")


def test_who_can_not_be_found_is_said_and_stays_as_typed(house: House) -> None:
    match, ann, bob = at_table(house)
    for name in ("Nobody's name", "p_none", "<i>x</i>", bob.id):
        status = 404 if name == "p_none" else 422
        page = ann.send(f"/matches/{match}/do/pass-on", status=status, name=name).text
        assert re.search(r'<p class="wrong note" id="wrong" role="alert">[^<]+</p>', page), name
        assert f'value="{name.replace("<", "&lt;").replace(">", "&gt;").replace(chr(39), "&#39;")}"' in page
        assert '<details class="deed" id="deed-pass-on" open>' in page
    ann.send(f"/matches/{match}/do/pass-on", status=422, bot="none")


def test_whoever_opened_a_match_keeps_a_free_seat_for_another_when_somebody_has_declined(house: House) -> None:
    players = [house.player(name) for name in ("Ann", "Bob", "Eve")]
    ann, bob, eve = (Browser(house, who=player) for player in players)
    match = players[0].open(seats=[{"player": ann.id}, {"player": bob.id}, None], visibility="private")
    ann.follow(f"/matches/{match}/do/accept")
    first, then = re.findall(r'<option value="(\d)"[^>]*>(seat [^<]+)<', ann.look(f"/matches/{match}"))
    assert (first, then) == (("2", "seat 2"), ("1", "seat 1 (kept for Bob)"))
    assert "/do/invite" not in bob.look(f"/matches/{match}"), "only who has opened it"
    bob.follow(f"/matches/{match}/do/decline")
    for name, said in ((bob.id, "has declined"), ("Eve", "played with nobody of this name")):
        status = 409 if name == bob.id else 422
        page = ann.send(f"/matches/{match}/do/invite", status=status, seat="1", name=name).text
        assert said in page
        assert '<details class="deed" id="deed-invite" open>' in page
        assert f'value="{name}"' in page
        assert '<option value="1" selected>seat 1</option>' in page
    assert "kept for Eve" in ann.follow(f"/matches/{match}/do/invite", seat="1", name=f"/players/{eve.id}")
    page = ann.follow(f"/matches/{match}/do/uninvite", seat="1")
    assert "kept for Eve" not in page
    assert "/do/uninvite" not in page, "no seat is kept for anybody"
    assert "kept for Eve" in ann.follow(f"/matches/{match}/do/invite", seat="1", name=f"/players/{eve.id}")
    eve.follow(f"/matches/{match}/do/accept")
    assert re.findall(r'<option value="\d"[^>]*>(seat [^<]+)<', ann.look(f"/matches/{match}")) == ["seat 2"]


def test_it_is_kept_after_all_declined_and_agreed_to_only_for_who_was_named(house: House) -> None:
    match, ann, bob = at_table(house)
    eve, fay = signed_up(house, "Eve"), signed_up(house, "Fay")
    ann.follow(f"/matches/{match}/do/pass-on", name=eve.id)
    for other in (fay, Browser(house)):
        page = other.look(f"/matches/{match}")
        assert not re.search(r"\bEve\b|play on", page), "nobody else is told"
    assert match not in fay.look("/turns")
    page = eve.look(f"/matches/{match}")
    assert "Ann would like you to play on for them, on seat 0." in page
    assert TEXTS["en"]["offer-learn"] in page
    for_eve = hidden(bob.look(f"/matches/{match}"), "agree-offer")
    do(bob, match, "agree-offer")
    page = do(bob, match, "disagree-offer")
    assert "/do/agree-offer" in page
    assert match not in do(eve, match, "decline-seat")
    assert "/do/pass-on" in ann.look(f"/matches/{match}")
    ann.follow(f"/matches/{match}/do/pass-on", name=eve.id)
    do(ann, match, "keep-seat")
    assert match not in eve.look("/turns")
    assert "is not offered, or to another" in ann.send(f"/matches/{match}/do/take-seat", status=404, seat="0").text
    ann.send(f"/matches/{match}/do/take-seat", status=422, seat="x")
    ann.follow(f"/matches/{match}/do/pass-on", name=fay.id)
    fay.follow(f"/matches/{match}/do/take-seat", seat="0")
    assert "You have accepted." in fay.look("/turns")
    bob.send(f"/matches/{match}/do/agree-offer", status=404, **for_eve)
    assert "Still asked: Bob." in ann.look(f"/matches/{match}")
