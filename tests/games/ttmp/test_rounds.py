"""Rounds, the final and what a table shows. Rules TT-4, TT-12 to TT-18."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from domain.chance import Scripted, Simulation
from domain.game import Standing, fold
from domain.games.ttmp import GAME, events
from domain.games.ttmp.components import Action, Mode, Stones
from domain.games.ttmp.moves import Discard, DrawStone, LeaveDice, Stock, StockNothing
from domain.games.ttmp.state import Step
from domain.secrecy import redact
from tests.games.ttmp.table import Play, after, card, given, names
from tests.rows import each


def test_tt_12_a_round_ends_when_a_stone_is_drawn_and_cards_go_back() -> None:
    play = after("+1", "Flip, -1", "Copy")
    decks = play.table.decks
    play.table = seen = replace(play.table, decks=(decks[0], replace(decks[1], discards=(card("Any face"),))))
    play.move(0, DrawStone())
    assert play.one(events.RoundEnded) == events.RoundEnded(1, (0,), (0, 1, 2))
    shuffled = {told.level: told.cards for told in play.of(events.CardsShuffled)}
    assert Counter(names(shuffled[1])) == {"+1": 4, "-1": 4, "Re-roll": 2}
    assert len(shuffled[2]) == 11, "the given discard is one more than the box holds"
    assert not any(deck.discards for deck in play.table.decks)
    assert not any(any(place.hand) for place in play.table.places)
    assert play.one(events.RoundBegan) == events.RoundBegan(2, 0)
    assert play.one(events.DiceRolled).action is Action.FIRST
    seen = fold(GAME, seen, tuple(redact(event, 0) for event in play.told))
    assert set(seen.decks[0].cards) == set(seen.decks[1].cards) == {None}


def test_tt_12_stocked_cards_come_to_hand_and_from_the_start_player_on_owners_discard_down_to_the_limit() -> None:
    play = after(stones=((), (2,), (2, 2)), deck=(1, 3), stocks=("", "+1, Copy", "-1, Flip")).move(0, DrawStone())
    assert play.hand(1) == ["+1", "Copy"], "as many as the limit, with a stone"
    assert play.one(events.LimitExceeded) == events.LimitExceeded(2, 3)
    assert play.move(2, Discard(card("-1"))).hand(2) == ["Flip"]
    assert play.one(events.TurnBegan) == events.TurnBegan(0, 1)
    stocks = ("+1, Copy", "+1, Flip", "-1, -1")
    play = after("", seats=4, stones=((), (2,), (2,)), deck=(3, 1, 2), stocks=stocks).move(0, DrawStone())
    assert (play.one(events.LimitExceeded), GAME.to_act(play.table)) == (events.LimitExceeded(0, 2), (0,))
    assert play.legal(0) == (Discard(card("+1")), Discard(card("Copy")))
    play.move(0, Discard(card("Copy")))
    assert play.told == (events.CardDiscarded(0, 2, card("Copy")), events.LimitExceeded(1, 2))
    play.move(1, Discard(card("+1"))).move(2, Discard(card("-1")))
    assert play.one(events.TurnBegan) == events.TurnBegan(0, 1)
    assert [play.hand(seat) for seat in range(4)] == [["+1"], ["Flip"], ["-1"], []]
    play = after("", seat=1, stones=((2, 2), (2,), ()), deck=(1, 3), stocks=("+1, Copy", "+1, Flip"))
    assert play.move(1, DrawStone()).one(events.RoundBegan) == events.RoundBegan(2, 1)
    assert play.one(events.LimitExceeded).seat == 1


def test_tt_13_when_all_stones_are_drawn_the_final_exam_begins() -> None:
    play = after("+1", stones=((2,), (2, 2), (1,)), deck=(3,)).move(0, DrawStone())
    assert [type(event) for event in play.told[1:3]] == [events.RoundEnded, events.StonesShown]
    assert (play.of(events.RoundBegan), len(play.of(events.MatchEnded)), play.hand(0)) == ((), 1, [])


def test_tt_14_a_round_without_a_stone_ends_after_120_turns() -> None:
    play = given("+1", "Flip", seat=1, turn=119, step=Step.AFTER, action=Action.C, stocks=("", "", "Copy"))
    stones = play.table.stones
    play.move(1, LeaveDice()).move(1, StockNothing())
    assert play.told == (events.TurnBegan(2, 120),)
    play.with_table(stage=replace(play.table.stage, step=Step.AFTER, action=Action.C)).move(2, LeaveDice())
    assert play.one(events.RoundEnded) == events.RoundEnded(1, (), (0, 1))
    assert play.one(events.RoundBegan) == events.RoundBegan(2, 1)
    assert (play.table.stones, play.hand(2)) == (stones, ["Copy"])


def test_tt_14_the_last_turn_may_end_with_stocking() -> None:
    play = given("+1", step=Step.STOCK, turn=120)
    play.move(0, Stock(1, card("+1")))
    assert play.one(events.RoundEnded).returned == ()
    assert play.hand(0) == ["+1"], "it came to hand with the next round"


def test_tt_17_the_highest_after_the_summoning_rolls_first_then_clockwise_of_equal_ones_the_lowest_seat() -> None:
    for stones, deck, rolled in each(
        # the summoner draws the 3: 1 and 3 points become 3 and 1, and the 2 points are the second highest
        (((2,), (3,), (1,), (2,)), (2,), [(2, 3), (3, 2), (0, 2), (1, 1)]),
        (((1, 2), (2, 2), (), (3,)), (), [(0, 4), (1, 3), (3, 3)]),
    ):
        play = held(*stones, deck=deck, script=(0, *dice(9) * len(rolled)))
        assert [(told.seat, told.points) for told in play.of(events.FinalRolled)] == rolled


def test_tt_14_the_start_passes_over_who_has_left() -> None:
    play = after(seats=4, stones=((), (2, 2)), turn=120).fold(events.ExamLeft(1)).move(0, LeaveDice())
    assert play.one(events.RoundBegan) == events.RoundBegan(2, 2)


def test_tt_14_after_twelve_rounds_the_exam_ends_and_the_other_stones_are_out_of_the_game() -> None:
    play = given(round=12, turn=120, step=Step.AFTER, action=Action.C, stones=((2,), (1,)), deck=(2, 2, 3))
    play.move(0, LeaveDice())
    assert play.one(events.StonesShown).stones == ((2,), (1,), ())
    assert play.table.stones == (2, 2, 3)
    assert GAME.standing(play.table).over


UNDRAWN = 12
"""The round after which the final exam begins with stones left."""


def held(*stones: Stones, deck: Stones = (), modes: tuple[Mode, ...] = (), script: tuple[int, ...] = ()) -> Play:
    """When the last turn ends with these stones held, by seat; dice fall as told."""
    play = given(
        seats=len(stones), stones=stones, deck=deck, modes=modes, round=UNDRAWN, turn=120, step=Step.AFTER,
        action=Action.C,
    )  # fmt: skip
    return play.move(0, LeaveDice(), chance=Scripted(*script) if script else Simulation(1))


def dice(total: int) -> tuple[int, ...]:
    """What three dice draw that sum up to this."""
    found = next((a, b, total - a - b) for a in range(1, 7) for b in range(1, 7) if 1 <= total - a - b <= 6)
    return tuple(face - 1 for face in found)


def test_tt_15_who_holds_no_stone_has_failed_and_does_not_roll() -> None:
    play = held((2, 2), (), (2, 3), deck=(1,), script=(*dice(9), *dice(9)))
    assert [told.seat for told in play.of(events.FinalRolled)] == [2, 0]
    assert play.one(events.MatchEnded).points == (4 * 3 * 9, 0, 5 * 3 * 9)
    assert play.one(events.MatchEnded).winners == (0, 2)


def test_tt_15_if_nobody_holds_a_stone_nobody_rolls_and_nobody_wins() -> None:
    play = held((), (), deck=(1, 2, 2, 2, 3))
    assert play.of(events.FinalRolled) == ()
    assert play.one(events.MatchEnded) == events.MatchEnded((0, 0), (1, 1), ())


@pytest.mark.parametrize(("at", "drawn", "left"), [(0, 2, (2, 1)), (1, 2, (2, 1)), (2, 1, (2, 2))])
def test_tt_16_worked_example_the_summoner_draws_one_of_1_2_2(at: int, drawn: int, left: Stones) -> None:
    play = held((3,), (1,), (2, 2), deck=(2,), script=(at, *dice(3), *dice(3), *dice(3)))
    assert play.one(events.FamiliarSummoned) == events.FamiliarSummoned(1, 2, 1, drawn, left)
    assert play.place(1).stones == (drawn,)
    assert play.place(2).stones == left


def test_tt_16_the_lowest_who_holds_the_stone_summons_from_the_highest_that_comes_first_clockwise() -> None:
    for stones, deck, summoned in each(
        (((1, 2), (2,), (2, 3)), (), []),
        (((2,), (2, 2), (3,)), (1,), []),
        (((), (1,), ()), (2, 2, 2, 3), []),
        (((3,), (1, 2), (2, 2)), (), [(1, 2)]),  # the stone's holder is the lowest of equal ones
        (((2,), (2,), (1,), (2,)), (3,), [(2, 3)]),
        (((2,), (1,), (3,), (2,)), (2,), [(1, 2)]),
        (((1, 2), (3,)), (2, 2), [(0, 1)]),  # all are equal: the highest is found among the others
    ):
        play = held(*stones, deck=deck)
        assert [(told.seat, told.highest) for told in play.of(events.FamiliarSummoned)] == summoned
        assert play.one(events.StonesShown).stones == stones
    assert all(place.stones for place in GAME.view(play.table, None).places)


def test_tt_17_worked_example_with_two_points_four_players_need_ten() -> None:
    play = held((2,), (2,), (), (), deck=(1, 2, 3), script=(*dice(10), *dice(9)))
    shown = [(told.seat, told.points, told.value, told.needed) for told in play.of(events.FinalRolled)]
    assert shown == [(0, 2, 80, 80), (1, 2, 72, 80)]
    assert play.one(events.MatchEnded) == events.MatchEnded((80, 72, 0, 0), (1, 2, 2, 2), (0,))


def test_tt_18_all_who_pass_win_and_share_the_first_place() -> None:
    play = held((2,), (2, 2), (3,), deck=(1,), script=(*dice(9), *dice(9), *dice(3)))
    assert play.one(events.MatchEnded) == events.MatchEnded((18, 108, 81), (3, 1, 1), (1, 2))
    assert GAME.standing(play.table) == Standing((18, 108, 81), (3, 1, 1), over=True)


def test_tt_18_a_final_value_counts_as_soon_as_it_is_rolled() -> None:
    for modes, ranking in each(((), (1, 3, 1)), ((Mode.RANKING,), (2, 3, 1))):
        play = given(stones=((3,), (2,), (2, 2)), modes=modes).fold(events.FinalRolled(2, 4, 3, (3, 3, 3), 108, 80))
        assert GAME.standing(play.table) == Standing((0, 0, 108), (2, 2, 1), over=False)
        play.fold(events.FinalRolled(0, 3, 3, (3, 3, 4), 90, 80))
        assert GAME.standing(play.table) == Standing((90, 0, 108), ranking, over=False)


def test_tt_18_if_nobody_passes_nobody_wins_and_all_share_a_place() -> None:
    play = held((2,), (2, 2), (3,), deck=(1,), script=(*dice(3), *dice(3), *dice(3)))
    assert play.one(events.MatchEnded) == events.MatchEnded((18, 36, 27), (1, 1, 1), ())
    assert (GAME.to_act(play.table), play.legal(0)) == ((), ())
    assert play.refusal(0, LeaveDice()) == ("TT-18", "over")
    assert GAME.standing(given(stones=((3,), (2, 2))).table) == Standing((0, 0, 0), (2, 1, 3), over=False)


def test_tt_2_tt_17_a_table_tells_the_limit_of_hands_and_what_passes() -> None:
    shown = GAME.view(given(seats=4).table, None)
    assert (shown.limit, shown.needed, shown.goal) == ((2,), (80,), ())
    assert GAME.view(given(modes=(Mode.HARD,)).table, None).needed == (100,)
    assert GAME.view(given(modes=(Mode.RANKING,)).table, None).needed == ()
    shown = GAME.view(given(modes=(Mode.KNOCKOUT,)).table, None)
    assert (shown.limit, shown.needed, shown.goal) == ((), (), (5,))


def test_tt_8_a_table_tells_what_may_be_drawn_and_whether_cards_may_be_used() -> None:
    def shown(hand: str = "+1", step: Step = Step.AFTER, **more: Any) -> tuple[bool, tuple[int, ...]]:
        view = GAME.view(given(hand, dice=(6, 6, 6), step=step, **more).table, None)
        return view.may_use, view.may_draw

    assert shown(step=Step.ACTION) == (True, ())
    assert shown(action=Action.A) == (True, (0, 1))
    assert shown("", action=Action.A) == (False, (0, 1))
    assert shown(action=Action.A, used=True) == (True, (0,))
    assert shown(action=Action.B) == (True, (0,))
    assert shown(action=Action.C) == (False, (0, 1))
    assert shown(action=Action.C, drew=True) == (False, (0,))
    assert shown(action=Action.FIRST) == (False, (1,))
    assert shown(step=Step.STOCK, action=Action.A) == (False, ())


def test_tt_23_a_stone_of_another_may_be_drawn_when_the_deck_is_empty() -> None:
    for modes, may_draw in each(((Mode.KNOCKOUT,), (0,)), ((), ())):
        play = after(action=Action.B, stones=((), (2, 2), (1, 2, 3)), modes=modes)
        assert GAME.view(play.table, None).may_draw == may_draw
