"""Reach."""

from __future__ import annotations

from msgspec.structs import replace

from domain.games.three_magic import GAME, events
from domain.games.three_magic.moves import Discard, DiscardDrawn, Insert, Pass, Pledge, Ron, Tsumo
from tests.games.three_magic.table import NOTHING_A, NOTHING_B, READY, card, cards, given, reach

NOTHING_C = "木0 水4* 木4* 水0 火4* 水3* 木3* 火0"


def test_3m_19_reach_is_declared_with_a_discard_that_leaves_a_ready_hand() -> None:
    play = given(READY, NOTHING_A, NOTHING_B, wall="火0").move(0, Insert(8))
    assert GAME.legal(play.table, 0) == (*(Discard(at) for at in range(9)), Discard(8, reach=True))
    assert play.refusal(0, Discard(0, reach=True)) == ("3M-19", "not-ready")


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


def test_3m_19_ten_od_must_be_there() -> None:
    for od, may in ((9, False), (10, True)):
        play = given(READY, NOTHING_A, NOTHING_B, wall="火0").with_od(od, 270, 270).move(0, Insert(8))
        assert (Discard(8, reach=True) in GAME.legal(play.table, 0)) == may
        if not may:
            assert play.refusal(0, Discard(8, reach=True)) == ("3M-19", "cannot-pay")
            assert play.fields == {"od": 10}


def test_3m_19_the_last_discard_may_carry_reach() -> None:
    play = given(READY, NOTHING_A, NOTHING_B, wall="火0").with_wall(0).insert_and_discard(0, reach=True)
    assert play.one(events.ReachDeclared).seat == 0
    assert play.one(events.DealDrawn).ready


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


def test_3m_20_in_reach_tsumo_may_be_declared_or_not() -> None:
    play = reach(wall="火0 木4* 水4* 水2*")
    for seat in (1, 2):
        play.insert_and_discard(seat).pass_all()
    assert GAME.legal(play.table, 0) == (Tsumo(), DiscardDrawn())


def test_3m_20_in_reach_ron_stays_possible_and_pledges_do_not() -> None:
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
    for indicators, catalyst in (("火0 水4*", 10), ("水4* 火0", 0)):
        play = given(READY, NOTHING_A, NOTHING_B, wall="水2* 木4*", indicators=indicators)
        deal = replace(play.table.deal, indicators=cards(indicators), unused=play.table.deal.unused[1:])
        play.table = replace(play.table, deal=deal)
        assert play.move(0, Tsumo()).one(events.Measured).catalyst == catalyst


def test_3m_21_each_catalyst_is_worth_ten_for_each_indicator_that_names_it() -> None:
    hand = "火3* 火3* 火3 木1 木2 木3 木1* 木2*"
    for in_reach, catalyst in ((True, 90), (False, 30)):
        play = given(hand, NOTHING_A, NOTHING_C, wall="木3*", indicators="火2* 火2* 火2")
        deal = replace(play.table.deal, indicators=cards("火2* 火2* 火2"), unused=play.table.deal.unused[2:])
        play.table = replace(play.table, deal=deal)
        play.with_place(0, in_reach=in_reach).move(0, Tsumo())
        assert play.one(events.Measured).catalyst == catalyst


def test_3m_22_a_winner_in_reach_takes_all_od_that_lie_before_the_players() -> None:
    play = reach(wall="火0 木4* 水2*").with_place(1, laid=40).with_place(2, laid=90)
    play.insert_and_discard(1).pass_all().insert_and_discard(2).answer({0: Ron()})
    assert play.one(events.LaidTaken) == events.LaidTaken(0, 140)
    assert [place.laid for place in play.table.deal.places] == [0, 0, 0]
