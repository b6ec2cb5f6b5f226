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
    HandShown,
    RonDeclared,
    TsumoDeclared,
)
from domain.games.three_magic.evolve import evolve
from domain.games.three_magic.moves import Discard, Insert, Pledge, Ron, Tsumo
from domain.games.three_magic.state import Phase
from domain.games.three_magic.view import DiscardView, TableView, show_card, view
from tests.games.three_magic.table import (
    FIRE,
    NOTHING,
    NOTHING_A,
    NOTHING_B,
    PACK,
    PON_OR_RON,
    Play,
    at_deal,
    card,
    cards,
    given,
    manager_wins,
    water_2_is_claimed,
)
from tests.games.three_magic.test_settling import drawn_deal, seat_1_may_ron

READY = "火1 火2 火3 木1 木2 木3 水1 水3"


def drawn() -> Play:
    return given(NOTHING_A, NOTHING_B, NOTHING, wall="水3* 火2*")


def hands(shown: TableView) -> list[bool]:
    """Whether each hand is face up."""
    assert all(len(set(map(bool, place.hand))) == 1 for place in shown.places)
    return [place.hand[0] is not None for place in shown.places]


def test_3m_6_a_hand_is_face_up_to_its_own_seat_only() -> None:
    table = drawn().table
    for viewer in range(3):
        shown = view(table, viewer)
        assert hands(shown) == [seat == viewer for seat in range(3)]
        assert [len(place.hand) for place in shown.places] == [8, 8, 8]
    assert [place.seat for place in view(table, None).places] == [0, 1, 2]
    assert hands(view(table, None)) == [False] * 3
    assert view(table, 0).places[0].hand == tuple(map(show_card, cards(NOTHING_A)))


def test_3m_7_the_drawn_card_is_shown_to_who_drew_it() -> None:
    table = drawn().table
    assert view(table, 0).places[0].drawn == (show_card(card("水3*")),)
    assert view(table, 1).places[0].drawn == (None,)
    assert view(table, 1).places[1].drawn == ()
    assert view(table, 0).wall == 29


def test_3m_6_the_place_of_an_insertion_is_open() -> None:
    shown = view(drawn().move(0, Insert(3)).table, 2)
    assert shown.places[0].inserted == (3,)
    assert len(shown.places[0].hand) == 9
    assert shown.places[1].inserted == ()
    assert (shown.step, shown.turn) == (Phase.DISCARD, (0,))


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


def test_3m_12_without_open_claims_nobody_is_asked() -> None:
    shown = view(drawn().table, 1)
    assert [place.asked for place in shown.places] == [False] * 3
    assert (shown.claimed, shown.discarder) == ((), ())


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


def test_3m_13_pledges_discards_and_od_lie_open() -> None:
    shown = view(water_2_is_claimed().answer({2: Pledge(6, 7)}).table, None)
    assert shown.places[2].pledges == (tuple(map(show_card, cards("水2 水2* 水2*"))),)
    assert (shown.places[2].laid, shown.places[2].od) == (10, 260)
    assert shown.places[0].attribute is FIRE
    assert shown.places[0].discards == ()


def test_3m_19_reach_is_marked_at_the_player_and_at_the_discard() -> None:
    play = given(READY, NOTHING_A, NOTHING_B, wall="火0").insert_and_discard(0, reach=True).pass_all()
    shown = view(play.table, 1)
    assert shown.places[0].in_reach
    assert shown.places[0].discards == (DiscardView(card=show_card(card("火0")), reach=True),)
    assert len(shown.indicators) == 2
    assert not shown.places[1].in_reach


def test_3m_32_a_ready_managers_hand_is_shown_to_all() -> None:
    play = at_deal(drawn_deal(READY), 24, 2, 0).move(0, Discard(8)).pass_all()
    assert play.of(HandShown)
    assert hands(view(play.table, None)) == [True, False, False]
    assert hands(view(play.table, 1)) == [True, True, False]


def test_3m_18_a_pledged_discard_is_gone_from_its_row() -> None:
    play = given("火1* 火2* 火3* 木2* 木3* 木4* 水4 水4*", NOTHING_A, PON_OR_RON, wall="水2*")
    play.insert_and_discard(0, reach=True).answer({2: Pledge(6, 7)})
    shown = view(play.table, 1)
    assert (shown.places[0].discards, shown.places[0].laid, shown.places[0].in_reach) == ((), 10, True)


def test_before_the_deal_there_is_nothing_to_show() -> None:
    shown = view(GAME.initial(Options(laps=1), 3, PACK), 0)
    assert shown.places == ()
    assert (shown.laps, shown.step, shown.turn) == (1, Phase.DEALING, ())


def test_once_the_match_is_over_all_hands_are_face_up() -> None:
    table = drawn().table
    shown = view(table, ALL)
    assert hands(shown) == [True] * 3
    assert shown.places[0].drawn == (show_card(card("水3*")),)
