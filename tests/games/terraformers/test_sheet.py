"""Setting up, and the boxes of a sheet. Rules TF-1 to TF-5, TF-13 to TF-18."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.chance import Scripted, Simulation
from domain.game import fold, put
from domain.games.terraformers import GAME, events
from domain.games.terraformers.components import MOST_TIPS, Box, Level, Options
from domain.games.terraformers.moves import Place, UseBox
from domain.games.terraformers.state import Table
from tests.games.terraformers.table import NAMES, PACK, busy, given, planet
from tests.rows import each

SCENARIOS = {
    "first-game": "Lord of War, Giants, Fourth-Dimensionals, Space Farmers, "
    "Ore Vein, Emigrant Ship, Protozoan Village, World Expo",
    "looming-crisis": "Zombies, Berserkers, Dragon, Provocation, Migrant City, Protozoan Village, Dark Matter, "
    "Gravity Quake",
    "green-war": "Mob, Zombies, Gardeners, Space Farmers, Librarians, Almsgiving, Ore Vein, Flower Show",
    "mysteries-of-space": "Lord of War, Mob, Fourth-Dimensionals, Space Traders, "
    "Emigrant Ship, Migrant City, Outer Survey, Dark Matter",
}


def set_up(
    options: Options, chance: Scripted | Simulation, seats: int = 3
) -> tuple[Table, tuple[events.TerraformersEvent, ...]]:
    GAME.check_options(options, seats, PACK)
    table = GAME.initial(options, seats, PACK)
    told = GAME.setup(table, chance)
    return fold(GAME, table, told), told


def test_tf_1_a_planet_by_chance_is_the_first_eight_of_all_cards_shuffled() -> None:
    order = tuple(reversed(NAMES.values()))
    table, told = set_up(Options(), Scripted(order, 2))
    assert told[0] == events.PlanetLaid(order[:8])
    assert tuple(laid.name for laid in table.planet) == order[:8]
    assert Options().planet == "random"


def test_tf_1_tf_2_a_chosen_planet_or_a_scenario_lays_out_its_eight_cards() -> None:
    chosen = planet("Ore Vein", "Giants", "Almsgiving")
    wanted = {scenario: tuple(cards.split(", ")) for scenario, cards in SCENARIOS.items()}
    assert {scenario.name for scenario in PACK.scenarios} == set(wanted)
    for option, cards in each((chosen, chosen), *wanted.items()):
        _, told = set_up(Options(planet=option), Scripted(0))
        assert told[0] == events.PlanetLaid(tuple(NAMES[card] for card in cards))


def test_tf_3_levels_and_points_at_the_start() -> None:
    for seats in GAME.seats:
        table, _ = set_up(Options(), Simulation(1), seats)
        assert len(table.players) == seats
        for player in table.players:
            assert player.levels == (4, 3, 0, 1)
            assert (player.points, player.stars, player.species) == (0, 0, ())


def test_tf_4_the_marker_is_drawn_by_chance() -> None:
    for seat in range(3):
        table, told = set_up(Options(planet="first-game"), Scripted(seat))
        assert events.MarkerDrawn(seat) in told
        assert table.marker == seat
        assert events.RoundStarted(1, seat) in told
        assert events.TipsDealt((4, 4, 4)) in told


def test_tf_5_everybody_sees_everything() -> None:
    play = given("Mob")
    assert len({GAME.view(play.table, viewer) for viewer in (0, 1, 2, None)}) == 1
    assert GAME.imagine(play.table, 1, Simulation(1)) is play.table


def test_tf_39_a_table_shows_who_holds_a_species_and_what_it_copies() -> None:
    shown = GAME.view(busy().table, None)
    assert [place.seat for place in shown.places] == [0, 1]
    librarians, giants, provocation, _, ore_vein, *_ = shown.planet
    assert (librarians.holder, librarians.tips, [copied.en for copied in librarians.copies]) == ((0,), 5, ["Giants"])
    assert (giants.holder, giants.tips, giants.copies) == ((), 0, ())
    assert (provocation.holder, provocation.copies, ore_vein.tips) == ((), (), 4)
    assert [[species.en for species in place.species] for place in shown.places] == [["Librarians"], []]


def test_tf_13_tf_14_power_raises_a_level_from_where_it_is_and_what_is_left_is_lost() -> None:
    for box, tips, levels, raised in each(
        (Box.OXYGEN, 2, {}, ()),  # three boxes wait for the round's end
        (Box.WAR, 2, {}, ()),
        (Box.CARNIVAL, 2, {}, ()),
        (Box.CITY, 2, {"science": 3}, (events.LevelRaised(0, Level.CITY, 2, 6),)),  # the rule book's example
        (Box.CITY, 1, {}, ()),
        (Box.CITY, 4, {}, (events.LevelRaised(0, Level.CITY, 1, 5),)),  # 2 of 4 are paid, 3 more are wanted
        (Box.GREEN, 7, {"green": 5}, (events.LevelRaised(0, Level.GREEN, 2, 7),)),
    ):
        play = given("Mob").with_levels(0, **levels).with_hand(0, 7).box(0, box, tips)
        assert play.of(events.BoxUsed) == (events.BoxUsed(0, box, tips, tips + levels.get("science", 0)),)
        assert (play.of(events.LevelRaised), play.points()) == (raised, (0, 0, 0))
        for event in raised:
            assert play.level(0, event.level) == event.to


def test_tf_13_seven_boxes_and_any_number_of_tips() -> None:
    play = given("Mob").with_hand(0, MOST_TIPS)
    assert sum(isinstance(move, UseBox) for move in play.legal(0)) == 7
    play.move(0, UseBox(Box.OXYGEN))
    assert play.places(0) == tuple(range(1, MOST_TIPS + 1))
    assert play.refusal(0, Place(MOST_TIPS + 1)) == ("TF-13", "tips")
    assert play.refusal(0, Place(-1)) == ("TF-13", "tips")


PRICES = {
    Level.CITY: (2, 3, 4, 5, 6, 7, 8, 9),
    Level.GREEN: (1, 2, 3, 4, 5, 6, 7, 8),
    Level.SCIENCE: (2, 5, 8, 11, 14),
    Level.COSMO: (2, 3, 4, 5, 6, 7),
}


def test_tf_16_too_little_oxygen_costs_five_points_and_science_helps_with_tips_only() -> None:
    for levels, tips, resolved in each(
        ({"city": 12}, 0, events.OxygenResolved(0, 12, 3, 0, False, -5)),
        ({"science": 1}, 1, events.OxygenResolved(0, 4, 3, 2, True, 0)),
        ({"city": 5}, 1, events.OxygenResolved(0, 5, 3, 1, False, -5)),
        ({"science": 3}, 0, events.OxygenResolved(0, 4, 3, 0, False, -5)),
        ({"green": 4}, 0, events.OxygenResolved(0, 4, 4, 0, True, 0)),
    ):
        play = given("Mob").with_levels(0, **levels).with_boxes(0, oxygen=tips).end_round()
        assert play.of(events.OxygenResolved)[0] == resolved
        assert play.points() == (resolved.points + levels.get("science", 0), -5, -5), "and carnival"


def test_tf_17_first_and_second_of_the_war_and_of_equal_powers_the_marker_then_clockwise() -> None:
    for tips, science, marker, order, powers, points in each(
        ((1, 3, 2), 0, 0, (1, 2, 0), (3, 2, 1), (0, 5, 3)),
        ((3, 4), 2, 0, (0, 1), (5, 4), (7, 3)),  # and 2 of carnival
        ((5, 5, 3), 0, 1, (1, 0, 2), (5, 5, 3), (3, 5, 0)),
        ((2, 2, 0, 2), 0, 2, (3, 0, 1), (2, 2, 2), (3, 0, 0, 5)),  # both places by the old marker
        ((0, 1), 0, 0, (1,), (1,), (0, 5)),  # alone there is no second
        ((0, 0, 0), 0, 2, (), (), (0, 0, 0)),
    ):
        play = given("Mob", seats=len(tips), marker=marker)
        for seat, number in enumerate(tips):
            play.with_levels(seat, green=4, science=0 if seat else science).with_boxes(seat, war=number)
        play.end_round()
        assert play.of(events.WarResolved) == ((events.WarResolved(order, powers),) if order else ())
        scored = [(event.seat, event.place, event.points) for event in play.of(events.WarScored)]
        assert scored == [(seat, place + 1, (5, 3)[place]) for place, seat in enumerate(order[:2])]
        first = order[0] if order else marker
        assert play.of(events.MarkerMoved) == (() if first == marker else (events.MarkerMoved(first),))
        assert (play.points(), play.table.marker) == (points, first)


@pytest.mark.parametrize("level", Level)
def test_tf_15_check_boxes_cost_what_is_printed_and_a_full_column_rises_no_further(level: Level) -> None:
    start, prices = getattr(PACK.levels, level).start, PRICES[level]
    assert getattr(PACK.levels, level).prices == prices
    for boxes in range(1, len(prices) + 1):
        power = sum(prices[:boxes])
        for tips in range(max(1, power - 1), power + 1):
            play = given("Mob").with_hand(0, tips).box(0, Box(level), tips)
            assert play.level(0, level) == start + boxes - (tips < power)
    full = start + len(prices)
    play = given("Mob").with_levels(0, **{level.value: full}).with_hand(0, 30).box(0, Box(level), 30)
    assert (play.of(events.LevelRaised), play.level(0, level)) == ((), full)


def test_tf_18_without_tips_there_carnival_gives_everybody_their_science() -> None:
    play = given("Mob", "Giants", seats=4, marker=2)
    for seat, science in enumerate((2, 0, 1, 5)):
        play.with_levels(seat, green=4, science=science)
    play.with_species(3, "Giants").with_boxes(0, carnival=1).end_round()
    assert play.of(events.CarnivalScored) == (
        events.CarnivalScored(2, 1, 1),
        events.CarnivalScored(3, 3, 3),
        events.CarnivalScored(0, 3, 3),
    )
    assert play.points() == (3, 0, 1, 3), "nothing is told of a power of 0"


def test_tf_18_what_power_is_counted_from_counts_at_carnival() -> None:
    play = given("Mob", "Space Traders", seats=2).with_species(0, "Mob").with_species(1, "Space Traders")
    play.with_levels(0, green=4, science=4).with_levels(1, green=4, science=4, cosmo=2).end_round()
    assert play.points() == (3, 2)


def test_tf_14_a_city_that_outgrew_all_green_that_can_still_be_bought_is_feared_too() -> None:
    def worth(green: int) -> float:
        table = GAME.initial(Options(), 2, PACK)
        player = replace(table.players[0], levels=(12, green, 0, 1))
        return GAME.evaluate(replace(table, players=put(table.players, 0, player)), 0)

    assert worth(8) < worth(11)
