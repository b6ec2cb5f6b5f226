"""Planning and the reveal: TM-10 to TM-19."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.game import fold
from domain.games.troll_master import GAME, events
from domain.games.troll_master.moves import Act, Discard, Done, Pass, Reveal, Use
from domain.games.troll_master.state import Step
from domain.secrecy import redact
from tests.games.troll_master.table import (
    CRYSTAL,
    FLASK,
    ODD_PACK,
    TOME,
    WAND,
    Play,
    magics,
    planning,
    refused,
    reveal,
    use,
    with_fairy,
    with_pawns,
)


def test_tm_10_turns_go_clockwise_from_the_brooms_holder() -> None:
    play = planning("TTT", "FFF", "WWW", start=1)
    for seat, letter, action in [(1, "F", 1), (2, "W", 3), (0, "T", 2), (1, "F", 4), (2, "W", 7)]:
        assert GAME.to_act(play.table) == (seat,)
        play.move(seat, reveal(letter, action))
        assert play.told == (events.CardRevealed(seat, magics(letter)[0], action), events.TurnCame((seat + 1) % 3))
        assert play.place(seat).pawn == action
    assert refused(play.table, 1, Pass()) == ("TM-10", "not-your-turn")


def test_tm_10_a_revealed_card_lies_open_and_has_left_the_hand() -> None:
    play = planning("TFT", "FFF", "WWW", open="C")
    play.move(0, reveal("T", 2))
    assert play.place(0).hand == magics("FT")
    assert play.table.cards.open == magics("CT")


def test_tm_11_tome_is_summon_flask_brew_wand_attack() -> None:
    row = {action.number: action.icon for action in GAME.view(planning("T", "F", "W").table, None).row}
    for letter, icon in (("T", TOME), ("F", FLASK), ("W", WAND)):
        play = planning(letter, "FF", "WW")
        assert {move.action for move in play.legal(0) if isinstance(move, Reveal)} == {
            number for number, found in row.items() if found is icon
        }
    assert refused(planning("T", "F", "W").table, 0, reveal("T", 1)) == ("TM-11", "wrong-icon")


def test_tm_11_a_crystal_allows_any_action_and_divination_takes_nothing_else() -> None:
    play = planning("CCC", "FF", "WW")
    assert play.legal(0) == tuple(Reveal(CRYSTAL, action) for action in range(1, 15))
    for letter in "TFW":
        assert refused(planning(letter, "F", "W").table, 0, reveal(letter, 6)) == ("TM-11", "crystal-only")


@pytest.mark.parametrize("action", [0, 15, -1])
def test_tm_11_there_are_14_actions(action: int) -> None:
    assert refused(planning("CT", "FF", "WW").table, 0, reveal("C", action)) == ("TM-11", "no-such-action")


def test_tm_12_the_first_placement_is_free_and_every_later_one_goes_right() -> None:
    play = planning("FFF", "TTT", "WWW")
    play.move(0, reveal("F", 8)).move(1, reveal("T", 2)).move(2, reveal("W", 3))
    assert play.legal(0) == (reveal("F", 12), Pass())
    assert refused(play.table, 0, reveal("F", 4)) == ("TM-12", "not-right")
    assert refused(play.table, 0, reveal("F", 8)) == ("TM-12", "not-right")


def test_tm_13_an_action_with_another_pawn_cannot_be_chosen() -> None:
    play = planning("FFF", "FFF", "WWW").move(0, reveal("F", 8))
    assert reveal("F", 8) not in play.legal(1)
    assert refused(play.table, 1, reveal("F", 8)) == ("TM-13", "occupied")


def test_tm_14_who_holds_no_card_cannot_reveal() -> None:
    play = planning("F", "TTT", "WWW").move(0, reveal("F", 1))
    table = replace(play.table, stage=replace(play.table.stage, seat=0))
    assert refused(table, 0, reveal("F", 4)) == ("TM-14", "no-such-card")
    assert GAME.legal(table, 0) == (Pass(),)


def test_tm_14_who_has_not_placed_the_pawn_cannot_pass() -> None:
    play = planning("F", "T", "W")
    assert Pass() not in play.legal(0)
    assert refused(play.table, 0, Pass()) == ("TM-14", "not-placed")


def test_tm_14_who_has_passed_is_skipped() -> None:
    play = planning("FFF", "TTT", "WWW")
    play.move(0, reveal("F", 1)).move(1, reveal("T", 2)).move(2, reveal("W", 3))
    play.move(0, Pass())
    assert play.told == (events.PlanningPassed(0), events.TurnCame(1))
    play.move(1, reveal("T", 5)).move(2, reveal("W", 7))
    assert play.told[-1] == events.TurnCame(1)
    play.move(1, Pass())
    assert play.told[-1] == events.TurnCame(2)
    play.move(2, reveal("W", 10))
    assert play.one(events.CardRevealed) == events.CardRevealed(2, WAND, 10)
    assert play.of(events.TurnCame) == (events.TurnCame(2),)


def test_tm_15_the_rightmost_takes_the_broom_when_all_have_passed() -> None:
    play = planning("FFF", "TTT", "WWW")
    play.move(0, reveal("F", 1)).move(1, reveal("T", 13)).move(2, reveal("W", 10))
    play.move(0, Pass()).move(1, Pass())
    assert play.table.broom == 0
    play.move(2, Pass())
    assert play.one(events.BroomTaken) == events.BroomTaken(1)
    assert play.table.broom == 1
    assert play.table.start == 0


def test_tm_15_the_broom_stays_if_nobody_placed_a_pawn() -> None:
    table = planning("FF", "FF", "WF", "WW", "WW", pack=ODD_PACK).table
    # a row of divinations alone, so that these hands place nothing
    printed = table.terms.printed
    reveals = tuple((magic, moves if magic is CRYSTAL else ()) for magic, moves in printed.reveals)
    places = tuple(replace(place, familiars=()) for place in table.places)
    terms = replace(table.terms, printed=replace(printed, reveals=reveals))
    play = Play(replace(table, places=places, terms=terms))
    # the start player is asked here though stuck, as if an ability had just been used up
    play.move(0, Pass())
    assert [event.seat for event in play.of(events.WentOut)] == [0, 1, 2, 3, 4]
    assert [event.mana for event in play.of(events.OutPaid)] == [2, 2, 2, 2, 2]
    assert play.of(events.BroomTaken) == ()
    assert play.table.round == 2
    assert play.table.start == play.table.broom == 0


def test_tm_16_a_hand_that_allows_no_placement_is_out_at_once() -> None:
    play = with_pawns(planning("CC", "WW", "TT", "FF"), 0, 0, 3, 7)
    play.move(0, Reveal(CRYSTAL, 10))
    assert play.told == (
        events.CardRevealed(0, CRYSTAL, 10),
        events.WentOut(1, (TOME, FLASK, CRYSTAL)),
        events.TurnCame(2),
    )
    assert play.forced == []
    out = play.place(1)
    assert out.is_out
    assert out.has_passed, "planning goes on without it, also when only one is left"
    assert out.hand == magics("WW")
    assert refused(play.table, 1, Pass()) == ("TM-10", "not-your-turn")


def test_tm_16_who_is_out_gets_two_mana_never_the_broom_and_does_no_action() -> None:
    play = with_pawns(planning("CC", "WW", "TT", "FF"), 0, 0, 3, 7)
    play.move(0, Reveal(CRYSTAL, 10))
    before = play.place(1).mana
    play.move(2, Pass()).move(3, Pass()).move(0, Pass())
    assert play.one(events.OutPaid) == events.OutPaid(1, 2)
    assert play.place(1).mana == before + 2
    assert play.one(events.BroomTaken).seat == 0
    assert events.HandRevealed(1, magics("WW")) in play.told
    assert play.place(1).pawn == 0


def test_tm_16_the_hand_of_who_is_out_stays_secret_until_the_reveal() -> None:
    play = with_pawns(planning("CC", "WW", "TT", "FF"), 0, 0, 3, 7)
    before = play.table
    play.move(0, Reveal(CRYSTAL, 10))
    hidden = replace(before, places=tuple(replace(p, hand=(None, None)) for p in before.places))
    seen = fold(GAME, hidden, tuple(redact(event, 3) for event in play.told))
    assert seen.places[1].hand == (None, None)


def test_tm_16_who_can_pay_for_a_planning_ability_is_asked_and_may_be_out() -> None:
    play = with_fairy(with_pawns(planning("CC", "WW", "TT", "FF"), 0, 0, 3, 7), 1, 1)
    play.move(0, Reveal(CRYSTAL, 10))
    assert play.told[-1] == events.TurnCame(1)
    assert play.legal(1) == (use("Mischievous Fairy"), Pass())
    play.move(1, Pass())
    assert play.told == (events.WentOut(1, (TOME, FLASK, CRYSTAL)), events.TurnCame(2))


def test_tm_16_an_ability_that_helps_leads_to_a_placement() -> None:
    play = with_fairy(with_pawns(planning("CC", "WW", "TT", "FF"), 0, 0, 3, 7), 1, 1)
    play.table = replace(play.table, cards=replace(play.table.cards, deck=magics("FT")))
    play.move(0, Reveal(CRYSTAL, 10)).move(1, use("Mischievous Fairy")).move(1, Discard(WAND))
    assert play.told[-1] == events.TurnCame(1)
    assert reveal("F", 1) in play.legal(1)
    assert refused(play.table, 1, Pass()) == ("TM-14", "not-placed")


def test_tm_16_an_ability_that_does_not_help_and_was_the_last_leaves_the_seat_out() -> None:
    play = with_fairy(with_pawns(planning("CC", "WW", "TT", "FF"), 0, 0, 3, 7), 1, 1)
    play.table = replace(play.table, cards=replace(play.table.cards, deck=magics("WT")))
    play.move(0, Reveal(CRYSTAL, 10)).move(1, use("Mischievous Fairy")).move(1, Discard(WAND))
    assert play.told[-2:] == (events.WentOut(1, (TOME, FLASK, CRYSTAL)), events.TurnCame(2))


def test_tm_16_the_last_to_be_out_ends_planning() -> None:
    play = with_pawns(planning("CC", "WW", "TT", "FF"), 0, 0, 3, 7)
    places = tuple(replace(place, has_passed=seat in (2, 3)) for seat, place in enumerate(play.table.places))
    play.table = replace(play.table, places=places)
    play.move(0, Reveal(CRYSTAL, 10)).move(0, Pass())
    assert play.of(events.OutPaid) == (events.OutPaid(1, 2),)
    assert play.one(events.ActionReached).seat == 0


def test_tm_17_planning_abilities_are_used_on_ones_turn_and_do_not_end_it() -> None:
    play = with_fairy(planning("TFW", "FFF", "WWW"), 0, 2)
    fairy = use("Mischievous Fairy")
    assert fairy in play.legal(0)
    play.move(0, fairy).move(0, Discard(TOME))
    assert play.told[-1] == events.TurnCame(0)
    assert play.owned(0, "Mischievous Fairy").charges == 1
    play.move(0, fairy).move(0, Discard(FLASK))
    assert fairy not in play.legal(0)
    assert refused(play.table, 0, fairy) == ("TM-36", "cannot-pay")
    assert len(play.place(0).hand) == 3


def test_tm_17_who_has_passed_cannot_use_them() -> None:
    play = with_fairy(planning("FFF", "TTT", "WWW"), 0, 2)
    play.move(0, reveal("F", 1)).move(1, reveal("T", 2)).move(2, reveal("W", 3)).move(0, Pass())
    assert refused(play.table, 0, use("Mischievous Fairy")) == ("TM-10", "not-your-turn")


def test_tm_18_a_player_with_cards_is_asked_even_if_only_the_pass_is_legal() -> None:
    play = planning("FFF", "TTT", "WWW")
    play.move(0, reveal("F", 12)).move(1, reveal("T", 2)).move(2, reveal("W", 3))
    assert play.legal(0) == (Pass(),)
    assert play.forced == []
    assert GAME.to_act(play.table) == (0,)


def test_tm_18_an_empty_hand_a_placed_pawn_and_nothing_to_pay_for_pass_by_themselves() -> None:
    play = planning("F", "TTT", "WWW")
    play.move(0, reveal("F", 1)).move(1, reveal("T", 2)).move(2, reveal("W", 3))
    assert play.forced == [(0, Pass())]
    assert GAME.to_act(play.table) == (1,)


def test_tm_18_an_empty_hand_with_an_ability_to_pay_for_is_asked() -> None:
    play = with_fairy(planning("F", "TTT", "WWW"), 0, 1)
    play.move(0, reveal("F", 1)).move(1, reveal("T", 2)).move(2, reveal("W", 3))
    assert play.forced == []
    assert play.legal(0) == (use("Mischievous Fairy"), Pass())
    play.move(0, use("Mischievous Fairy"))
    # the only card in hand is the only one to discard, as all can tell; and then nothing is left but to pass
    assert [type(move) for _, move in play.forced] == [Discard, Pass]
    assert play.place(0).hand == ()


def test_tm_18_nothing_is_forced_that_a_spectator_could_not_tell() -> None:
    play = planning("FFF", "TTT", "WWW")
    hidden = tuple(replace(place, hand=(None,) * len(place.hand)) for place in play.table.places)
    assert GAME.forced(replace(play.table, places=hidden)) is None
    assert GAME.legal(replace(play.table, places=hidden), 0) == ()
    drawn = replace(play.table, places=hidden, stage=replace(play.table.stage, step=Step.DISCARD))
    assert GAME.forced(drawn) is None
    single = tuple(replace(place, hand=(None,)) for place in hidden)
    assert GAME.forced(replace(drawn, places=single)) is None, "forced, but unknown what"


def test_tm_19_all_hands_are_revealed_and_count_for_everybody() -> None:
    play = planning("FFF", "TTT", "WWW", start=1, open="C")
    play.move(1, reveal("T", 2)).move(2, reveal("W", 3)).move(0, reveal("F", 1))
    play.move(1, Pass()).move(2, Pass()).move(0, Pass())
    assert play.of(events.HandRevealed) == (
        events.HandRevealed(1, magics("TT")),
        events.HandRevealed(2, magics("WW")),
        events.HandRevealed(0, magics("FF")),
    )
    assert play.table.cards.open == magics("CTWFTTWWFF")
    assert all(place.hand == () for place in play.table.places)


def test_tm_19_an_empty_hand_is_not_revealed() -> None:
    play = planning("F", "TT", "WW", "CC")
    play.move(0, reveal("F", 1)).move(1, reveal("T", 2)).move(2, reveal("W", 3)).move(3, reveal("C", 14))
    play.move(1, Pass()).move(2, Pass()).move(3, Pass())
    assert [event.seat for event in play.of(events.HandRevealed)] == [1, 2, 3]


def test_tm_10_moves_of_other_phases_are_refused() -> None:
    table = planning("F", "T", "W").table
    for move in (Act(), Done(), Discard(FLASK)):
        assert refused(table, 0, move) == ("TM-10", "wrong-step")
    assert isinstance(use("Mischievous Fairy"), Use)
    assert refused(table, 0, use("Mischievous Fairy")) == ("TM-36", "no-such-familiar")
