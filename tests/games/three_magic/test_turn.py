"""Setting up, and the steps of a turn."""

from __future__ import annotations

import pytest

from domain.chance import Scripted, Simulation
from domain.game import Refusal, fold
from domain.games.three_magic import GAME
from domain.games.three_magic.components import DECK, Attribute, Options
from domain.games.three_magic.events import (
    AttributesDrawn,
    CardDiscarded,
    CardDrawn,
    CardInserted,
    DealStarted,
    HandDealt,
    IndicatorTurned,
    UnusedSetAside,
)
from domain.games.three_magic.moves import Discard, DiscardDrawn, Insert, Pass, Ron, Tsumo
from domain.games.three_magic.state import Phase
from tests.games.three_magic.table import FIRE, NOTHING_A, NOTHING_B, PACK, WATER, WOOD, card, cards, given

NOTHING_C = "水0 火4* 木1* 水3* 火0 木3* 水1* 火2*"


def test_3m_2_attributes_are_drawn_by_chance_and_told_to_all() -> None:
    play = given(attributes=(WATER, FIRE, WOOD))
    assert play.table.attributes == (WATER, FIRE, WOOD)
    assert play.one(AttributesDrawn) == AttributesDrawn((WATER, FIRE, WOOD))


@pytest.mark.parametrize("seats", [2, 4])
def test_3m_2_it_is_played_by_three(seats: int) -> None:
    with pytest.raises(Refusal) as refused:
        GAME.check_options(Options(), seats, PACK)
    assert (refused.value.clause, refused.value.code) == ("3M-2", "seats")


def test_3m_3_everybody_starts_with_270_od() -> None:
    assert GAME.initial(Options(), 3, PACK).od == (270, 270, 270)


@pytest.mark.parametrize("attributes", [(FIRE, WOOD, WATER), (WATER, FIRE, WOOD), (WOOD, WATER, FIRE)])
def test_3m_3_the_fire_player_is_the_first_manager(attributes: tuple[Attribute, ...]) -> None:
    play = given(attributes=attributes)
    assert play.table.manager == attributes.index(FIRE) == play.one(DealStarted).manager


def test_3m_4_the_manager_has_the_first_turn_and_the_right_neighbour_the_next() -> None:
    play = given(NOTHING_A, NOTHING_B, NOTHING_C, attributes=(WOOD, WATER, FIRE))
    assert GAME.to_act(play.table) == (2,)
    turns = []
    for _ in range(4):
        turns.append(play.table.deal.turn)
        play.insert_and_discard(play.table.deal.turn).pass_all()
    assert turns == [2, 0, 1, 2]


def test_3m_5_eight_cards_each_six_unused_one_of_them_turned_and_thirty_in_the_wall() -> None:
    table = GAME.initial(Options(), 3, PACK)
    pile = DECK[::-1]
    events = GAME.setup(table, Scripted((FIRE, WOOD, WATER), pile))
    dealt = [event for event in events if isinstance(event, HandDealt)]
    assert [event.seat for event in dealt] == [0, 1, 2]
    assert sum((event.cards for event in dealt), ()) == pile[:24]
    assert UnusedSetAside(6) in events
    assert IndicatorTurned(pile[24]) in events
    deal = fold(GAME, table, events).deal
    assert (deal.indicators, deal.unused) == (pile[24:25], pile[25:30])
    assert events[-1] == CardDrawn(0, pile[30])
    assert deal.drawn + deal.wall == pile[30:]
    assert len(deal.wall) == 29


def test_3m_6_a_hand_keeps_its_order_but_for_insertions_and_discards() -> None:
    play = given(NOTHING_A, NOTHING_B, NOTHING_C, wall="水4*")
    play.move(0, Insert(3))
    assert play.one(CardInserted) == CardInserted(0, 3)
    assert play.place(0).hand == cards("火0 木1* 水0 水4* 火3* 木4* 水2* 火1* 木0")
    play.move(0, Discard(1))
    assert play.of(CardDiscarded) == (CardDiscarded(0, 1, card("木1*"), False),)
    assert play.place(0).hand == cards("火0 水0 水4* 火3* 木4* 水2* 火1* 木0")


def test_3m_6_a_card_goes_in_at_any_place_of_the_hand_and_at_no_other() -> None:
    play = given(NOTHING_A, NOTHING_B, NOTHING_C)
    assert GAME.legal(play.table, 0) == tuple(Insert(at) for at in range(9))
    for at in (-1, 9):
        assert play.refusal(0, Insert(at)) == ("3M-6", "no-such-place")
        assert play.fields == {"places": 9}


def test_3m_7_the_drawn_card_is_inserted_and_then_any_card_discarded() -> None:
    play = given(NOTHING_A, NOTHING_B, NOTHING_C)
    assert play.refusal(0, Discard(0)) == ("3M-7", "wrong-step")
    assert play.fields == {"step": Phase.DRAWN}
    assert play.refusal(0, DiscardDrawn()) == ("3M-7", "not-in-reach")
    assert play.refusal(0, Tsumo()) == ("3M-9", "not-winning")
    play.move(0, Insert(8))
    assert GAME.legal(play.table, 0) == tuple(Discard(at) for at in range(9))
    assert play.refusal(0, Insert(0)) == ("3M-7", "wrong-step")
    assert play.refusal(0, Tsumo()) == ("3M-7", "wrong-step")
    for at in (-1, 9):
        assert play.refusal(0, Discard(at)) == ("3M-7", "no-such-card")
        assert play.fields == {"cards": 9}


def test_3m_7_the_others_wait_for_their_turn() -> None:
    play = given(NOTHING_A, NOTHING_B, NOTHING_C)
    for seat in (1, 2):
        assert GAME.legal(play.table, seat) == ()
        for move in (Insert(0), Discard(0), DiscardDrawn(), Tsumo()):
            assert play.refusal(seat, move) == ("3M-7", "not-your-turn")
        for claim in (Ron(), Pass()):
            assert play.refusal(seat, claim) == ("3M-12", "not-asked")


def test_3m_7_discards_lie_in_their_order_and_the_next_player_draws() -> None:
    play = given(NOTHING_A, NOTHING_B, NOTHING_C, wall="木2 水4 火1")
    drawn = play.table.deal.wall
    for seat in (0, 1, 2):
        play.insert_and_discard(seat, 0).pass_all()
    assert play.one(CardDrawn) == CardDrawn(0, drawn[2])
    play.insert_and_discard(0, 0)
    assert [lain.card for lain in play.place(0).row] == list(cards("火0 木1*"))


def test_3m_7_before_the_deal_nobody_is_to_act() -> None:
    table = GAME.initial(Options(), 3, PACK)
    assert GAME.to_act(table) == ()
    assert GAME.legal(table, 0) == ()
    assert table.deal.phase is Phase.DEALING
    with pytest.raises(Refusal):
        GAME.decide(table, 0, Insert(0), Simulation(0))
