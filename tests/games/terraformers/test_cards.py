"""Planet cards: the box cards, and the Librarians' copies. Rules TF-11, TF-19, TF-37 to TF-44."""

from __future__ import annotations

from domain.games.terraformers import GAME, events, moves
from domain.games.terraformers.components import Box, Level
from tests.games.terraformers.table import SPECIES, Play, given, name
from tests.rows import each


def test_tf_19_power_must_reach_the_cost_and_may_exceed_it() -> None:
    play = given("Ore Vein").with_hand(0, 3)
    assert play.refusal(0, moves.UseCard(name("Ore Vein"))) == ("TF-19", "too-weak")
    assert moves.UseCard(name("Ore Vein")) in play.with_levels(0, science=1).legal(0)
    play = given("Ore Vein").with_hand(0, 6).move(0, moves.UseCard(name("Ore Vein")))
    assert play.one(events.CardChosen) == events.CardChosen(0, name("Ore Vein"), ())
    assert play.places(0) == (4, 5, 6)
    for tips in (3, 7):
        assert play.refusal(0, moves.Place(tips)) == ("TF-19", "tips")
    assert play.move(0, moves.Place(5)).one(events.CardUsed) == events.CardUsed(0, name("Ore Vein"), 5, 5)
    assert play.lying_on("Ore Vein") == 5


def test_tf_28_tf_41_tf_42_tf_43_what_each_box_card_of_the_house_gives_the_players() -> None:
    for card, tips, given_levels, points, told in each(
        # the card, the tips on it, and by seat its levels: everybody's points, and the events but those of points
        ("Ore Vein", 4, ({"cosmo": 3},), (0, 0, 0), [events.TipsTaken(0, name("Ore Vein"), 4)]),
        ("Protozoan Village", 5, ({"green": 7},), (7, 0, 0), []),
        ("Migrant City", 5, ({"city": 4},), (2, 0, 0), []),
        ("Migrant City", 5, ({"city": 9},), (7, 0, 0), []),
        ("Migrant City", 5, ({"city": 2},), (0, 0, 0), []),
        ("Migrant City", 5, ({"city": 0},), (0, 0, 0), []),
        ("Dark Matter", 4, (), (1, 0, 0), [events.LevelRaised(0, Level.COSMO, 1, 2)]),
        (
            "Gravity Quake",
            5,
            ({"cosmo": 3}, {"cosmo": 2}, {"cosmo": 3}),
            (0, -2, 0),
            [events.StarsMarked(0, name("Gravity Quake"), 1, 1)],
        ),
        ("Almsgiving", 9, (), (10, 0, 0), []),
        ("Almsgiving", 8, (), (0, 0, 0), []),  # fewer than all may be placed, for nothing
        ("Flower Show", 4, ({"green": 5}, {"green": 3}, {"green": 4}), (6, 0, 0), []),
        ("Flower Show", 4, ({"green": 5}, {"green": 5}, {"green": 3}), (4, 0, 0), []),
        ("Flower Show", 4, ({"green": 5}, {"green": 3}, {"green": 6}), (2, 0, 0), []),
    ):
        play = given(card).with_hand(0, 9)
        for seat, levels in enumerate(given_levels):
            play.with_levels(seat, **levels)
        play.card(0, card, tips)
        assert play.points() == points
        assert [event for event in play.told[1:-1] if not isinstance(event, events.CardScored)] == told
    assert given("Almsgiving").with_hand(0, 1).card(0, "Almsgiving", 1).points() == (2, 0, 0)


def test_tf_11_tf_15_cards_put_tips_on_others_boxes_and_raise_no_full_city() -> None:
    play = given("Emigrant Ship").with_boxes(2, oxygen=2).card(0, "Emigrant Ship", 4)
    assert play.one(events.LevelRaised) == events.LevelRaised(0, Level.CITY, 1, 5)
    added = tuple(events.TipsAdded(seat, Box.OXYGEN, 1, name("Emigrant Ship")) for seat in (1, 2))
    assert play.of(events.TipsAdded) == added
    assert [play.on(seat, Box.OXYGEN) for seat in range(3)] == [0, 1, 3]
    assert play.player(1).hand == 4, "they come from the stock"
    play = given("Emigrant Ship").with_levels(0, city=12).card(0, "Emigrant Ship", 4)
    assert (play.of(events.LevelRaised), len(play.of(events.TipsAdded))) == ((), 2)
    play = given("World Expo").with_hand(0, 5).with_boxes(0, war=1).with_boxes(1, carnival=2, war=1)
    play.with_boxes(2, oxygen=1).card(0, "World Expo", 5)
    assert play.points() == (3, 0, 0)
    lying = [tuple(play.on(seat, box) for box in (Box.WAR, Box.CARNIVAL, Box.OXYGEN)) for seat in range(3)]
    assert lying == [(2, 0, 0), (2, 3, 0), (0, 0, 1)], "who has neither is not concerned"


def test_tf_40_provocation_takes_a_tip_also_of_a_player_who_has_passed_if_there_is_one() -> None:
    for hand, has_passed, lying in each((4, False, 2), (4, True, 2), (0, False, 1)):
        play = given("Provocation").with_player(2, has_passed=has_passed, hand=hand).with_boxes(2, war=1)
        play.card(0, "Provocation", 3, on=2)
        forced = (events.TipsForced(2, Box.WAR, 1, name("Provocation")),) if hand else ()
        assert (play.points(), play.of(events.TipsForced)) == ((2, 0, 0), forced)
        assert (play.player(2).hand, play.on(2, Box.WAR), play.on(1, Box.WAR)) == (max(0, hand - 1), lying, 0)


def test_outer_survey_tf_27() -> None:
    play = given("Outer Survey", "Gravity Quake").with_hand(0, 11)
    play.card(0, "Outer Survey", 6).pass_(1, 2).card(0, "Gravity Quake", 5)
    assert play.points() == (2, 0, 0)
    assert play.player(0).stars == 2, "stars are the same, whichever card they are marked for"
    assert play.one(events.StarsMarked).total == 2


OTHERS = tuple(species for species in SPECIES if species != "Librarians")


def librarians(*cards: str, hand: int = 4) -> Play:
    """Given Librarians at the first seat, and enough oxygen for all."""
    play = given("Librarians", *cards, seats=2).with_species(0, "Librarians").with_hand(0, hand)
    return play.with_levels(0, green=4).with_levels(1, green=4)


def test_tf_37_each_other_species_can_be_named_on_the_table_or_before_another() -> None:
    for species in each(*OTHERS):
        told = events.AbilityCopied(0, name("Librarians"), name(species), 1)
        assert librarians(species).copy(0, species).told == (told,)
        assert librarians(species).with_species(1, species).with_tips(species, 3).copy(0, species).told == (told,)


def test_tf_39_each_copy_is_lost_when_the_round_has_ended() -> None:
    for species in each(*OTHERS):
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


def test_tf_38_a_copied_species_acts_for_its_copier() -> None:
    play = librarians("Lord of War").copy(0, "Lord of War").pass_(0).with_boxes(1, war=2).end_round()
    assert play.one(events.WarResolved) == events.WarResolved((1, 0), (2, 1))
    play = librarians("Giants").copy(0, "Giants")
    assert play.refusal(0, moves.UseBox(Box.CARNIVAL)) == ("TF-32", "barred")
    assert play.box(0, Box.WAR, 1).one(events.BoxUsed).power == 4
    play = librarians("Zombies").copy(0, "Zombies").with_levels(0, city=9).with_boxes(0, carnival=2).end_round()
    assert play.of(events.OxygenResolved)[0].succeeds
    assert play.one(events.CarnivalScored) == events.CarnivalScored(0, 2, 2)
    play = librarians("Berserkers", "Mob").copy(0, "Berserkers")
    assert {moves.PutBack(), moves.Acquire(name("Mob"))} <= set(play.legal(0)), "it can be let go"
    play.box(0, Box.WAR, 1).with_boxes(1, war=4).end_round()
    assert play.one(events.WarResolved) == events.WarResolved((0, 1), (5, 4))
    play = librarians("Mob").with_levels(0, science=5).copy(0, "Mob").box(0, Box.WAR, 1)
    assert play.one(events.BoxUsed).power == 4
    play = librarians("Gardeners").with_levels(0, green=7).copy(0, "Gardeners").end_round()
    assert play.one(events.CardScored) == events.CardScored(0, name("Librarians"), 3)


def test_tf_38_copied_round_start_and_acquisition_effects_do_nothing() -> None:
    for species in each("Fourth-Dimensionals", "Space Farmers"):
        play = librarians(species).copy(0, species)
        assert play.of(events.LevelRaised) == ()
        play.end_round()
        assert not play.of(events.TipsTaken) + play.of(events.CardScored)


def test_tf_38_copied_dragon_takes_a_tip_from_the_next_turn_on() -> None:
    play = librarians("Dragon").copy(0, "Dragon")
    assert play.of(events.TipsPaid) == ()
    play.box(0, Box.WAR, 1)
    assert play.one(events.BoxUsed).power == 6
    play.pass_(1)
    assert play.one(events.TipsPaid) == events.TipsPaid(0, name("Librarians"), 1)
    assert moves.PutBack() in play.legal(0)


def test_tf_38_copied_space_traders() -> None:
    play = librarians("Space Traders", "Ore Vein").with_levels(0, science=5, cosmo=2).copy(0, "Space Traders")
    play.move(0, moves.UseCard(name("Ore Vein")))
    assert play.places(0) == (2, 3)
    assert play.refusal(0, moves.Place(1)) == ("TF-19", "tips")
