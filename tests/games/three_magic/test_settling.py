"""Payments, the ley line, the manager, laps, and the end of the match."""

from __future__ import annotations

from msgspec.structs import replace

from domain.game import Standing
from domain.games.three_magic import GAME, events
from domain.games.three_magic.components import Options
from domain.games.three_magic.moves import Discard, Insert, Pledge, Ron, Tsumo
from domain.games.three_magic.state import Phase
from tests.games.three_magic.table import (
    NOTHING_A,
    NOTHING_B,
    PACK,
    READY,
    WINS_70,
    Play,
    cards,
    given,
    manager_wins,
    manager_wins_nothing,
)
from tests.rows import each

NOTHING = "木2 木3* 木0 木1 水3* 水2* 木4* 水1*"


def seat_1_may_ron() -> Play:
    """Given that seat 0, manager, has discarded a water 2 on which seat 1 wins 130: attribute 10, number 120."""
    hands = ("火0 木4* 水0 火3* 木1* 水3* 火1* 水4*", READY, NOTHING_A)
    return given(*hands, wall="水2*", indicators="木3*").insert_and_discard(0)


def drawn_deal(hand: str = NOTHING) -> Play:
    """Given that seat 0, manager, is to make the last discard of the deal."""
    return given(hand, NOTHING_A, NOTHING_B, wall="火0").with_wall(0).move(0, Insert(8))


def test_3m_10_nobody_is_asked_from_the_win_to_the_next_deal() -> None:
    for play, move in each((manager_wins(), Tsumo()), (seat_1_may_ron(), Ron())):
        table = play.table
        told = (play.answer({1: move}) if move == Ron() else play.move(0, move)).told
        win = next(at for at, one in enumerate(told) if isinstance(one, events.TsumoDeclared | events.RonDeclared))
        start = next(at for at, one in enumerate(told) if isinstance(one, events.DealStarted))
        for at, event in enumerate(told[:start]):
            table = GAME.evolve(table, event)
            if at >= win:
                assert (GAME.to_act(table), GAME.secret(table), table.deal.phase) == ((), False, Phase.DEALING)


def test_3m_27_a_tsumo_is_paid_half_by_each_and_a_ron_by_the_discarder() -> None:
    play = manager_wins().move(0, Tsumo())
    assert play.of(events.OdPaid) == (events.OdPaid(1, 0, 35), events.OdPaid(2, 0, 35))
    assert play.table.od == (340, 235, 235)
    play = seat_1_may_ron().answer({1: Ron()})
    assert (play.of(events.OdPaid), play.table.od) == ((events.OdPaid(0, 1, 130),), (140, 400, 270))
    assert play.one(events.RonDeclared).hand == cards("火1 火2 火3 木1 木2 木3 水1 水2* 水3")


def test_3m_28_nothing_is_paid_for_nothing_and_the_manager_adds_what_the_pack_says() -> None:
    play = manager_wins_nothing().with_place(1, laid=40).move(0, Tsumo())
    assert play.one(events.Measured).total == 0
    assert not play.of(events.OdPaid)
    assert play.one(events.LaidSunk) == events.LaidSunk(40)
    assert play.one(events.ManagerAdded) == events.ManagerAdded(0, 10)
    assert play.table.ley_line == 50
    assert play.one(events.ManagerStayed) == events.ManagerStayed(0)
    play = manager_wins_nothing()
    pack = replace(PACK, prices=replace(PACK.prices, manager=0))
    play.with_table(terms=replace(play.table.terms, pack=pack))
    assert not play.move(0, Tsumo()).of(events.ManagerAdded)
    assert play.one(events.ManagerStayed) == events.ManagerStayed(0)
    play = manager_wins_nothing().with_place(0, in_reach=True, laid=10).with_table(ley_line=80).move(0, Tsumo())
    assert not play.of(events.LaidTaken) + play.of(events.LeyLineCollected), "in reach neither"
    assert play.table.ley_line == 100


def test_3m_17_3m_30_3m_31_od_go_to_the_ley_line_and_a_winner_without_pledge_collects_what_it_held_before() -> None:
    pledged = {"hand": cards("火1 火2 火3 水4 水4*"), "pledges": (cards("火1* 火2* 火3*"),)}
    for held, laid, place, sunk, collected, left in each(
        (0, (40, 10), {}, (50,), (), 50),
        (0, (0, 0), {}, (), (), 0),
        (60, (40, 0), {}, (40,), (60,), 40),
        (60, (0, 0), pledged, (), (), 60),
    ):
        play = manager_wins().with_table(ley_line=held).with_place(0, **place)
        play.with_place(1, laid=laid[0]).with_place(2, laid=laid[1]).move(0, Tsumo())
        assert tuple(event.od for event in play.of(events.LaidSunk)) == sunk
        assert play.of(events.LeyLineCollected) == tuple(events.LeyLineCollected(0, od) for od in collected)
        won = sum(event.od for event in play.of(events.OdPaid))
        assert (play.table.ley_line, play.table.od[0]) == (left, 270 + won + sum(collected))


def test_3m_22_a_winner_in_reach_takes_the_od_at_once_and_collects_the_ley_line() -> None:
    play = manager_wins().with_table(ley_line=60).with_place(0, in_reach=True, laid=10).with_place(2, laid=90)
    play.move(0, Tsumo())
    order = [type(event) for event in play.told[:7]]
    assert order == [
        events.TsumoDeclared,
        events.Measured,
        events.OdPaid,
        events.OdPaid,
        events.LaidTaken,
        events.LeyLineCollected,
        events.ManagerStayed,
    ]
    assert play.one(events.LaidTaken) == events.LaidTaken(0, 100)
    assert play.table.ley_line == 0


def test_3m_32_a_drawn_deal_with_a_manager_who_is_not_ready() -> None:
    play = drawn_deal().with_place(1, laid=30).with_table(ley_line=10).move(0, Discard(8)).pass_all()
    assert play.one(events.DealDrawn) == events.DealDrawn(0, False)
    assert not play.of(events.HandShown)
    assert not play.of(events.ManagerAdded)
    assert play.table.ley_line == 40
    assert play.one(events.ManagerPassed) == events.ManagerPassed(0, 1)
    assert play.one(events.DealStarted) == events.DealStarted(deal=2, lap=1, manager=1)
    assert play.one(events.CardDrawn).seat == 1


def test_3m_32_a_drawn_deal_with_a_manager_who_is_ready() -> None:
    play = drawn_deal(READY).with_place(1, laid=30).move(0, Discard(8)).pass_all()
    assert play.one(events.DealDrawn) == events.DealDrawn(0, True)
    assert play.one(events.HandShown) == events.HandShown(0, cards(READY))
    assert play.one(events.LaidSunk) == events.LaidSunk(30)
    assert play.one(events.ManagerAdded) == events.ManagerAdded(0, 10)
    assert (play.table.od[0], play.table.ley_line) == (260, 40)
    assert play.one(events.ManagerStayed) == events.ManagerStayed(0)


def test_3m_32_a_managers_pledges_count_for_being_ready_but_are_not_enough() -> None:
    for hand, ready in each(("火1 火2 火3 水1 水3 火0", True), ("火1 水4 火3 水1 水3 火0", False)):
        play = drawn_deal(READY).with_place(0, hand=cards(hand), pledges=(cards("木1 木2 木3"),), laid=10)
        play.move(0, Discard(5)).pass_all()
        assert play.one(events.DealDrawn) == events.DealDrawn(0, ready)
        shown = (events.HandShown(0, cards("火1 火2 火3 水1 水3")),) if ready else ()
        assert play.of(events.HandShown) == shown
        assert play.of(events.ManagerPassed) == (() if ready else (events.ManagerPassed(0, 1),))


def test_3m_32_of_ready_hands_the_managers_alone_is_shown() -> None:
    others = "火1* 火2* 火3* 木1* 木2* 木3* 水1* 水3*"
    scattered = "火0 木4* 水0 火3* 木1* 水3* 火1* 水4*"
    not_ready = given(scattered, READY, NOTHING_B, wall="火0").with_wall(0).move(0, Insert(8)).move(0, Discard(8))
    assert not not_ready.pass_all().of(events.HandShown)
    ready = given(READY, others, NOTHING_B, wall="火0").with_wall(0).move(0, Insert(8)).move(0, Discard(8)).pass_all()
    assert ready.one(events.HandShown) == events.HandShown(0, cards(READY))


def test_3m_32_reach_with_the_last_discard_is_paid_into_the_ley_line() -> None:
    play = drawn_deal(READY).move(0, Discard(8, reach=True)).pass_all()
    assert play.one(events.ReachDeclared).od == 10
    assert (play.table.od[0], play.table.ley_line) == (250, 20)


def test_3m_33_a_manager_who_wins_stays_and_anothers_win_passes_the_place_on_unless_nothing_is_paid() -> None:
    play = manager_wins().move(0, Tsumo())
    assert play.one(events.ManagerStayed) == events.ManagerStayed(0)
    assert play.one(events.DealStarted) == events.DealStarted(deal=2, lap=1, manager=0)
    hands = ("火0 木4* 水0 火3* 木1* 水3* 火1* 水4*", NOTHING_A, READY)
    play = given(*hands, wall="水2*", indicators="木3*").insert_and_discard(0).answer({2: Ron()})
    assert play.one(events.ManagerPassed) == events.ManagerPassed(0, 1)
    hands = ("火0 木1* 水0 火3* 木4* 水2* 火1* 水3*", NOTHING_B, "木0 木0 木0 火1 火2* 火3* 木2 木3*")
    play = given(*hands, wall="木4*", indicators="木4").insert_and_discard(0).answer({2: Ron()})
    assert play.one(events.Measured).total == 0
    assert play.one(events.ManagerStayed) == events.ManagerStayed(0)
    assert play.one(events.ManagerAdded) == events.ManagerAdded(0, 10)


def test_3m_34_a_lap_is_complete_when_the_place_comes_back_to_fire() -> None:
    play = manager_wins().with_table(number=5, lap=1, manager=2).move(0, Tsumo())
    assert play.one(events.ManagerPassed) == events.ManagerPassed(2, 0)
    assert play.one(events.LapCompleted) == events.LapCompleted(1)
    assert play.one(events.DealStarted) == events.DealStarted(deal=6, lap=2, manager=0)
    assert not manager_wins().with_table(number=5, lap=1, manager=1).move(0, Tsumo()).of(events.LapCompleted)


def test_3m_34_the_match_ends_with_its_last_lap() -> None:
    play = manager_wins().with_table(number=9, lap=2, manager=2).move(0, Tsumo())
    assert play.one(events.LapCompleted) == events.LapCompleted(2)
    assert play.told[-1] == events.MatchEnded(points=(340, 235, 235), ranking=(1, 2, 2))
    assert not play.of(events.Shuffled)
    assert play.table.deal.phase is Phase.OVER
    assert GAME.to_act(play.table) == ()
    assert [GAME.legal(play.table, seat) for seat in range(3)] == [(), (), ()]
    assert play.refusal(0, Tsumo()) == ("3M-34", "over")


def test_3m_34_the_short_game_has_one_lap_and_the_last_deal_is_the_last_whoever_is_manager() -> None:
    for laps, number, lap, manager, ends in each(
        (1, 9, 1, 2, True), (2, 23, 1, 0, False), (2, 24, 1, 0, True), (1, 11, 1, 0, False), (1, 12, 1, 0, True)
    ):
        play = given(WINS_70, NOTHING_A, NOTHING, wall="水4*", indicators="木4", options=Options(laps=laps))
        assert (
            bool(play.with_table(number=number, lap=lap, manager=manager).move(0, Tsumo()).of(events.MatchEnded))
            is ends
        )


def test_3m_35_a_payment_may_leave_debt_and_play_goes_on() -> None:
    play = seat_1_may_ron().with_table(od=(100, 440, 270)).answer({1: Ron()})
    assert (play.table.od, play.one(events.DealStarted).deal) == ((-30, 570, 270), 2)
    assert manager_wins_nothing().with_table(od=(5, 400, 405)).move(0, Tsumo()).table.od[0] == -5


def test_3m_35_who_is_in_debt_can_neither_pledge_nor_declare_reach() -> None:
    play = given(READY, NOTHING_A, NOTHING_B, wall="火0").with_table(od=(-10, 400, 420)).move(0, Insert(8))
    assert play.refusal(0, Discard(8, reach=True)) == ("3M-19", "cannot-pay")
    play = given("火0 木4* 水0 火3* 木1* 水3* 火1* 水4*", READY, NOTHING_A, wall="水2*").with_table(od=(300, -10, 520))
    assert play.insert_and_discard(0).refusal(1, Pledge(6, 7)) == ("3M-15", "cannot-pay")


def test_3m_36_most_od_wins_and_ties_share() -> None:
    play = manager_wins().with_table(od=(250, 300, 250))
    assert GAME.standing(play.table) == Standing(points=(250, 300, 250), ranking=(2, 1, 2), over=False)
    play = play.with_table(number=24, lap=2, manager=0).with_table(ley_line=0).move(0, Tsumo())
    assert GAME.standing(play.table) == Standing(points=(320, 265, 215), ranking=(1, 2, 3), over=True)


def test_3m_36_od_left_in_the_ley_line_belong_to_nobody() -> None:
    play = drawn_deal().with_place(0, laid=30).with_table(number=24, lap=2, manager=1).move(0, Discard(8)).pass_all()
    assert play.table.ley_line == 30 + 0
    assert play.one(events.MatchEnded).points == (270, 270, 270)
    assert GAME.standing(play.table).ranking == (1, 1, 1)
