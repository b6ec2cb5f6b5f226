"""Who comes in: everything is checked as the API checks it, told beside its field, and kept as it was typed."""

from __future__ import annotations

import re
from itertools import product

import pytest

from service.config import Config
from service.limits import Settings
from service.limits.settings import ADDRESS, SIGN_UPS, Rate
from tests.service.accounts.insiders import WORD
from tests.service.house import House, build
from tests.service.web.pages.browsing import Browser, signed_up

pytestmark = pytest.mark.sqlite

WRONG = {
    ("name", ""): "This is required.",
    ("name", "a\u202eb"): "A name can",
    ("login", "p_abc"): "or begin with p_",
    ("login", "EVE"): "Another account",
    ("login", ""): "Choose a login name too",
    ("password", ""): "Choose a password too",
    ("password", "password"): "This password is too easy to guess.",
    ("email", "nowhere"): "This is not a mail address.",
}


def test_what_is_wrong_is_told_beside_its_field_and_the_rest_is_kept(sending: House) -> None:
    signed_up(sending, "Eve", login="eve", password=WORD)
    browser = Browser(sending)
    typed = {"name": "Ann <x>", "login": "ann", "password": "a long enough one", "email": "ann@example.org"}
    for (field, value), said in WRONG.items():
        page = browser.send("/sign-up", status=422, **{**typed, field: value}).text
        marked = rf'<input id="(?:new-)?{field}" [^>]*aria-invalid="true"[^>]*aria-describedby="([^"]+)"'
        (about,) = re.findall(marked, page)
        told = re.search(rf'id="{about}"><b class="wrong" role="alert">([^<]*)', page)
        assert told, value
        assert said in told[1]
        assert "a long enough one" not in page
        assert field == "name" or 'value="Ann &lt;x&gt;"' in page
    # and at the door for who is known
    for fields in ({}, {"login": "x"}, {"login": "\0", "password": "x"}, {"login": "x" * 999}):
        page = browser.send("/sign-in", status=422, **fields).text
        assert '<p role="alert" class="wrong" tabindex="-1" autofocus>' in page


def test_a_house_without_mail_promises_none(house: House, sending: House) -> None:
    for one, is_sending in ((house, False), (sending, True)):
        browser = Browser(one)
        page = browser.look("/sign-in")
        assert [text in page for text in ('name="email"', "/recover")] == [is_sending] * 2
        for page in (browser.look("/recover"), browser.send("/recover", status=200, email="a@b.org").text):
            assert ("sends no mail" in page) != is_sending


def test_a_link_for_a_new_password_is_asked_for_and_nobody_learns_whose_address_it_is(sending: House) -> None:
    browser = Browser(sending)
    assert "This is not a mail address." in browser.send("/recover", status=422, email="x").text
    page = browser.send("/recover", status=200, email="nobody@example.org").text
    assert "If nobody@example.org is the confirmed address" in page


def test_too_many_sign_ups_are_refused_on_the_page_and_counted_with_those_by_the_api(config: Config) -> None:
    limits = Settings(rates=(Rate(SIGN_UPS, ADDRESS, 2, 3600),), exempt=())
    with House(build(Config(data=config.data, bot_pause=0.0, limits=limits))) as house:
        house.player("Zoe")
        signed_up(house, "Ann")
        browser = Browser(house)
        answer = browser.send("/sign-up", status=429, name="Eve")
        assert 'value="Eve"' in answer.text
        assert 'role="alert"' in answer.text
        browser.send("/guest", status=429)
        browser.send("/play", status=429, game="high-card")


@pytest.mark.parametrize("mode", ["closed", "invitation"])
def test_where_not_everybody_is_let_in_nobody_becomes_a_guest(config: Config, mode: str) -> None:
    with House(build(Config(data=config.data, bot_pause=0.0, sign_up=mode))) as house:
        browser = Browser(house)
        page = browser.look("/sign-in")
        assert 'action="/guest"' not in page
        assert ('action="/sign-up"' in page) == (mode == "invitation")
        for path, fields in (("/play", {"game": "high-card"}), ("/new", {"game": "high-card"})):
            assert browser.send(path, status=303, **fields).headers["Location"].startswith("/sign-in")
        sat = browser.send("/matches/m_some/seat?link=x").headers["Location"]
        assert sat == "/sign-in?next=%2Fmatches%2Fm_some%3Flink%3Dx", "the link by which it was found is kept"
        assert f'<a href="{sat}"' in browser.look(sat), "and the link to sign in leads to no other page than this one"
        assert 'role="alert"' in browser.send("/guest", status=422).text
        if mode == "invitation":
            assert 'id="pass-about"' in browser.send("/sign-up", status=422, name="Ann").text
            code = house.operator.post("/passes").json["code"]
            assert ">Ann</a>" in browser.follow("/sign-up", **{"name": "Ann", "pass": code})


def test_the_theme_and_the_language_are_kept_and_stand_on_the_page_from_the_start(house: House) -> None:
    browser = Browser(house)
    assert "data-theme" not in browser.look("/lobby")
    assert '<html lang="en" data-theme="dark">' in browser.follow("/theme", theme="dark", next="/lobby?status=open")
    assert "data-theme" not in browser.follow("/theme", theme="auto", next="/lobby")
    browser.client.set_cookie("theme", '"><script>')
    assert "data-theme" not in browser.look("/lobby")
    page = browser.look("/lobby?status=open&game=high-card")
    assert 'href="/lobby?status=open&amp;game=high-card&amp;lang=ja"' in page
    assert '<html lang="ja">' in browser.look("/lobby?lang=ja")
    assert '<html lang="ja">' in browser.look("/sign-in")
    # the operator's token in a cookie is no player's
    browser.client.set_cookie("foldtable", house.operator.token or "")
    assert "/sign-in" in browser.look("/lobby")


def test_an_error_is_a_page_for_who_reads_pages_and_json_for_programs(house: House) -> None:
    browser = Browser(house, "ja")
    reading = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Language": "ja"}
    for path, method, status in (("/nowhere", "GET", 404), ("/lobby", "DELETE", 405), ("/assets/x/y", "GET", 404)):
        answer = browser.client.open(path, method=method, headers=reading)
        assert (answer.status_code, answer.content_type) == (status, "text/html; charset=utf-8"), path
        assert "ここには何もありません。" in answer.text
        answer = browser.client.open(path, method=method, headers={"Accept": "*/*"})
        assert (answer.status_code, answer.content_type) == (status, "application/problem+json"), path
    answer = browser.client.get("/api/nowhere", headers=reading)
    assert answer.content_type == "application/problem+json"


def test_the_address_of_a_form_leads_to_the_page_above_it_with_the_language(house: House) -> None:
    browser = Browser(house)
    reading = {"Accept": "text/html"}
    for path, to in (
        ("/sign-up?lang=ja", "/sign-in?lang=ja"),
        ("/settings/programs/bots/a_1?lang=en", "/settings/programs?lang=en"),
        ("/matches/m_1/do/move?link=x", "/matches/m_1?link=x"),
        ("/play", "/"),
    ):
        answer = browser.client.get(path, headers=reading)
        assert (answer.status_code, answer.headers["Location"]) == (303, to)
    assert browser.client.get("/play", headers={"Accept": "*/*"}).status_code == 405


def test_a_fault_is_a_page_too_and_tells_nothing_of_itself(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = signed_up(house, "Ann")

    def fail(*args: object) -> None:
        raise ValueError("the secret words")

    monkeypatch.setattr(type(house.service.lobby), "listed", fail)
    answer = ann.client.get("/lobby", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.mimetype) == (500, "text/html")
    assert "This should not have happened." in answer.text
    assert "secret words" not in answer.text


CONTROLS = ("/lobby\r\nSet-Cookie: a=b", "/lobby\n", "/\0", "/\x0b", "/\x7f", "/\x85", "/\t/evil.example")
ELSEWHERE = ("/a\\b", "//[", "http://[", "//evil.example", "https://evil.example/", "javascript:alert(1)", "lobby")
NEXT = (*CONTROLS, *ELSEWHERE, "/\n/evil.example", "/" + "x" * 5000, "/\\evil.example")


def test_where_a_form_goes_on_is_judged_before_anything_is_done(house: House) -> None:
    signed_up(house, "Ann", login="ann", password=WORD)
    places = {
        "/sign-up": ({"name": "Bob"}, "/lobby"),
        "/sign-in": ({"login": "ann", "password": WORD}, "/turns"),
        "/guest": ({}, "/games"),
        "/theme": ({"theme": "dark"}, "/"),
    }
    asked = product(NEXT, list(places), ({}, {"HX-Request": "true", "HX-Current-URL": "http://localhost/sign-in"}))
    # each address by one form: the forms ask one function
    for number, (said, path, part) in enumerate(asked):
        fields, else_to = places[path]
        if path != "/theme" and number % 5:
            continue
        client = house.app.test_client()
        answer = client.post(path, data={**fields, "next": said}, headers={"Referer": "http://[", **part})
        assert answer.status_code == (204 if part else 303), (path, said)
        assert answer.headers["HX-Redirect" if part else "Location"] == else_to, (path, said)
    leads = house.app.test_client().post("/theme", data={"theme": "dark", "next": "/\u30ed\u30d3\u30fc?x=\u00e9"})
    assert leads.headers["Location"] == "/%E3%83%AD%E3%83%93%E3%83%BC?x=%C3%A9"
    for named in ("a%0D%0Ab", "%00", "%E3%83%AD", "%C2%85"):
        answer = house.app.test_client().get(f"/matches/{named}/do/say", headers={"Accept": "text/html"})
        assert (answer.status_code, answer.headers["Location"]) == (303, f"/matches/{named}")
    assert "/turns" in Browser(house).follow("/sign-in", login="ann", password=WORD, next="/settings?a=b&c=%20#name")
