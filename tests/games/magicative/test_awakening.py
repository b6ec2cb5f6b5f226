"""Awakenings and aptitude cards. Rules MG-11, MG-12, MG-16."""

from __future__ import annotations

from domain.games.magicative import GAME, events
from domain.games.magicative.components import Artefact, named
from domain.games.magicative.moves import Awaken, Declare, Discard, Fix, Show, ShowOne, TakeAptitude
from domain.games.magicative.state import APTITUDE, TURN, Aptitude
from tests.games.magicative.table import ALCHEMY, ASTROLOGY, HOUSE_PACK, MAGIC, card, cards, given, won


def test_mg_11_four_equal_cards_are_set_aside_for_an_aptitude_card_and_three_cards() -> None:
    play = given("A2 A2 A2 A2 M1", "M2", deck="S1 S2 S3 S4", aptitudes=((1, 2), (7, 3), (5,)))
    play.move(0, Awaken(card("A2")))
    assert play.log() == (events.Awakened(0, card("A2")),)
    assert play.table.stage.step is APTITUDE
    assert play.legal(0) == (TakeAptitude(MAGIC), TakeAptitude(ALCHEMY), TakeAptitude(ASTROLOGY))
    assert play.refusal(0, Discard(card("M1"))) == ("MG-6", "wrong-step")
    play.move(0, TakeAptitude(ALCHEMY))
    assert play.log() == (events.AptitudeTaken(0, ALCHEMY, 7), events.CardsDrawn(0, cards("S1 S2 S3")))
    assert play.place(0).won.awakened == cards("A2")
    assert play.place(0).won.aptitudes == (Aptitude(ALCHEMY, 7, False),)
    assert play.table.middle.aptitudes == ((1, 2), (3,), (5,))
    assert play.hand(0) == cards("M1 S1 S2 S3")
    assert play.table.stage.step is TURN


def test_mg_11_only_four_equal_cards_awaken_as_often_as_they_are_there() -> None:
    play = given("A2 A2 A2 M1 M1 M1 M1 S3 S3 S3 S3 S3", "M2")
    assert play.legal(0, Awaken) == (Awaken(card("M1")), Awaken(card("S3")))
    assert play.refusal(0, Awaken(card("A2"))) == ("MG-11", "not-in-hand")
    assert play.fields == {"card": card("A2"), "wanted": 4}
    play.move(0, Awaken(card("M1")), TakeAptitude(MAGIC), Awaken(card("S3")), TakeAptitude(MAGIC))
    assert play.place(0).won.awakened == cards("M1 S3")
    assert len(play.place(0).won.aptitudes) == 2


def test_mg_11_a_school_without_aptitude_cards_may_be_chosen_and_gives_none() -> None:
    play = given("A2 A2 A2 A2 M1", "M2", deck="S1 S2 S3 S4", aptitudes=((), (7,), ()))
    play.move(0, Awaken(card("A2")), TakeAptitude(MAGIC))
    assert play.log() == (events.AptitudeMissed(0, MAGIC), events.CardsDrawn(0, cards("S1 S2 S3")))
    assert play.place(0).won.aptitudes == ()
    assert play.table.stage.step is TURN


def test_mg_12_an_awakening_and_a_formula_chain() -> None:
    play = given("A2 A2 A2 A2 M1", "M2", deck="M2 M3 S3 S4 S5")
    play.move(0, Awaken(card("A2")), TakeAptitude(MAGIC), Fix(MAGIC, (1, 2, 3)), Fix(ASTROLOGY, (3, 4, 5)))
    assert play.points(0) == 2


def test_mg_16_cards_of_the_school_and_number_count_a_point_each_innocents_as_declared() -> None:
    has = {0: won("A222 A123 M234", chips=3, aptitudes="A2 A7 M3")}
    play = given("A5 A6", "M2", has=has).move(0, Show())
    assert play.log() == (events.AptitudesShown(0, cards("A2 A7 M3"), 3 + 4 + 0 + 1),)
    assert play.points(0) == 8
    play = given("A5", "M2", has={0: won(chips=1, aptitudes="A2", awakened=cards("A2"))}).move(0, Show())
    assert play.points(0) == 1, "awakened cards don't count"


def test_mg_16_an_innocent_counts_as_what_it_was_declared_as() -> None:
    play = given("A2 X A4", "M2", has={0: won(shown="A3")})
    play.move(0, Declare(ALCHEMY), Fix(ALCHEMY, (2, 3, 4), (3,)))
    assert play.points(0) == 2


def test_mg_16_those_that_come_later_are_shown_anew() -> None:
    play = given("A2 A2 A2 A2", "M2", has={0: won("A123", aptitudes="A1")}, aptitudes=((), (3,), ()))
    play.move(0, Show())
    assert play.legal(0, Show) == ()
    assert play.refusal(0, Show()) == ("MG-16", "nothing-to-show")
    play.move(0, Awaken(card("A2")), TakeAptitude(ALCHEMY))
    assert play.points(0) == 1
    play.move(0, Show())
    assert play.log() == (events.AptitudesShown(0, cards("A3"), 2),)
    assert [one.is_shown for one in play.place(0).won.aptitudes] == [True, True]


def test_mg_16_aptitude_cards_may_be_shown_one_by_one() -> None:
    has = {0: won("A222 A123", chips=1, aptitudes="A3 M1 A2")}
    play = given("A5 A6", "M2", has=has).watched()
    assert play.legal(0, ShowOne) == (ShowOne(0), ShowOne(1), ShowOne(2))
    assert Show() in play.legal(0)
    play.move(0, ShowOne(2))
    assert play.log() == (events.AptitudeShown(0, 2, card("A2"), 5),)
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
    assert play.log() == (events.AptitudesShown(0, cards("M1"), 6),)
    assert play.refusal(0, ShowOne(1)) == ("MG-16", "shown")
    for at in (3, -1):
        assert play.refusal(0, ShowOne(at)) == ("MG-16", "no-aptitude")
        assert play.fields == {"at": at, "taken": 3}


def test_mg_17_one_aptitude_card_that_is_shown_may_win() -> None:
    has = {0: won("A222", chips=7, aptitudes="A2 A3"), 1: won(aptitudes="M1")}
    play = given("A5", "M1", has=has).move(0, ShowOne(0))
    assert play.told == (
        events.AptitudeShown(0, 0, card("A2"), 10),
        events.AptitudesShown(0, cards("A3"), 10),
        events.AptitudesShown(1, cards("M1"), 0),
        events.MatchEnded(0, (10, 0), (1, 2)),
    )


def test_mg_16_shown_cards_count_in_every_formula_that_follows() -> None:
    has = {0: won("A123", chips=1, shown="A3", artefact=(Artefact.PAST,), penalty=-2)}
    play = given("A3 A3 A3 A4", "M2", has=has)
    assert play.points(0) == 0
    play.move(0, Fix(ALCHEMY, (3, 3, 3)))
    assert play.points(0) == 4
    assert [event.total for event in (play.one(events.FormulaFixed), play.one(events.ChipsTaken))] == [3, 4]


def test_mg_2_an_aptitude_card_names_its_number_and_those_up_to_its_reach_from_it() -> None:
    assert [named(number, 3) for number in (1, 4, 7)] == [(1, 2, 3, 4), (1, 2, 3, 4, 5, 6, 7), (4, 5, 6, 7)]
    assert [named(number, 0) for number in (1, 7)] == [(1,), (7,)]
    assert {aptitudes.reach for aptitudes in HOUSE_PACK.aptitudes} == {3}


def test_mg_16_an_aptitude_card_counts_every_card_of_a_number_that_it_names() -> None:
    has = {0: won("A222 A567 M234", chips=1)}
    play = given("A1 A1 A1 A1 S3", "M2", has=has, aptitudes=((7,), (2,), (4,)), pack=HOUSE_PACK)
    play.move(0, Awaken(card("A1")), TakeAptitude(ALCHEMY))
    shown = GAME.view(play.table, 0).places[0].aptitudes[0]
    assert (shown.number, shown.names) == (2, (1, 2, 3, 4, 5))
    assert GAME.view(play.table, 1).places[0].aptitudes[0].names == ()
    play.move(0, Show())
    assert play.points(0) == 1 + 3 + 1, "222, and the 5 of 567"
