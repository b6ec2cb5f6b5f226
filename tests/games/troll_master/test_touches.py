"""By which touches a hand makes a move, and what it is told of those that begin none."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain import refusals
from domain.chance import Scripted
from domain.game import Refusal, Seat
from domain.games.troll_master import GAME, moves
from domain.games.troll_master.components import Magic
from domain.games.troll_master.moves import TrollMasterMove
from domain.games.troll_master.state import Step, Table
from tests.games.troll_master.scenes import piece, scene
from tests.games.troll_master.table import (
    ODD_PACK,
    Play,
    acting,
    at,
    named,
    opened,
    planning,
    reveal,
    seat_with,
    use,
)


def paths(play: Play, seat: Seat) -> dict[TrollMasterMove, tuple[str, ...]]:
    """Every legal move of the seat with its touches."""
    return {move: GAME.touches(play.table, seat, move) for move in play.legal(seat)}


def why_not(table: Table, seat: Seat, touched: str) -> str:
    """What the first move says that may have been meant by a touch."""
    move = GAME.meant(table, seat, touched)[0]
    assert move not in GAME.legal(table, seat)
    try:
        GAME.decide(table, seat, move, Scripted())
    except Refusal as refusal:
        return refusals.say(GAME, refusal, "en")
    raise AssertionError(f"{move} was accepted")


def test_tm_10_a_card_is_revealed_by_touching_it_and_then_the_action() -> None:
    play = planning("TFT", "FF", "WW")
    assert paths(play, 0)[reveal("T", 2)] == ("seat.0/hand/tome", "row/2")
    assert paths(play, 0)[reveal("F", 12)] == ("seat.0/hand/flask", "row/12")
    play.move(0, reveal("T", 2)).move(1, reveal("F", 4)).move(2, reveal("W", 3))
    assert paths(play, 0)[moves.Pass()] == ("do/pass",)


def test_tm_8_the_broom_is_said_and_a_discard_touched() -> None:
    play = Play(opened())
    seat = play.table.broom
    assert [*paths(play, seat).values()] == [("do/draw",), ("do/pass",)]
    play.move(seat, moves.Draw())
    assert paths(play, seat) == {
        move: (f"seat.{seat}/hand/{move.card.value}",) for move in play.legal(seat) if isinstance(move, moves.Discard)
    }
    assert GAME.meant(play.table, seat, "deck/back") == (moves.Draw(),)


def test_tm_20_an_action_is_done_or_passed_by_buttons() -> None:
    play = acting(at(12, mana=4), at(3), at(0), open="FFFFTTWWCC")
    assert paths(play, 0) == {moves.Act(): ("do/act",), moves.Pass(): ("do/pass",)}


def test_tm_25_a_familiar_is_touched_first_then_its_place_or_whom_it_covers() -> None:
    play = acting(at(13, "Black Cat", mana=9), at(0), at(0), open="TTTTTTCFFF", supply=("Gnome", "Griffin"))
    play.move(0, moves.Act())
    assert paths(play, 0) == {
        moves.Summon(named("Gnome")): ("supply/gnome", "seat.0/place"),
        moves.Train(named("Black Cat"), named("Gnome")): ("supply/gnome", "seat.0/familiars/black-cat"),
        moves.Summon(named("Griffin")): ("supply/griffin", "seat.0/place"),
        moves.Train(named("Black Cat"), named("Griffin")): ("supply/griffin", "seat.0/familiars/black-cat"),
        moves.Done(): ("do/done",),
    }
    assert piece(scene(play.table), "seat.0/place").kind == "space"


def test_tm_26_mana_is_touched_first_then_the_familiar_that_it_charges() -> None:
    play = acting(at(8, "Mandrake", ("Automaton", 1), mana=1), at(0), at(0), open="FFFFFTTTTT")
    play.move(0, moves.Act())
    assert paths(play, 0) == {
        moves.Charge(named("Mandrake")): ("seat.0/mana", "seat.0/familiars/mandrake"),
        moves.Charge(named("Automaton")): ("seat.0/mana", "seat.0/familiars/automaton"),
        moves.Done(): ("do/done",),
    }


def test_tm_27_attack_and_defence_are_said_and_abilities_touched_on_their_cards() -> None:
    play = acting(at(10, ("Salamander", 1)), at(0, ("Gargoyle", 2)), at(0), open="WWWWWWTTFF").move(0, moves.Act())
    assert paths(play, 0) == {
        use("Salamander"): ("seat.0/familiars/salamander",),
        moves.Attack(): ("do/attack",),
    }
    play.move(0, moves.Attack())
    assert paths(play, 1) == {use("Gargoyle"): ("seat.1/familiars/gargoyle",), moves.Answer(): ("do/answer",)}


def test_tm_36_of_several_abilities_on_a_card_one_is_said() -> None:
    play = acting(at(2, "Toaster"), at(0, ("Doormat", 1)), at(0), open="WFFFFTTTTT", pack=ODD_PACK)
    play.move(0, moves.Act())
    assert paths(play, 1) == {
        use("Doormat", 0, ODD_PACK): ("seat.1/familiars/doormat", "do/use/doormat/0"),
        use("Doormat", 3, ODD_PACK): ("seat.1/familiars/doormat", "do/use/doormat/2"),
        moves.Answer(): ("do/answer",),
    }
    assert GAME.meant(play.table, 1, "do/use/doormat/1") == (use("Doormat", 2, ODD_PACK),)
    assert why_not(play.table, 1, "do/use/doormat/1") == "That ability costs 2 charges, and Doormat has 1 charge."


def test_tm_48_a_chain_of_another_action_is_not_counted_among_a_cards_abilities() -> None:
    play = acting(at(7, ("Umbrella Stand", 1)), at(0), at(0), open="TTTTTTFFFF", pack=ODD_PACK).move(0, moves.Act())
    assert play.table.stage.step is Step.CHAIN
    assert paths(play, 0)[use("Umbrella Stand", 2, ODD_PACK)] == ("seat.0/familiars/umbrella-stand",)


def test_tm_17_one_of_two_planning_abilities_on_a_card_is_said() -> None:
    play = planning("T", "F", "W", pack=ODD_PACK)
    stand = seat_with(play.table, ("Umbrella Stand", 9))
    places = (replace(play.table.places[0], familiars=stand.familiars), *play.table.places[1:])
    touched = paths(Play(replace(play.table, places=places)), 0)
    assert touched[use("Umbrella Stand", 0, ODD_PACK)] == ("seat.0/familiars/umbrella-stand", "do/use/umbrella-stand/0")
    assert touched[use("Umbrella Stand", 1, ODD_PACK)] == ("seat.0/familiars/umbrella-stand", "do/use/umbrella-stand/1")


def test_tm_43_a_chain_is_touched_on_its_card_and_then_where_it_leads() -> None:
    play = acting(at(8, ("Automaton", 1)), at(0), at(0), open="FFFFFTTTTT").move(0, moves.Act())
    play.move(0, moves.Done())
    chain = use("Automaton")
    assert paths(play, 0) == {chain: ("seat.0/familiars/automaton",), moves.Done(): ("do/done",)}
    play.move(0, chain)
    assert paths(play, 0) == {moves.ChainTo(1): ("row/1",), moves.ChainTo(4): ("row/4",)}
    assert why_not(play.table, 0, "row/5") == "Your chain leads to a free brew left of your pawn, not to action 5."


@pytest.mark.parametrize(
    ("touched", "said"),
    [
        ("row/4", "Another pawn stands on action 4."),
        ("row/4/pawn", "Another pawn stands on action 4."),
        ("row/1", "Your pawn stands on action 3 and moves right only, not to action 1."),
        ("row/6", "Action 6 takes a crystal only."),
        ("row/7", "Action 7 takes a wand or a crystal."),
        ("supply/gnome", "You are to reveal a card and move the pawn, or pass."),
        ("seat.0/familiars/black-cat", "You are to reveal a card and move the pawn, or pass."),
        ("seat.0/mana", "You are to reveal a card and move the pawn, or pass."),
        ("deck", "You are to reveal a card and move the pawn, or pass."),
        ("do/act", "You are to reveal a card and move the pawn, or pass."),
    ],
)
def test_a_touch_in_planning_that_begins_no_move_is_said_why(touched: str, said: str) -> None:
    supply = acting(at(1), at(0), at(0), supply=("Gnome",)).table.supply
    play = planning("WTF", "FF", "WW", supply=supply)
    play.move(0, reveal("W", 3)).move(1, reveal("F", 4)).move(2, reveal("W", 10))
    assert why_not(play.table, 0, touched) == said


def test_tm_14_the_pawn_at_home_is_told_to_be_placed() -> None:
    play = planning("TF", "FF", "WW")
    assert why_not(play.table, 0, "seat.0/pawn") == "Place your pawn first: only then can you pass."


def test_tm_12_a_card_that_leads_nowhere_any_more_says_so() -> None:
    play = planning("CT", "FF", "WW")
    play.move(0, reveal("C", 13)).move(1, reveal("F", 4)).move(2, reveal("W", 3))
    assert (
        why_not(play.table, 0, "seat.0/hand/tome")
        == "Your pawn stands on action 13 and moves right only, not to action 13."
    )


def test_tm_14_with_no_card_left_an_action_can_not_be_chosen() -> None:
    table = planning("T", "FF", "WW").table
    table = replace(table, places=(replace(table.places[0], hand=()), *table.places[1:]))
    assert why_not(table, 0, "row/2") == "You hold no tome."


def test_tm_22_an_action_that_can_not_be_paid_says_so() -> None:
    play = acting(at(12), at(0, mana=2), at(0), open="TTTTTTWWWW")
    unpaid = replace(play.table, stage=replace(play.table.stage, step=Step.ACT, seat=0, actor=0, action=12, price=12))
    said = "The missing cards cost 12 mana, and you have 0."
    assert why_not(unpaid, 0, "row/12") == said
    assert why_not(unpaid, 0, "do/act") == said
    assert why_not(unpaid, 0, "seat.0/pawn") == said


def test_tm_25_a_familiar_that_can_not_be_acquired_says_why() -> None:
    play = acting(at(13, "Gnome", mana=3), at(0), at(0), open="TTTTTTCFFF", supply=("Gnome", "Raven", "Griffin"))
    play.move(0, moves.Act())
    assert why_not(play.table, 0, "supply/gnome") == "You have Gnome in play already."
    assert why_not(play.table, 0, "seat.0/familiars/gnome") == "You have Gnome in play already."
    assert GAME.meant(play.table, 0, "supply/raven") == (
        moves.Summon(named("Raven")),
        moves.Train(named("Gnome"), named("Raven")),
    )


def test_tm_26_a_familiar_that_is_full_says_so() -> None:
    play = acting(at(8, ("Gargoyle", 2), "Mandrake", mana=1), at(0), at(0), open="FFFFFTTTTT").move(0, moves.Act())
    assert why_not(play.table, 0, "seat.0/familiars/gargoyle") == "Gargoyle holds 2 charges at most."
    assert why_not(play.table, 0, "seat.0/familiars/gargoyle/charges") == "Gargoyle holds 2 charges at most."


def test_tm_35_an_ability_that_is_for_another_time_says_so() -> None:
    play = acting(at(10, ("Salamander", 1), ("Gargoyle", 1)), at(0), at(0), open="WWWWWWTTFF").move(0, moves.Act())
    assert why_not(play.table, 0, "seat.0/familiars/gargoyle") == "Gargoyle has no such ability to use now."


def test_tm_8_a_card_touched_too_early_is_not_discarded_yet() -> None:
    table = opened()
    seat = table.broom
    card = table.places[seat].hand[0]
    assert isinstance(card, Magic)
    assert why_not(table, seat, f"seat.{seat}/hand/{card.value}") == "You are to use the broom or leave it."


def test_nothing_is_guessed_of_what_belongs_to_others_or_to_nobody() -> None:
    table = planning("TF", "FF", "WW").table
    for touched in ("seat.1/hand/0", "seat.1/familiars/black-cat", "seat.1/pawn", "discards", "open", "seat.0/has"):
        assert GAME.meant(table, 0, touched) == ()


def test_who_is_not_to_act_is_told_so() -> None:
    table = planning("TF", "FF", "WW").table
    assert why_not(table, 1, "seat.1/hand/flask") == "It is not your turn."
