"""Box cards on the table, each of the house pack. Rules TF-19, TF-27, TF-28."""

from __future__ import annotations

import pytest

from domain.games.terraformers import events
from domain.games.terraformers.components import Box, Level, Name
from domain.games.terraformers.moves import Acquire, Place, UseCard, UseCardOn
from tests.games.terraformers.table import given, name


def test_tf_19_power_must_reach_the_cost_and_may_exceed_it() -> None:
    play = given("Ore Vein").with_hand(0, 6).move(0, UseCard(name("Ore Vein")))
    assert play.one(events.CardChosen) == events.CardChosen(0, name("Ore Vein"), ())
    assert play.places(0) == (4, 5, 6)
    for tips in (3, 7):
        assert play.refusal(0, Place(tips)) == ("TF-19", "tips")
    play.move(0, Place(5))
    assert play.one(events.CardUsed) == events.CardUsed(0, name("Ore Vein"), 5, 5)
    assert play.lying_on("Ore Vein") == 5


def test_tf_19_a_card_out_of_reach_cant_be_chosen() -> None:
    play = given("Ore Vein").with_hand(0, 3)
    assert play.refusal(0, UseCard(name("Ore Vein"))) == ("TF-19", "too-weak")
    play.with_levels(0, science=1)
    assert UseCard(name("Ore Vein")) in play.legal(0)


def test_tf_19_what_is_no_box_card_on_this_planet_cant_be_used() -> None:
    play = given("Ore Vein", "Mob")
    assert play.refusal(0, UseCard(name("World Expo"))) == ("TF-1", "no-such-card")
    assert play.refusal(0, UseCard(Name("Ore Vein", "別名"))) == ("TF-1", "no-such-card")
    assert play.refusal(0, UseCard(name("Mob"))) == ("TF-19", "wrong-kind")
    assert play.refusal(0, Acquire(name("Ore Vein"))) == ("TF-20", "wrong-kind")


def test_tf_19_who_is_named_with_a_card() -> None:
    play = given("Ore Vein", "Provocation")
    assert play.refusal(0, UseCard(name("Provocation"))) == ("TF-19", "name-a-player")
    assert play.refusal(0, UseCardOn(name("Ore Vein"), 1)) == ("TF-19", "works-on-nobody")
    for other in (0, 3, -1):
        assert play.refusal(0, UseCardOn(name("Provocation"), other)) == ("TF-19", "not-another-player")


def test_ore_vein_tf_19() -> None:
    play = given("Ore Vein").with_levels(0, cosmo=3).card(0, "Ore Vein", 4)
    assert play.one(events.TipsTaken) == events.TipsTaken(0, name("Ore Vein"), 4)
    assert play.player(0).hand == 4


def test_emigrant_ship_tf_11() -> None:
    play = given("Emigrant Ship").with_boxes(2, oxygen=2).card(0, "Emigrant Ship", 4)
    assert play.one(events.LevelRaised) == events.LevelRaised(0, Level.CITY, 1, 5)
    assert play.of(events.TipsAdded) == tuple(
        events.TipsAdded(seat, Box.OXYGEN, 1, name("Emigrant Ship")) for seat in (1, 2)
    )
    assert [play.on(seat, Box.OXYGEN) for seat in range(3)] == [0, 1, 3]
    assert play.player(1).hand == 4, "they come from the stock"


def test_emigrant_ship_with_a_full_city_tf_15() -> None:
    play = given("Emigrant Ship").with_levels(0, city=12).card(0, "Emigrant Ship", 4)
    assert play.of(events.LevelRaised) == ()
    assert len(play.of(events.TipsAdded)) == 2


def test_protozoan_village_tf_19() -> None:
    play = given("Protozoan Village").with_levels(0, green=7).with_hand(0, 5).card(0, "Protozoan Village", 5)
    assert play.points() == (7, 0, 0)


def test_world_expo_tf_11() -> None:
    play = given("World Expo").with_hand(0, 5)
    play.with_boxes(0, war=1).with_boxes(1, carnival=2, war=1).with_boxes(2, oxygen=1)
    play.card(0, "World Expo", 5)
    assert play.points() == (3, 0, 0)
    assert [play.on(seat, Box.WAR) for seat in range(3)] == [2, 2, 0]
    assert [play.on(seat, Box.CARNIVAL) for seat in range(3)] == [0, 3, 0]
    assert play.on(2, Box.OXYGEN) == 1, "who has neither is not concerned"
    assert {event.seat for event in play.of(events.TipsAdded)} == {0, 1}


def test_provocation_tf_11() -> None:
    play = given("Provocation").with_boxes(2, war=1).card(0, "Provocation", 3, on=2)
    assert play.points() == (2, 0, 0)
    assert play.one(events.TipsForced) == events.TipsForced(2, Box.WAR, 1, name("Provocation"))
    assert (play.player(2).hand, play.on(2, Box.WAR)) == (3, 2)
    assert (play.player(1).hand, play.on(1, Box.WAR)) == (4, 0)


def test_tf_40_provocation_of_a_player_who_has_passed_or_has_no_tips() -> None:
    play = given("Provocation").with_player(2, has_passed=True).card(0, "Provocation", 3, on=2)
    assert play.on(2, Box.WAR) == 1
    play = given("Provocation").with_hand(1, 0).card(0, "Provocation", 3, on=1)
    assert play.of(events.TipsForced) == ()
    assert play.points() == (2, 0, 0)


@pytest.mark.parametrize(("city", "points"), [(4, 2), (9, 7), (2, 0), (1, 0)])
def test_migrant_city_tf_28(city: int, points: int) -> None:
    play = given("Migrant City").with_levels(0, city=city).with_hand(0, 5).card(0, "Migrant City", 5)
    assert play.points() == (points, 0, 0)
    assert len(play.of(events.CardScored)) == (points > 0)


def test_tf_43_dark_matter() -> None:
    play = given("Dark Matter").card(0, "Dark Matter", 4)
    assert play.one(events.LevelRaised) == events.LevelRaised(0, Level.COSMO, 1, 2)
    assert play.points() == (1, 0, 0)


def test_tf_42_gravity_quake() -> None:
    play = given("Gravity Quake").with_hand(0, 5)
    play.with_levels(0, cosmo=3).with_levels(1, cosmo=2).with_levels(2, cosmo=3).card(0, "Gravity Quake", 5)
    assert play.points() == (0, -2, 0)
    assert play.one(events.StarsMarked) == events.StarsMarked(0, name("Gravity Quake"), 1, 1)
    assert [play.player(seat).stars for seat in range(3)] == [1, 0, 0]


def test_tf_41_almsgiving_takes_all_tips_in_hand() -> None:
    play = given("Almsgiving").card(0, "Almsgiving", 4)
    assert play.points() == (5, 0, 0)
    play = given("Almsgiving").with_hand(0, 1).card(0, "Almsgiving", 1)
    assert play.points() == (2, 0, 0)
    play = given("Almsgiving").card(0, "Almsgiving", 3)
    assert play.points() == (0, 0, 0), "fewer may be placed, for nothing"
    assert play.lying_on("Almsgiving") == 3


@pytest.mark.parametrize(("others", "points"), [((3, 4), 6), ((5, 3), 4), ((3, 6), 2)])
def test_tf_42_flower_show(others: tuple[int, int], points: int) -> None:
    play = given("Flower Show").with_levels(0, green=5)
    play.with_levels(1, green=others[0]).with_levels(2, green=others[1]).card(0, "Flower Show", 4)
    assert play.points() == (points, 0, 0)


def test_outer_survey_tf_27() -> None:
    play = given("Outer Survey", "Gravity Quake").with_hand(0, 11)
    play.card(0, "Outer Survey", 6).pass_(1, 2).card(0, "Gravity Quake", 5)
    assert play.points() == (2, 0, 0)
    assert play.player(0).stars == 2, "stars are the same, whichever card they are marked for"
    assert play.one(events.StarsMarked).total == 2
