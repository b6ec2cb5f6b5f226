"""By which touches moves are made, and why others make none."""

from __future__ import annotations

import pytest

from domain.chance import Scripted
from domain.game import Refusal
from domain.games.terraformers import GAME, moves
from domain.games.terraformers.components import Box
from domain.games.terraformers.moves import TerraformersMove
from domain.scene import Touches
from tests.games.terraformers.table import Play, given, name

CARDS = ("Librarians", "Giants", "Provocation", "Ore Vein", "Mob")


def holding() -> Play:
    """Given three players, of whom the first holds Librarians and the second Giants."""
    return given(*CARDS).with_species(0, "Librarians").with_species(1, "Giants").with_hand(0, 9)


@pytest.mark.parametrize(
    ("move", "path"),
    [
        (moves.UseBox(Box.WAR), ("seat.0/sheet/war",)),
        (moves.UseCard(name("Ore Vein")), ("cards/3",)),
        (moves.UseCardOn(name("Provocation"), 2), ("cards/2", "seat.2/sheet")),
        (moves.Acquire(name("Mob")), ("species/4",)),
        (moves.Acquire(name("Giants")), ("seat.1/species/1",)),
        (moves.Guard(name("Librarians")), ("seat.0/species/0", "do/guard")),
        (moves.PutBack(), ("seat.0/species/0", "do/put-back")),
        (moves.Copy(name("Mob")), ("seat.0/species/0", "species/4")),
        (moves.Copy(name("Giants")), ("seat.0/species/0", "seat.1/species/1")),
        (moves.Pass(), ("do/pass",)),
    ],
)
def test_tf_8_an_action_is_touched_where_it_lies(move: TerraformersMove, path: Touches) -> None:
    play = holding()
    assert move in play.legal(0)
    assert GAME.touches(play.table, 0, move) == path


def test_tf_10_tips_are_placed_by_a_button() -> None:
    play = holding().move(0, moves.UseCard(name("Ore Vein")))
    assert [GAME.touches(play.table, 0, move) for move in play.legal(0)] == [(f"do/tips-{n}",) for n in range(4, 10)]


def refusal(play: Play, touched: str) -> tuple[TerraformersMove, str]:
    """What seat 0 may have meant first by a touch, and the code of its refusal."""
    move = GAME.meant(play.table, 0, touched)[0]
    return move, play.refusal(0, move)[1]


@pytest.mark.parametrize("touched", ["seat.0/sheet/war", "seat.0/sheet/war/tips"])
def test_tf_11_an_occupied_box_is_touched_to_use_it(touched: str) -> None:
    assert refusal(given("Mob").with_boxes(0, war=1), touched) == (moves.UseBox(Box.WAR), "box-occupied")


def test_tf_11_an_occupied_card_is_touched_to_use_or_acquire_it() -> None:
    play = holding().with_tips("Ore Vein", 4).with_tips("Provocation", 3).with_tips("Giants", 3).with_tips("Mob", 3)
    assert refusal(play, "cards/3/tips") == (moves.UseCard(name("Ore Vein")), "card-occupied")
    assert refusal(play, "cards/2") == (moves.UseCardOn(name("Provocation"), 1), "card-occupied")
    assert refusal(play, "seat.1/species/1") == (moves.Acquire(name("Giants")), "card-occupied")
    assert refusal(play, "species/4") == (moves.Acquire(name("Mob")), "card-occupied")


def test_tf_33_ones_own_species_is_touched_to_guard_it_or_put_it_back() -> None:
    play = given("Dragon").with_species(0, "Dragon").with_tips("Dragon", 5)
    assert refusal(play, "seat.0/species/0") == (moves.Guard(name("Dragon")), "card-occupied")
    assert GAME.meant(play.table, 0, "seat.0/species/0")[1] == moves.PutBack()
    assert refusal(play, "do/put-back") == (moves.PutBack(), "clings")
    assert refusal(play, "do/guard") == (moves.Guard(name("Dragon")), "card-occupied")


def test_tf_9_without_tips_every_box_says_so() -> None:
    play = given("Mob").with_hand(0, 0)
    assert refusal(play, "seat.0/sheet/city") == (moves.UseBox(Box.CITY), "no-tips")


def test_tf_8_tips_in_hand_are_touched_to_place_them() -> None:
    play = holding()
    assert refusal(play, "seat.0/state/hand") == (moves.Place(1), "action-first")
    play.move(0, moves.UseCard(name("Ore Vein")))
    assert refusal(play, "do/tips-3") == (moves.Place(3), "tips")
    assert refusal(play, "do/pass") == (moves.Pass(), "tips-first")


@pytest.mark.parametrize("touched", ["seat.1/sheet/war", "seat.1/state/hand", "species", "seat.0/state/power"])
def test_what_is_not_ones_own_is_touched_for_nothing(touched: str) -> None:
    assert GAME.meant(holding().table, 0, touched) == ()


def test_tf_6_out_of_turn_a_touch_is_refused_as_such() -> None:
    play = holding()
    (move,) = GAME.meant(play.table, 1, "seat.1/sheet/war")
    with pytest.raises(Refusal, match="not-your-turn"):
        GAME.decide(play.table, 1, move, Scripted())
