"""Replays without a script, a moment a page; a table that other sites may show, and the picture that a link shows."""

from __future__ import annotations

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Event

import pytest

from domain.clocks import concede
from events.stores import open_to_write
from service.config import Config
from service.store import Statement
from service.web.pages.replay import REPLAY, REVIEW
from tests.service.house import THREE_MAGIC, House, build
from tests.service.jobs.workrun import door, reviewer
from tests.service.matches.test_adoption import staged
from tests.service.web.pages.browsing import Browser

pytestmark = pytest.mark.sqlite


@pytest.fixture
def over(house: House) -> str:
    return house.played()[0]


def test_a_match_that_is_over_is_read_from_its_beginning_a_moment_a_page(house: House, over: str) -> None:
    browser = Browser(house)
    events = house.stranger.events(over)
    page = browser.look(f"/matches/{over}/replay")
    for event in events:
        assert event["text"].split(".")[0].replace("'", "&#39;") in page
        assert f"Event {event['version']} of {len(events)}" in page
        onward = re.search(r'href="([^"]+)" rel="next"', page)
        if event is events[-1]:
            assert onward is None
            break
        assert onward is not None
        page = browser.look(onward[1].replace("&amp;", "&"))


def test_a_moment_shows_the_table_as_it_was(house: House, over: str) -> None:
    browser = Browser(house)
    for version in (10, 30):
        then = house.stranger.get(f"/matches/{over}/at/{version}").json
        assert then["text"].strip().split("\n")[0] in browser.look(f"/matches/{over}/replay?at={version}")
    seats = house.stranger.get(f"/matches/{over}/at/10", seat=1).json["text"].strip()
    page = browser.look(f"/matches/{over}/replay?at=10&eyes=1")
    assert seats.split("\n")[-1] in page
    assert "eyes=1" in page


def test_a_running_match_is_shown_up_to_now_and_as_one_may_see_it(house: House) -> None:
    match, _ = house.table()
    page = Browser(house, "ja").look(f"/matches/{match}/replay")
    assert REPLAY["ja"]["now"] in page
    assert REPLAY["ja"]["fork"] not in page
    assert Browser(house).client.get(f"/matches/{match}/replay?eyes=0").status_code == 403


def test_what_is_not_there_is_said_on_a_page(house: House, over: str) -> None:
    browser = Browser(house)
    browser.look("/matches/m_none/replay", 404)
    browser.look(f"/matches/{over}/replay?eyes=7", 404)
    private = house.player().open("high-card", visibility="private")
    browser.look(f"/matches/{private}/replay", 404)
    for query in ("at=0", "at=x", "at=9999999999999999", "at=-3", "eyes=nobody", "eyes=%00", "eyes=777x"):
        assert '<script type="application/json" id="data">' in browser.look(f"/matches/{over}/replay?{query}")


def test_from_a_moment_one_goes_on_against_bots(house: House, over: str) -> None:
    browser = Browser(house)
    assert 'name="version" value="20"' in browser.look(f"/matches/{over}/replay?at=20")
    table = browser.send(f"/matches/{over}/fork", version="20", seat="1").headers["Location"]
    assert table.startswith("/matches/m_")
    made = house.stranger.get(f"/api{table}"[4:]).json
    assert made["forked"]["match"] == over
    assert made["forked"]["version"] <= 20
    assert [seat.get("bot") for seat in made["seats"]] == ["greedy", None]
    assert "Guest" in browser.look(table)
    for fields in ({"version": "x", "seat": "0"}, {"version": "3"}, {"version": "3", "seat": "9"}):
        browser.send(f"/matches/{over}/fork", status=422, **fields)
    running, _ = house.table()
    browser.send(f"/matches/{running}/fork", status=409, version="5", seat="0")


def test_a_review_is_asked_for_on_a_page_which_tells_how_far_it_is_and_what_was_found(house: House, over: str) -> None:
    path = f"/matches/{over}/reviews/1"
    assert REVIEW["en"]["enter"] in Browser(house).look(path), "a stranger signs in first"
    browser = Browser(house, "ja", who=house.player())
    assert REVIEW["ja"]["go"] in browser.look(path)
    assert browser.send(path).headers["Location"] == path
    waiting = browser.look(path)
    assert REVIEW["ja"]["waiting"] in waiting
    assert REVIEW["ja"]["about"] in waiting, "the button at the end of a match leads here at once"
    assert 'name="stop"' in waiting
    assert 'name="stop"' not in Browser(house, who=house.player()).look(path), "only who wants it can stop it"
    assert browser.send(path, stop="yes").headers["Location"] == path
    assert REVIEW["ja"]["stopped"].format(done=0) in browser.look(path)
    browser.send(path)
    reviewer(house).review([over], lambda: True)
    total = house.stranger.get(f"/matches/{over}/reviews/1").json["total"]
    assert REVIEW["ja"]["running"].format(done=1, total=total) in browser.look(path)
    reviewer(house).review([over], lambda: False)
    done = browser.look(path)
    assert REVIEW["ja"]["luck"] in done
    assert "あなた" not in done, "it is another seat's match, and others read it too"
    assert "hx-trigger" not in done
    assert done.count('class="moment"') == len(house.stranger.get(f"/matches/{over}/reviews/1").json["moments"])
    assert browser.look("/moments").count('class="moment"') == done.count('class="moment"')
    assert REVIEW["en"]["none-of-mine"] in Browser(house, who=house.player()).look("/moments")
    browser.look(f"/matches/{over}/reviews/7", 404)
    running, _ = house.table()
    browser.look(f"/matches/{running}/reviews/0", 409)


def test_a_review_says_that_a_resignation_counts_as_a_move(house: House, over: str) -> None:
    match, players = house.table()
    players[0].choose(match)
    while (said := players[1].post(f"/matches/{match}/resign")).status_code != 200:
        assert said.json["code"] == "window-open", "it depends on the deal whether answers are under seal"
        for player in players:
            if player.moves(match)["moves"]:
                player.choose(match)
    browser = Browser(house, who=players[0])
    for one, is_told in ((match, True), (over, False)):
        browser.send(f"/matches/{one}/reviews/1")
        reviewer(house).review([one], lambda: False)
        assert (REVIEW["en"]["resigned"] in browser.look(f"/matches/{one}/reviews/1")) is is_told


def test_seats_that_have_no_players_name_are_called_by_their_numbers(config: Config) -> None:
    """Those of an imported match: nobody has left them, and none is free."""
    config.data.mkdir()
    with closing(open_to_write(config.store_url)) as recorder:
        stage = staged(recorder, "m_left")
        stage.tell(concede(stage.game, stage.state, 1))
    with House(build(config)) as house:
        browser = Browser(house)
        table, path = browser.look("/matches/m_left"), "/matches/m_left/reviews/1"
        assert "seat 1 resigned, so seat 0 won." in table
        assert re.findall(r'<span class="name">(.*?)</span>', table) == ["seat 0", "seat 1"]
        assert "<h1>seat 1: where was the match won or lost?</h1>" in browser.look(path)
        game = stage.game.title["en"]
        assert f"<title>{game} · foldtable</title>" in table
        assert f"<title>Replay: {game} · foldtable</title>" in browser.look("/matches/m_left/replay")
        assert ">seat 0</a>" in browser.look(path)


def test_moves_of_the_clock_are_marked_on_the_page_and_an_earlier_review_has_no_error(house: House, over: str) -> None:
    path, browser = f"/matches/{over}/reviews/1", Browser(house, "ja", who=house.player())
    browser.send(path)
    reviewer(house).review([over], lambda: False)
    done, total = browser.look(path), house.stranger.get(path).json["total"]
    recorder = house.service.recorder
    assert REVIEW["ja"]["not-own"] not in done
    recorder.write([Statement('UPDATE judged SET found = replace(found, \'"by":"seat"\', \'"by":"clock"\')')])
    late = browser.look(path)
    assert late.count(REVIEW["ja"]["by-clock"]) == total
    assert REVIEW["ja"]["not-own"] in late
    assert 'class="moment"' not in late
    erring = "UPDATE reviews SET account = replace(account, '\"luck_error\":', '\"luck_error\":{}')"
    recorder.write([Statement(erring.format('0.1,"unknown":'))])
    unsure = browser.look(path)
    assert REVIEW["ja"]["luck-about"] in unsure
    assert re.search(r'class="number">[+−]?\d+ <span class="help">\([+−]?\d+〜[+−]?\d+\)', unsure)
    recorder.write([Statement(erring.format('null,"unsaid":'))])
    assert REVIEW["ja"]["luck-about"] not in browser.look(path), "a review of an earlier release"


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_move_that_seems_no_worse_than_the_advised_one_cost_nothing(house: House, over: str, lang: str) -> None:
    browser, path = Browser(house, lang, who=house.player()), f"/matches/{over}/reviews/0"
    browser.look(path)
    browser.send(path)
    choice = house.stranger.get(f"/matches/{over}/choice", seat=0, after=0).json["choice"]
    other = next(one["id"] for one in choice["moves"] if one["id"] != choice["chosen"])

    def found(share: float) -> dict[str, object]:
        """A decision in which the move that was made led to this share of the first place."""
        own = {"move": choice["chosen"], "share": share, "behind": 0.4 - share, "error": 0.05}
        best = {"move": other, "share": 0.4, "behind": 0.0, "error": 0.0}
        return {"version": choice["version"], "move": choice["chosen"], "worlds": 20, "weighed": [best, own]}

    decisions = [found(0.45), found(0.4), found(0.37), found(0.1)]
    account = {"start": 0.5, "luck": 0.0, "own": -0.5, "others": 0.0, "result": 0.0}
    report = {"seat": 0, "total": 4, "first": 0, "decisions": decisions, "account": account}
    door(house).post("/api/thoughts", {"match": over, "found": [report]})
    words, page = REVIEW[lang], browser.look(path)
    assert page.count(words["as-good"]) == 2
    assert page.count(words["cost"].format(lost=3, error=10)) == 1
    assert page.count('class="moment"') == 1
    assert browser.look("/moments").count(" · Player 0</a></h2>") == 1, "it is not the reader's own move"


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
