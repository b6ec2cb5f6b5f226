"""Librarians, who copy each other species, and lose it again. Rules TF-37 to TF-39."""

from __future__ import annotations

import pytest

from domain.games.terraformers import GAME, events, moves
from domain.games.terraformers.components import Box
from tests.games.terraformers.table import SPECIES, Play, given, name

OTHERS = tuple(species for species in SPECIES if species != "Librarians")


def librarians(*cards: str, seats: int = 2, hand: int = 4) -> Play:
    """Given Librarians at the first seat, and enough oxygen for all."""
    play = given("Librarians", *cards, seats=seats).with_species(0, "Librarians").with_hand(0, hand)
    for seat in range(seats):
        play.with_levels(seat, green=4)
    return play


@pytest.mark.parametrize("species", OTHERS)
def test_tf_37_each_other_species_can_be_named_on_the_table_or_before_another(species: str) -> None:
    told = events.AbilityCopied(0, name("Librarians"), name(species), 1)
    assert librarians(species).copy(0, species).told == (told,)
    assert librarians(species).with_species(1, species).with_tips(species, 3).copy(0, species).told == (told,)


@pytest.mark.parametrize("species", OTHERS)
def test_tf_39_each_copy_is_lost_when_the_round_has_ended(species: str) -> None:
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
