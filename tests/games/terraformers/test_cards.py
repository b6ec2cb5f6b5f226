"""Planet cards: the box cards, and the Librarians' copies. Rules TF-11, TF-19, TF-37 to TF-44."""

from __future__ import annotations

import pytest

from domain.games.terraformers import GAME, events, moves
from domain.games.terraformers.components import Box, Level, Name
from domain.games.terraformers.moves import Acquire, Place, UseCard, UseCardOn
from tests.games.terraformers.table import SPECIES, Play, given, name
from tests.rows import each


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


def test_migrant_city_tf_28() -> None:
    for city, points in each([(4, 2), (9, 7), (2, 0), (1, 0)]):
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


OTHERS = tuple(species for species in SPECIES if species != "Librarians")


def librarians(*cards: str, seats: int = 2, hand: int = 4) -> Play:
    """Given Librarians at the first seat, and enough oxygen for all."""
    play = given("Librarians", *cards, seats=seats).with_species(0, "Librarians").with_hand(0, hand)
    for seat in range(seats):
        play.with_levels(seat, green=4)
    return play


def test_tf_37_each_other_species_can_be_named_on_the_table_or_before_another() -> None:
    for species in each(OTHERS):
        told = events.AbilityCopied(0, name("Librarians"), name(species), 1)
        assert librarians(species).copy(0, species).told == (told,)
        assert librarians(species).with_species(1, species).with_tips(species, 3).copy(0, species).told == (told,)


def test_tf_39_each_copy_is_lost_when_the_round_has_ended() -> None:
    for species in each(OTHERS):
        play = librarians(species).copy(0, species).end_round()
        assert play.one(events.CopyEnded) == events.CopyEnded(name("Librarians"), name(species))
        assert play.table.copies == tuple(range(8))


def test_tf_37_naming_comes_before_the_action_once_a_turn_for_a_tip() -> None:
    play = librarians("Mob").copy(0, "Mob")
    assert play.player(0).hand == 3
    assert GAME.to_act(play.table) == (0,)
    assert not any(isinstance(move, moves.Copy) for move in play.legal(0))
    assert play.refusal(0, moves.Copy(name("Mob"))) == ("TF-37", "once-a-turn")
    play.box(0, Box.WAR, 1).pass_(1)
    assert moves.Copy(name("Mob")) in play.legal(0)


def test_tf_9_without_a_tip_left_the_action_is_to_pass() -> None:
    play = librarians("Mob", hand=1).copy(0, "Mob")
    assert GAME.forced(play.table) == (0, moves.Pass())
    play = librarians("Mob", hand=0)
    assert play.refusal(0, moves.Copy(name("Mob"))) == ("TF-9", "no-tips")


def test_tf_37_what_cant_be_named() -> None:
    play = librarians("Mob", "Ore Vein")
    assert play.refusal(0, moves.Copy(name("Librarians"))) == ("TF-37", "not-another")
    assert play.refusal(0, moves.Copy(name("Ore Vein"))) == ("TF-37", "not-another")
    assert play.refusal(0, moves.Copy(name("World Expo"))) == ("TF-1", "no-such-card")
    play.pass_(0)
    assert play.refusal(1, moves.Copy(name("Mob"))) == ("TF-37", "no-copying")


def test_tf_39_a_new_copy_replaces_the_last_one() -> None:
    play = librarians("Giants", "Space Traders", hand=6).copy(0, "Giants").box(0, Box.WAR, 1)
    assert play.one(events.BoxUsed).power == 4
    play.pass_(1).copy(0, "Space Traders").box(0, Box.CITY, 1)
    assert play.one(events.BoxUsed).power == 2


def test_tf_39_a_copy_lasts_when_the_species_named_changes_hands() -> None:
    play = librarians("Giants").with_species(1, "Giants").copy(0, "Giants").box(0, Box.WAR, 1)
    play.put_back(1).box(0, Box.GREEN, 1)
    assert play.one(events.BoxUsed).power == 4


def test_tf_39_a_copy_goes_with_librarians() -> None:
    play = librarians("Dragon").copy(0, "Dragon").box(0, Box.WAR, 1).with_hand(1, 7)
    play.acquire(1, "Librarians", 5).pass_(0)
    assert play.one(events.TipsPaid) == events.TipsPaid(1, name("Librarians"), 1), (
        "turn-start effects of the copy go with it, too"
    )
    play.box(1, Box.WAR, 1)
    assert play.one(events.BoxUsed).power == 6
    assert play.on(0, Box.WAR) == 1


def test_tf_39_a_copy_ends_when_librarians_are_put_back() -> None:
    play = librarians("Giants").copy(0, "Giants").put_back(0)
    assert play.one(events.CopyEnded) == events.CopyEnded(name("Librarians"), name("Giants"))
    play = librarians("Giants").put_back(0)
    assert play.of(events.CopyEnded) == ()


def test_tf_39_a_copy_ends_when_their_owner_acquires_another_species() -> None:
    play = librarians("Giants", "Space Traders").copy(0, "Giants").acquire(0, "Space Traders", 1)
    assert play.one(events.CopyEnded) == events.CopyEnded(name("Librarians"), name("Giants"))
    play.pass_(1).box(0, Box.WAR, 1)
    assert play.one(events.BoxUsed).power == 2


def test_tf_38_copied_lord_of_war() -> None:
    play = librarians("Lord of War").copy(0, "Lord of War").pass_(0).with_boxes(1, war=2).end_round()
    assert play.one(events.WarResolved) == events.WarResolved((1, 0), (2, 1))


def test_tf_38_copied_giants() -> None:
    play = librarians("Giants").copy(0, "Giants")
    assert play.refusal(0, moves.UseBox(Box.CARNIVAL)) == ("TF-32", "barred")
    play.box(0, Box.WAR, 1)
    assert play.one(events.BoxUsed).power == 4


@pytest.mark.parametrize("species", ["Fourth-Dimensionals", "Space Farmers"])
def test_tf_38_copied_round_start_and_acquisition_effects_do_nothing(species: str) -> None:
    play = librarians(species).copy(0, species)
    assert play.of(events.LevelRaised) == ()
    play.end_round()
    assert not play.of(events.TipsTaken) + play.of(events.CardScored)


def test_tf_38_copied_zombies() -> None:
    play = librarians("Zombies").copy(0, "Zombies").with_levels(0, city=9).with_boxes(0, carnival=2).end_round()
    assert play.of(events.OxygenResolved)[0].succeeds
    assert play.one(events.CarnivalScored) == events.CarnivalScored(0, 2, 2)


def test_tf_38_copied_berserkers_can_be_let_go() -> None:
    play = librarians("Berserkers", "Mob").copy(0, "Berserkers")
    assert moves.PutBack() in play.legal(0)
    assert moves.Acquire(name("Mob")) in play.legal(0)
    play.box(0, Box.WAR, 1).with_boxes(1, war=4).end_round()
    assert play.one(events.WarResolved) == events.WarResolved((0, 1), (5, 4))


def test_tf_38_copied_dragon_takes_a_tip_from_the_next_turn_on() -> None:
    play = librarians("Dragon").copy(0, "Dragon")
    assert play.of(events.TipsPaid) == ()
    play.box(0, Box.WAR, 1)
    assert play.one(events.BoxUsed).power == 6
    play.pass_(1)
    assert play.one(events.TipsPaid) == events.TipsPaid(0, name("Librarians"), 1)
    assert moves.PutBack() in play.legal(0)


def test_tf_38_copied_mob() -> None:
    play = librarians("Mob").with_levels(0, science=5).copy(0, "Mob").box(0, Box.WAR, 1)
    assert play.one(events.BoxUsed).power == 4


def test_tf_38_copied_gardeners() -> None:
    play = librarians("Gardeners").with_levels(0, green=7).copy(0, "Gardeners").end_round()
    assert play.one(events.CardScored) == events.CardScored(0, name("Librarians"), 3)


def test_tf_38_copied_space_traders() -> None:
    play = librarians("Space Traders", "Ore Vein").with_levels(0, science=5, cosmo=2).copy(0, "Space Traders")
    play.move(0, moves.UseCard(name("Ore Vein")))
    assert play.places(0) == (2, 3)
    assert play.refusal(0, moves.Place(1)) == ("TF-19", "tips")
