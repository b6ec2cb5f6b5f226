"""Writing events down: every class has its case, unknowns are taken, and what contradicts is an error."""

from __future__ import annotations

from typing import get_args

import pytest
from msgspec.structs import replace

from domain.game import fold
from domain.games.troll_master import GAME, events
from domain.games.troll_master.components import Options
from domain.games.troll_master.events import TrollMasterEvent
from domain.games.troll_master.evolve import evolve
from domain.games.troll_master.state import Cards, Place, Step, Table
from tests.games.troll_master.table import CRYSTAL, FLASK, PACK, TOME, WAND, magics, opened


def lying(hand: tuple[object, ...], deck: tuple[object, ...] = (None, None)) -> Table:
    """Seat 0 holds a hand as somebody knows it."""
    table = opened()
    place: Place = replace(table.places[0], hand=hand)
    return replace(table, places=(place, *table.places[1:]), cards=replace(table.cards, deck=deck))


def test_every_event_has_its_case() -> None:
    assert set(evolve) == {*get_args(TrollMasterEvent)}


def test_a_told_card_fills_an_unknown_one_in() -> None:
    table = evolve(lying((None, TOME)), events.CardDrawn(0, WAND))
    assert table.places[0].hand == (None, TOME, WAND)
    assert table.cards.deck == (None,)


def test_an_unknown_draw_leaves_a_known_card_known() -> None:
    assert evolve(lying((TOME,), (FLASK,)), events.CardDrawn(0, None)).places[0].hand == (TOME, FLASK)


def test_a_known_copy_leaves_a_hand_first() -> None:
    assert evolve(lying((None, TOME, None)), events.CardRevealed(0, TOME, 2)).places[0].hand == (None, None)
    assert evolve(lying((None, TOME)), events.CardRevealed(0, FLASK, 1)).places[0].hand == (TOME,)


def test_an_unknown_card_takes_the_place_of_the_discarded_one() -> None:
    assert evolve(lying((TOME, FLASK, None)), events.CardDiscarded(0, TOME)).places[0].hand == (None, FLASK)
    assert evolve(lying((TOME, FLASK, None)), events.CardDiscarded(0, CRYSTAL)).places[0].hand == (TOME, FLASK)


def test_a_shuffle_makes_the_deck_unknown_and_takes_the_discards() -> None:
    table = replace(opened(), cards=Cards(deck=magics("TF"), discards=magics("WC")))
    assert evolve(table, events.Shuffled((None, None))).cards == Cards(deck=(None, None), discards=())


def test_tm_16_who_went_out_is_in_the_next_round_with_a_hand_of_which_nothing_is_known() -> None:
    table = evolve(opened(), events.WentOut(1, magics("TC")))
    assert (table.places[1].has_passed, table.places[1].is_out, table.places[1].lacks) == (True, True, magics("TC"))
    place = evolve(table, events.RoundStarted(2, 0)).places[1]
    assert (place.has_passed, place.is_out, place.lacks) == (False, False, ())


def test_hands_are_dealt_one_card_at_a_time_to_those_who_are_told_and_those_who_are_not() -> None:
    table = GAME.initial(Options(), 3, PACK)
    table = replace(table, cards=Cards(deck=(None,) * 5))
    table = evolve(table, events.CardsDealt(first=1, count=4, hands=(None, magics("TF"), None)))
    assert [place.hand for place in table.places] == [(None,), (TOME, FLASK), (None,)]
    assert table.cards.deck == (None,)


@pytest.mark.parametrize(
    ("table", "event"),
    [
        (lying((TOME,), (TOME,)), events.CardDrawn(0, FLASK)),
        (lying((TOME,), ()), events.CardDrawn(0, FLASK)),
        (lying((TOME,)), events.CardRevealed(0, FLASK, 1)),
        (lying((TOME,)), events.CardDiscarded(0, FLASK)),
        (lying((TOME, None)), events.HandRevealed(0, magics("FT"))),
        (lying((TOME, None)), events.HandRevealed(0, magics("T"))),
        (lying((), (TOME, None)), events.CardsTurned(magics("FF"))),
        (lying((), (TOME,)), events.CardsTurned(magics("TF"))),
        (lying((), magics("TFW")), events.CardsDealt(first=0, count=3, hands=(magics("F"), None, None))),
        (lying((), magics("TFW")), events.CardsDealt(first=0, count=3, hands=(magics("TF"), None, None))),
        (lying((), magics("TFW")), events.CardsDealt(first=0, count=4, hands=(None, None, None))),
    ],
)
def test_what_is_told_otherwise_than_it_lies_is_an_error(table: Table, event: TrollMasterEvent) -> None:
    with pytest.raises(ValueError, match="told where"):
        evolve(table, event)


def test_nobody_is_to_act_before_the_first_deal() -> None:
    table = GAME.initial(Options(), 3, PACK)
    assert table.stage.step is Step.DEALING
    assert GAME.to_act(table) == ()
    assert [GAME.legal(table, seat) for seat in range(3)] == [(), (), ()]
    assert GAME.forced(table) is None
    assert fold(GAME, table, ()) == table
