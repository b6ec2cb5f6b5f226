"""Artefacts and awakenings. Rules MG-11, MG-15."""

from __future__ import annotations

from typing import Any

from domain.chance import Scripted
from domain.games.magicative import GAME, components, events
from domain.games.magicative.bot import fate
from domain.games.magicative.components import Artefact, pile_of
from domain.games.magicative.moves import (
    Arrange,
    ArrangeLast,
    Awaken,
    Declare,
    Discard,
    Draw,
    Fix,
    Imitate,
    Put,
    Show,
    ShowOne,
    Take,
    TakeAptitude,
    Use,
)
from domain.games.magicative.state import (
    APTITUDE,
    ARRANGE,
    DECLARE,
    IMITATE,
    PUT,
    TAKE,
    TURN,
    Aptitude,
    Formula,
    aptitude_points,
)
from domain.games.magicative.view import show_card
from tests.games.magicative.table import (
    ALCHEMY,
    ASTROLOGY,
    FATE,
    HOUSE_PACK,
    INNOCENT,
    MAGIC,
    ODD_PACK,
    PAST,
    Play,
    card,
    cards,
    decided,
    given,
    won,
)
from tests.rows import each


def arrange(play: Play, names: str) -> Play:
    return play.move(0, *map(Arrange, cards(names)))


def test_mg_15_fate_before_the_draw_is_five_moves_and_then_the_draw() -> None:
    play = given("M1", "A1", is_start=True, deck="S1 S2 S3 S4 S5 S6").move(0, FATE)
    assert play.told[1] == events.FateLooked(0, cards("S1 S2 S3 S4 S5"))
    assert play.table.stage.step is ARRANGE
    assert play.legal(0) == tuple(map(Arrange, cards("S1 S2 S3 S4 S5")))
    assert play.refusal(0, PAST) == ("MG-6", "wrong-step")
    assert play.fields == {"step": "arrange"}
    assert play.refusal(0, ArrangeLast()) == ("MG-15", "not-last")
    assert play.fields == {"left": 5}
    assert play.refusal(0, Arrange(card("S6"))) == ("MG-15", "not-looked-at")
    assert play.refusal(0, Arrange(None)) == ("MG-15", "no-such-card")
    arrange(play, "S4 S2")
    assert play.legal(0) == tuple(map(Arrange, cards("S1 S3 S5")))
    assert play.refusal(0, Arrange(card("S4"))) == ("MG-15", "not-looked-at")
    arrange(play, "S5")
    assert play.refusal(0, ArrangeLast()) == ("MG-15", "not-last")
    assert play.fields == {"left": 2}
    arrange(play, "S1")
    assert play.forced == [(0, ArrangeLast())]
    assert play.told == (
        events.FateArranged(0, card("S1")),
        events.FateArranged(0, card("S3")),
        events.ArtefactDone(0, Artefact.FATE),
        events.CardsDrawn(0, cards("S4 S2")),
    )
    assert play.table.deck[:4] == cards("S5 S1 S3 S6")
    assert play.table.stage.step is TURN


def test_mg_15_fate_in_the_turn_draws_nothing_and_equal_cards_are_one_choice_and_still_a_move_each() -> None:
    play = arrange(given("M1 M5", "A1", deck="S1 S2 S3 S4 S5").move(0, FATE), "S5 S4 S3 S2")
    assert (play.of(events.CardsDrawn), play.hand(0)) == ((), cards("M1 M5"))
    assert play.table.deck[:5] == cards("S5 S4 S3 S2 S1")
    assert Discard(card("M1")) in play.legal(0)
    play = given("M1", "A1", deck="S1 S1 S1 S1 S1").move(0, FATE)
    for _ in range(4):
        assert (play.legal(0), GAME.forced(play.table)) == ((Arrange(card("S1")),), None)
        arrange(play, "S1")
    assert play.forced == [(0, ArrangeLast())]


def test_mg_15_fate_looks_at_fewer_cards_where_there_are_no_more() -> None:
    for names in each("S1", "S1 S2", "S1 S2 S3 S4"):
        lying = cards(names)
        play = given("M1", "A1", deck=names, left=len(lying)).move(0, FATE)
        assert play.one(events.FateLooked) == events.FateLooked(0, lying)
        play.move(0, *map(Arrange, lying[:-1]))
        assert (play.forced, play.table.deck) == ([(0, ArrangeLast())], lying)


def test_mg_15_fate_on_an_exhausted_deck_rebuilds_it_first() -> None:
    play = given("M1", "A1", rows=("S1 S2 S3", "S4 S5"), left=0)
    assert play.legal(0, Use) == (FATE,)
    play.chance = Scripted(cards("S2 S4 S1"))
    play.move(0, FATE)
    assert play.told == (
        events.ArtefactUsed(0, Artefact.FATE, -2, -2),
        events.DeckReshuffled(cards("S2 S4 S1")),
        events.FateLooked(0, cards("S2 S4 S1")),
    )
    assert [place.row for place in play.table.places] == [cards("S3"), cards("S5")]
    arrange(play, "S1 S2")
    assert (play.table.deck, play.table.stage.step) == (cards("S1 S2 S4"), TURN)
    play = given("M1 M2", "A1", rows=("S1", "S4 S5 S6"), left=0).watched().move(0, Discard(card("M1")))
    assert play.legal(1) == (FATE, Draw()), "before the draw too"
    play.chance = Scripted(cards("S1 S4 S5"))
    play.move(1, FATE, Arrange(card("S5")), Arrange(card("S4")))
    assert (play.forced, play.told[-1]) == ([(1, ArrangeLast())], events.CardsDrawn(1, cards("S5 S4")))
    assert GAME.view(play.seen[1], 1).top == (show_card(card("S1")),)
    assert set(play.seen[0].deck) == {None}


def test_mg_15_before_the_draw_only_fate_is_used_and_never_without_a_card_to_look_at() -> None:
    play = given("M1 M2 M5", "A1", is_start=True)
    assert play.legal(0) == (FATE, Draw())
    assert play.refusal(0, PAST) == ("MG-15", "draw-first")
    for rows, is_rebuilt in each((("S1", "S4"), False), (("S1 S2 S3", "S4 S5"), True)):
        play = given("M1", "A1", rows=rows, left=0, is_rebuilt=is_rebuilt)
        assert (play.legal(0, Use), play.refusal(0, FATE)) == ((), ("MG-15", "no-deck"))


def test_mg_15_past_puts_three_cards_left_and_takes_three_others() -> None:
    play = given("M1 M2 M5 X", "A1", rows=("S1 S2 S3 S4", "")).move(0, PAST)
    assert play.table.stage.step is PUT
    assert play.legal(0) == (*map(Put, cards("M1 M2 M5")), Put(0))
    assert play.refusal(0, Put(card("A1"))) == ("MG-15", "not-in-hand")
    play.move(0, Put(card("M5")), Put(0), Put(card("M1")))
    assert play.told == (events.PastPut(0, card("M1"), 0),)
    assert play.place(0).row == cards("M5 X M1 S1 S2 S3 S4")
    assert play.table.stage.step is TAKE
    assert play.legal(0) == tuple(map(Take, range(3, 7)))
    for at in (0, 2, 7, -1):
        assert play.refusal(0, Take(at)) == ("MG-15", "not-another")
        assert play.fields == {"least": 3, "most": 6, "at": at}
    play.move(0, Take(4))
    assert play.told == (events.PastTaken(0, 4, card("S2")),)
    play.move(0, Take(5), Take(3))
    assert play.told == (events.PastTaken(0, 3, card("S1")), events.ArtefactDone(0, Artefact.PAST))
    assert play.place(0).row == cards("M5 X M1 S3")
    assert play.hand(0) == cards("M2 S1 S2 S4")
    assert play.table.stage.step is TURN


def test_mg_15_past_takes_what_is_there_and_needs_as_many_cards_in_hand_as_it_puts() -> None:
    for row, taken in each(("", 0), ("S1", 1), ("S1 S2", 2), ("S1 S2 S3", 3)):
        play = given("M1 M2 M5 M7", "A1", rows=(row, "")).move(0, PAST, *map(Put, cards("M1 M2 M5")))
        assert play.forced == [(0, Take(3))] * taken
        assert (play.hand(0), play.place(0).row) == (cards("M7 " + row), cards("M1 M2 M5"))
        assert play.told[-1] == events.ArtefactDone(0, Artefact.PAST)
    play = given("M1 M2", "A1", rows=("S1 S2 S3 S4", ""))
    assert PAST not in play.legal(0, Use)
    assert play.refusal(0, PAST) == ("MG-15", "too-few-cards")
    for hand, may in each(("M1 M2 M5 M6", True), ("M1 M2 M5", False)):
        assert (PAST in given(hand, "A1", pack=ODD_PACK).legal(0, Use)) is may


def test_mg_15_a_hand_card_counts_as_innocent_in_a_formula_fixed_at_once() -> None:
    play = given("A2 A4 M7 M3", "S1").move(0, INNOCENT)
    assert play.table.stage.step is IMITATE
    assert play.legal(0) == (Imitate(card("M3")), Imitate(card("M7")))
    assert play.refusal(0, Imitate(card("A2"))) == ("MG-15", "no-formula")
    play.move(0, Imitate(card("M7")))
    assert play.told == (events.CardImitates(0, card("M7")),)
    assert play.table.stage.step is DECLARE
    assert play.legal(0) == (Declare(ALCHEMY),)
    assert play.refusal(0, Declare(MAGIC)) == ("MG-10", "no-formula")
    play.move(0, Declare(ALCHEMY))
    assert play.legal(0) == (Fix(ALCHEMY, (2, 3, 4), (3,)),)
    play.move(0, Fix(ALCHEMY, (2, 3, 4), (3,)))
    assert play.told[0] == events.FormulaFixed(0, ALCHEMY, (2, 3, 4), cards("A2 M7 A4"), 0, -2)
    assert play.points(0) == -1
    assert card("M3") in play.hand(0)
    assert card("M7") not in play.hand(0)
    assert play.table.stage.step is TURN


def test_mg_15_beside_a_real_innocent_one_card_is_none() -> None:
    play = given("A2 A7 X", "S1").move(0, INNOCENT)
    assert play.legal(0) == (Imitate(card("A2")), Imitate(card("A7")))
    play.move(0, Imitate(card("A7")), Declare(ALCHEMY))
    assert play.refusal(0, Fix(ALCHEMY, (2, 2, 2), (2, 2, 2))) == ("MG-10", "all-innocent")
    play.move(0, Fix(ALCHEMY, (2, 3, 4), (3, 4)))
    assert play.told[0] == events.FormulaFixed(0, ALCHEMY, (2, 3, 4), cards("A2 A7 X"), 0, -2)


def test_mg_15_the_innocent_artefact_needs_a_formula_and_may_count_a_card_of_its_kind() -> None:
    for hand, may in each(("A2 A3", 0), ("A1 A4 M1", 0), ("A1 X", 0), ("A1 M1 X", 1), ("A1 A1 S1", 1)):
        play = given(hand, "S1")
        assert play.legal(0, Use).count(INNOCENT) == may
        if not may:
            assert play.refusal(0, INNOCENT) == ("MG-15", "nothing-to-imitate")
    play = given("A2 A2 A4", "S1").move(0, INNOCENT, Imitate(card("A2")), Declare(ALCHEMY))
    assert play.move(0, Fix(ALCHEMY, (2, 3, 4), (3,))).one(events.FormulaFixed).cards == cards("A2 A2 A4")


def test_mg_15_fates_last_card_is_no_choice() -> None:
    play = decided(given("M1", "A1", deck="S1 S2", pack=ODD_PACK).move(0, FATE), Arrange(card("S2")))
    assert play.legal(0) == (ArrangeLast(),)
    assert play.refusal(0, Arrange(card("S1"))) == ("MG-15", "last-card")


def test_mg_11_only_four_equal_cards_awaken_as_often_as_they_are_there() -> None:
    play = given("A2 A2 A2 M1 M1 M1 M1 S3 S3 S3 S3 S3", "M2")
    assert play.legal(0, Awaken) == (Awaken(card("M1")), Awaken(card("S3")))
    assert play.refusal(0, Awaken(card("A2"))) == ("MG-11", "not-in-hand")
    assert play.fields == {"card": card("A2"), "wanted": 4}
    play.move(0, Awaken(card("M1")), TakeAptitude(MAGIC), Awaken(card("S3")), TakeAptitude(MAGIC))
    assert play.place(0).won.awakened == cards("M1 S3")
    assert len(play.place(0).won.aptitudes) == 2


def test_mg_11_four_equal_cards_are_set_aside_for_an_aptitude_card_if_there_is_one_and_three_cards() -> None:
    play = given("A2 A2 A2 A2 M1", "M2", deck="S1 S2 S3 S4", aptitudes=((), (7, 3), (5,))).move(0, Awaken(card("A2")))
    assert play.told == (events.Awakened(0, card("A2")),)
    assert play.table.stage.step is APTITUDE
    assert play.legal(0) == (TakeAptitude(MAGIC), TakeAptitude(ALCHEMY), TakeAptitude(ASTROLOGY))
    assert play.refusal(0, Discard(card("M1"))) == ("MG-6", "wrong-step")
    chosen = play.table
    play.move(0, TakeAptitude(ALCHEMY))
    assert play.told == (events.AptitudeTaken(0, ALCHEMY, 7), events.CardsDrawn(0, cards("S1 S2 S3")))
    assert (play.place(0).won.awakened, play.hand(0)) == (cards("A2"), cards("M1 S1 S2 S3"))
    assert play.place(0).won.aptitudes == (Aptitude(ALCHEMY, 7, False),)
    assert (play.table.middle.aptitudes, play.table.stage.step) == (((), (3,), (5,)), TURN)
    play = Play(chosen).move(0, TakeAptitude(MAGIC))
    assert play.told == (events.AptitudeMissed(0, MAGIC), events.CardsDrawn(0, cards("S1 S2 S3")))
    assert play.place(0).won.aptitudes == ()


def test_mg_16_cards_of_the_school_and_number_count_a_point_each_innocents_as_declared() -> None:
    has = {0: won("A222 A123 M234", chips=3, aptitudes="A2 A7 M3")}
    play = given("A5 A6", "M2", has=has).move(0, Show())
    assert play.told == (events.AptitudesShown(0, cards("A2 A7 M3"), 3 + 4 + 0 + 1),)
    assert play.points(0) == 8
    play = given("A5", "M2", has={0: won(chips=1, aptitudes="A2", awakened=cards("A2"))}).move(0, Show())
    assert play.points(0) == 1, "awakened cards don't count"
    play = given("A2 X A4", "M2", has={0: won(shown="A3")})
    assert play.move(0, Declare(ALCHEMY), Fix(ALCHEMY, (2, 3, 4), (3,))).points(0) == 2
    unknown = Aptitude(ALCHEMY, None, is_shown=False)
    assert aptitude_points(play.table.places[0].won.formulas, unknown) == 0, "whoever does not see it counts nothing"


def test_mg_16_those_that_come_later_are_shown_anew() -> None:
    play = given("A2 A2 A2 A2", "M2", has={0: won("A123", aptitudes="A1")}, aptitudes=((), (3,), ()))
    play.move(0, Show())
    assert play.legal(0, Show) == ()
    assert play.refusal(0, Show()) == ("MG-16", "nothing-to-show")
    play.move(0, Awaken(card("A2")), TakeAptitude(ALCHEMY))
    assert play.points(0) == 1
    play.move(0, Show())
    assert play.told == (events.AptitudesShown(0, cards("A3"), 2),)
    assert [one.is_shown for one in play.place(0).won.aptitudes] == [True, True]


def test_mg_16_aptitude_cards_may_be_shown_one_by_one() -> None:
    has = {0: won("A222 A123", chips=1, aptitudes="A3 M1 A2")}
    play = given("A5 A6", "M2", has=has).watched()
    assert play.legal(0, ShowOne) == (ShowOne(0), ShowOne(1), ShowOne(2))
    assert Show() in play.legal(0)
    play.move(0, ShowOne(2))
    assert play.told == (events.AptitudeShown(0, 2, card("A2"), 5),)
    assert [one.is_shown for one in play.place(0).won.aptitudes] == [False, False, True]
    for viewer in (1, None):
        assert GAME.view(play.seen[viewer], viewer) == GAME.view(play.table, viewer)
        assert [one.number for one in play.seen[viewer].places[0].won.aptitudes] == [None, None, 2]
    assert play.refusal(0, ShowOne(2)) == ("MG-16", "shown")
    play.move(0, ShowOne(0))
    assert play.points(0) == 6
    assert play.legal(0, ShowOne) == (), "the last one is all of them"
    assert play.refusal(0, ShowOne(1)) == ("MG-16", "only-one")
    play.move(0, Show())
    assert play.told == (events.AptitudesShown(0, cards("M1"), 6),)
    assert play.refusal(0, ShowOne(1)) == ("MG-16", "shown")
    for at in (3, -1):
        assert play.refusal(0, ShowOne(at)) == ("MG-16", "no-aptitude")
        assert play.fields == {"at": at, "taken": 3}


def test_mg_15_each_artefact_is_used_once_for_two_points_less_and_nobody_uses_two() -> None:
    play = given("M1 M2 M5 S1", "A1 A2 A5", has={0: won(chips=1)})
    assert play.legal(0, Use) == (FATE, PAST, INNOCENT)
    play.move(0, PAST)
    assert play.told == (events.ArtefactUsed(0, Artefact.PAST, -2, -1),)
    assert (play.points(0), play.place(0).won.artefact) == (-1, (Artefact.PAST,))
    assert Artefact.PAST not in play.table.middle.artefacts
    play.move(0, *map(Put, cards("M1 M2 M5")))
    assert (play.legal(0, Use), play.refusal(0, FATE)) == ((), ("MG-15", "used-one"))
    play = given("M1 M2 M5", "A1 A2 A5", has={1: won(artefact=(Artefact.PAST,), penalty=-2)})
    assert (play.legal(0, Use), play.refusal(0, PAST)) == ((FATE, INNOCENT), ("MG-15", "taken"))
    assert given("M1", "A1", pack=ODD_PACK).move(0, FATE).points(0) == -3


def test_mg_16_shown_cards_count_in_every_formula_that_follows() -> None:
    has = {0: won("A123", chips=1, shown="A3", artefact=(Artefact.PAST,), penalty=-2)}
    play = given("A3 A3 A3 A4", "M2", has=has)
    assert play.points(0) == 0
    play.move(0, Fix(ALCHEMY, (3, 3, 3)))
    assert play.points(0) == 4
    assert [event.total for event in (play.one(events.FormulaFixed), play.one(events.ChipsTaken))] == [3, 4]


def test_mg_16_an_aptitude_card_counts_every_card_of_a_number_that_it_names() -> None:
    has = {0: won("A222 A567 M234", chips=1)}
    play = given("A1 A1 A1 A1 S3", "M2", has=has, aptitudes=((7,), (2,), (4,)), pack=HOUSE_PACK)
    play.move(0, Awaken(card("A1")), TakeAptitude(ALCHEMY))
    shown = GAME.view(play.table, 0).places[0].aptitudes[0]
    assert (shown.number, shown.names) == (2, (1, 2, 3, 4, 5))
    assert GAME.view(play.table, 1).places[0].aptitudes[0].names == ()
    play.move(0, Show())
    assert play.points(0) == 1 + 3 + 1, "222, and the 5 of 567"


def test_mg_10_who_looks_ahead_needs_a_card_that_is_no_innocent_and_has_won_where_nothing_is_missing() -> None:
    needed = components.FORMULA_CARDS[0][0]
    for innocents, is_made in each((1, True), (2, True), (3, False)):
        pile = pile_of((*needed[innocents:], *[components.INNOCENT] * innocents))
        assert any(formula == Formula(0, 0, ()) for formula, *_ in fate._formulas(pile, (), 0)) == is_made
    won: Any = None
    assert fate._reaches(won, won, 0, 0, ((), ()), 0, 1)
