"""Replays without a script: a page a moment, with links between them, and what can be done from there."""

from __future__ import annotations

import re

import pytest

from service.store import Statement
from service.web.pages.replay import REPLAY, REVIEW
from tests.service.house import House
from tests.service.jobs.workrun import door, reviewer
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

    decisions = [found(0.45), found(0.4), found(0.37)]
    report = {"seat": 0, "total": 4, "first": 0, "decisions": decisions}
    door(house).post("/api/thoughts", {"match": over, "found": [report]})
    words, page = REVIEW[lang], browser.look(path)
    assert page.count(words["as-good"]) == 2
    assert page.count(words["cost"].format(lost=3, error=10)) == page.count(words["better"]) == 1
