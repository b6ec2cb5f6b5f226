"""My turns: what waits for me, the soonest deadline first; where I am asked; and answers to that without a script."""

from __future__ import annotations

from typing import Any

import pytest

from replays.log import UnknownMatch
from service.matches import shown
from tests.service.house import House, Visitor, play_out
from tests.service.web.pages.browsing import Browser, signed_up

pytestmark = pytest.mark.sqlite


def against(house: House, browser: Browser, **more: Any) -> tuple[str, Visitor]:
    """A match that has begun, where the browser's player is to move first."""
    zoe = house.player("Zoe")
    match = zoe.open(seats=[{"player": browser.id}, {"player": zoe.id}], **more)
    browser.follow(f"/matches/{match}/do/accept")
    zoe.sit(match)
    return match, zoe


def test_what_waits_comes_first_by_its_deadline_with_what_goes_on_there(house: House) -> None:
    answer = Browser(house).client.get("/turns")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/sign-in?next=/turns")
    ann = signed_up(house, "Ann")
    assert "You sit at no table yet." in ann.look("/turns")
    slow, _ = against(house, ann, clock={"preset": "week"})
    none, _ = against(house, ann)
    quick, _ = against(house, ann, clock={"preset": "hour"})
    page = ann.look("/turns")
    assert page.index(quick) < page.index(slow) < page.index(none)
    assert page.count('class="due"') == 2
    assert page.count('class="line"') == 3
    assert '<b class="badge" id="waiting">3</b>' in page
    assert "<title>(3) My turns" in page
    assert "no move yet" in page


def test_a_profile_tells_results_rivals_and_matches_that_the_reader_may_know_of(house: House) -> None:
    match, players = house.played()
    going, _ = house.table()
    ann = signed_up(house, "Ann")
    private, zoe = against(house, ann, visibility="private")
    mine, of_zoe = ann.look(f"/players/{ann.id}"), Browser(house).look(f"/players/{zoe.id}")
    assert (private in mine, private in of_zoe) == (True, False)
    assert "This is how others see you." in mine
    assert f'href="/new?player={zoe.id}"' in ann.look(f"/players/{zoe.id}")
    page = Browser(house).look(f"/players/{players[0].id}")
    assert '<h1 class="person">Player 0</h1>' in page
    assert f'href="/matches/{match}/replay"' in page
    assert "/settings" not in page
    assert going not in page
    Browser(house).look("/players/p_none", 404)
    Browser(house, "ja").look("/players/%00", 404)


def test_what_goes_on_is_said_once_and_anew_when_somebody_moved(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    match, players = house.table(options={"rounds": 3})
    ann = Browser(house, who=players[0])
    said: list[str] = []
    line = shown.line

    def spoken(*about: Any) -> str:
        said.append(line(*about))
        return said[-1]

    monkeypatch.setattr("service.matches.shown.line", spoken)
    ann.look("/turns")
    assert said[-1] in ann.look("/turns")
    assert len(said) == 1
    assert players[0].choose(match).status_code == 200
    page = ann.look("/turns")
    assert page.index("Others are to move") < page.index(match)
    assert 'id="waiting" hidden' in page
    for number in (2, 3):
        play_out(match, players, most=1)
        while not players[0].moves(match)["moves"]:
            play_out(match, players, most=1)
        for _ in range(2):
            page = ann.look("/turns")
            assert len(said) == number
            assert said[-1] in page

    def unreadable(*about: Any) -> str:
        raise UnknownMatch(match)

    monkeypatch.setattr("service.matches.shown.line", unreadable)
    page = ann.look("/turns?lang=ja")
    assert match in page
    assert 'class="line"' not in page, "what can't be read keeps nothing else from being told"
