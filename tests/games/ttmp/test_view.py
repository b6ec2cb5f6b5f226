"""What each seat is shown. Rule: TT-4, TT-16."""

from __future__ import annotations

from typing import Any

from domain.games.ttmp import GAME
from domain.games.ttmp.components import Action, Mode
from domain.games.ttmp.state import Step
from tests.games.ttmp.table import given


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
