"""How positions look to bots, and what matches are counted by."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from bots.choose import Bot, Greedy, Random
from bots.simulate import play_out
from domain.chance import Simulation
from domain.games.terraformers import GAME, moves
from domain.games.terraformers.components import Box, Options
from domain.games.terraformers.events import CardUsed, SpeciesAcquired, TurnStarted
from domain.games.terraformers.moves import TerraformersMove
from tests.games.terraformers.table import PACK, Play, given, name, odd


def greedy(play: Play, seat: int) -> TerraformersMove:
    move: TerraformersMove = Greedy().choose(GAME, play.table, seat, Simulation(1))
    return move


@pytest.mark.parametrize("seats", GAME.seats)
def test_greedy_wins_among_random_players(seats: int) -> None:
    wins = 0
    for seed in range(2 * seats):
        at = seed % seats
        bots: list[Bot] = [Greedy() if seat == at else Random() for seat in range(seats)]
        played = play_out(GAME, PACK, Options(), seats, bots, Simulation(seed))
        wins += played.ranking[at] == 1
    assert wins >= 2 * seats - 1


def test_points_are_worth_more_than_none() -> None:
    play = given("Mob")
    before = GAME.evaluate(play.table, 0)
    assert GAME.evaluate(play.with_player(0, points=3).table, 0) == pytest.approx(before + 3)
    assert GAME.evaluate(play.with_player(1, points=3).table, 0) < before + 3


def test_where_tips_are_to_be_placed_the_best_number_counts() -> None:
    play = given("Mob").with_round(6).with_levels(0, green=4).move(0, moves.UseBox(Box.CARNIVAL))
    pending = GAME.evaluate(play.table, 0)
    placed = [GAME.evaluate(given_after(play, tips).table, 0) for tips in play.places(0)]
    assert pending == max(placed)


def given_after(play: Play, tips: int) -> Play:
    return Play(play.table).move(0, moves.Place(tips))


def test_in_the_last_round_all_tips_go_where_they_score() -> None:
    idle = ("Zombies", "Gardeners", "Berserkers", "Space Farmers", "Fourth-Dimensionals", "Lord of War", "World Expo")
    play = given("Almsgiving", *idle).with_round(6)
    play.with_levels(0, green=4).with_boxes(0, war=1)
    for seat in (1, 2):
        play.with_player(seat, has_passed=True, hand=0)
    assert greedy(play, 0) == moves.UseCard(name("Almsgiving"))
    assert greedy(play.move(0, moves.UseCard(name("Almsgiving"))), 0) == moves.Place(4)


def test_oxygen_is_seen_to_in_the_last_round() -> None:
    play = given("Mob", seats=2).with_round(6).with_player(1, has_passed=True, hand=0).with_hand(0, 1)
    play.with_boxes(0, carnival=1, war=1, green=1)
    assert greedy(play, 0) == moves.UseBox(Box.OXYGEN)


def test_nobody_passes_with_tips_that_can_score() -> None:
    play = given("Mob", seats=2).with_round(6)
    assert greedy(play, 0) != moves.Pass()


def test_a_species_that_doubles_power_is_wanted_early() -> None:
    play = given("Dragon", seats=2).with_hand(0, 5)
    assert moves.Acquire(name("Dragon")) in play.legal(0)
    early = GAME.evaluate(Play(play.table).acquire(0, "Dragon", 5).table, 0)
    late = GAME.evaluate(Play(play.with_round(6).table).acquire(0, "Dragon", 5).table, 0)
    assert early > late


def test_a_city_that_outgrew_its_green_for_good_costs_in_each_round_tf_16() -> None:
    def cost(number: int) -> float:
        play = given("Mob", seats=2).with_player(0, has_passed=True).with_boxes(0, oxygen=1).with_round(number)
        enough = GAME.evaluate(play.with_levels(0, city=12, green=12).table, 0)
        return enough - GAME.evaluate(play.with_levels(0, city=12, green=11).table, 0)

    assert cost(1) > cost(4) > cost(6) == 0


def test_the_end_is_judged_by_places() -> None:
    play = given("Mob", seats=2, marker=1).end_match()
    assert GAME.standing(play.table).points[0] == GAME.standing(play.table).points[1]
    assert GAME.evaluate(play.table, 1) > GAME.evaluate(play.table, 0)


def test_a_war_that_nobody_else_can_fight_is_won_with_a_tip() -> None:
    play = given("Almsgiving").with_round(6).with_levels(0, green=4)
    for seat in (1, 2):
        play.with_player(seat, has_passed=True, hand=0)
    assert greedy(play, 0) == moves.UseBox(Box.WAR)


def test_a_match_is_counted_by_its_cards() -> None:
    planet = ("Librarians", "Giants", "Mob", "Zombies", "Ore Vein", "World Expo", "Almsgiving", "Dragon")
    counted = Counter[str]()
    for seed in range(20):
        told: list[Any] = ["not an event of the game"]
        played = play_out(
            GAME,
            PACK,
            Options(planet),
            2,
            [Random()] * 2,
            Simulation(seed),
            watch=lambda *step, to=told: to.extend(step[3]),
        )
        measured = GAME.measure(told)
        assert measured == GAME.measure(played.told)
        assert measured.rounds == 6
        assert measured.first == next(event.seat for event in told if isinstance(event, TurnStarted))
        assert [name for name, _ in measured.uses] == list(planet)
        used = {(event.card.name, event.seat) for event in told if isinstance(event, CardUsed | SpeciesAcquired)}
        assert {(name, seat) for name, seats in measured.uses for seat in seats} == used
        counted.update(name for name, seats in measured.uses if seats)
    assert set(counted) == set(planet)


def test_what_a_box_card_gives_in_each_round_is_hoped_for_tf_7() -> None:
    def hope(number: int, stars: int) -> float:
        play = odd("Red J", seats=2).with_round(number).with_player(0, stars=stars)
        return GAME.evaluate(play.table, 0)

    assert hope(1, stars=3) - hope(1, stars=0) == pytest.approx(3 * 5)
    assert hope(6, stars=3) - hope(6, stars=0) == pytest.approx(0)


def test_what_a_box_card_gives_at_the_end_is_hoped_for_tf_25() -> None:
    def hope(city: int, green: int) -> float:
        play = odd("Red J", seats=2).with_round(6)
        for seat in (0, 1):
            play.with_levels(seat, city=city if seat == 0 else 5, green=green)
        return GAME.evaluate(play.table, 0)

    assert hope(city=4, green=9) - hope(city=3, green=9) == pytest.approx(1)


def test_science_is_hoped_for_at_carnival_tf_18() -> None:
    play = given("Zombies", seats=2).with_round(6).with_player(0, has_passed=True, hand=0).with_levels(0, green=4)
    before = GAME.evaluate(play.table, 0)
    assert GAME.evaluate(play.with_levels(0, green=4, science=3).table, 0) == pytest.approx(before + 3)


def test_the_marker_is_worth_less_when_no_round_is_to_come_tf_17() -> None:
    def worth(number: int) -> float:
        play = given("Zombies", seats=2).with_round(number)
        held = GAME.evaluate(play.table, 0)
        return held - GAME.evaluate(replace(play.table, marker=1), 0)

    assert worth(3) > worth(6) > 0


def test_of_equal_powers_in_war_the_side_of_the_marker_is_the_safer_tf_17() -> None:
    # the rival can just reach the same power: that wins when the marker is theirs, and does not when it is ours
    play = given("Zombies", seats=2).with_levels(0, green=4).with_levels(1, green=4).with_boxes(0, war=3)
    play.with_hand(0, 0).with_player(0, has_passed=True).with_hand(1, 3)
    rivals = replace(play.table, marker=1)
    bare = given("Zombies", seats=2).with_levels(0, green=4).with_levels(1, green=4)
    bare.with_hand(0, 0).with_player(0, has_passed=True).with_hand(1, 3)
    ours = GAME.evaluate(play.table, 0) - GAME.evaluate(bare.table, 0)
    theirs = GAME.evaluate(rivals, 0) - GAME.evaluate(replace(bare.table, marker=1), 0)
    assert ours > theirs > 0
