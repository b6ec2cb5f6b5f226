"""Setting up, and the boxes of a sheet. Rules TF-1 to TF-5, TF-13 to TF-18."""

from __future__ import annotations

import msgspec
import pytest

from domain.chance import Scripted, Simulation
from domain.game import Refusal, fold
from domain.games.terraformers import GAME, events
from domain.games.terraformers.components import Box, Kind, Level, Name, Options
from domain.games.terraformers.events import MarkerDrawn, PlanetLaid, RoundStarted, TerraformersEvent, TipsDealt
from domain.games.terraformers.moves import Place, UseBox
from domain.games.terraformers.state import Table
from tests.games.terraformers.table import NAMES, PACK, SPECIES, Play, busy, given, planet
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
) -> tuple[Table, tuple[TerraformersEvent, ...]]:
    GAME.check_options(options, seats, PACK)
    table = GAME.initial(options, seats, PACK)
    told = GAME.setup(table, chance)
    return fold(GAME, table, told), told


def refusal(planet: str | tuple[str, ...]) -> tuple[str, str]:
    with pytest.raises(Refusal) as refused:
        GAME.check_options(Options(planet=planet), 3, PACK)
    return refused.value.clause, refused.value.code


def test_tf_1_a_planet_by_chance_is_the_first_eight_of_all_cards_shuffled() -> None:
    order = tuple(reversed(NAMES.values()))
    table, told = set_up(Options(), Scripted(order, 2))
    assert told[0] == PlanetLaid(order[:8])
    assert tuple(laid.name for laid in table.planet) == order[:8]
    assert Options().planet == "random"


def test_tf_1_the_pack_has_eleven_cards_of_either_kind() -> None:
    kinds = [card.kind for card in PACK.cards]
    assert (kinds.count(Kind.SPECIES), kinds.count(Kind.BOX)) == (11, 11)


def test_tf_1_a_chosen_planet_lies_in_the_order_of_its_list() -> None:
    chosen = planet("Ore Vein", "Giants", "Almsgiving")
    _, told = set_up(Options(planet=chosen), Scripted(0))
    assert told[0] == PlanetLaid(tuple(NAMES[card] for card in chosen))


def test_tf_1_options_come_as_json() -> None:
    chosen = planet("Ore Vein")
    assert msgspec.json.decode(msgspec.json.encode({"planet": chosen}), type=GAME.Options) == Options(planet=chosen)
    assert msgspec.json.decode(b"{}", type=GAME.Options) == Options()


def test_tf_1_any_other_planet_is_refused() -> None:
    for wrong, code in each(
        [
            ("venus", "no-such-planet"),
            ("", "no-such-planet"),
            ((), "planet-size"),
            (planet("Ore Vein")[:7], "planet-size"),
            ((*planet("Ore Vein"), "World Expo"), "planet-size"),
            ((*planet("Ore Vein")[:7], "Ore Vein"), "planet-size"),
            ((*planet("Ore Vein")[:7], "Nobody"), "unknown-card"),
            ((*planet("Ore Vein")[:7], "ore vein"), "unknown-card"),
        ]
    ):
        assert refusal(wrong) == ("TF-1", code)


def test_tf_2_a_scenario_lays_out_its_eight_cards() -> None:
    for scenario in each(SCENARIOS):
        _, told = set_up(Options(planet=scenario), Scripted(0))
        assert told[0] == PlanetLaid(tuple(NAMES[card] for card in SCENARIOS[scenario].split(", ")))


def test_tf_2_the_pack_has_the_four_scenarios() -> None:
    assert {scenario.name for scenario in PACK.scenarios} == set(SCENARIOS)


@pytest.mark.parametrize("seats", GAME.seats)
def test_tf_3_levels_and_points_at_the_start(seats: int) -> None:
    table, _ = set_up(Options(), Simulation(1), seats)
    assert len(table.players) == seats
    for player in table.players:
        assert player.levels == (4, 3, 0, 1)
        assert (player.points, player.stars, player.species) == (0, 0, ())


def test_tf_3_points_may_go_below_zero() -> None:
    play = given("Mob", seats=2).pass_(0, 1)
    assert play.points() == (-5, -5)


def test_tf_4_the_marker_is_drawn_by_chance() -> None:
    for seat in range(3):
        table, told = set_up(Options(planet="first-game"), Scripted(seat))
        assert MarkerDrawn(seat) in told
        assert table.marker == seat
        assert RoundStarted(1, seat) in told
        assert TipsDealt((4, 4, 4)) in told


def test_tf_5_everybody_sees_everything() -> None:
    play = given("Mob")
    views = {GAME.view(play.table, viewer) for viewer in (0, 1, 2, None)}
    assert len(views) == 1
    assert GAME.imagine(play.table, 1, Simulation(1)) is play.table
    assert not GAME.secret(play.table)


def test_tf_39_a_table_shows_who_holds_a_species_and_what_it_copies() -> None:
    shown = GAME.view(busy().table, None)
    assert [place.seat for place in shown.places] == [0, 1]
    librarians, giants, provocation, _, ore_vein, *_ = shown.planet
    assert (librarians.holder, librarians.tips, [copied.en for copied in librarians.copies]) == ((0,), 5, ["Giants"])
    assert (giants.holder, giants.tips, giants.copies) == ((), 0, ())
    assert (provocation.holder, provocation.copies, ore_vein.tips) == ((), (), 4)
    assert [[species.en for species in place.species] for place in shown.places] == [["Librarians"], []]


def test_a_name_is_told_in_both_languages() -> None:
    assert str(Name("Giants", "巨人族")) == "Giants"
    assert len(SPECIES) == 11
    assert isinstance(given("Mob"), Play)


def test_tf_13_seven_boxes_and_any_number_of_tips() -> None:
    play = given("Mob").with_hand(0, 9)
    assert sum(isinstance(move, UseBox) for move in play.legal(0)) == 7
    play.move(0, UseBox(Box.OXYGEN))
    assert play.places(0) == tuple(range(1, 10))
    assert play.refusal(0, Place(10)) == ("TF-13", "tips")
    assert play.refusal(0, Place(-1)) == ("TF-13", "tips")


@pytest.mark.parametrize("box", [Box.OXYGEN, Box.WAR, Box.CARNIVAL])
def test_tf_13_three_boxes_wait_for_the_rounds_end(box: Box) -> None:
    play = given("Mob").box(0, box, 2)
    assert play.of(events.LevelRaised) == ()
    assert play.points() == (0, 0, 0)


def test_tf_14_the_rulebooks_example() -> None:
    # science 3, two tips on city: power 5 fills two boxes, city 4 -> 6
    play = given("Mob").with_levels(0, science=3).box(0, Box.CITY, 2)
    assert play.of(events.BoxUsed) == (events.BoxUsed(0, Box.CITY, 2, 5),)
    assert play.of(events.LevelRaised) == (events.LevelRaised(0, Level.CITY, 2, 6),)
    assert play.level(0, Level.CITY) == 6


def test_tf_14_nothing_need_be_raised_and_power_left_is_lost() -> None:
    play = given("Mob").box(0, Box.CITY, 1)
    assert play.of(events.LevelRaised) == ()
    assert play.level(0, Level.CITY) == 4
    play = given("Mob").box(0, Box.CITY, 4)
    assert play.level(0, Level.CITY) == 5, "2 of 4 are paid, 3 more are wanted"


def test_tf_14_levels_rise_from_where_they_are() -> None:
    play = given("Mob").with_levels(0, green=5).with_hand(0, 7).box(0, Box.GREEN, 7)
    assert play.one(events.LevelRaised) == events.LevelRaised(0, Level.GREEN, 2, 7)


PRICES = {
    Level.CITY: (2, 3, 4, 5, 6, 7, 8, 9),
    Level.GREEN: (1, 2, 3, 4, 5, 6, 7, 8),
    Level.SCIENCE: (2, 5, 8, 11, 14),
    Level.COSMO: (2, 3, 4, 5, 6, 7),
}


@pytest.mark.parametrize("level", Level)
def test_tf_15_check_boxes_cost_what_is_printed(level: Level) -> None:
    start, prices = getattr(PACK.levels, level).start, PRICES[level]
    assert getattr(PACK.levels, level).prices == prices
    for boxes in range(1, len(prices) + 1):
        power = sum(prices[:boxes])
        assert given("Mob").with_hand(0, power).box(0, Box(level), power).level(0, level) == start + boxes
        if power > 1:
            play = given("Mob").with_hand(0, power).box(0, Box(level), power - 1)
            assert play.level(0, level) == start + boxes - 1


@pytest.mark.parametrize("level", Level)
def test_tf_15_a_full_column_rises_no_further(level: Level) -> None:
    full = getattr(PACK.levels, level).start + len(PRICES[level])
    play = given("Mob").with_levels(0, **{level.value: full}).with_hand(0, 30).box(0, Box(level), 30)
    assert play.of(events.LevelRaised) == ()
    assert play.level(0, level) == full


def test_tf_16_too_little_oxygen_costs_five_points_however_much_is_missing() -> None:
    play = given("Mob").with_levels(1, city=12).end_round()
    assert play.points() == (-5, -5, -5)
    assert play.of(events.OxygenResolved)[1] == events.OxygenResolved(1, 12, 3, 0, False, -5)


def test_tf_16_science_and_tips_make_oxygen() -> None:
    play = given("Mob", seats=2).with_levels(0, science=1).with_boxes(0, oxygen=1)
    play.with_levels(1, city=5).with_boxes(1, oxygen=1).end_round()
    assert play.of(events.OxygenResolved) == (
        events.OxygenResolved(0, 4, 3, 2, True, 0),
        events.OxygenResolved(1, 5, 3, 1, False, -5),
    )
    assert play.points() == (1, -5), "and 1 of carnival"


def test_tf_16_without_tips_science_is_of_no_help() -> None:
    play = given("Mob", seats=2).with_levels(0, science=3).with_levels(1, green=4).end_round()
    assert play.of(events.OxygenResolved) == (
        events.OxygenResolved(0, 4, 3, 0, False, -5),
        events.OxygenResolved(1, 4, 4, 0, True, 0),
    )


def test_tf_17_first_and_second_of_the_war() -> None:
    play = given("Mob")
    for seat, tips in enumerate((1, 3, 2)):
        play.with_levels(seat, green=4).with_boxes(seat, war=tips)
    play.end_round()
    assert play.one(events.WarResolved) == events.WarResolved((1, 2, 0), (3, 2, 1))
    assert play.of(events.WarScored) == (events.WarScored(1, 1, 5), events.WarScored(2, 2, 3))
    assert play.of(events.MarkerMoved) == (events.MarkerMoved(1),)
    assert play.points() == (0, 5, 3)
    assert play.table.marker == 1


def test_tf_17_science_counts_in_war() -> None:
    play = given("Mob", seats=2).with_levels(0, green=4, science=2).with_levels(1, green=4)
    play.with_boxes(0, war=3).with_boxes(1, war=4).end_round()
    assert play.one(events.WarResolved) == events.WarResolved((0, 1), (5, 4))


def test_tf_17_ties_go_to_the_marker_and_then_clockwise() -> None:
    # A, B, C with 5, 5, 3 and the marker at B: B is first, A second
    play = given("Mob", marker=1)
    for seat, tips in enumerate((5, 5, 3)):
        play.with_levels(seat, green=4).with_boxes(seat, war=tips)
    play.end_round()
    assert play.of(events.WarScored) == (events.WarScored(1, 1, 5), events.WarScored(0, 2, 3))
    assert play.of(events.MarkerMoved) == (), "it stays where it is"
    assert play.points() == (3, 5, 0)


def test_tf_17_of_equal_powers_the_next_clockwise_from_the_marker_comes_first() -> None:
    play = given("Mob", seats=4, marker=2)
    for seat, tips in enumerate((2, 2, 0, 2)):
        play.with_levels(seat, green=4).with_boxes(seat, war=tips)
    play.end_round()
    # both places are settled while the marker lies at seat 2: 3 before 0 before 1
    assert play.one(events.WarResolved).order == (3, 0, 1)
    assert play.points() == (3, 0, 0, 5)
    assert play.table.marker == 3


def test_tf_17_alone_there_is_no_second() -> None:
    play = given("Mob", seats=2).with_levels(0, green=4).with_levels(1, green=4).with_boxes(1, war=1).end_round()
    assert play.of(events.WarScored) == (events.WarScored(1, 1, 5),)


def test_tf_17_without_war_the_marker_stays() -> None:
    play = given("Mob", marker=2).end_round()
    assert not play.of(events.WarResolved) + play.of(events.WarScored) + play.of(events.MarkerMoved)
    assert play.table.marker == 2


def test_tf_18_carnival_gives_its_power_in_points() -> None:
    play = given("Mob").with_levels(0, green=4, science=2).with_boxes(0, carnival=3).end_round()
    assert play.of(events.CarnivalScored) == (events.CarnivalScored(0, 5, 5),)
    assert play.points()[0] == 5


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


def test_tf_18_carnival_concerns_who_has_passed_too() -> None:
    play = given("Mob", seats=2).with_levels(0, green=4, science=2).pass_(0).pass_(1)
    assert play.one(events.CarnivalScored) == events.CarnivalScored(0, 2, 2)


def test_tf_18_what_power_is_counted_from_counts_at_carnival() -> None:
    play = given("Mob", "Space Traders", seats=2).with_species(0, "Mob").with_species(1, "Space Traders")
    play.with_levels(0, green=4, science=4).with_levels(1, green=4, science=4, cosmo=2).end_round()
    assert play.points() == (3, 2)
