"""The record as a whole: events are written down, told apart, and taken with unknowns."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.chance import Simulation
from domain.game import fold
from domain.games.three_magic import BOUND, GAME
from domain.games.three_magic.components import Options
from domain.games.three_magic.events import (
    CardDiscarded,
    CardDrawn,
    DrawnDiscarded,
    HandDealt,
    IndicatorTurned,
    Pledged,
    Shuffled,
    ThreeMagicEvent,
)
from domain.games.three_magic.moves import Pledge
from domain.secrecy import faces
from tests.games.three_magic.table import NOTHING_A, NOTHING_B, PACK, card, cards, given, water_2_is_claimed


def test_3m_5_a_told_face_fills_an_unknown_card_in_and_another_face_is_an_error() -> None:
    table = GAME.initial(Options(), 3, PACK)
    events = GAME.setup(table, Simulation(1))
    unknown = fold(GAME, table, events[:2])
    unknown = GAME.evolve(unknown, Shuffled((None,) * 60))
    assert GAME.evolve(unknown, HandDealt(0, cards(NOTHING_A))).deal.places[0].hand == cards(NOTHING_A)
    truth = fold(GAME, table, events[:3])
    own = truth.deal.wall[:8]
    assert GAME.evolve(truth, HandDealt(0, (None,) * 8)).deal.places[0].hand == own
    with pytest.raises(ValueError, match="is told where"):
        GAME.evolve(truth, HandDealt(0, own[::-1]))
    with pytest.raises(ValueError, match="3 cards are told where 2 lie"):
        faces((None, None), own[:3])


@pytest.mark.parametrize(
    "event",
    [
        CardDrawn(0, card("木0")),
        CardDiscarded(0, 0, card("木0"), False),
        DrawnDiscarded(0, card("木0")),
        IndicatorTurned(card("木0")),
    ],
)
def test_3m_7_an_event_that_tells_another_face_than_lies_there_is_an_error(event: ThreeMagicEvent) -> None:
    play = given(NOTHING_A, NOTHING_B, wall="火4* 火2*", indicators="木4 水1")
    with pytest.raises(ValueError, match="is told where"):
        GAME.evolve(play.table, event)


def test_3m_18_a_pledge_that_tells_other_cards_than_lie_there_is_an_error() -> None:
    play = water_2_is_claimed()
    table = play.table
    pledged = play.answer({2: Pledge(6, 7)}).one(Pledged)
    first, second = pledged.pair
    for lie in (
        replace(pledged, card=card("木0")),
        replace(pledged, pair=(card("木0"), second)),
        replace(pledged, pair=(first, card("木0"))),
    ):
        with pytest.raises(ValueError, match="is told where"):
            GAME.evolve(table, lie)


def test_3m_34_the_bound_is_what_two_laps_can_take() -> None:
    assert BOUND == GAME.bound == 4176
