"""By which touches a move is made, and what a touch that begins none may have meant."""

from __future__ import annotations

import pytest

from domain.game import Seat
from domain.games.ttmp import GAME
from domain.games.ttmp.components import Action, Mode
from domain.games.ttmp.moves import (
    Discard,
    DrawCard,
    DrawStone,
    KeepDice,
    LeaveDice,
    MixWith,
    MixWithDeck,
    Reroll,
    Roll,
    Stock,
    StockNothing,
    TakeStone,
    TtmpMove,
    Use,
)
from domain.games.ttmp.pack import Pack
from domain.games.ttmp.state import Step
from domain.scene import ids_of
from tests.games.ttmp.table import ODD_PACK, PACK, Play, card, given


def path(play: Play, move: TtmpMove, seat: Seat = 0) -> tuple[str, ...]:
    """Where a legal move is made: what is touched is in the seat's scene."""
    assert move in GAME.legal(play.table, seat)
    found = GAME.touches(play.table, seat, move)
    assert {*found} <= {*ids_of(GAME.scene(GAME.view(play.table, seat), "en"))}
    return found


@pytest.mark.parametrize(
    ("dice", "some", "touched"),
    [
        ((1, 3, 6), (3,), ("dice/3", "do/roll-one")),
        ((1, 3, 6), (1, 6), ("dice/3", "do/roll-two")),
        ((3, 3, 6), (3, 6), ("dice/3", "do/roll-two")),
        ((3, 3, 6), (3, 3), ("dice/6", "do/roll-two")),
        ((1, 3, 6), (1, 3, 6), ("do/roll-all",)),
    ],
)
def test_tt_8_a_die_is_touched_to_roll_it_or_to_roll_the_others(
    dice: tuple[int, ...], some: tuple[int, ...], touched: tuple[str, ...]
) -> None:
    assert path(given(dice=dice), Roll(some)) == touched


def test_tt_8_tt_11_what_has_no_place_is_said() -> None:
    assert path(given(), KeepDice()) == ("do/keep",)
    after = given("+1", step=Step.AFTER, action=Action.B)
    assert path(after, LeaveDice()) == ("do/leave",)
    assert path(after, Reroll(6)) == ("dice/6", "do/reroll")
    assert path(given("+1", step=Step.STOCK, action=Action.A), StockNothing()) == ("do/stock-nothing",)


def test_tt_10_one_draws_from_a_deck() -> None:
    play = given(dice=(6, 6, 6), step=Step.AFTER, action=Action.A)
    assert path(play, DrawCard(1)) == ("decks/level-1",)
    assert path(play, DrawStone()) == ("decks/stones",)


def test_tt_2_tt_11_a_card_is_discarded_or_stocked_by_one_touch() -> None:
    play = given("+1, +1, -1", step=Step.DISCARD, action=Action.A, level=1)
    assert path(play, Discard(card("-1"))) == ("seat.0/hand/card-1",)
    play = given("+1, Flip", step=Step.STOCK, action=Action.A)
    assert path(play, Stock(2, card("Flip"))) == ("seat.0/hand/card-5",)


def test_tt_23_a_stone_is_taken_from_those_of_a_seat_and_the_summoning_stone_is_mixed_with_some() -> None:
    stones = ((), (2, 2), (1, 2, 3))
    play = given(dice=(6, 6, 6), step=Step.AFTER, action=Action.B, stones=stones, modes=(Mode.KNOCKOUT,))
    assert path(play, TakeStone(1)) == ("seat.1/stones/0",)
    play = given(step=Step.SUMMON, action=Action.B, stones=((1,), (2,)), modes=(Mode.KNOCKOUT,))
    assert path(play, MixWith(1)) == ("seat.1/stones/0",)
    assert path(play, MixWithDeck()) == ("decks/stones",)


@pytest.mark.parametrize(
    ("pack", "name", "dice", "to", "touched"),
    [
        (PACK, "+1", (3,), (4,), ("dice/3",)),
        (PACK, "Re-roll", (3,), (), ("dice/3",)),
        (PACK, "Any face", (3,), (6,), ("dice/3", "do/face-6")),
        (PACK, "Copy", (3,), (6,), ("dice/3", "dice/6")),
        (PACK, "Flip", (3,), (4,), ("dice/3",)),
        (PACK, "+2 or -2", (3,), (1,), ("dice/3", "do/minus-2")),
        (PACK, "+2 or -2", (3,), (5,), ("dice/3", "do/plus-2")),
        (ODD_PACK, "Earthquake", (3, 3, 5), (), ()),
        (ODD_PACK, "Tide", (3, 3, 5), (1, 1, 3), ("do/minus-2",)),
        (ODD_PACK, "Mirror", (3, 3, 5), (4, 4, 2), ()),
        (ODD_PACK, "Dawn", (3,), (6,), ("dice/3", "do/face-6")),
        (ODD_PACK, "Twins", (3, 3), (), ("dice/3", "dice/3.2")),
        (ODD_PACK, "Twins", (3, 5), (), ("dice/3", "dice/5")),
    ],
)
def test_tt_7_a_card_is_touched_then_what_it_changes_then_what_is_left_to_choose(
    pack: Pack, name: str, dice: tuple[int, ...], to: tuple[int, ...], touched: tuple[str, ...]
) -> None:
    play = given(name, pack=pack, dice=(3, 3, 5) if pack is ODD_PACK else (1, 3, 6))
    first, *others = path(play, Use(card(name, pack), dice, to))
    assert first == f"seat.0/hand/card-{card(name, pack).number}"
    assert tuple(others) == touched


def test_a_card_that_turns_dice_to_one_face_leaves_nothing_to_choose() -> None:
    text = """
name = "one face"
stones = [{ points = 1, copies = 1, summons = true }, { points = 2, copies = 4 }]

[[cards]]
name = "Six"
ja = "六"
level = 1
copies = 10
effect = { does = "turn", to = [6] }

[[cards]]
name = "Up"
ja = "上"
level = 2
copies = 10
effect = { does = "shift", by = [1], dice = "all" }
"""
    pack: Pack = GAME.parse_pack(text.encode(), "one.toml")
    play = given("Six, Up", pack=pack, dice=(1, 3, 5))
    assert path(play, Use(card("Six", pack), (3,), (6,))) == ("seat.0/hand/card-0", "dice/3")
    assert path(play, Use(card("Up", pack), (1, 3, 5), (2, 4, 6))) == ("seat.0/hand/card-1",)


def refused(play: Play, touched: str, seat: Seat = 0) -> tuple[str, str]:
    """What the rules say to what a touch was meant for."""
    (move,) = GAME.meant(play.table, seat, touched)
    return play.refusal(seat, move)


def test_tt_7_a_card_that_may_not_be_used_or_changes_nothing_is_said_so() -> None:
    hand = "seat.0/hand/card-0"
    assert refused(given("+1", step=Step.AFTER, action=Action.C), hand) == ("TT-8", "no-use")
    assert refused(given("+1", dice=(6, 6, 6)), hand) == ("TT-7", "no-such-use")
    assert refused(given("+1", "-1", seat=1), hand) == ("TT-7", "not-your-turn")


def test_tt_11_a_card_in_stock_can_t_be_used() -> None:
    assert refused(given(stocks=("Flip",)), "seat.0/stock/card-5") == ("TT-7", "no-such-card")


def test_tt_10_a_deck_that_may_not_be_drawn_from_is_said_so() -> None:
    play = given(dice=(1, 3, 6), step=Step.AFTER, action=Action.A)
    assert refused(play, "decks/level-1") == ("TT-10", "dice")
    assert refused(play, "decks/stones") == ("TT-9", "no-triple")
    assert refused(given(dice=(1, 1, 6)), "decks/level-1") == ("TT-7", "wrong-step")
    play = given(step=Step.SUMMON, stones=((1, 2), (2, 2, 3)), modes=(Mode.KNOCKOUT,))
    assert refused(play, "decks/stones") == ("TT-23", "nothing-there")


def test_tt_11_a_die_is_rolled_or_rolled_again() -> None:
    assert GAME.meant(given(dice=(1, 3, 6)).table, 0, "dice/3") == (Roll((3,)),)
    assert refused(given("+1", dice=(1, 3, 6), step=Step.STOCK), "dice/3") == ("TT-11", "wrong-step")


def test_a_card_of_one_s_own_is_meant_to_be_discarded_or_stocked_where_that_is_asked() -> None:
    play = given("+1, +1, -1", step=Step.LIMIT, turn=0)
    assert GAME.meant(play.table, 0, "seat.0/hand/card-0.2") == (Discard(card("+1")),)
    play = given("+1, Flip", step=Step.STOCK, action=Action.A)
    assert GAME.meant(play.table, 0, "seat.0/hand/card-5") == (Stock(2, card("Flip")),)


def test_tt_4_what_another_holds_is_meant_for_nothing() -> None:
    play = given("+1", "Flip", stones=((), (2,)))
    assert not GAME.meant(play.table, 0, "seat.1/hand/level-2")
    assert not GAME.meant(play.table, 0, "seat.1/stones/0")
