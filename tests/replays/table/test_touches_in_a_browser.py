"""From touches to moves: along what is lit every legal move is reached, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.replays.table.moments import DRAWN, Json, decisions, game_of, match_of, moves_of, scene_of
from tests.replays.table.served import Opened, called
from tests.screens.measures import LIMITS

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("slug", DRAWN)
def test_whoever_follows_what_is_lit_makes_every_legal_move_and_no_other(opened: Opened, slug: str) -> None:
    page = opened(slug)
    played = match_of(slug)
    for step, seat in list(decisions(played))[:60]:
        moves = moves_of(played, step, seat)
        walked: Json = page.value(called("asks.walk", moves, scene_of(played, step, seat)))
        assert walked["faults"] == []
        assert sorted(walked["reached"]) == sorted([move["id"], 1] for move in moves)


TOLD = "Bartholomew of the Hills discards a card, and nobody may claim it, so that it is your turn to draw a card now."
AFRESH = 100
"""The walks of one page: a browser keeps what it was sent."""
WALKS = [pytest.param(slug, range(1, 3), id=slug) for slug in DRAWN]
WALKS += [pytest.param(slug, range(1, 1001), id=f"{slug}-a-thousand", marks=pytest.mark.soak) for slug in DRAWN]
WALKS.append(pytest.param("terraformers", [881], id="as many as fifteen tips"))


@pytest.mark.parametrize(("slug", "seeds"), WALKS)
def test_on_a_phone_every_legal_move_can_be_begun_from_the_bar_that_stays_in_sight(
    opened: Opened, slug: str, seeds: Sequence[int]
) -> None:
    """Of each position; a table of a kind that was not drawn before is drawn, and each of its buttons is pressed.

    The bar leaves the rest of the screen to the table.
    """
    most = LIMITS["in the way"][0]
    for number, seed in enumerate(seeds):
        if number % AFRESH == 0:
            page = opened(slug)
            page.looks(390, 844)
        played = match_of(slug, seed)
        cases = [[moves_of(played, step, seat), scene_of(played, step, seat), seat] for step, seat in decisions(played)]
        offered: Json = page.value(called("asks.offers", cases, TOLD, most))
        assert offered["faults"] == [], seed


@pytest.mark.parametrize("slug", ["terraformers", "troll-master"])
def test_what_keys_lead_to_is_never_under_the_bar_that_stays_in_sight(opened: Opened, slug: str) -> None:
    page = opened(slug)
    page.looks(390, 844)
    step, seat = list(decisions(match_of(slug)))[9]
    moves = moves_of(match_of(slug), step, seat)
    lit = sorted({move["touches"][0] for move in moves})
    offered = {"moves": moves[:4], "ids": []}
    options = {"game": game_of(slug), "seat": seat, "told": TOLD, "lit": lit, "offered": offered}
    page.value(called("asks.focus", scene_of(match_of(slug), step, seat), options))
    arrows = (*["ArrowDown"] * 25, *["ArrowUp"] * 25, *["ArrowRight"] * 25)
    for key in (*arrows, *["n"] * 10, *["Shift+Tab"] * 15, *["Tab"] * 15):
        page.presses(key)
        assert page.value("asks.covered()") == "", key


def test_what_is_lit_no_more_keeps_the_focus_and_pulls_the_page_nowhere(opened: Opened) -> None:
    page = opened("terraformers")
    page.looks(390, 844)
    step, seat = list(decisions(match_of("terraformers")))[9]
    scene = scene_of(match_of("terraformers"), step, seat)
    options = {"game": game_of("terraformers"), "seat": seat, "told": TOLD, "lit": []}
    page.value(called("asks.focus", scene, options))
    lit = page.value("document.activeElement.dataset.id")
    page.value(called("asks.focus", scene, {**options, "lit": [lit]}))
    page.presses("n")
    focused, was = page.value("[document.activeElement.dataset.id, document.activeElement.tagName]")
    # not to the end, for a table that is lower then would pull it too
    page.value("scrollTo(0, document.documentElement.scrollHeight - innerHeight - 60)")
    there = page.value("scrollY")
    page.value(called("(scene, options) => opened.jump(scene, options)", scene, options))
    now = page.value("[document.activeElement.dataset.id, document.activeElement.tagName]")
    assert now[0] == focused == lit
    assert now[1] != was == "BUTTON"
    assert page.value("scrollY") == there > 0
