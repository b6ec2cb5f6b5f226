"""The planet, the sheets and the marker. Rules TF-1 to TF-5."""

from __future__ import annotations

import msgspec
import pytest

from domain.chance import Scripted, Simulation
from domain.game import Refusal, fold
from domain.games.terraformers import GAME
from domain.games.terraformers.components import Kind, Name, Options
from domain.games.terraformers.events import MarkerDrawn, PlanetLaid, RoundStarted, TerraformersEvent, TipsDealt
from domain.games.terraformers.state import Table
from tests.games.terraformers.table import NAMES, PACK, SPECIES, Play, busy, given, planet

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


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ("venus", "no-such-planet"),
        ("", "no-such-planet"),
        ((), "planet-size"),
        (planet("Ore Vein")[:7], "planet-size"),
        ((*planet("Ore Vein"), "World Expo"), "planet-size"),
        ((*planet("Ore Vein")[:7], "Ore Vein"), "planet-size"),
        ((*planet("Ore Vein")[:7], "Nobody"), "unknown-card"),
        ((*planet("Ore Vein")[:7], "ore vein"), "unknown-card"),
    ],
)
def test_tf_1_any_other_planet_is_refused(wrong: str | tuple[str, ...], code: str) -> None:
    assert refusal(wrong) == ("TF-1", code)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_tf_2_a_scenario_lays_out_its_eight_cards(scenario: str) -> None:
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
