"""What each seat is shown. Rule: TT-4, TT-16."""

from __future__ import annotations

from domain.games.ttmp import GAME
from domain.games.ttmp.events import StonesShown
from domain.games.ttmp.state import Step
from tests.games.ttmp.table import card, given


def test_tt_4_one_sees_one_s_own_faces_and_of_others_the_backs() -> None:
    play = given("+1", "Flip, -1", stones=((2,), (1, 3)), stocks=("", "Copy, Any face"))
    own, other = GAME.view(play.table, 1).places[1], GAME.view(play.table, 0).places[1]
    assert own.stones == (1, 3)
    assert own.hand == ((card("-1"),), (card("Flip"),))
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
    assert shown.seat == (0,)
    assert GAME.view(given(step=Step.DEALING).table, 0).seat == ()
