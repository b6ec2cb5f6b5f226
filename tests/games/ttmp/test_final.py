"""The final exam. Rule: TT-15 to TT-18."""

from __future__ import annotations

import pytest

from domain.chance import Scripted, Simulation
from domain.game import Refusal
from domain.games.ttmp import GAME
from domain.games.ttmp.components import Action, Mode, Stones
from domain.games.ttmp.events import FamiliarSummoned, FinalRolled, MatchEnded, StonesShown
from domain.games.ttmp.moves import LeaveDice
from domain.games.ttmp.state import Step
from tests.games.ttmp.table import Play, given

UNDRAWN = 12
"""The round after which the final exam begins with stones left."""


def held(*stones: Stones, deck: Stones = (), modes: tuple[Mode, ...] = (), script: tuple[int, ...] = ()) -> Play:
    """When the last turn ends with these stones held, by seat; dice fall as told."""
    play = given(
        seats=len(stones), stones=stones, deck=deck, modes=modes, round=UNDRAWN, turn=120, step=Step.AFTER,
        action=Action.C,
    )  # fmt: skip
    return play.move(0, LeaveDice(), Scripted(*script) if script else Simulation(1))


def dice(total: int) -> tuple[int, ...]:
    """What three dice draw that sum up to this."""
    found = next((a, b, total - a - b) for a in range(1, 7) for b in range(1, 7) if 1 <= total - a - b <= 6)
    return tuple(face - 1 for face in found)


def test_tt_15_who_holds_no_stone_has_failed_and_does_not_roll() -> None:
    play = held((2, 2), (), (2, 3), deck=(1,), script=(*dice(9), *dice(9)))
    assert [told.seat for told in play.of(FinalRolled)] == [2, 0]
    assert play.one(MatchEnded).points == (4 * 3 * 9, 0, 5 * 3 * 9)
    assert play.one(MatchEnded).winners == (0, 2)


def test_tt_15_if_nobody_holds_a_stone_nobody_rolls_and_nobody_wins() -> None:
    play = held((), (), deck=(1, 2, 2, 2, 3))
    assert play.of(FinalRolled) == ()
    assert play.one(MatchEnded) == MatchEnded((0, 0), (1, 1), ())


@pytest.mark.parametrize(("at", "drawn", "left"), [(0, 2, (2, 1)), (1, 2, (2, 1)), (2, 1, (2, 2))])
def test_tt_16_worked_example_the_summoner_draws_one_of_1_2_2(at: int, drawn: int, left: Stones) -> None:
    play = held((3,), (1,), (2, 2), deck=(2,), script=(at, *dice(3), *dice(3), *dice(3)))
    assert play.one(FamiliarSummoned) == FamiliarSummoned(1, 2, 1, drawn, left)
    assert play.place(1).stones == (drawn,)
    assert play.place(2).stones == left


def test_tt_16_all_stones_are_shown() -> None:
    play = held((2, 2), (3,), deck=(1, 2))
    assert play.one(StonesShown).stones == ((2, 2), (3,))
    assert all(place.stones for place in GAME.view(play.table, None).places)


def test_tt_16_who_is_not_the_lowest_or_lacks_the_stone_summons_nothing() -> None:
    assert held((1, 2), (2,), (2, 3)).of(FamiliarSummoned) == ()
    assert held((2,), (2, 2), (3,), deck=(1,)).of(FamiliarSummoned) == ()


def test_tt_16_the_holder_of_the_stone_counts_as_the_lowest_of_equal_ones() -> None:
    play = held((3,), (1, 2), (2, 2))
    assert play.one(FamiliarSummoned).seat == 1
    assert play.one(FamiliarSummoned).highest == 2


def test_tt_16_of_equal_highest_the_nearest_clockwise_from_the_summoner_is_taken() -> None:
    play = held((2,), (2,), (1,), (2,), deck=(3,))
    assert play.one(FamiliarSummoned).seat == 2
    assert play.one(FamiliarSummoned).highest == 3
    play = held((2,), (1,), (3,), (2,), deck=(2,))
    assert play.one(FamiliarSummoned).highest == 2
    # all are equal: the holder of the stone is the lowest, the highest is found among the others
    play = held((1, 2), (3,), deck=(2, 2))
    assert (play.one(FamiliarSummoned).seat, play.one(FamiliarSummoned).highest) == (0, 1)


def test_tt_16_a_single_examinee_summons_nothing() -> None:
    play = held((), (1,), (), deck=(2, 2, 2, 3))
    assert play.of(FamiliarSummoned) == ()
    assert play.one(FinalRolled).seat == 1


@pytest.mark.parametrize(("total", "passes"), [(10, True), (9, False)])
def test_tt_17_worked_example_with_two_points_four_players_need_ten(total: int, passes: bool) -> None:
    play = held((2,), (), (), (), deck=(1, 2, 2, 3), script=dice(total))
    assert play.one(FinalRolled) == FinalRolled(0, 2, 4, play.one(FinalRolled).dice, 8 * total, 80)
    assert play.one(MatchEnded).winners == ((0,) if passes else ())


def test_tt_17_a_final_value_of_just_80_passes_and_ranks_before_less() -> None:
    play = held((2,), (2,), (), (), deck=(1, 2, 3), script=(*dice(10), *dice(9)))
    assert play.one(MatchEnded) == MatchEnded((80, 72, 0, 0), (1, 2, 2, 2), (0,))


def test_tt_17_the_highest_after_the_summoning_rolls_first_then_clockwise() -> None:
    # the summoner draws the 3: 1 and 3 points become 3 and 1, and the 2 points are the second highest
    play = held((2,), (3,), (1,), (2,), deck=(2,), script=(0, *dice(9), *dice(9), *dice(9), *dice(9)))
    assert [told.seat for told in play.of(FinalRolled)] == [2, 3, 0, 1]
    assert [told.points for told in play.of(FinalRolled)] == [3, 2, 2, 1]


def test_tt_17_of_equal_highest_the_lowest_seat_rolls_first() -> None:
    play = held((1, 2), (2, 2), (), (3,), script=(0, *dice(9), *dice(9), *dice(9)))
    assert play.one(FamiliarSummoned).drawn == 2
    assert [(told.seat, told.points) for told in play.of(FinalRolled)] == [(0, 4), (1, 3), (3, 3)]


def test_tt_18_all_who_pass_win_and_share_the_first_place() -> None:
    play = held((2,), (2, 2), (3,), deck=(1,), script=(*dice(9), *dice(9), *dice(3)))
    assert play.one(MatchEnded) == MatchEnded((18, 108, 81), (3, 1, 1), (1, 2))
    standing = GAME.standing(play.table)
    assert (standing.points, standing.ranking, standing.over) == ((18, 108, 81), (3, 1, 1), True)


def test_tt_18_if_nobody_passes_nobody_wins_and_all_share_a_place() -> None:
    play = held((2,), (2, 2), (3,), deck=(1,), script=(*dice(3), *dice(3), *dice(3)))
    assert play.one(MatchEnded) == MatchEnded((18, 36, 27), (1, 1, 1), ())


def test_tt_18_before_the_end_most_stones_are_ahead_and_nothing_is_counted() -> None:
    standing = GAME.standing(given(stones=((3,), (2, 2))).table)
    assert (standing.points, standing.ranking, standing.over) == ((0, 0, 0), (2, 1, 3), False)


def test_tt_18_after_the_end_nothing_can_be_done() -> None:
    play = held((2,), (), deck=(1, 2, 2, 3))
    assert GAME.to_act(play.table) == ()
    assert play.legal(0, object) == ()
    with pytest.raises(Refusal) as refused:
        GAME.decide(play.table, 0, LeaveDice(), Scripted())
    assert (refused.value.clause, refused.value.code) == ("TT-18", "over")
