"""A turn, reach, what is told and what a table shows. Rules 3M-4 to 3M-7, 3M-17 to 3M-20."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.chance import Scripted, Simulation
from domain.game import ALL, Refusal, fold
from domain.games.three_magic import GAME, events
from domain.games.three_magic.components import DECK, Options
from domain.games.three_magic.evolve import evolve
from domain.games.three_magic.moves import Discard, DiscardDrawn, Insert, Pass, Pledge, Ron, Tsumo
from domain.games.three_magic.state import Phase
from domain.games.three_magic.view import show_card, view
from tests.games.three_magic.table import (
    FIRE,
    NOTHING,
    NOTHING_A,
    NOTHING_B,
    PACK,
    READY,
    WATER,
    WOOD,
    card,
    cards,
    drawn_in_reach,
    given,
    manager_wins,
    reach,
    water_2_is_claimed,
)
from tests.games.three_magic.test_settling import seat_1_may_ron
from tests.rows import each

NOTHING_C = "水0 火4* 木1* 水3* 火0 木3* 水1* 火2*"


def test_3m_2_3m_3_attributes_are_drawn_by_chance_and_the_fire_player_is_the_first_manager() -> None:
    assert GAME.initial(Options(), 3, PACK).od == (270, 270, 270)
    for attributes in each((FIRE, WOOD, WATER), (WATER, FIRE, WOOD), (WOOD, WATER, FIRE)):
        play = given(attributes=attributes)
        assert play.one(events.AttributesDrawn) == events.AttributesDrawn(attributes)
        assert play.table.attributes == attributes
        assert play.table.manager == attributes.index(FIRE) == play.one(events.DealStarted).manager


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
    told = GAME.setup(table, Scripted((FIRE, WOOD, WATER), pile))
    dealt = [event for event in told if isinstance(event, events.HandDealt)]
    assert [event.seat for event in dealt] == [0, 1, 2]
    assert sum((event.cards for event in dealt), ()) == pile[:24]
    assert events.UnusedSetAside(6) in told
    assert events.IndicatorTurned(pile[24]) in told
    deal = fold(GAME, table, told).deal
    assert (deal.indicators, deal.unused) == (pile[24:25], pile[25:30])
    assert told[-1] == events.CardDrawn(0, pile[30])
    assert deal.drawn + deal.wall == pile[30:]
    assert len(deal.wall) == 29


def test_3m_6_a_hand_keeps_its_order_but_for_insertions_and_discards() -> None:
    play = given(NOTHING_A, NOTHING_B, NOTHING_C, wall="水4*")
    play.move(0, Insert(3))
    assert play.one(events.CardInserted) == events.CardInserted(0, 3)
    assert play.place(0).hand == cards("火0 木1* 水0 水4* 火3* 木4* 水2* 火1* 木0")
    play.move(0, Discard(1))
    assert play.of(events.CardDiscarded) == (events.CardDiscarded(0, 1, card("木1*"), False),)
    assert play.place(0).hand == cards("火0 水0 水4* 火3* 木4* 水2* 火1* 木0")


def test_3m_6_3m_7_the_drawn_card_is_inserted_anywhere_and_then_any_card_discarded() -> None:
    play = given(NOTHING_A, NOTHING_B, NOTHING_C)
    assert GAME.legal(play.table, 0) == tuple(Insert(at) for at in range(9))
    assert (GAME.legal(play.table, 1), GAME.legal(play.table, 2)) == ((), ())
    play.move(0, Insert(8))
    assert GAME.legal(play.table, 0) == tuple(Discard(at) for at in range(9))


def test_3m_7_discards_lie_in_their_order_and_the_next_player_draws() -> None:
    play = given(NOTHING_A, NOTHING_B, NOTHING_C, wall="木2 水4 火1")
    drawn = play.table.deal.wall
    for seat in (0, 1, 2):
        play.insert_and_discard(seat, 0).pass_all()
    assert play.one(events.CardDrawn) == events.CardDrawn(0, drawn[2])
    play.insert_and_discard(0, 0)
    assert [lain.card for lain in play.place(0).row] == list(cards("火0 木1*"))


def test_3m_7_before_the_deal_nobody_is_to_act_and_there_is_nothing_to_show() -> None:
    table = GAME.initial(Options(laps=1), 3, PACK)
    assert (GAME.to_act(table), GAME.legal(table, 0), table.deal.phase) == ((), (), Phase.DEALING)
    with pytest.raises(Refusal):
        GAME.decide(table, 0, Insert(0), Simulation(0))
    shown = view(table, 0)
    assert (shown.places, shown.laps, shown.step, shown.turn) == ((), 1, Phase.DEALING, ())


NOTHING_D = "木0 水4* 木4* 水0 火4* 水3* 木3* 火0"


def test_3m_19_reach_is_declared_with_a_discard_that_leaves_a_ready_hand_and_ten_od_must_be_there() -> None:
    for od, may in each((9, False), (10, True)):
        play = given(READY, NOTHING_A, NOTHING_B, wall="火0").with_table(od=(od, 270, 270)).move(0, Insert(8))
        reaches = (Discard(8, reach=True),) if may else ()
        assert GAME.legal(play.table, 0) == (*(Discard(at) for at in range(9)), *reaches)
        if may:
            assert play.refusal(0, Discard(0, reach=True)) == ("3M-19", "not-ready")
        else:
            assert play.refusal(0, Discard(8, reach=True)) == ("3M-19", "cannot-pay")
            assert play.fields == {"od": 10}


def test_3m_19_it_is_paid_and_an_indicator_turned_before_claims_are_opened() -> None:
    play = given(READY, NOTHING_A, "火0 火0 木4* 水0 水4* 木4* 火4* 水3*", wall="火0", indicators="木4 水3*")
    play.insert_and_discard(0, reach=True)
    assert [type(event) for event in play.told] == [
        events.CardDiscarded,
        events.ReachDeclared,
        events.IndicatorTurned,
        events.ClaimsOpened,
    ]
    assert play.told[:3] == (
        events.CardDiscarded(0, 8, card("火0"), True),
        events.ReachDeclared(0, 10),
        events.IndicatorTurned(card("水3*")),
    )
    assert play.table.od == (260, 270, 270)
    assert play.place(0).laid == 10
    assert play.place(0).row[0].reach
    assert play.table.deal.indicators == cards("木4 水3*")
    assert len(play.table.deal.unused) == 4


def test_3m_20_in_reach_the_drawn_card_is_discarded_unless_it_wins() -> None:
    play = reach(wall="火0 木4* 水4* 火4 木4*")
    for seat in (1, 2):
        play.insert_and_discard(seat).pass_all()
    assert GAME.legal(play.table, 0) == (DiscardDrawn(),)
    assert GAME.forced(play.table) is None, "discarding for the seat would show that it could not win"
    assert play.refusal(0, Insert(0)) == ("3M-20", "in-reach")
    assert play.refusal(0, Discard(0)) == ("3M-7", "wrong-step")
    play.move(0, DiscardDrawn())
    assert play.told[0] == events.DrawnDiscarded(0, card("火4"))
    assert [lain.reach for lain in play.place(0).row] == [True, False], "reach was declared with the first"
    assert play.place(0).hand == cards(READY)
    assert play.pass_all().one(events.CardDrawn) == events.CardDrawn(1, card("木4*"))


def test_3m_20_in_reach_tsumo_and_ron_stay_possible_and_pledges_do_not() -> None:
    assert GAME.legal(drawn_in_reach().table, 0) == (Tsumo(), DiscardDrawn())
    play = reach(wall="火0 木4* 水2*")
    play.insert_and_discard(1).pass_all().insert_and_discard(2)
    assert GAME.legal(play.table, 0) == (Ron(), Pass())
    assert play.refusal(0, Pledge(6, 7)) == ("3M-20", "in-reach")


def test_3m_21_a_winner_in_reach_counts_all_indicators_and_others_the_first() -> None:
    # Both indicators name the fire 1, which is in the hand once.
    play = reach(wall="火0 木4* 水2*", indicators="火0 火0")
    play.insert_and_discard(1).pass_all().insert_and_discard(2).answer({0: Ron()})
    assert play.one(events.Measured).catalyst == 20
    play = given(READY, NOTHING_A, NOTHING_B, wall="水2* 木4*", indicators="火0 火0").move(0, Tsumo())
    assert play.one(events.Measured).catalyst == 10


def test_3m_21_without_reach_only_the_first_of_different_indicators_counts() -> None:
    # the fire 0 names the fire 1, which is in the hand once; the water 4 names one that is not there
    hand = "火3* 火3* 火3 木1 木2 木3 木1* 木2*"
    for own, other, wall, indicators, in_reach, catalyst in each(
        (READY, NOTHING_B, "水2* 木4*", "火0 水4*", False, 10),
        (READY, NOTHING_B, "水2* 木4*", "水4* 火0", False, 0),
        (hand, NOTHING_D, "木3*", "火2* 火2* 火2", True, 90),
        (hand, NOTHING_D, "木3*", "火2* 火2* 火2", False, 30),
    ):
        play = given(own, NOTHING_A, other, wall=wall, indicators=indicators)
        unused = play.table.deal.unused[len(cards(indicators)) - 1 :]
        play.with_table(deal=replace(play.table.deal, indicators=cards(indicators), unused=unused))
        play.with_place(0, in_reach=in_reach).move(0, Tsumo())
        assert play.one(events.Measured).catalyst == catalyst


def test_3m_5_a_told_face_fills_an_unknown_card_in_and_another_face_is_an_error() -> None:
    table = GAME.initial(Options(), 3, PACK)
    told = GAME.setup(table, Simulation(1))
    unknown = GAME.evolve(fold(GAME, table, told[:2]), events.Shuffled((None,) * 60))
    assert GAME.evolve(unknown, events.HandDealt(0, cards(NOTHING_A))).deal.places[0].hand == cards(NOTHING_A)
    truth = fold(GAME, table, told[:3])
    own = truth.deal.wall[:8]
    assert GAME.evolve(truth, events.HandDealt(0, (None,) * 8)).deal.places[0].hand == own
    with pytest.raises(ValueError, match="is told where"):
        GAME.evolve(truth, events.HandDealt(0, own[::-1]))


def test_3m_7_an_event_that_tells_another_face_than_lies_there_is_an_error() -> None:
    for event in each(
        events.CardDrawn(0, card("木0")),
        events.CardDiscarded(0, 0, card("木0"), False),
        events.DrawnDiscarded(0, card("木0")),
        events.IndicatorTurned(card("木0")),
    ):
        play = given(NOTHING_A, NOTHING_B, wall="火4* 火2*", indicators="木4 水1")
        with pytest.raises(ValueError, match="is told where"):
            GAME.evolve(play.table, event)


def test_3m_18_a_pledge_that_tells_other_cards_than_lie_there_is_an_error() -> None:
    play = water_2_is_claimed()
    table = play.table
    pledged = play.answer({2: Pledge(6, 7)}).one(events.Pledged)
    first, second = pledged.pair
    for lie in (
        replace(pledged, card=card("木0")),
        replace(pledged, pair=(card("木0"), second)),
        replace(pledged, pair=(first, card("木0"))),
    ):
        with pytest.raises(ValueError, match="is told where"):
            GAME.evolve(table, lie)


def test_3m_7_when_a_decision_is_closed_the_table_waits_for_nobody_until_the_next_is_open() -> None:
    before = given(NOTHING_A, NOTHING_B, NOTHING, wall="水3* 火2*").table
    wins, may_ron = manager_wins(), seat_1_may_ron()
    for table, event in each(
        (evolve(before, events.CardInserted(0, 3)), events.CardDiscarded(0, 3, card("水3*"), False)),
        (replace(before, deal=replace(before.deal, drawn=cards("水3*"))), events.DrawnDiscarded(0, card("水3*"))),
        (water_2_is_claimed().table, events.ClaimsPassed(0, card("水2*"))),
        (wins.table, wins.move(0, Tsumo()).one(events.TsumoDeclared)),
        (may_ron.table, may_ron.answer({1: Ron()}).one(events.RonDeclared)),
    ):
        shown = view(evolve(table, event), None)
        assert (shown.step, shown.turn, shown.claimed) == (Phase.DEALING, (), ())
        assert [(place.drawn, place.inserted, place.asked) for place in shown.places] == [((), (), False)] * 3


def test_3m_12_a_table_says_only_that_claims_are_open() -> None:
    table = water_2_is_claimed().table
    for viewer, asked, turn in (
        (0, [False, None, None], ()),
        (1, [False, True, None], (1,)),
        (2, [False, None, True], (2,)),
    ):
        shown = view(table, viewer)
        assert [place.asked for place in shown.places] == asked
        assert shown.claimed == (show_card(card("水2*")),)
        assert (shown.step, shown.turn, shown.discarder) == (Phase.CLAIMS, turn, (0,))
    assert [place.asked for place in view(table, None).places] == [False, None, None]
    assert (view(table, None).turn, view(table, ALL).turn) == ((), (1, 2))
    unasked = water_2_is_claimed(next_hand=NOTHING_A).table
    assert [place.asked for place in view(unasked, 1).places] == [False, False, None]
