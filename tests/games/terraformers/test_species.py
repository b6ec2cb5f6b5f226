"""Species: acquired, guarded, put back, and each of the house pack. Rules TF-20 to TF-23, TF-30 to TF-36."""

from __future__ import annotations

from domain.games.terraformers import GAME, events, moves
from domain.games.terraformers.components import Box, Level
from domain.games.terraformers.printed import Ability
from domain.games.terraformers.rules.power import levels_of
from tests.games.terraformers.table import HOUSE, SPECIES, given, name
from tests.rows import each

CLINGING = ("Berserkers", "Dragon")


def test_tf_20_a_species_on_the_table_is_acquired_with_the_tips_on_it() -> None:
    play = given("Giants").with_hand(0, 5).move(0, moves.Acquire(name("Giants")))
    assert play.one(events.SpeciesChosen) == events.SpeciesChosen(0, name("Giants"), ())
    assert play.places(0) == (3, 4, 5)
    assert play.refusal(0, moves.Place(2)) == ("TF-20", "tips")
    play.move(0, moves.Place(4))
    assert play.one(events.SpeciesAcquired) == events.SpeciesAcquired(0, name("Giants"), 4, 4, ())
    assert (play.holder("Giants"), play.lying_on("Giants"), play.player(0).hand) == (0, 4, 1)


def test_tf_20_a_species_is_taken_from_another_player_with_its_ability() -> None:
    play = given("Giants").with_species(1, "Giants").acquire(0, "Giants", 4)
    assert play.one(events.SpeciesAcquired) == events.SpeciesAcquired(0, name("Giants"), 4, 4, (1,))
    assert play.holder("Giants") == 0
    play.box(1, Box.WAR, 1)
    assert play.one(events.BoxUsed).power == 1, "lost at once"
    play.with_hand(0, 1).pass_(2)
    play.box(0, Box.WAR, 1)
    assert play.one(events.BoxUsed).power == 4, "gained at once"


def test_tf_20_the_cost_is_paid_with_the_power_that_one_has_before() -> None:
    play = given("Gardeners", "Space Traders").with_species(0, "Space Traders").with_levels(0, cosmo=2).with_hand(0, 2)
    assert moves.Acquire(name("Gardeners")) in play.legal(0)
    play.with_hand(0, 1)
    assert play.refusal(0, moves.Acquire(name("Gardeners"))) == ("TF-20", "too-weak")


def test_tf_21_a_second_species_sends_the_first_back_with_its_tips() -> None:
    play = given("Giants", "Mob").with_species(0, "Mob").with_tips("Mob", 2).acquire(0, "Giants", 2)
    assert play.one(events.SpeciesReturned) == events.SpeciesReturned(0, name("Mob"))
    assert play.told.index(play.one(events.SpeciesReturned)) < play.told.index(play.one(events.SpeciesAcquired))
    assert (play.holder("Mob"), play.lying_on("Mob"), play.holder("Giants")) == (None, 2, 0)
    assert play.refusal(1, moves.Acquire(name("Mob"))) == ("TF-11", "card-occupied")


def test_tf_22_guarding_shields_for_the_round() -> None:
    play = given("Giants").with_species(0, "Giants").guard(0, "Giants", 1)
    assert play.one(events.SpeciesGuarded) == events.SpeciesGuarded(0, name("Giants"), 1, 4)
    assert play.holder("Giants") == 0
    assert play.refusal(1, moves.Acquire(name("Giants"))) == ("TF-11", "card-occupied")
    play.end_round().with_levels(0, green=4)
    assert play.lying_on("Giants") == 0
    play.with_turn(1)
    assert moves.Acquire(name("Giants")) in play.legal(1)


def test_tf_22_only_ones_own_species_is_guarded_for_what_acquiring_costs() -> None:
    play = given("Giants", "Mob").with_species(0, "Giants").with_species(1, "Mob")
    assert play.refusal(0, moves.Guard(name("Mob"))) == ("TF-22", "not-yours")
    assert play.refusal(0, moves.Acquire(name("Giants"))) == ("TF-22", "yours")
    play = given("Space Farmers").with_species(0, "Space Farmers").move(0, moves.Guard(name("Space Farmers")))
    assert (play.places(0), play.of(events.LevelRaised)) == ((4,), ()), "and does nothing"


def test_tf_23_putting_back_costs_a_tip_and_leaves_the_tips_on_it() -> None:
    play = given("Mob").with_species(0, "Mob").with_tips("Mob", 3).put_back(0)
    assert play.told[0] == events.SpeciesPutBack(0, name("Mob"), 1)
    assert (play.holder("Mob"), play.lying_on("Mob"), play.player(0).hand) == (None, 3, 3)
    assert GAME.to_act(play.table) == (1,)
    assert given("Mob").refusal(0, moves.PutBack()) == ("TF-23", "no-species")


# each species of the house pack


def test_tf_30_tf_31_tf_34_what_a_species_makes_of_power() -> None:
    for species, levels, tips, power in each(
        ("Giants", {}, 2, 5),
        ("Giants", {"science": 5}, 1, 4),
        ("Dragon", {}, 1, 6),
        ("Mob", {"science": 0}, 3, 6),
        ("Mob", {"science": 5}, 3, 6),
        ("Space Traders", {"science": 5, "cosmo": 3}, 1, 4),
    ):
        play = given(species).with_species(0, species).with_levels(0, **levels).box(0, Box.WAR, tips)
        assert play.one(events.BoxUsed).power == power
        assert play.level(0, Level.SCIENCE) == levels.get("science", 0), "the sheet is left alone"
    for species, levels, wars, resolved in each(
        ("Lord of War", {"science": 2, "cosmo": 3}, (1, 5), ((0, 1), (6, 5))),
        ("Lord of War", {"science": 2, "cosmo": 3}, (0, 4), ((1, 0), (4, 3))),  # by cosmo alone
        ("Berserkers", {}, (1, 3), ((0, 1), (5, 3))),
        ("Berserkers", {}, (0, 1), ((1,), (1,))),
    ):
        play = given(species, seats=2).with_species(0, species).with_levels(0, **levels)
        play.with_boxes(0, war=wars[0]).with_boxes(1, war=wars[1]).end_round()
        assert play.one(events.WarResolved) == events.WarResolved(*resolved)


def test_tf_30_where_science_counts_as_a_number_the_other_levels_count_as_they_are() -> None:
    player = given("Giants").with_levels(0, city=5, green=6, science=7, cosmo=8).player(0)
    assert levels_of(player, Ability(science=(3,))) == (5, 6, 3, 8)
    assert levels_of(player, Ability()) == (5, 6, 7, 8)


def test_tf_32_giants_may_not_choose_carnival_but_tips_there_stay_and_score() -> None:
    play = given("Giants", "World Expo").with_boxes(0, carnival=1).with_species(0, "Giants").with_hand(0, 2)
    assert moves.UseBox(Box.CARNIVAL) not in play.legal(0)
    play.card(0, "World Expo", 2)
    assert play.on(0, Box.CARNIVAL) == 2
    play.end_round()
    assert play.one(events.CarnivalScored) == events.CarnivalScored(0, 5, 5)


def test_tf_7_tf_20_what_a_species_gives_when_acquired_and_at_the_rounds_start() -> None:
    play = given("Fourth-Dimensionals").acquire(0, "Fourth-Dimensionals", 4)
    assert play.of(events.TipsTaken) == ()
    assert play.with_levels(0, cosmo=3).end_round().one(events.TipsTaken).tips == 3
    assert play.player(0).hand == 7
    play = given("Space Farmers").acquire(0, "Space Farmers", 4)
    assert play.one(events.LevelRaised) == events.LevelRaised(0, Level.GREEN, 1, 4)
    assert play.end_round().one(events.CardScored) == events.CardScored(0, name("Space Farmers"), 2)


def test_tf_35_zombies_always_have_oxygen() -> None:
    play = given("Zombies").with_species(0, "Zombies").with_levels(0, city=12).with_boxes(0, carnival=3).end_round()
    assert play.of(events.OxygenResolved)[0] == events.OxygenResolved(0, 12, 3, 0, True, 0)
    assert play.one(events.CarnivalScored) == events.CarnivalScored(0, 3, 3)


def test_tf_44_a_species_may_close_its_owners_carnival() -> None:
    old, new = b'{ effect = "oxygen-succeeds" }', b'{ effect = "oxygen-succeeds" }, { effect = "no-carnival" }'
    pack = GAME.parse_pack(HOUSE.replace(old, new), "closed.toml")
    play = given("Zombies", pack=pack).with_species(0, "Zombies").with_boxes(0, carnival=3).with_boxes(1, carnival=2)
    assert play.end_round().one(events.CarnivalScored) == events.CarnivalScored(1, 2, 2)
    assert play.points()[0] == 0


def test_tf_33_berserkers_and_dragon_cant_be_let_go_but_taken_and_guarded() -> None:
    for species in each(*CLINGING):
        play = given(species, "Mob").with_species(0, species)
        assert play.refusal(0, moves.Acquire(name("Mob"))) == ("TF-33", "clings")
        assert play.refusal(0, moves.PutBack()) == ("TF-33", "clings")
        assert play.with_hand(1, 5).pass_(0).acquire(1, species, 5).holder(species) == 1
        assert given(species).with_species(0, species).with_hand(0, 5).guard(0, species, 5).lying_on(species) == 5


def test_tf_36_gardeners_score_their_surplus_of_oxygen_also_without_tips() -> None:
    for green, science, tips, points in each((6, 1, 2, 5), (6, 3, 0, 2), (5, 0, 0, 1), (4, 0, 0, 0)):
        play = given("Gardeners").with_species(0, "Gardeners").with_levels(0, green=green, science=science)
        told = play.with_boxes(0, oxygen=tips).end_round().of(events.CardScored)
        assert told == ((events.CardScored(0, name("Gardeners"), points),) if points else ())


def test_tf_40_dragon_takes_a_tip_at_each_turns_start_not_the_rounds() -> None:
    play = given("Dragon", seats=2).with_species(1, "Dragon")
    assert play.player(1).hand == 4
    play.box(0, Box.WAR, 1)
    assert play.one(events.TipsPaid) == events.TipsPaid(1, name("Dragon"), 1)
    play.box(1, Box.WAR, 1).box(0, Box.CITY, 1)
    assert play.player(1).hand == 1
    play.box(1, Box.CITY, 1).box(0, Box.GREEN, 1)
    assert play.of(events.TipsPaid) == (), "from hand, if any"
    assert GAME.forced(play.table) == (1, moves.Pass())


def test_tf_20_a_species_is_told_in_a_line_even_where_all_names_are_long() -> None:
    for species in each(*[species for species in SPECIES if species != "Fourth-Dimensionals"]):
        play = given(species, "Fourth-Dimensionals").with_species(0, "Fourth-Dimensionals").with_species(1, species)
        text = GAME.label(play.with_hand(0, 12).table, 0, moves.Acquire(name(species)), "en")
        assert text.startswith(f"Acquire {species} from seat 1 for ")
        assert ", giving up Fourth-Dimensionals: " in text
        assert len(text) <= 150
