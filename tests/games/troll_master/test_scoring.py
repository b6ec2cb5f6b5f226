"""Scoring and the end: TM-31 to TM-34."""

from __future__ import annotations

from msgspec.structs import replace

from domain.games.troll_master import GAME
from domain.games.troll_master.events import CardsCleared, MatchEnded, PointsCounted, RoundStarted
from domain.games.troll_master.moves import Act, Pass
from domain.games.troll_master.state import Step
from tests.games.troll_master.table import Play, acting, at, magics, named, planning, refused, reveal


def last_action(*chips_and_mana: tuple[int, int]) -> Play:
    """Seat 0 passes the round's last action; it gets 2 mana by that."""
    (chips, mana), *others = chips_and_mana
    return acting(at(1, mana=mana, chips=chips), *(at(0, mana=mana, chips=chips) for chips, mana in others))


def test_tm_31_points_are_chips_points_of_uncovered_familiars_and_scoring_abilities() -> None:
    play = acting(
        at(1, "Black Cat", "Troll", ("Dragon Egg", 4), "Unicorn", chips=3),
        at(0, "Raven", ("Mandrake", 3)),
        at(0, chips=2),
    )
    assert GAME.standing(play.table).points == (3 + 5 + 4 + 3 + 4 // 2, 1 + 1 + 3 // 2, 2)
    play.move(0, Pass())
    assert play.one(PointsCounted).points == (17, 3, 2)
    assert play.place(0).chips == 3, "a scoring ability gives no chips"


def test_tm_31_what_is_covered_counts_nothing() -> None:
    play = acting(at(1, "Raven"), at(0), at(0))
    place = play.place(0)
    raven = replace(place.familiars[0], covered=(named("Troll"), named("Dragon Egg")))
    table = replace(play.table, places=(replace(place, familiars=(raven,)), *play.table.places[1:]))
    assert GAME.standing(table).points == (1, 0, 0)


def test_tm_32_twenty_points_end_the_match() -> None:
    for chips, is_over in ((19, False), (20, True), (23, True)):
        play = last_action((chips, 0), (0, 0), (0, 0)).move(0, Pass())
        assert GAME.standing(play.table).over is is_over
        assert bool(play.of(MatchEnded)) is is_over
        assert bool(play.of(RoundStarted)) is not is_over
        assert GAME.to_act(play.table) == (() if is_over else (play.table.start,))


def test_tm_32_points_are_counted_when_the_round_is_over_not_before() -> None:
    play = acting(at(12, "Black Cat", chips=25), at(1, "Black Cat"), at(0))
    play.move(0, Pass())
    assert not GAME.standing(play.table).over
    assert GAME.to_act(play.table) == (1,)


def test_tm_32_nothing_is_done_after_the_end() -> None:
    play = last_action((20, 0), (0, 0), (0, 0)).move(0, Pass())
    assert play.table.stage.step is Step.OVER
    for seat in range(3):
        assert play.legal(seat) == ()
        assert refused(play.table, seat, Pass()) == ("TM-32", "over")


def test_tm_32_face_up_cards_go_to_the_discard_pile_in_the_order_revealed() -> None:
    play = planning("FCF", "TWT", "WFC", start=1, open="C")
    play.move(1, reveal("T", 2)).move(2, reveal("W", 3)).move(0, reveal("F", 1))
    play.move(1, Pass()).move(2, Pass()).move(0, Pass())
    # by now seat 2 has the broom; the hands lie in the order of the deal all the same
    assert play.table.broom == 2
    assert play.table.cards.open == magics("C" + "TWF" + "WT" + "FC" + "CF")
    for seat in (2, 1, 0):
        if GAME.to_act(play.table) == (seat,):
            play.move(seat, Pass())
    assert play.one(CardsCleared) == CardsCleared(10)
    assert play.table.cards.discards == magics("CTWFWTFCCF")
    assert GAME.view(play.table, None).top == magics("F")


def test_tm_32_the_next_round_is_started_by_the_brooms_holder_with_nobody_passed_or_out() -> None:
    play = last_action((0, 0), (0, 0), (0, 0)).move(0, Pass())
    assert play.one(RoundStarted) == RoundStarted(round=2, start=play.table.broom)
    for place in play.table.places:
        assert (place.has_passed, place.is_out, place.lacks, place.pawn) == (False, False, (), 0)


def test_tm_33_most_points_win() -> None:
    play = last_action((21, 0), (22, 0), (5, 9)).move(0, Pass())
    assert play.one(MatchEnded) == MatchEnded(points=(21, 22, 5), mana=(2, 0, 9), ranking=(2, 1, 3))
    assert GAME.standing(play.table).ranking == (2, 1, 3)


def test_tm_33_between_equal_points_most_mana_in_hand_wins_and_charges_do_not_count() -> None:
    play = last_action((21, 1), (21, 4), (20, 9)).move(0, Pass())
    assert play.one(MatchEnded).ranking == (2, 1, 3)
    charged = acting(at(1, ("Brazen Head", 2), chips=19), at(0, "Brazen Head", mana=3, chips=19), at(0))
    assert charged.move(0, Pass()).one(MatchEnded).ranking == (2, 1, 3)


def test_tm_33_still_equal_the_win_is_shared() -> None:
    play = last_action((21, 1), (21, 3), (20, 9)).move(0, Pass())
    assert play.one(MatchEnded).ranking == (1, 1, 3)


def test_tm_34_the_fortieth_round_is_the_last() -> None:
    for number, is_over in ((39, False), (40, True)):
        play = last_action((3, 0), (1, 0), (0, 0))
        play.table = replace(play.table, round=number)
        play.move(0, Pass())
        assert GAME.standing(play.table).over is is_over
    assert play.one(MatchEnded).ranking == (1, 2, 3)


def test_tm_31_the_last_action_of_a_round_may_bring_the_points() -> None:
    play = acting(at(14, "Black Cat", chips=17), at(0), at(0), open="CCCCTTTFFF").move(0, Act())
    assert play.one(MatchEnded).points == (20, 0, 0)
