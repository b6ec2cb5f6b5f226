"""The end of the match. Rules TF-25 to TF-28."""

from __future__ import annotations

import pytest

from domain.games.terraformers import GAME
from domain.games.terraformers.events import CardScored, MatchEnded
from tests.games.terraformers.table import Play, given, name


def last_round(*cards: str, seats: int = 3, marker: int = 0) -> Play:
    """Given the sixth round, with enough oxygen for all."""
    play = given(*cards, seats=seats, marker=marker).with_round(6)
    for seat in range(seats):
        play.with_levels(seat, green=12)
    return play


def with_stars(play: Play, *stars: int) -> Play:
    for seat, number in enumerate(stars):
        play.with_player(seat, stars=number)
    return play


def test_tf_25_game_end_effects_in_table_order() -> None:
    play = last_round("Outer Survey", "Dark Matter", "Migrant City", marker=1)
    with_stars(play, 1, 0, 0).with_levels(2, green=12, cosmo=2).with_levels(1, green=12, city=5).end_round()
    assert play.of(CardScored) == (
        CardScored(0, name("Outer Survey"), 8),
        CardScored(0, name("Dark Matter"), -6),
        CardScored(1, name("Dark Matter"), -6),
        CardScored(1, name("Migrant City"), -4),
    )
    assert play.told[-1] == MatchEnded((2, -10, 0), (1, 3, 2))


def test_tf_25_nothing_of_it_before_the_sixth_round() -> None:
    play = given("Migrant City", "Dark Matter", "Gravity Quake").with_levels(0, green=9).end_round()
    assert play.of(CardScored) == ()


def test_tf_42_migrant_city_costs_all_who_tie() -> None:
    play = last_round("Migrant City").with_levels(2, city=3, green=12).end_round()
    assert play.points() == (-4, -4, 0)


def test_tf_42_dark_matter_costs_all_who_tie() -> None:
    play = last_round("Dark Matter").with_levels(2, cosmo=2, green=12).end_round()
    assert play.points() == (-6, -6, 0)


@pytest.mark.parametrize(("stars", "points"), [((1, 2, 1), (-5, 0, -5)), ((0, 0, 0), (-5, -5, -5))])
def test_gravity_quake_costs_who_has_the_fewest_stars_tf_25(stars: tuple[int, ...], points: tuple[int, ...]) -> None:
    assert with_stars(last_round("Gravity Quake"), *stars).end_round().points() == points


@pytest.mark.parametrize(("stars", "points"), [((1, 2, 2), (0, 8, 8)), ((0, 0, 0), (0, 0, 0)), ((0, 1, 0), (0, 8, 0))])
def test_outer_survey_is_for_the_most_stars_but_not_for_none_tf_25(
    stars: tuple[int, ...], points: tuple[int, ...]
) -> None:
    assert with_stars(last_round("Outer Survey"), *stars).end_round().points() == points


def test_tf_27_both_cards_count_the_same_stars() -> None:
    play = with_stars(last_round("Outer Survey", "Gravity Quake"), 2, 1, 0).end_round()
    assert play.points() == (8, 0, -5)


def test_tf_26_most_points_win() -> None:
    play = last_round("Mob")
    for seat, points in enumerate((3, 9, -2)):
        play.with_player(seat, points=points)
    play.end_round()
    standing = GAME.standing(play.table)
    assert (standing.points, standing.ranking, standing.over) == ((3, 9, -2), (2, 1, 3), True)
    assert play.one(MatchEnded) == MatchEnded((3, 9, -2), (2, 1, 3))


@pytest.mark.parametrize(
    ("marker", "ranking"), [(0, (1, 4, 2, 3)), (1, (3, 4, 1, 2)), (2, (3, 4, 1, 2)), (3, (2, 4, 3, 1))]
)
def test_tf_26_ties_go_to_whoever_is_nearer_to_the_marker(marker: int, ranking: tuple[int, ...]) -> None:
    play = last_round("Mob", seats=4, marker=marker)
    for seat, points in enumerate((5, 4, 5, 5)):
        play.with_player(seat, points=points)
    play.end_round()
    assert GAME.standing(play.table).ranking == ranking


def test_tf_26_the_war_of_the_last_round_moves_the_marker_first() -> None:
    play = last_round("Mob", marker=0).with_boxes(2, war=1).with_player(0, points=5).end_round()
    assert play.points() == (5, 0, 5)
    assert GAME.standing(play.table).ranking == (2, 3, 1)


def test_tf_28_what_is_counted_by_a_level_is_never_below_zero() -> None:
    play = given("Migrant City").with_levels(0, city=0).with_hand(0, 5).card(0, "Migrant City", 5)
    assert play.points() == (0, 0, 0)
