"""By which touches a move is made, and what a touch was for that begins none."""

from __future__ import annotations

import pytest

from domain.game import Seat
from domain.games.magicative import GAME, moves
from domain.games.magicative.components import Artefact
from domain.games.magicative.moves import MagicativeMove
from domain.games.magicative.state import Step
from tests.games.magicative.drawn import paths, touch
from tests.games.magicative.table import ALCHEMY, FATE, INNOCENT, MAGIC, PAST, Play, card, cards, given, school, won

HAND = "seat.0/hand"


def meant(play: Play, touched: str, seat: Seat = 0) -> tuple[MagicativeMove, ...]:
    return GAME.meant(play.table, seat, touched)


def refused(play: Play, touched: str, seat: Seat = 0) -> tuple[str, str]:
    """Clause and code with which what the touch was for is refused."""
    (move,) = meant(play, touched, seat)
    return play.refusal(seat, move)


def test_mg_5_the_draw_is_a_button() -> None:
    play = touch(given("M1", "S1", is_start=True), "do/draw")
    assert play.table.stage.step is Step.TURN


def test_mg_7_a_card_is_discarded_by_touching_it_and_then_one_s_row() -> None:
    play = given("M1 X", "S1")
    assert paths(play, moves.Discard) == [f"{HAND}/magic-1 > seat.0/row", f"{HAND}/innocent > seat.0/row"]
    assert touch(play, f"{HAND}/innocent", "seat.0/row").place(0).row == cards("X")


def test_mg_7_a_turn_without_cards_is_ended_by_a_button() -> None:
    play = given("", "S1", has={0: won(aptitudes="M1")})
    assert paths(play, moves.End) == ["do/end"]


def test_mg_8_a_swap_begins_with_the_last_discard_and_then_names_a_hand_card() -> None:
    play = given("M1 M7", "S5", rows=("S3", "M6 A1"))
    assert paths(play, moves.Swap) == ["seat.0/row/0", "seat.1/row/1"]
    touch(play, "seat.1/row/1")
    assert paths(play, moves.Give) == [f"{HAND}/magic-1", f"{HAND}/magic-7"]
    assert touch(play, f"{HAND}/magic-7").place(1).row == cards("M6 M7")


def test_mg_9_a_formula_is_fixed_by_its_three_cards() -> None:
    play = given("M1 M2 M3 M3 M3", "S1")
    assert paths(play, moves.Fix) == [
        f"{HAND}/magic-1 > {HAND}/magic-2 > {HAND}/magic-3",
        f"{HAND}/magic-3 > {HAND}/magic-3.2 > {HAND}/magic-3.3",
    ]
    touch(play, f"{HAND}/magic-1", f"{HAND}/magic-2", f"{HAND}/magic-3")
    assert play.place(0).won.chips == 1


def test_mg_10_a_formula_with_innocents_begins_with_an_innocent_and_its_school() -> None:
    play = given("A3 A4 X X", "S1")
    assert paths(play, moves.Declare) == [f"{HAND}/innocent > do/alchemy"]
    touch(play, f"{HAND}/innocent", "do/alchemy")
    with_one = [one for one in paths(play, moves.Fix) if one.count(">") == 2]
    assert with_one == [
        f"{HAND}/alchemy-3 > {HAND}/alchemy-4 > do/2-3-4",
        f"{HAND}/alchemy-3 > {HAND}/alchemy-4 > do/3-4-5",
    ]
    assert f"{HAND}/alchemy-4 > do/2-3-4" in paths(play, moves.Fix)
    touch(play, f"{HAND}/alchemy-4", "do/2-3-4")
    assert play.place(0).won.formulas[0].cards == cards("X X A4")


def test_mg_10_two_equal_cards_and_an_innocent_are_touched_as_two_cards() -> None:
    play = touch(given("A3 A3 X", "S1"), f"{HAND}/innocent", "do/alchemy")
    assert paths(play, moves.Fix) == [f"{HAND}/alchemy-3 > {HAND}/alchemy-3.2 > do/3-3-3"]


def test_mg_11_four_equal_cards_awaken_by_one_of_them_and_a_button() -> None:
    play = given("M2 M2 M2 M2", "S1")
    assert paths(play, moves.Awaken) == [f"{HAND}/magic-2 > do/awaken"]
    touch(play, f"{HAND}/magic-2", "do/awaken")
    assert paths(play, moves.TakeAptitude) == ["aptitudes/magic", "aptitudes/alchemy", "aptitudes/astrology"]
    assert touch(play, "aptitudes/astrology").place(0).won.aptitudes[0].school is school("S")


def test_mg_16_aptitude_cards_are_shown_by_touching_one_or_all_by_a_button() -> None:
    play = given("M1", "S1", has={0: won(aptitudes="M1 A2 S3")})
    assert paths(play, moves.Show) == ["do/show"]
    assert paths(play, moves.ShowOne) == [f"seat.0/aptitudes/{at}" for at in range(3)]
    touch(play, "seat.0/aptitudes/0")
    touch(play, "seat.0/aptitudes/2")
    assert paths(play, moves.Show) == ["seat.0/aptitudes/1"], "the only one that is left"


def test_mg_15_artefacts_lie_in_the_middle_and_are_touched_there() -> None:
    play = given("M1 M2 M4 M7", "S1", rows=("S1 S2 S3 S4", ""))
    assert paths(play, moves.Use) == ["artefacts/fate", "artefacts/past", "artefacts/innocent"]
    touch(play, "artefacts/past")
    assert paths(play, moves.Put) == [f"{HAND}/magic-{number}" for number in (1, 2, 4, 7)]
    for number in (1, 2, 4):
        touch(play, f"{HAND}/magic-{number}")
    assert paths(play, moves.Take) == [f"seat.0/row/{at}" for at in range(3, 7)]


def test_mg_15_fate_is_arranged_by_touching_the_cards_on_top_of_the_deck() -> None:
    play = given("M1", "S1", deck="S1 S2 S1 S4 S4", left=9).move(0, FATE)
    assert paths(play, moves.Arrange) == ["top/0", "top/1", "top/3"], "equal ones once"
    touch(play, "top/1")
    assert paths(play, moves.Arrange) == ["top/1", "top/3"]
    touch(play, "top/3")
    assert paths(play, moves.Arrange) == ["top/2", "top/4"]
    last = given("M1", "S1", deck="S1 S2", left=2).move(0, FATE)
    assert GAME.touches(last.table, 0, moves.ArrangeLast()) == ("top/0",)


def test_mg_15_the_card_that_counts_as_innocent_is_touched_and_then_a_school() -> None:
    play = touch(given("M1 A2 A4", "S1"), "artefacts/innocent")
    assert paths(play, moves.Imitate) == [f"{HAND}/magic-1"]
    touch(play, f"{HAND}/magic-1")
    assert paths(play, moves.Declare) == ["do/alchemy"]
    touch(play, "do/alchemy")
    assert paths(play, moves.Fix) == [f"{HAND}/alchemy-2 > {HAND}/alchemy-4 > do/2-3-4"]


@pytest.mark.parametrize(
    ("touched", "why"),
    [
        ("do/draw", ("MG-6", "wrong-step")),
        ("deck", ("MG-6", "wrong-step")),
        ("deck/cards", ("MG-6", "wrong-step")),
        ("do/end", ("MG-7", "must-discard")),
        ("do/show", ("MG-16", "nothing-to-show")),
        ("do/awaken", ("MG-11", "not-in-hand")),
        ("do/magic", ("MG-10", "no-formula")),
        ("seat.0/row", ("MG-8", "no-discard")),
        ("artefacts/past", ("MG-15", "too-few-cards")),
        ("seat.1/tokens/fate", ("MG-15", "taken")),
        ("seat.1/row/1", ("MG-8", "swapped")),
        ("seat.1/row", ("MG-8", "swapped")),
        ("aptitudes/magic", ("MG-6", "wrong-step")),
    ],
)
def test_mg_6_a_touch_that_begins_no_move_is_refused_for_what_it_was_for(touched: str, why: tuple[str, str]) -> None:
    has = {1: won(artefact=(Artefact.FATE,))}
    play = given("M1 A2", "S1", rows=("", "M3 M4"), has=has, has_swapped=touched.startswith("seat.1"))
    assert refused(play, touched) == why


def test_mg_16_a_card_that_is_shown_is_not_shown_again() -> None:
    play = given("M1", "S1", has={0: won(aptitudes="A2", shown="M1")})
    assert refused(play, "seat.0/aptitudes/1") == ("MG-16", "shown")


@pytest.mark.parametrize(
    ("done", "card_is"),
    [
        ((moves.Swap(1),), moves.Give),
        ((PAST,), moves.Put),
        ((INNOCENT,), moves.Imitate),
        ((), moves.Discard),
        ((FATE,), moves.Discard),
    ],
)
def test_mg_6_a_hand_card_is_touched_for_what_the_step_wants(
    done: tuple[MagicativeMove, ...], card_is: type[moves.Give | moves.Put | moves.Imitate | moves.Discard]
) -> None:
    play = given("M1 M2 A4 A4", "S1", rows=("", "S3")).move(0, *done)
    assert meant(play, f"{HAND}/alchemy-4.2") == (card_is(card("A4")),)


def test_mg_15_cards_of_a_row_and_of_the_deck_are_touched_for_what_an_artefact_does() -> None:
    play = given("M1 M2 M4", "S1", rows=("S1 S2 S3 S4", ""))
    assert meant(play, "seat.0/row/1") == (), "only the last one is swapped"
    play.move(0, PAST, *(moves.Put(one) for one in cards("M1 M2 M4")))
    assert refused(play, "seat.0/row/1") == ("MG-15", "not-another")
    play = given("M1", "S1", deck="S1 S2 S3 S4 S5", left=9).move(0, FATE, moves.Arrange(card("S4")))
    assert refused(play, "top/0") == ("MG-15", "not-looked-at")


def test_mg_10_a_formula_that_is_named_before_its_cards_is_one_with_innocents_for_what_is_missing() -> None:
    play = given("A3 A4 X", "S1").move(0, moves.Declare(ALCHEMY))
    assert meant(play, "do/3-4-5") == (moves.Fix(ALCHEMY, (3, 4, 5), (5,)),)
    assert refused(play, "do/4-4-4") == ("MG-9", "not-in-hand")
    assert refused(play, "do/5-6-7") == ("MG-10", "all-innocent")


def test_mg_11_awakening_is_meant_of_the_card_that_one_holds_most_of() -> None:
    assert meant(given("M1 A2 A2 X X X", "S1"), "do/awaken") == (moves.Awaken(card("A2")),)
    assert meant(given("X", "S1"), "do/awaken") == ()


@pytest.mark.parametrize("touched", [f"{HAND}/0", f"{HAND}/magic-9", "top/200", "top/x", "seat.0/aptitudes/x", "no"])
def test_mg_6_a_place_that_is_not_on_the_table_means_nothing(touched: str) -> None:
    assert meant(given("M1", "S1"), touched) == ()


def test_mg_3_a_touch_on_what_is_not_known_means_nothing() -> None:
    play = given("M1", "S1 S2", has={1: won(aptitudes="M1")}).watched()
    nothing = ("seat.1/hand/0", "seat.1/hand", "seat.1/aptitudes/0", "seat.0/hand", "goal/points", "top", "do/1-2-3")
    assert [GAME.meant(play.seen[0], 0, touched) for touched in nothing] == [()] * len(nothing)
    play.move(0, FATE)
    assert GAME.meant(play.seen[1], 1, "top/0") == ()
    assert MAGIC in {one.school for one in play.place(1).won.aptitudes}
