"""Order of play is fair in every game and for every number of seats: measured (`make soak`), and seen to fail."""

from __future__ import annotations

import pytest

from bots import BOTS
from tests.laws.order import MATCHES, Share, nobody_is_favoured_by_when_their_turn_comes, shares
from tests.laws.rooms import SLUGS, room_of
from tests.rows import each

TOY = "high-card"
cells = [(slug, seats) for slug in SLUGS for seats in room_of(slug).game.seats]


@pytest.mark.soak
@pytest.mark.parametrize(("slug", "seats"), cells)
def test_nobody_is_favoured_by_when_their_turn_comes(slug: str, seats: int) -> None:
    nobody_is_favoured_by_when_their_turn_comes(shares(slug, seats, MATCHES, "order"))


def test_the_toy_favours_nobody() -> None:
    nobody_is_favoured_by_when_their_turn_comes(shares(TOY, 3, 400, "order"))


@pytest.mark.parametrize("favoured", [True, False], ids=["favoured", "hindered"])
def test_a_place_that_is_favoured_or_hindered_is_noticed(favoured: bool) -> None:
    good, bad = BOTS["greedy"], BOTS["random"]
    found = shares(TOY, 3, 400, "order", [good, bad, bad] if favoured else [bad, good, good])
    assert (found[0].measured > 1) is favoured
    with pytest.raises(AssertionError, match="±"):
        nobody_is_favoured_by_when_their_turn_comes(found)


def test_a_share_is_unfair_where_its_interval_lies_outside() -> None:
    for measured, is_fair in each(
        [(0.70, False), (0.76, True), (1.0, True), (1.24, True), (1.26, False), (1.3, False)]
    ):
        assert Share(measured, 0.05).is_fair is is_fair
