"""What a table shows."""

from __future__ import annotations

from msgspec.structs import replace

from domain.game import ALL
from domain.games.three_magic import GAME
from domain.games.three_magic.components import Options
from domain.games.three_magic.events import (
    CardDiscarded,
    CardInserted,
    ClaimsPassed,
    DrawnDiscarded,
    RonDeclared,
    TsumoDeclared,
)
from domain.games.three_magic.evolve import evolve
from domain.games.three_magic.moves import Ron, Tsumo
from domain.games.three_magic.state import Phase
from domain.games.three_magic.view import show_card, view
from tests.games.three_magic.table import (
    NOTHING,
    NOTHING_A,
    NOTHING_B,
    PACK,
    Play,
    card,
    cards,
    given,
    manager_wins,
    water_2_is_claimed,
)
from tests.games.three_magic.test_settling import seat_1_may_ron


def drawn() -> Play:
    return given(NOTHING_A, NOTHING_B, NOTHING, wall="水3* 火2*")


def test_3m_12_a_table_says_only_that_claims_are_open() -> None:
    table = water_2_is_claimed().table
    for viewer, asked, turn in (
        (0, [False, None, None], ()),
        (1, [False, True, None], (1,)),
        (2, [False, None, True], (2,)),
    ):
        shown = view(table, viewer)
        assert [place.asked for place in shown.places] == asked
        assert shown.claimed == (show_card(card("水2*")),)
        assert (shown.step, shown.turn, shown.discarder) == (Phase.CLAIMS, turn, (0,))
    assert [place.asked for place in view(table, None).places] == [False, None, None]
    assert (view(table, None).turn, view(table, ALL).turn) == ((), (1, 2))
    unasked = water_2_is_claimed(next_hand=NOTHING_A).table
    assert [place.asked for place in view(unasked, 1).places] == [False, False, None]


def test_3m_7_when_a_decision_is_closed_the_table_waits_for_nobody_until_the_next_is_open() -> None:
    before = drawn().table
    inserted = evolve(before, CardInserted(0, 3))
    wins, may_ron = manager_wins(), seat_1_may_ron()
    for table, event in (
        (inserted, CardDiscarded(0, 3, card("水3*"), False)),
        (replace(before, deal=replace(before.deal, drawn=cards("水3*"))), DrawnDiscarded(0, card("水3*"))),
        (water_2_is_claimed().table, ClaimsPassed(0, card("水2*"))),
        (wins.table, wins.move(0, Tsumo()).one(TsumoDeclared)),
        (may_ron.table, may_ron.answer({1: Ron()}).one(RonDeclared)),
    ):
        shown = view(evolve(table, event), None)
        assert (shown.step, shown.turn, shown.claimed) == (Phase.DEALING, (), ()), event
        assert [(place.drawn, place.inserted, place.asked) for place in shown.places] == [((), (), False)] * 3, event


def test_before_the_deal_there_is_nothing_to_show() -> None:
    shown = view(GAME.initial(Options(laps=1), 3, PACK), 0)
    assert shown.places == ()
    assert (shown.laps, shown.step, shown.turn) == (1, Phase.DEALING, ())
