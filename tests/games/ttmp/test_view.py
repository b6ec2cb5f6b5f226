"""What each seat is shown. Rule: TT-4, TT-16."""

from __future__ import annotations

from typing import Any

from domain.game import Spoken
from domain.games.ttmp import GAME
from domain.games.ttmp.abilities import Turn
from domain.games.ttmp.components import Action, Mode
from domain.games.ttmp.events import MatchEnded, StonesShown
from domain.games.ttmp.moves import Discard, DrawCard, DrawStone
from domain.games.ttmp.state import Step
from domain.games.ttmp.view import CardView, show_card
from tests.games.ttmp.table import card, given


def shown_as(name: str) -> CardView:
    """A card of the house as a table shows it face up."""
    return show_card(given().table.terms.printed.kinds[card(name).number])


def test_tt_4_one_sees_one_s_own_faces_and_of_others_the_backs() -> None:
    play = given("+1", "Flip, -1", stones=((2,), (1, 3)), stocks=("", "Copy, Any face"))
    own, other = GAME.view(play.table, 1).places[1], GAME.view(play.table, 0).places[1]
    assert own.stones == (1, 3)
    assert own.hand == ((shown_as("-1"),), (shown_as("Flip"),))
    assert [place.seat for place in GAME.view(play.table, 1).places] == [0, 1, 2]
    assert other.stones == (None, None)
    assert other.hand == ((None,), (None,))
    assert other.stock == ((), (None, None))
    assert GAME.view(play.table, None).places[0].hand == ((None,), ())


def test_tt_16_stones_are_open_once_they_were_shown() -> None:
    play = given(stones=((2,), (1, 3)))
    assert GAME.view(play.table, 0).places[1].stones == (None, None)
    play.fold(StonesShown(((2,), (1, 3), ())))
    assert GAME.view(play.table, 0).places[1].stones == (1, 3)


def test_tt_4_how_many_cards_lie_in_a_deck_is_open_and_nothing_else_of_it() -> None:
    shown = GAME.view(given("+1").table, 0)
    assert [deck.cards for deck in shown.decks] == [9, 10]
    assert shown.stones == 5
    assert shown.turn == (0,)
    assert GAME.view(given(step=Step.DEALING).table, 0).turn == ()


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
    def may_draw(modes: tuple[Mode, ...]) -> tuple[int, ...]:
        stones = ((), (2, 2), (1, 2, 3))
        play = given(dice=(6, 6, 6), step=Step.AFTER, action=Action.B, stones=stones, modes=modes)
        shown: tuple[int, ...] = GAME.view(play.table, None).may_draw
        return shown

    assert may_draw((Mode.KNOCKOUT,)) == (0,)
    assert may_draw(()) == ()


def test_tt_18_the_result_is_shown_at_the_end() -> None:
    play = given()
    assert (GAME.view(play.table, 0).points, GAME.view(play.table, 0).winners) == ((), ())
    play.fold(MatchEnded((40, 90, 80), (3, 1, 1), (1, 2)))
    assert (GAME.view(play.table, 0).points, GAME.view(play.table, 0).winners) == ((40, 90, 80), (1, 2))
    play.fold(MatchEnded((40, 0, 0), (1, 1, 1), ()))
    assert GAME.view(play.table, 0).winners == ()


def test_a_card_is_told_with_what_it_does() -> None:
    (shown,) = GAME.view(given("Any face").table, 0).places[0].hand[1]
    assert (shown.card, shown.name, shown.effect) == (3, Spoken("Any face", "好きな目"), Turn(to=(1, 2, 3, 4, 5, 6)))


def test_tt_2_while_a_card_is_discarded_for_a_draw_all_see_what_will_be_drawn() -> None:
    play = given("+1, +1, -1", dice=(4, 4, 5), step=Step.AFTER, action=Action.A)
    assert GAME.view(play.table, 1).announced == ()
    play.move(0, DrawCard(1))
    assert GAME.view(play.table, 1).announced == (1,)
    play.move(0, Discard(card("-1")))
    assert GAME.view(play.table, 1).announced == ()


def test_tt_23_the_stone_of_who_is_summoner_is_shown_to_all_and_no_other_one() -> None:
    stones = ((2,), (2, 2), ())
    play = given(dice=(6, 6, 6), step=Step.AFTER, action=Action.B, stones=stones, modes=(Mode.KNOCKOUT,), deck=(1, 3))
    play.move(0, DrawStone())
    assert play.table.stage.step is Step.SUMMON
    shown = GAME.view(play.table, 1)
    assert [place.stones for place in shown.places] == [(None, 1), (2, 2), ()]
    assert shown.summoning == 1
    assert GAME.view(play.table, None).places[0].stones == (None, 1)
    assert GAME.view(play.table, 0).places[0].stones == (2, 1)
