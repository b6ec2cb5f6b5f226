"""Claims on a discard, and pledges."""

from __future__ import annotations

import pytest

from domain.game import fold
from domain.games.three_magic import GAME, events
from domain.games.three_magic.components import Call
from domain.games.three_magic.moves import Discard, Pass, Pledge, Ron, ThreeMagicMove
from domain.games.three_magic.state import Phase
from domain.secrecy import redact
from tests.games.three_magic.table import (
    CHI_OR_RON,
    NOTHING,
    NOTHING_A,
    NOTHING_B,
    PON_OR_RON,
    card,
    cards,
    given,
    water_2_is_claimed,
)
from tests.rows import each


def test_3m_11_ron_beats_every_pledge_of_two_the_next_player_wins_and_pon_beats_chi() -> None:
    pledge = Pledge(6, 7)
    for answers, winner, call in each(
        ({1: Ron(), 2: Ron()}, 1, None),
        ({2: Ron()}, 2, None),
        ({1: pledge, 2: Ron()}, 2, None),
        ({1: Ron(), 2: pledge}, 1, None),
        ({1: pledge, 2: pledge}, 2, Call.PON),
        ({1: pledge}, 1, Call.CHI),
        ({2: pledge}, 2, Call.PON),
    ):
        play = water_2_is_claimed().answer(answers)
        assert [event.seat for event in play.of(events.RonDeclared)] == ([] if call else [winner])
        assert [(event.seat, event.call) for event in play.of(events.Pledged)] == ([(winner, call)] if call else [])


def test_3m_11_a_pledge_that_completes_the_hand_does_not_win() -> None:
    play = water_2_is_claimed().answer({1: Pledge(6, 7)})
    assert (len(play.told), GAME.legal(play.table, 1)) == (1, tuple(Discard(at) for at in range(6)))


def test_3m_12_all_who_could_claim_are_asked_at_once() -> None:
    play = water_2_is_claimed()
    assert play.one(events.ClaimsOpened) == events.ClaimsOpened(0, card("水2*"), (False, True, True))
    assert GAME.secret(play.table)
    assert GAME.to_act(play.table) == (1, 2)
    assert GAME.legal(play.table, 0) == ()
    assert GAME.legal(play.table, 1) == (Ron(), Pledge(6, 7), Pass())
    assert GAME.legal(play.table, 2) == (Ron(), Pledge(6, 7), Pass())


def test_3m_12_who_could_not_claim_is_not_asked() -> None:
    play = water_2_is_claimed(next_hand=NOTHING_A)
    assert play.one(events.ClaimsOpened).asked == (False, False, True)
    assert GAME.to_act(play.table) == (2,)
    for move in (Ron(), Pass(), Pledge(0, 1)):
        assert play.refusal(1, move) == ("3M-12", "not-asked")
    assert play.refusal(0, Discard(0)) == ("3M-7", "not-your-turn")


def test_3m_12_no_claims_are_opened_if_nobody_could_claim() -> None:
    play = water_2_is_claimed(NOTHING_A, NOTHING_B, discard="木4*")
    assert not play.of(events.ClaimsOpened)
    assert play.one(events.CardDrawn).seat == 1


def test_3m_12_a_seat_is_told_whether_it_is_asked_itself_and_nothing_of_others() -> None:
    play = given(NOTHING, NOTHING_A, PON_OR_RON, wall="水2*")
    before = play.table
    play.insert_and_discard(0)
    opened = play.one(events.ClaimsOpened)
    for viewer, asked in ((0, (False, None, None)), (1, (None, False, None)), (2, (None, None, True))):
        told = redact(opened, viewer)
        assert told.asked == asked
        seen = fold(GAME, before, (told,))
        assert GAME.to_act(seen) == ((2,) if viewer == 2 else ())
        assert GAME.secret(seen)
    assert redact(opened, None).asked == (None, None, None)


@pytest.mark.parametrize("other", [Pass(), Pledge(6, 7)])
def test_3m_12_a_claim_that_is_outranked_is_as_secret_as_one_that_is_declined(other: ThreeMagicMove) -> None:
    told = water_2_is_claimed().answer({1: other, 2: Ron()}).told
    assert told == water_2_is_claimed().answer({2: Ron()}).told


def test_3m_12_an_answer_under_seal_changes_nothing_by_itself() -> None:
    play = water_2_is_claimed()
    for move in GAME.legal(play.table, 1):
        assert GAME.decide(play.table, 1, move, play.chance) == ()
    assert play.refusal(1, Pledge(0, 1)) == ("3M-13", "no-spell")
    assert play.refusal(1, Pledge(7, 6)) == ("3M-13", "no-spell")


def test_3m_12_if_all_pass_the_next_player_is_in_turn() -> None:
    play = water_2_is_claimed().answer({})
    assert play.told[0] == events.ClaimsPassed(0, card("水2*"))
    assert play.one(events.CardDrawn).seat == 1
    assert play.place(0).row[-1].card == card("水2*")
    assert not GAME.secret(play.table)


def test_3m_9_a_discard_that_completes_nothing_is_no_ron() -> None:
    play = water_2_is_claimed(next_hand="水1 火2 火3 木1 木2 木3 火1 水3")
    assert GAME.legal(play.table, 1) == (Pledge(0, 7), Pass())
    assert play.refusal(1, Ron()) == ("3M-9", "not-winning")


def test_3m_13_the_direction_is_that_of_the_two_cards_in_the_hand() -> None:
    for hand, pledge, spell in each(
        ("水3 火2 火3 木1 木2 木4* 水1 水0", Pledge(0, 6), "水3 水2* 水1"),
        ("水1 火2 火3 木1 木2 木4* 水3 水0", Pledge(0, 6), "水1 水2* 水3"),
        ("水1 火2 火3 木1 木2 木4* 水3 水0", Pledge(0, 7), "水2* 水1 水0"),
        ("水4 火2 火3 木1 木2 木4* 水3 水0", Pledge(0, 6), "水4 水3 水2*"),
    ):
        play = water_2_is_claimed(next_hand=hand).answer({1: pledge})
        pledged = play.one(events.Pledged)
        assert pledged.spell == cards(spell)
        assert pledged.pair == tuple(cards(hand)[at] for at in (pledge.first, pledge.second))
        assert play.place(1).pledges == (pledged.spell,)
        assert play.place(1).hand == tuple(
            c for at, c in enumerate(cards(hand)) if at not in (pledge.first, pledge.second)
        )
        assert play.place(0).row == ()


def test_3m_13_every_pair_of_positions_is_a_choice_for_positions_are_open() -> None:
    play = water_2_is_claimed(next_hand="水1* 水1* 火3 木1 木2 木4* 水3 水3*", other_hand=NOTHING_B)
    assert GAME.legal(play.table, 1) == (Pledge(0, 6), Pledge(0, 7), Pledge(1, 6), Pledge(1, 7), Pass())


def test_3m_14_a_sequence_is_claimed_from_the_previous_player_only_and_equal_numbers_from_either() -> None:
    for hand, legal in each(
        ("火1 火2 火0 木1 木2 木3 水1 水3", ()),
        ("水1 水3 木1 木2 木3 火1 火2 火3", (Ron(), Pass())),
        ("水1 水3 水2 水2* 木1 木0 火0 火3", (Pledge(2, 3), Pass())),
        (PON_OR_RON, (Ron(), Pledge(6, 7), Pass())),
    ):
        play = water_2_is_claimed(next_hand=NOTHING_A, other_hand=hand)
        assert GAME.legal(play.table, 2) == legal
        assert bool(play.of(events.ClaimsOpened)) is bool(legal)
        if legal == (Ron(), Pass()):
            assert play.refusal(2, Pledge(0, 1)) == ("3M-13", "no-spell")
    for hands in ((PON_OR_RON, NOTHING_A), (NOTHING_A, PON_OR_RON)):
        play = water_2_is_claimed(*hands)
        pledged = play.answer({GAME.to_act(play.table)[0]: Pledge(6, 7)}).one(events.Pledged)
        assert (pledged.call, pledged.spell) == (Call.PON, cards("水2 水2* 水2*"))


def test_3m_15_a_pledge_costs_more_the_second_time_and_of_another_attribute() -> None:
    for seat, made, price in each((2, 0, 10), (2, 1, 30), (1, 0, 30), (1, 1, 90)):
        hands = {seat: PON_OR_RON if seat == 2 else CHI_OR_RON, 3 - seat: NOTHING_A}
        play = given(NOTHING, hands[1], hands[2], wall="水2*")
        spell = cards("木4* 木4* 木4*")
        play.with_place(seat, pledges=(spell,) * made, hand=play.place(seat).hand[3 * made :])
        play.insert_and_discard(0)
        two = Pledge(6 - 3 * made, 7 - 3 * made)
        play.answer({seat: two})
        assert play.one(events.Pledged).od == price
        assert play.place(seat).laid == price
        assert play.table.od[seat] == 270 - price


def test_3m_15_who_cannot_pay_cannot_pledge() -> None:
    for od, may in each(((270, 29, 9), False), ((270, 30, 10), True)):
        play = given(NOTHING, CHI_OR_RON, PON_OR_RON, wall="水2*").with_table(od=od).insert_and_discard(0)
        for seat, price in ((1, 30), (2, 10)):
            assert GAME.legal(play.table, seat) == ((Ron(), Pledge(6, 7), Pass()) if may else (Ron(), Pass()))
            if not may:
                assert play.refusal(seat, Pledge(6, 7)) == ("3M-15", "cannot-pay")
                assert play.fields == {"od": price}


def test_3m_15_two_pledges_are_the_most_in_a_deal() -> None:
    play = given(NOTHING, NOTHING_A, PON_OR_RON, wall="水2*")
    spell = cards("木4* 木4* 木4*")
    play.with_place(2, pledges=(spell, spell), hand=cards("水2 水2*")).insert_and_discard(0)
    assert GAME.legal(play.table, 2) == (Ron(), Pass())
    assert play.refusal(2, Pledge(0, 1)) == ("3M-15", "two-pledges")


def test_3m_16_3m_17_a_pledger_draws_nothing_discards_without_reach_and_play_goes_on_with_the_next() -> None:
    play = water_2_is_claimed().answer({2: Pledge(6, 7)})
    assert not play.of(events.CardDrawn)
    assert (play.table.deal.phase, play.table.deal.turn) == (Phase.DISCARD, 2)
    assert play.refusal(2, Discard(0, reach=True)) == ("3M-17", "pledged")
    play.move(2, Discard(0)).pass_all()
    assert (len(play.place(2).hand), play.one(events.CardDrawn).seat) == (5, 0)


def test_3m_18_the_discard_of_a_reach_may_be_pledged_and_its_od_stay() -> None:
    ready = "火1* 火2* 火3* 木2* 木3* 木4* 水4 水4*"
    play = given(ready, NOTHING_A, PON_OR_RON, wall="水2*")
    play.insert_and_discard(0, reach=True).answer({2: Pledge(6, 7)})
    assert play.place(0).row == ()
    assert (play.place(0).laid, play.place(0).in_reach) == (10, True)
    assert play.place(2).pledges == (cards("水2 水2* 水2*"),)


def test_3m_32_the_last_discard_may_be_pledged_and_the_pledgers_discard_is_claimable_in_turn() -> None:
    play = given(NOTHING, CHI_OR_RON, PON_OR_RON, wall="水2*").with_wall(0)
    play.insert_and_discard(0).answer({1: Pledge(6, 7)})
    play.with_place(2, hand=cards("木3* 木3* 木0 火4 火4* 火4* 水2 水2*"))
    play.move(1, Discard(5))
    assert GAME.to_act(play.table) == (2,)
    assert GAME.legal(play.table, 2) == (Pledge(0, 1), Pass())
    play.answer({2: Pledge(0, 1)}).move(2, Discard(0)).pass_all()
    assert len(play.of(events.DealDrawn)) == 1
