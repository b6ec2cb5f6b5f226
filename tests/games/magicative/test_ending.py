"""The end. Rules MG-17 to MG-19."""

from __future__ import annotations

from typing import Any

from domain.chance import Scripted, Simulation
from domain.game import Standing
from domain.games.magicative import GAME, events
from domain.games.magicative.components import Artefact, School
from domain.games.magicative.moves import Awaken, Discard, Draw, Fix, Show, ShowOne, TakeAptitude, Use
from domain.games.magicative.rules.drawing import turn_runs_out
from domain.games.magicative.state import SHOWING
from tests.games.magicative.table import ALCHEMY, ASTROLOGY, MAGIC, ODD_PACK, PACK, Play, card, cards, given, won
from tests.laws.table import BOTS, play_match
from tests.rows import each

SPENT = won(artefact=(Artefact.FATE,))
BOTH = {0: SPENT, 1: SPENT}


def test_mg_17_ten_points_win_at_once_in_the_middle_of_a_turn() -> None:
    has = {0: won(chips=9), 2: won(chips=4)}
    play = given("A1 A2 A3 A4", "M1", "S1", has=has, deck="S2 S3 S4").move(0, Fix(ALCHEMY, (1, 2, 3)))
    assert play.told[1:] == (
        events.CardsDrawn(0, cards("S2 S3")),
        events.ChipsTaken(0, 1, 10),
        events.MatchEnded(0, (10, 0, 4), (1, 3, 2)),
    )
    assert GAME.to_act(play.table) == ()
    assert GAME.forced(play.table) is None
    assert GAME.standing(play.table) == Standing((10, 0, 4), (1, 3, 2), over=True)
    assert play.legal(0) == ()
    assert play.refusal(0, Discard(card("A4"))) == ("MG-17", "over")


def test_mg_17_points_win_that_are_seen_less_an_artefacts_two_at_the_packs_goal() -> None:
    for hand, has, pack, move, points in each(
        ("A1 A2 A3 A4", won(chips=11, artefact=(Artefact.PAST,), penalty=-2), PACK, Fix(ALCHEMY, (1, 2, 3)), 10),
        ("A5", won("A222 A123", chips=6, aptitudes="A2"), PACK, Show(), 10),
        ("A5 A6 A7 M1", won("A222 A123", chips=6, aptitudes="A2"), PACK, Fix(ALCHEMY, (5, 6, 7)), None),
        ("A1 A2 A3 A4", won(chips=26), ODD_PACK, Fix(ALCHEMY, (1, 2, 3)), None),
    ):
        play = given(hand, "M1", has={0: has}, pack=pack)
        assert not GAME.standing(play.table).over
        ended = play.move(0, move).of(events.MatchEnded)
        assert [event.points for event in ended] == ([] if points is None else [(points, 0)])


def test_mg_18_the_others_show_their_cards_and_are_ranked_by_totals_equal_ones_alike() -> None:
    for others, points, ranking in each(
        ((won("A222 A222", chips=6, aptitudes="A2"), won("S123", chips=4, aptitudes="S3")), (12, 5), (1, 2, 3)),
        ((won(chips=3), won("S111", aptitudes="S1")), (3, 3), (1, 2, 2)),
    ):
        has = dict(enumerate((won(chips=9, aptitudes="M7"), *others)))
        play = given("M1 M2 M3 A4", "M1", "S5", has=has).move(0, Fix(MAGIC, (1, 2, 3)))
        shown = [seat for seat, one in has.items() if one.aptitudes]
        assert [event.seat for event in play.of(events.AptitudesShown)] == shown
        assert play.one(events.MatchEnded) == events.MatchEnded(0, (10, *points), ranking)
    play = given("A1", "M1", has={0: won("A222", chips=1, aptitudes="A2"), 1: won("M222", chips=1, shown="M2")})
    assert GAME.standing(play.table) == Standing((1, 4), (2, 1), over=False), "while it is on"


def test_mg_19_an_empty_deck_is_made_of_all_discards_but_the_last_of_each_row_when_a_card_is_to_be_drawn() -> None:
    play = given("M1 M2", "A1", rows=("S1 S2", "S3 S4 S5"), deck="S7", left=1, has=BOTH)
    play.chance = Scripted(cards("S4 S1 S2 S3"))
    play.move(0, Discard(card("M1")))
    assert play.told[1:] == (
        events.TurnStarted(1),
        events.CardsDrawn(1, cards("S7")),
        events.DeckReshuffled(cards("S4 S1 S2 S3")),
        events.CardsDrawn(1, cards("S4")),
    )
    assert play.table.deck == cards("S1 S2 S3")
    assert [place.row for place in play.table.places] == [cards("M1"), cards("S5")]
    play = given("M1 M2", "A1", rows=("S1 S2", ""), deck="S7 S6", left=2, has=BOTH).move(0, Discard(card("M1")))
    assert (play.of(events.DeckReshuffled), play.table.deck) == ((), ())


def test_mg_19_without_any_card_the_match_is_a_draw_for_all_at_once() -> None:
    has = {0: SPENT, 1: won("A222", chips=5, aptitudes="A2")}
    play = given("M1 M2", "A1", rows=("", "S3"), deck="S7", left=1, has=has)
    play.table = GAME.evolve(play.table, events.TurnStarted(0))
    play.move(0, Draw())
    assert play.told == (
        events.CardsDrawn(0, cards("S7")),
        events.AptitudesShown(1, cards("A2"), 8),
        events.MatchDrawn((0, 8), (1, 1)),
    )
    assert GAME.standing(play.table) == Standing((0, 8), (1, 1), over=True)


def test_mg_19_the_deck_is_rebuilt_for_a_formula_before_its_chips_are_taken_and_without_one_none_are() -> None:
    fixed = Fix(ALCHEMY, (1, 2, 3))
    for left in each(0, 1):
        has = {0: won("A123", chips=7, shown="A1")}
        play = given("A1 A2 A3 A4", "M1", has=has, deck="S1"[: 2 * left], left=left).move(0, fixed)
        drawn = [events.CardsDrawn(0, cards("S1"))] * left
        assert play.told[1:] == (*drawn, events.MatchDrawn((9, 0), (1, 1)))
    play = given("A1 A2 A3 A4", "M1", rows=("S1 S2 S3", "S4"), has={0: won(chips=9)}, deck="S7", left=1)
    play.chance = Scripted(cards("S2 S1"))
    assert play.move(0, fixed).told[1:] == (
        events.CardsDrawn(0, cards("S7")),
        events.DeckReshuffled(cards("S2 S1")),
        events.CardsDrawn(0, cards("S2")),
        events.ChipsTaken(0, 1, 10),
        events.MatchEnded(0, (10, 0), (1, 2)),
    )


def test_mg_19_when_the_rebuilt_deck_runs_out_too_the_match_is_a_draw() -> None:
    has = {0: SPENT, 1: won(artefact=(Artefact.PAST,))}
    play = given("M1 M2 M3", "A1 A2", rows=("S1", "S3 S4"), left=0, has=has)
    play.chance = Scripted(cards("S1 S3"))
    play.move(0, Discard(card("M1")))
    assert play.told[2:] == (events.DeckReshuffled(cards("S1 S3")), events.CardsDrawn(1, cards("S1 S3")))
    assert play.table.middle.is_rebuilt
    play.move(1, Discard(card("A1")))
    assert [len(place.row) for place in play.table.places] == [1, 2], "a discard could be shuffled"
    assert play.told[1:] == (events.TurnStarted(0), events.MatchDrawn((0, 0), (1, 1)))


def test_mg_19_a_rebuilt_deck_lasts_until_a_card_is_to_be_drawn_from_it() -> None:
    play = given("M1 M2", "A1 A2", rows=("S1 S2", "S3 S4"), deck="S5 S6", left=2, has=BOTH, is_rebuilt=True)
    play.move(0, Discard(card("M1")))
    assert play.told[1:] == (events.TurnStarted(1), events.CardsDrawn(1, cards("S5 S6")))
    play.move(1, Discard(card("A1")))
    assert play.told[1:] == (events.TurnStarted(0), events.MatchDrawn((0, 0), (1, 1)))


def test_mg_19_a_turn_finds_too_few_cards_unless_fate_may_be_used_first() -> None:
    for left, has, runs_out in each(
        (0, {}, True),
        (1, {}, False),
        (1, {1: won(artefact=(Artefact.PAST,))}, True),
        (1, {0: SPENT}, True),
        (2, {0: SPENT}, False),
    ):
        assert turn_runs_out(given("A1", "M1", left=left, has=has).table, 1) is runs_out


def without_a_card(school: School, **more: Any) -> Play:
    """Seat 0 awakens and takes an aptitude card (alchemy's counts 3), it has 7 points, and nobody can draw any more."""
    has = {0: won("A222", chips=7), 1: won(chips=2, aptitudes="S1")}
    play = given("M5 M5 M5 M5 M1", "", left=0, has=has, aptitudes=((1,), (2,), (3,)), is_rebuilt=True, **more)
    return play.move(0, Awaken(card("M5")), TakeAptitude(school))


def test_mg_16_mg_19_an_aptitude_card_that_was_just_taken_is_shown_before_the_draw_that_ends_the_match() -> None:
    play = without_a_card(ALCHEMY)
    assert play.told == (events.AptitudeTaken(0, ALCHEMY, 2), events.DrawWaits(0, 3))
    assert (play.table.stage.step, play.legal(0)) == (SHOWING, (Show(), Draw()))
    assert GAME.default(play.table, 0) == Show()
    play.move(0, Show())
    assert play.told[0] == events.AptitudesShown(0, cards("A2"), 10)
    assert play.told[-1] == events.MatchEnded(0, (10, 2), (1, 2))
    assert without_a_card(ALCHEMY, version=2).told[-1] == events.MatchDrawn((10, 2), (1, 1)), "too late"
    for school, move, mine, points in each((ALCHEMY, Draw(), "A2", 10), (MAGIC, Show(), "M1", 7)):
        assert without_a_card(school).move(0, move).told == (
            events.AptitudesShown(0, cards(mine), points),
            events.AptitudesShown(1, cards("S1"), 2),
            events.MatchDrawn((points, 2), (1, 1)),
        )


def test_mg_16_of_several_aptitude_cards_one_after_the_other_may_be_shown_before_that_draw() -> None:
    has = {0: won("A222 M333", chips=4, aptitudes="A2 A5 M3")}
    play = given("S1 S2 S3", "", left=1, has=has, is_rebuilt=True).move(0, Fix(ASTROLOGY, (1, 2, 3)))
    assert play.told[-1] == events.DrawWaits(0, 2)
    assert play.legal(0) == (Show(), ShowOne(0), ShowOne(1), ShowOne(2), Draw())
    play.move(0, ShowOne(1))
    assert play.told == (events.AptitudeShown(0, 1, card("A5"), 4),)
    assert play.refusal(0, ShowOne(1)) == ("MG-16", "shown")
    assert play.refusal(0, Discard(card("S1"))) == ("MG-6", "wrong-step")
    play.move(0, ShowOne(0))
    assert play.legal(0) == (Show(), Draw())
    play.move(0, Show())
    assert play.told[-1] == events.MatchEnded(0, (10, 0), (1, 2)), "the formula's chips did not come in"


def test_mg_17_shown_aptitude_cards_that_a_formula_brings_to_the_goal_win_before_a_draw_that_ends_the_match() -> None:
    has = {0: won("A222", chips=5, shown="A2")}
    play = given("A2 A2 A2", "", left=1, has=has, is_rebuilt=True).move(0, Fix(ALCHEMY, (2, 2, 2)))
    assert play.told[-1] == events.MatchEnded(0, (11, 0), (1, 2))
    play = given("A2 A2 A2", "", left=1, has=has, is_rebuilt=True, version=2).move(0, Fix(ALCHEMY, (2, 2, 2)))
    assert play.told[-1] == events.MatchDrawn((11, 0), (1, 1))


def test_mg_16_aptitude_cards_may_be_shown_before_a_turns_draw() -> None:
    has = {0: won("A222", chips=7, aptitudes="A2")}
    play = given("M1", "", is_start=True, has=has, version=2)
    assert play.legal(0) == (Use(Artefact.FATE), Draw())
    assert play.refusal(0, Show()) == ("MG-6", "wrong-step")
    play = given("M1", "", is_start=True, has=has)
    assert play.legal(0) == (Use(Artefact.FATE), Draw(), Show())
    assert play.move(0, Show()).told[-1] == events.MatchEnded(0, (10, 0), (1, 2))


def test_mg_16_who_cannot_begin_the_turn_with_a_draw_is_asked_to_show_first() -> None:
    used = won("A222", chips=9, aptitudes="A2", artefact=(Artefact.FATE,), penalty=-2)
    play = given("M1 M2", "", left=1, has={1: used}, is_rebuilt=True, has_swapped=True).watched()
    play.move(0, Discard(card("M1")))
    assert play.told == (events.CardDiscarded(0, card("M1")), events.TurnStarted(1), events.DrawWaits(1, 2))
    for viewer, seen in play.seen.items():
        assert GAME.to_act(seen) == (1,), viewer
        assert GAME.legal(seen, 1) == (Show(), Draw()), viewer
    play.move(1, Show())
    assert play.told[-1] == events.MatchEnded(1, (0, 10), (2, 1))


def test_mg_17_a_label_says_that_a_move_wins_or_draws_the_match_where_it_does_and_nowhere_else() -> None:
    for kind in each(*BOTS):
        for step in play_match(GAME.slug, 1, kind).positions:
            (seat,) = GAME.to_act(step.table)
            for move in GAME.legal(step.table, seat):
                text = GAME.label(step.table, seat, move, "en")
                told = GAME.decide(step.table, seat, move, Simulation(3))
                assert ("you win" in text) == any(isinstance(event, events.MatchEnded) for event in told), text
                if not isinstance(move, Awaken | Use):
                    ends = events.DrawWaits if "unless" in text else events.MatchDrawn
                    assert ("in a draw" in text) == any(isinstance(event, ends) for event in told), text
