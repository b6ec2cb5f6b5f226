"""A table that other sites may show, and the picture of a match that a link shows."""

from __future__ import annotations

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from tests.service.house import THREE_MAGIC, House
from tests.service.web.pages.browsing import Browser

pytestmark = pytest.mark.sqlite

OG = re.compile(r'<meta property="og:(\w+(?::\w+)?)" content="([^"]*)">')


def test_a_watched_table_may_stand_in_any_page_and_shows_what_anybody_may_see(house: House) -> None:
    match, _ = house.table()
    browser = Browser(house)
    answer = browser.client.get(f"/watch/{match}")
    assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in answer.headers
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert f'href="/matches/{match}"' in answer.text
    assert "csrf" not in answer.text
    # who sits there sees no more of it: other sites frame the page
    mine = browser.follow("/play", game="high-card")
    found = re.search(r'"id":"(m_\w+)"', mine)
    assert found
    assert browser.look(f"/watch/{found[1]}") == Browser(house).look(f"/watch/{found[1]}")
    assert "frame-ancestors 'none'" in browser.client.get("/").headers["Content-Security-Policy"]


def test_what_is_not_public_is_not_watched_and_has_no_picture(house: House) -> None:
    private = house.player().open("high-card", visibility="private")
    linked = house.player().open("high-card", visibility="link")
    browser = Browser(house)
    for match in (private, linked, "m_none"):
        browser.look(f"/watch/{match}", 404)
        assert browser.client.get(f"/matches/{match}/picture.png").status_code == 404


def test_the_picture_is_made_once_for_each_position(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    real = house.service.films.easel.drawn

    def draw(svg: str) -> bytes:
        drawn.append(svg)
        return real(svg)

    monkeypatch.setattr(house.service.films.easel, "drawn", draw)
    match, players = house.table(THREE_MAGIC, 3)
    client = house.app.test_client()
    first = client.get(f"/matches/{match}/picture.png")
    assert (first.status_code, first.content_type) == (200, "image/png")
    assert first.data[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(first.data[16:20]), int.from_bytes(first.data[20:24])) == (1200, 630)
    assert client.get(f"/matches/{match}/picture.png").data == first.data
    assert len(drawn) == 1
    known = client.get(f"/matches/{match}/picture.png", headers={"If-None-Match": first.headers["ETag"]})
    assert known.status_code == 304
    assert client.get(f"/matches/{match}/picture.png?lang=ja").status_code == 200
    assert len(drawn) == 2
    mover = next(one for one in players if one.moves(match)["moves"])
    mover.choose(match)
    assert client.get(f"/matches/{match}/picture.png").status_code == 200
    assert len(drawn) == 3


def test_a_picture_that_several_want_is_drawn_once_beside_others(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    match, _ = house.table()
    begun, gate, drawn = Event(), Event(), list[str]()

    def draw(svg: str) -> bytes:
        drawn.append(svg)
        begun.set()
        assert gate.wait(30)
        return b"a picture"

    monkeypatch.setattr(house.service.films.easel, "drawn", draw)
    with ThreadPoolExecutor(4) as threads:
        path = f"/matches/{match}/picture.png"
        asked = [threads.submit(house.app.test_client().get, path) for _ in range(4)]
        assert begun.wait(30)
        assert house.app.test_client().get(f"/matches/{match}").status_code == 200
        gate.set()
        assert {one.result().data for one in asked} == {b"a picture"}
    assert len(drawn) == 1


def test_without_what_draws_a_picture_is_refused_in_words_and_no_page_names_one(house: House) -> None:
    match, _ = house.table()
    browser = Browser(house)
    for path in (f"/matches/{match}", f"/matches/{match}/replay", f"/watch/{match}"):
        told = dict(OG.findall(browser.look(path)))
        origin = "http://localhost"  # by which the browser came: nobody has named a public address
        assert (told["url"], told["image"]) == (f"{origin}{path}", f"{origin}/matches/{match}/picture.png?lang=en")
        assert "Player 0" in told["title"]
    house.service.films.easel.is_at_hand = False
    assert "the software for it is not installed" in browser.look(f"/matches/{match}/picture.png", 404)
    for path in (f"/matches/{match}", f"/matches/{match}/replay", f"/watch/{match}"):
        page = browser.look(path)
        assert "og:title" in page
        assert "picture.png" not in page
        assert "summary_large_image" not in page


def test_a_picture_that_is_not_drawn_is_refused_for_now_only(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    match, _ = house.table()
    client = house.app.test_client()
    with monkeypatch.context() as broken:
        broken.setattr("replays.table.picture.PROGRAM", (sys.executable, "-c", "raise SystemExit(1)"))
        answer = client.get(f"/matches/{match}/picture.png")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert "could not be drawn" in answer.text
    assert client.get(f"/matches/{match}/picture.png").status_code == 200
