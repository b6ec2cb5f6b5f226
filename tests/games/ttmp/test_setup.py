"""Packs, their cards in words, and setting up. Rules TT-1 to TT-6."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.chance import Scripted, Simulation
from domain.game import PackError
from domain.games.ttmp import GAME, events
from domain.games.ttmp.abilities import Copy, Flip, RollAgain, Shift, Turn, ways
from domain.games.ttmp.components import Action
from domain.games.ttmp.moves import Discard, DrawCard, DrawStone, KeepDice, LeaveDice, Use
from domain.games.ttmp.pack import Pack
from domain.games.ttmp.scene.cards import label
from domain.games.ttmp.state import Step, Table
from domain.games.ttmp.text import cards
from domain.games.ttmp.text.cards import effect_text
from domain.games.ttmp.text.describe import WORDS
from domain.secrecy import redact
from tests.games.ttmp.table import HOUSE, ODD_PACK, Play, after, card, given, names, new
from tests.rows import each


def test_a_card_that_turns_dice_to_one_face_leaves_nothing_to_choose() -> None:
    effects = ("Six", 1, '{ does = "turn", to = [6] }'), ("Up", 2, '{ does = "shift", by = [1], dice = "all" }')
    stones = 'name = "one face"\nstones = [{ points = 1, copies = 1, summons = true }, { points = 2, copies = 4 }]\n'
    kinds = (f'name = "{name}"\nja = "x"\nlevel = {level}\ncopies = 10\neffect = {do}\n' for name, level, do in effects)
    pack: Pack = GAME.parse_pack("[[cards]]\n".join((stones, *kinds)).encode(), "one.toml")
    play = given("Six, Up", pack=pack, dice=(1, 3, 5))
    assert GAME.touches(play.table, 0, Use(card("Six", pack), (3,), (6,))) == ("seat.0/hand/card-0", "dice/3")
    assert GAME.touches(play.table, 0, Use(card("Up", pack), (1, 3, 5), (2, 4, 6))) == ("seat.0/hand/card-1",)


def test_tt_7_what_an_effect_can_do_and_what_it_cannot() -> None:
    for effect, dice, found in each(
        (Shift((1,)), (2, 2, 6), [((2,), (3,))]),
        (Shift((-1,)), (1, 1, 2), [((2,), (1,))]),
        (Shift((2, -2)), (1, 3, 6), [((1,), (3,)), ((3,), (5,)), ((3,), (1,)), ((6,), (4,))]),
        (Shift((0,)), (1, 3, 6), []),
        (Shift((1, -1), dice="all"), (1, 2, 3), [((1, 2, 3), (2, 3, 4))]),
        (Turn((1, 6)), (1, 1, 4), [((1,), (6,)), ((4,), (1,)), ((4,), (6,))]),
        (Copy(), (2, 2, 5), [((2,), (5,)), ((5,), (2,))]),
        (Copy(), (2, 2, 2), []),
        (Flip(), (1, 3, 3), [((1,), (6,)), ((3,), (4,))]),
        (Flip(dice="all"), (1, 3, 3), [((1, 3, 3), (6, 4, 4))]),
        (RollAgain(), (1, 3, 3), [((1,), ()), ((3,), ())]),
        (RollAgain(dice=2), (1, 3, 3), [((1, 3), ()), ((3, 3), ())]),
        (RollAgain(dice=3), (1, 3, 3), [((1, 3, 3), ())]),
    ):
        assert list(ways(effect, dice)) == found


def test_tt_7_cards_act_on_as_many_dice_as_they_say() -> None:
    tide, twins = card("Tide", ODD_PACK), card("Twins", ODD_PACK)
    play = given("Tide, Twins", pack=ODD_PACK, dice=(1, 1, 3), step=Step.ACTION)
    assert play.legal(0, Use) == (Use(tide, (1, 1, 3), (2, 2, 4)), Use(twins, (1, 1), ()), Use(twins, (1, 3), ()))
    play.move(0, Use(tide, (1, 1, 3), (2, 2, 4)))
    assert play.table.dice == (2, 2, 4)
    play.move(0, Use(twins, (2, 4), ()))
    told = play.one(events.CardUsed)
    assert told.dice == tuple(sorted((2, *told.to)))
    assert play.move(0, KeepDice()).table.stage.action is Action.C


def test_tt_1_a_pack_with_which_there_would_be_too_many_moves_to_list_is_refused() -> None:
    """Ten cards of level 2 each of which turns a die to any face."""
    house = HOUSE.decode()
    kind = 'ja = "x"\nlevel = 2\ncopies = 1\neffect = { does = "turn", to = [1, 2, 3, 4, 5, 6] }\n'
    cards = "".join(f'[[cards]]\nname = "Any {number}"\n{kind}' for number in range(10))
    text = house[: house.index('[[cards]]\nname = "Any face"')] + cards
    with pytest.raises(PackError) as refused:
        GAME.parse_pack(text.encode(), "own.toml")
    assert (refused.value.entry, refused.value.field) == ("", "cards")


def test_what_a_card_does_is_drawn_as_a_sign() -> None:
    for effect, drawn in each(
        (Shift(by=(1,)), "+1"),
        (Shift(by=(-1,), dice="all"), "-1×3"),
        (Shift(by=(2, -2)), "±2"),
        (Shift(by=(-2, 1, 5), dice="all"), "±×3"),
        (Shift(by=(1, -2)), "±"),
        (Turn(to=(1, 3, 6)), "→1/3/6"),
        (Turn(to=(1, 2, 3, 4)), "→?"),
        (Copy(), "="),
        (Flip(), "⇅"),
        (Flip(dice="all"), "⇅×3"),
        (RollAgain(), "↻"),
        (RollAgain(dice=2), "↻×2"),
    ):
        assert label(effect) == drawn


def dealt(seats: int, *rolls: int) -> Play:
    """A match that was dealt: decks lie as they come out of the box, dice fall as told."""
    table = new(seats)
    decks = (table.stones, *(deck.cards for deck in table.decks))
    chance = Scripted(*decks, *(face - 1 for face in rolls))
    play = Play(table).fold(*GAME.setup(table, chance))
    assert chance.is_spent
    return play


def test_tt_1_there_are_three_shuffled_decks_and_three_open_dice() -> None:
    play = dealt(2, 1, 6, 4, 2, 4)
    assert len(play.one(events.StonesShuffled).stones) == 5
    assert [(told.level, len(told.cards)) for told in play.of(events.CardsShuffled)] == [(1, 10), (2, 10)]
    assert play.table.dice == (2, 4, 4)
    assert Counter(names(play.table.decks[0].cards)) == {"+1": 4, "-1": 4, "Re-roll": 2}


def test_tt_2_a_hand_holds_three_cards_and_of_four_players_two() -> None:
    for seats, limit in each((2, 3), (3, 3), (4, 2)):
        assert new(seats).terms.limit == limit
        play = after(", ".join(["+1"] * limit), seats=seats, dice=(2, 2, 5)).move(0, DrawCard(1))
        assert (play.of(events.CardDrawn), play.legal(0)) == ((), (Discard(card("+1")),))
        play.move(0, Discard(card("+1")))
        assert (play.one(events.CardDrawn).level, len(play.hand(0))) == (1, limit)
        assert names(play.table.decks[0].discards) == ["+1"]
    play = after("+1, Flip", dice=(2, 2, 5)).move(0, DrawCard(1))
    assert (play.one(events.CardDrawn).card, len(play.hand(0))) == (card("+1"), 3), "with room nothing is discarded"


def test_tt_2_stones_and_magic_cards_count_together_and_stones_are_never_discarded() -> None:
    play = after("+1, Flip", stones=((2,),), action=Action.B, deck=(1, 2, 2, 3)).move(0, DrawStone())
    assert (play.of(events.StoneDrawn), play.legal(0)) == ((), (Discard(card("+1")), Discard(card("Flip"))))
    assert play.move(0, Discard(card("Flip"))).one(events.StoneDrawn) == events.StoneDrawn(0, 1)
    assert play.place(0).stones == (2, 1)


def test_tt_3_who_holds_as_many_stones_as_a_hand_leaves_the_first_exam() -> None:
    play = after("", "Copy", seats=4, stones=((), (2,)), stocks=("", "+1"), deck=(3, 2, 2, 1), seat=1)
    play.move(1, DrawStone()).move(1, Discard(card("Copy")))
    assert play.one(events.ExamLeft).seat == 1
    assert play.of(events.RestTaken) == ()
    assert play.place(1).stock == play.place(1).hand == ((), ())
    assert Counter(names(play.table.decks[0].cards))["+1"] == 4
    assert play.one(events.RoundBegan).start == 2
    play.fold(*GAME.decide(play.table, 2, LeaveDice(), Simulation(1)))
    for seat in (3, 0):
        assert GAME.to_act(play.table) == (seat,)
        play.fold(events.TurnBegan(seat, 9))
        play.move(seat, GAME.default(play.table, seat)).move(seat, LeaveDice())
    assert GAME.to_act(play.table) == (2,)


def test_tt_3_of_two_players_the_other_one_gets_the_stones_that_are_left_if_any() -> None:
    for other, deck, rest in each(((), (3, 2, 1), (events.RestTaken(0, (2, 1)),)), ((2, 1), (3,), ())):
        play = after(seats=2, stones=(other, (2, 2)), seat=1, deck=deck).move(1, DrawStone(), chance=Simulation(3))
        assert (play.one(events.ExamLeft).seat, play.of(events.RestTaken)) == (1, rest)
        assert GAME.standing(play.table).over


def test_tt_5_later_whoever_drew_the_stone_starts_or_the_next_one_still_in_the_exam() -> None:
    play = after(seat=2).move(2, DrawStone())
    assert play.one(events.RoundEnded) == events.RoundEnded(1, (2,), ())
    assert play.one(events.RoundBegan) == events.RoundBegan(2, 2)
    assert play.one(events.DiceRolled).seat == 2
    play = after(seats=4, stones=((1,), (2, 2))).fold(events.ExamLeft(1)).move(0, DrawStone())
    assert play.one(events.RoundBegan).start == 2


def test_tt_4_the_back_of_an_unknown_card_stays_known() -> None:
    play = given(dice=(1, 2, 3), seat=1, step=Step.AFTER, action=Action.C)
    shuffled = events.CardsShuffled(2, play.table.decks[1].cards)
    seen: Table = GAME.evolve(play.table, redact(shuffled, 0))
    for event in GAME.decide(play.table, 1, DrawCard(2), Simulation(1)):
        seen = GAME.evolve(seen, redact(event, 0))
    assert seen.places[1].hand == ((), (None,))


def test_tt_5_the_lowest_roll_starts_and_only_those_tied_lowest_roll_again() -> None:
    play = dealt(4, 3, 2, 5, 2, 6, 4, 1, 1, 1)
    assert play.of(events.StartRolled) == (
        events.StartRolled((0, 1, 2, 3), (3, 2, 5, 2)),
        events.StartRolled((1, 3), (6, 4)),
    )
    assert play.one(events.RoundBegan) == events.RoundBegan(1, 3)
    assert play.one(events.TurnBegan) == events.TurnBegan(3, 1)


def test_tt_1_a_step_or_face_that_a_pack_prints_twice_or_that_changes_nothing_is_said_once_or_not() -> None:
    for effect, said, ja, sign in each(
        (Turn((1,) * 6), "One die is turned to 1.", "ダイス1個を1にする。", "→1"),
        (
            Turn((2, 5, 2)),
            "One die is turned to 2 or 5, as you choose.",
            "ダイス1個を2か5のうち選んだ目にする。",
            "→2/5",
        ),
        (Turn((6, 5, 4, 3, 2, 1)), "One die is turned to any face.", "ダイス1個を好きな目にする。", "→?"),
        (Shift((0, 1)), "One die shows 1 more.", "ダイス1個の目を1増やす。", "+1"),
        (Shift((1, 1, -1, 0)), "One die shows 1 more or 1 less.", "ダイス1個の目を1増やすか1減らす。", "±1"),
    ):
        assert (effect_text(effect, WORDS["en"]), effect_text(effect, WORDS["ja"]), label(effect)) == (said, ja, sign)


def test_tt_1_a_pack_says_what_each_of_its_cards_does() -> None:
    for lang, said in each(
        (
            "en",
            [
                "3 dice are rolled again.",
                "Each die shows 2 less or 1 more or 5 more.",
                "Each die is turned over: 7 less its face.",
                "One die is turned to 1 or 6, as you choose.",
                "2 dice are rolled again.",
            ],
        ),
        (
            "ja",
            [
                "ダイス3個を振り直す。",
                "すべてのダイスの目を2減らすか1増やすか5増やす。",
                "すべてのダイスを裏返し、7から目を引いた数にする。",
                "ダイス1個を1か6のうち選んだ目にする。",
                "ダイス2個を振り直す。",
            ],
        ),
    ):
        lines = cards(ODD_PACK, lang).splitlines()
        assert [line.split(" | ")[-1].removesuffix(" |") for line in lines[-len(said) :]] == said
