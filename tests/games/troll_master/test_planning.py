"""Planning and the reveal: TM-10 to TM-19."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.game import Refusal, fold
from domain.games.troll_master import GAME, events
from domain.games.troll_master.moves import Discard, Done, Pass, Reveal
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
    seen_by,
    use,
    with_fairy,
    with_pawns,
)
from tests.rows import each


def test_tm_10_turns_go_clockwise_from_the_brooms_holder_and_a_revealed_card_lies_open() -> None:
    play = planning("TFT", "FFF", "WWW", start=1, open="C")
    for seat, letter, action in [(1, "F", 1), (2, "W", 3), (0, "T", 2), (1, "F", 4), (2, "W", 7)]:
        assert GAME.to_act(play.table) == (seat,)
        play.move(seat, reveal(letter, action))
        assert play.told == (events.CardRevealed(seat, magics(letter)[0], action), events.TurnCame((seat + 1) % 3))
        assert play.place(seat).pawn == action
    assert (play.place(0).hand, play.table.cards.open) == (magics("FT"), magics("CFWTFW"))
    assert refused(play.table, 1, Pass()) == ("TM-10", "not-your-turn")


def test_tm_11_tome_is_summon_flask_brew_wand_attack() -> None:
    row = {action.number: action.icon for action in GAME.view(planning("T", "F", "W").table, None).row}
    for letter, icon in (("T", TOME), ("F", FLASK), ("W", WAND)):
        play = planning(letter, "FF", "WW")
        assert {move.action for move in play.legal(0) if isinstance(move, Reveal)} == {
            number for number, found in row.items() if found is icon
        }
    assert refused(planning("T", "F", "W").table, 0, reveal("T", 1)) == ("TM-11", "wrong-icon")


def test_tm_11_a_crystal_allows_any_of_the_14_actions_and_divination_takes_nothing_else() -> None:
    play = planning("CCC", "FF", "WW")
    assert play.legal(0) == tuple(Reveal(CRYSTAL, action) for action in range(1, 15))
    for action in (0, 15, -1):
        assert refused(play.table, 0, reveal("C", action)) == ("TM-11", "no-such-action")
    for letter in "TFW":
        assert refused(planning(letter, "F", "W").table, 0, reveal(letter, 6)) == ("TM-11", "crystal-only")


def test_tm_12_tm_13_the_first_placement_is_on_any_free_action_and_every_later_one_goes_right() -> None:
    play = planning("FFF", "FTT", "WWW").move(0, reveal("F", 8))
    assert reveal("F", 8) not in play.legal(1)
    assert refused(play.table, 1, reveal("F", 8)) == ("TM-13", "occupied")
    play.move(1, reveal("T", 2)).move(2, reveal("W", 3))
    assert play.legal(0) == (reveal("F", 12), Pass())
    for action in (4, 8):
        assert refused(play.table, 0, reveal("F", action)) == ("TM-12", "not-right")


def test_tm_14_who_has_not_placed_the_pawn_cannot_pass_and_who_holds_no_card_cannot_reveal() -> None:
    play = planning("F", "TTT", "WWW")
    assert Pass() not in play.legal(0)
    assert refused(play.table, 0, Pass()) == ("TM-14", "not-placed")
    play.move(0, reveal("F", 1))
    table = replace(play.table, stage=replace(play.table.stage, seat=0))
    assert refused(table, 0, reveal("F", 4)) == ("TM-14", "no-such-card")
    assert GAME.legal(table, 0) == (Pass(),)


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


def stuck() -> Play:
    """Seat 0 is about to take the last attack, and seat 1 has nothing but wands."""
    return with_pawns(planning("CC", "WW", "TT", "FF"), 0, 0, 3, 7)


OUT = events.WentOut(1, (TOME, FLASK, CRYSTAL))


def test_tm_16_a_hand_that_allows_no_placement_is_out_at_once_for_two_mana_and_stays_secret_until_the_reveal() -> None:
    play = stuck()
    hidden = seen_by(play.table, None)
    play.move(0, Reveal(CRYSTAL, 10))
    assert play.told == (events.CardRevealed(0, CRYSTAL, 10), OUT, events.TurnCame(2))
    assert play.forced == []
    out = play.place(1)
    assert (out.is_out, out.has_passed, out.hand) == (True, True, magics("WW")), "planning goes on without it"
    seen = fold(GAME, hidden, tuple(redact(event, 3) for event in play.told))
    assert seen.places[1].hand == (None, None)
    assert refused(play.table, 1, Pass()) == ("TM-10", "not-your-turn")
    play.move(2, Pass()).move(3, Pass()).move(0, Pass())
    assert play.one(events.OutPaid) == events.OutPaid(1, 2)
    assert (play.place(1).mana, play.place(1).pawn) == (out.mana + 2, 0)
    assert play.one(events.BroomTaken).seat == 0
    assert events.HandRevealed(1, magics("WW")) in play.of(events.HandRevealed)


def test_tm_16_who_can_pay_for_a_planning_ability_is_asked_and_out_if_it_does_not_help() -> None:
    play = with_fairy(stuck(), 1, 1).move(0, Reveal(CRYSTAL, 10))
    assert play.told[-1] == events.TurnCame(1)
    assert play.legal(1) == (use("Mischievous Fairy"), Pass())
    assert play.move(1, Pass()).told == (OUT, events.TurnCame(2))
    for deck, is_out in each(("WT", True), ("FT", False)):
        play = with_fairy(stuck(), 1, 1)
        play.with_table(cards=replace(play.table.cards, deck=magics(deck)))
        play.move(0, Reveal(CRYSTAL, 10)).move(1, use("Mischievous Fairy")).move(1, Discard(WAND))
        assert play.told[-2:] == (
            (OUT, events.TurnCame(2)) if is_out else (events.CardDiscarded(1, WAND), events.TurnCame(1))
        )
    assert reveal("F", 1) in play.legal(1)
    assert refused(play.table, 1, Pass()) == ("TM-14", "not-placed")


def test_tm_16_the_last_to_be_out_ends_planning() -> None:
    play = stuck().with_place(2, has_passed=True).with_place(3, has_passed=True)
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


def placed(hand: str, action: int, charges: int | None = None) -> Play:
    """Seat 0's second turn, with a Fairy if charges are named; all have placed their pawns."""
    play = planning(hand, "TTT", "WWW")
    if charges is not None:
        with_fairy(play, 0, charges)
    return play.move(0, reveal("F", action)).move(1, reveal("T", 2)).move(2, reveal("W", 3))


def test_tm_17_tm_18_a_player_with_cards_or_with_an_ability_to_pay_for_is_asked_and_others_pass_by_themselves() -> None:
    play = placed("FFF", 12)
    assert (play.legal(0), play.forced, GAME.to_act(play.table)) == ((Pass(),), [], (0,))
    play = placed("F", 1)
    assert (play.forced, GAME.to_act(play.table)) == ([(0, Pass())], (1,))
    play = placed("F", 1, charges=1)
    assert (play.legal(0), play.forced) == ((use("Mischievous Fairy"), Pass()), [])
    play.move(0, use("Mischievous Fairy"))
    # the only card in hand is the only one to discard, as all can tell; and then nothing is left but to pass
    assert [type(move) for _, move in play.forced] == [Discard, Pass]
    assert play.place(0).hand == ()
    play = placed("FFF", 1, charges=2).move(0, Pass())
    assert refused(play.table, 0, use("Mischievous Fairy")) == ("TM-10", "not-your-turn")


def test_tm_18_nothing_is_forced_that_a_spectator_could_not_tell() -> None:
    play = planning("FFF", "TTT", "WWW")
    hidden = seen_by(play.table, None)
    assert (GAME.forced(hidden), GAME.legal(hidden, 0)) == (None, ())
    drawn = replace(hidden, stage=replace(hidden.stage, step=Step.DISCARD))
    assert GAME.forced(drawn) is None
    single = tuple(replace(place, hand=(None,)) for place in hidden.places)
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


def test_tm_14_who_has_not_placed_the_pawn_is_not_told_of_a_pass() -> None:
    play = planning("TFW", "FFF", "WWW")
    with pytest.raises(Refusal) as caught:
        GAME.decide(play.table, 0, Done(), play.chance)
    assert "pass" not in GAME.explain(caught.value, "en")
