"""Order of play is fair in every game and for every number of seats: measured (`make soak`), and seen to fail.

Nobody comes first oftener, or less often, for when their turn comes. It is measured by greedy players among themselves,
with the house's pack and the options that stand when none are chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

import pytest

from bots import BOTS
from bots.choose import Bot
from bots.simulate import play_out
from domain.chance import Simulation
from tests.laws.rooms import SLUGS, room_of
from tests.rows import each

MATCHES = 2000
"""A number of seats: for five that is a standard error of 0.045."""
LEAST, MOST = 0.85, 1.15
"""How often anybody may come first in the long run, 1 being as often as if it were drawn by lot."""
ERRORS = 2
"""By how many standard errors a measured share must lie outside."""


class Share(NamedTuple):
    """How often a place in the order of play came first, 1 being its share, and the standard error of that."""

    measured: float
    error: float

    @property
    def is_fair(self) -> bool:
        """Whether what was measured may come from a place that is as good as it should be: too low is as wrong."""
        margin = ERRORS * self.error
        return self.measured + margin >= LEAST and self.measured - margin <= MOST


def shares(slug: str, seats: int, matches: int, seed: str, bots: Sequence[Bot] = ()) -> tuple[Share, ...]:
    """How often each place comes first, who has the match's first turn first; a shared first place is a fraction.

    Shape:   `bots` play in the order of seats; none: greedy ones.
    """
    room = room_of(slug)
    game: Any = room.game
    firsts = [0.0] * seats
    for number in range(matches):
        players = bots or [BOTS["greedy"]] * seats
        chance = Simulation(f"{slug} {seed} {number}")
        played = play_out(game, room.packs["house"].pack, game.Options(), seats, players, chance)
        began = game.measure(played.told).first or 0
        winners = [seat for seat, rank in enumerate(played.ranking) if rank == 1]
        for seat in winners:
            firsts[(seat - began) % seats] += 1 / len(winners)
    fair = 1 / seats
    error = sqrt(fair * (1 - fair) / matches) * seats
    return tuple(Share(first / matches * seats, error) for first in firsts)


def nobody_is_favoured_by_when_their_turn_comes(found: Sequence[Share]) -> None:
    """Every place in the order of play comes first about as often as any other."""
    assert all(share.is_fair for share in found), ", ".join(f"{one.measured:.2f} ± {one.error:.2f}" for one in found)


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
    for measured, is_fair in each((0.70, False), (0.76, True), (1.0, True), (1.24, True), (1.26, False), (1.3, False)):
        assert Share(measured, 0.05).is_fair is is_fair
