"""Packs: the house's, an odd one, and those that are refused. Rules TF-1, TF-2, TF-15."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bots.choose import Bot, Greedy, Random
from bots.simulate import play_out
from domain.chance import Simulation
from domain.game import PackError, fold
from domain.games import terraformers
from domain.games.terraformers import GAME
from domain.games.terraformers.components import Box, Level, Options
from domain.games.terraformers.events import (
    BoxUsed,
    CardScored,
    LevelRaised,
    RoundStarted,
    StarsMarked,
    TipsAdded,
    TipsForced,
    TipsPaid,
    TipsTaken,
    TurnStarted,
    WarResolved,
)
from domain.games.terraformers.moves import Copy, UseBox
from domain.games.terraformers.pack import Pack
from tests.games.terraformers.table import HOUSE, PACK, Play, given

ODD_FILE = (Path(__file__).parent / "packs" / "odd.toml").read_bytes()
ODD: Pack = GAME.parse_pack(ODD_FILE, "odd.toml")


def odd(*cards: str, seats: int = 3) -> Play:
    """Given a match with the odd pack: these cards, and other species."""
    names = [card.name for card in ODD.cards if card.name not in cards]
    return given(*cards, *names[: 8 - len(cards)], seats=seats, pack=ODD)


# what the odd pack prints


@pytest.mark.parametrize("seats", GAME.seats)
def test_tf_1_matches_with_another_pack_come_to_their_end(seats: int) -> None:
    for seed in range(12):
        chance = Simulation(seed)
        table = GAME.initial(Options(), seats, ODD)
        table = fold(GAME, table, GAME.setup(table, chance))
        moves = 0
        while to_act := GAME.to_act(table):
            legal = GAME.legal(table, to_act[0])
            assert 0 < len(legal) <= 100
            only = GAME.forced(table)
            assert (only is not None) == (len(legal) == 1)
            seat, move = only or (to_act[0], chance.choose(legal))
            assert move in legal
            told = GAME.decide(table, seat, move, chance)
            assert all(GAME.describe(event, lang) for event in told for lang in ("en", "ja"))
            table = fold(GAME, table, told)
            moves += 1
        assert GAME.standing(table).over
        assert moves <= GAME.bound
        for lang in ("en", "ja"):
            assert GAME.draw(GAME.view(table, None), lang)


@pytest.mark.parametrize("seats", GAME.seats)
def test_bots_judge_positions_by_kinds_of_effects_not_by_cards(seats: int) -> None:
    wins = 0
    for seed in range(seats):
        bots: list[Bot] = [Greedy() if seat == seed else Random() for seat in range(seats)]
        wins += play_out(GAME, ODD, Options(), seats, bots, Simulation(seed)).ranking[seed] == 1
    assert wins >= seats - 1


def test_tf_2_scenarios_are_those_of_the_pack() -> None:
    GAME.check_options(Options(planet="upside-down"), 2, ODD)
    table = GAME.initial(Options(planet="upside-down"), 2, ODD)
    table = fold(GAME, table, GAME.setup(table, Simulation(1)))
    assert [laid.name.name for laid in table.planet][:5] == ["Ai", "Bo", "Cu", "De", "Red A"]


def test_tf_3_levels_start_where_the_pack_says() -> None:
    assert odd("Ai").player(0).levels == (2, 0, 1, 3)


def test_tf_15_an_empty_column_never_rises() -> None:
    play = odd("Ko Ko").with_hand(0, 9).box(0, Box.COSMO, 4)
    assert play.of(LevelRaised) == ()
    play = odd("Ko Ko").with_hand(0, 9).acquire(0, "Ko Ko", 2)
    assert play.of(LevelRaised) == ()


def test_tf_16_tf_17_points_are_those_of_the_pack() -> None:
    play = odd("Ai", seats=2).with_boxes(0, war=1).with_boxes(1, war=2).end_round()
    assert play.points() == (9 - 1 + 1, 2 - 1 + 1), "and carnival"


def test_two_effects_of_one_kind_add_up_tf_17() -> None:
    play = odd("De", seats=2).with_species(0, "De").with_player(0, stars=4).with_boxes(0, war=1)
    play.with_boxes(1, war=1).end_round()
    assert play.one(WarResolved) == WarResolved((0, 1), (8, 2))
    assert play.of(StarsMarked)[0].total == 6
    play = odd("De", seats=2).with_species(0, "De").with_player(0, stars=4).with_boxes(1, war=1).end_round()
    assert play.one(WarResolved) == WarResolved((0, 1), (4, 2))


def test_two_barred_boxes_tf_12() -> None:
    play = odd("Cu").with_species(0, "Cu").with_levels(0, green=4)
    boxes = {move.box for move in play.legal(0) if isinstance(move, UseBox)}
    assert boxes == set(Box) - {Box.CITY, Box.WAR}
    assert play.box(0, Box.OXYGEN, 1).one(BoxUsed).power == 6


def test_a_copy_is_added_to_what_the_copier_has_itself_tf_12() -> None:
    play = odd("Ai", "Cu", "De").with_species(0, "Ai").with_hand(0, 9).with_levels(0, green=2)
    play.copy(0, "Cu").box(0, Box.OXYGEN, 1)
    assert play.one(BoxUsed).power == 4
    assert play.player(0).hand == 6
    play.with_turn(0).copy(0, "De").with_boxes(0, war=1).with_player(0, stars=2).end_round()
    assert play.one(WarResolved) == WarResolved((0,), (1 + 3 + 2 + 2,))


def test_of_two_words_on_science_the_copied_one_counts_tf_12() -> None:
    play = odd("Bo", "Jo").with_species(0, "Bo").with_hand(0, 9)
    assert play.box(0, Box.OXYGEN, 1).one(BoxUsed).power == 8
    play.with_turn(0).copy(0, "Jo").box(0, Box.WAR, 1)
    assert play.one(BoxUsed).power == 1


def test_a_copier_is_not_copied_nor_what_clings_tf_12() -> None:
    play = odd("Ai", "Bo").with_species(0, "Ai").with_hand(0, 9).copy(0, "Bo")
    assert play.box(0, Box.OXYGEN, 1).one(BoxUsed).power == 8
    play.with_turn(0)
    copies = [move for move in play.legal(0) if isinstance(move, Copy)]
    assert copies
    assert play.copy(0, "Bo").player(0).hand == 4, "still for two tips"


def test_naming_may_cost_more_than_one_has_tf_12() -> None:
    play = odd("Ai", "Bo").with_species(0, "Ai").with_hand(0, 1)
    assert not any(isinstance(move, Copy) for move in play.legal(0))
    assert play.refusal(0, Copy(play.called("Bo"))) == ("TF-12", "cannot-pay")


def test_provoking_twice_takes_what_there_is_tf_11() -> None:
    play = odd("Red A", seats=2).with_hand(1, 2).with_player(0, stars=3).card(0, "Red A", 1, on=1)
    assert play.of(TipsForced) == (TipsForced(1, Box.CARNIVAL, 2, play.called("Red A")),)
    assert play.points() == (3, 0)


def test_effects_at_turn_start_tf_8() -> None:
    play = odd("Ga", "Ai", seats=2).with_species(1, "Ga").box(0, Box.WAR, 1)
    assert play.one(LevelRaised) == LevelRaised(1, Level.GREEN, 1, 1)
    play = odd("Ga", "Ai", seats=2).with_species(1, "Ai").box(0, Box.WAR, 1)
    assert play.one(CardScored).points == 1


def test_effects_at_acquisition_tf_20() -> None:
    assert odd("Em").acquire(0, "Em", 1).one(TipsTaken).tips == 3
    assert odd("Jo").acquire(0, "Jo", 2).one(CardScored).points == 4
    assert odd("Jo").with_hand(0, 3).acquire(0, "Jo", 2).of(CardScored) == ()
    play = odd("Ha").with_levels(0, green=1).with_levels(1, green=1).with_levels(2, green=0).acquire(0, "Ha", 2)
    assert play.points() == (0, 0, -4)


def test_effects_at_round_start_tf_7() -> None:
    play = odd("In", seats=3).with_species(0, "In").end_round()
    assert play.of(TipsAdded) == tuple(TipsAdded(seat, Box.CARNIVAL, 2, play.called("In")) for seat in (1, 2))
    assert play.one(TipsPaid).tips == 1
    play = odd("Ha", seats=2).with_species(0, "Ha").end_round()
    assert play.of(CardScored) == (), "tied, for nothing"
    play = odd("Em", seats=2).with_species(0, "Em").end_round()
    assert play.of(TipsTaken) == (), "science 1 less 1"


def test_tf_7_a_box_card_does_something_for_everybody_at_the_rounds_start() -> None:
    play = odd("Red G", "De", "Red J", seats=3).with_player(1, stars=1).with_species(1, "De").with_levels(2, science=4)
    play.with_levels(1, cosmo=5).pass_(0, 1, 2)
    first, second, third = (play.called(card) for card in ("Red G", "De", "Red J"))
    # for each from the marker's holder: the box cards in table order, then the species
    assert play.told[play.told.index(RoundStarted(2, 1)) + 2 :] == (
        TipsTaken(1, first, 1),
        CardScored(0, first, -2),
        CardScored(2, first, -2),
        CardScored(1, third, 1),
        StarsMarked(1, second, 2, 3),
        TipsTaken(2, first, 5),
        TipsTaken(0, first, 2),
        CardScored(2, first, -2),
        TurnStarted(1),
    )


def test_tf_7_the_first_round_has_a_start_too() -> None:
    play = odd("Red G", seats=2)
    assert [event.tips for event in play.of(TipsTaken)] == [2, 2]
    assert [play.player(seat).hand for seat in (0, 1)] == [4, 4]


def test_tf_7_whoever_is_tipped_by_a_box_card_is_whether_it_is_occupied_or_not() -> None:
    play = odd("Red G", seats=2).with_tips("Red G", 3).pass_(0, 1)
    assert [event.seat for event in play.of(TipsTaken)] == [0, 1]


def test_tf_25_a_box_card_gives_everybody_points_at_the_end() -> None:
    play = odd("Red J", "Ga", seats=2).with_round(6).with_levels(0, city=3).with_levels(1, city=2, green=1)
    play.with_species(1, "Ga").end_round()
    card, species = play.called("Red J"), play.called("Ga")
    assert play.of(CardScored) == (
        CardScored(0, card, -1),
        CardScored(0, card, 3),
        CardScored(1, card, 2),
        CardScored(1, species, 2),
    )


def test_tips_on_everybodys_boxes_or_only_where_some_lie_tf_11() -> None:
    play = odd("Red D", seats=2).with_hand(0, 5)
    play.card(0, "Red D", 2)
    assert [(event.seat, event.box) for event in play.of(TipsAdded)] == [
        (0, Box.GREEN),
        (0, Box.OXYGEN),
        (1, Box.GREEN),
        (1, Box.OXYGEN),
    ]
    play = odd("Red E").with_boxes(0, war=1).with_boxes(2, war=1)
    play.card(0, "Red E", 1)
    assert play.one(TipsAdded) == TipsAdded(2, Box.WAR, 3, play.called("Red E"))


def test_science_counts_where_levels_are_compared_tf_12() -> None:
    play = odd("Red I", "Jo", seats=2).with_species(0, "Jo").with_hand(0, 5)
    assert play.card(0, "Red I", 5).one(CardScored).points == 7
    play = odd("Red K", "Bo", seats=2).with_species(0, "Bo")
    assert play.card(0, "Red K", 1).one(CardScored).points == 7


def test_amounts_of_zero_are_not_told_tf_28() -> None:
    play = odd("Red G", seats=2).with_levels(0, city=2, science=2).with_levels(1, city=2, science=1)
    assert play.card(0, "Red G", 1).of(CardScored) == ()
    play = odd("Red J", seats=2)
    assert play.card(0, "Red J", 2).of(CardScored) == ()
    play = odd("Red H", seats=2).with_round(6).with_levels(0, city=1, green=9).with_levels(1, green=9).end_round()
    assert play.of(CardScored) == (CardScored(0, play.called("Red H"), 2),)


def test_game_end_of_a_species_is_its_owners_tf_25() -> None:
    play = odd("Ga", "Red C", seats=2).with_species(1, "Ga").with_round(6).with_levels(1, green=7)
    play.with_player(0, stars=1).with_player(1, stars=2).with_levels(0, green=9, science=0).end_round()
    assert play.of(CardScored) == (
        CardScored(0, play.called("Red C"), 4),
        CardScored(0, play.called("Red C"), -3),
        CardScored(1, play.called("Red C"), -3),
        CardScored(1, play.called("Ga"), 8),
    )


# what is refused


def changed(*changes: tuple[str, str]) -> bytes:
    text = HOUSE.decode()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text.encode()


GIANTS = 'name = "Giants"\nja = "巨人族"\nkind = "species"\ncost = 4\n'
MOB = 'ja = "モブ族"\nkind = "species"'
LAST_OF_GIANTS = '{ effect = "bar", box = "carnival" },\n]\nrulebook = ["name", "ja", "kind"]'
SCIENCE_3 = '{ effect = "science-counts", science = 3, rulebook = ["effect", "science"] }'
ORE = '{ effect = "take-tips", when = "used", amount = { of = "cosmo", plus = 1 } }'
MOB_BASE = '{ effect = "power-base", amount = { plus = 2 }, rulebook = ["effect"] }'
FARMERS_POINTS = '{ effect = "points", when = "round-start", amount = { plus = 2 }, rulebook = ["when"] }'
SURVEY = 'of = "stars", extreme = "highest"'


def in_giants(effect: str) -> tuple[str, str]:
    return SCIENCE_3, f"{{ {effect} }}"


def in_ore(effect: str) -> tuple[str, str]:
    return ORE, f"{{ {effect} }}"


WRONG: dict[str, tuple[bytes, str, str]] = {
    "no toml": (b"name = ", "", "toml"),
    "no cards": (b'name = "x"', "", "levels"),
    "unknown effect": (changed(in_giants('effect = "flies"')), "Giants.effects[0]", "effect"),
    "unknown table": (changed(("[oxygen]", "[water]\n[oxygen]")), "", "water"),
    "unknown field of a card": (changed((GIANTS, GIANTS + "size = 9\n")), "Giants", "size"),
    "missing field of a card": (changed((GIANTS, GIANTS.replace("cost = 4\n", ""))), "Giants", "cost"),
    "missing field of an effect": (changed(in_giants('effect = "science-counts"')), "Giants.effects[0]", "science"),
    "wrong type": (changed((GIANTS, GIANTS.replace("4", '"4"'))), "Giants", "cost"),
    "cost out of range": (changed((GIANTS, GIANTS.replace("4", "51"))), "Giants", "cost"),
    "effect out of range": (
        changed(in_giants('effect = "science-counts", science = 21')),
        "Giants.effects[0]",
        "science",
    ),
    "price out of range": (changed(("prices = [2, 3, 4, 5, 6, 7, 8, 9]", "prices = [0]")), "levels.city.prices", "0"),
    "unknown kind": (changed((GIANTS, GIANTS.replace("species", "planet"))), "Giants", "kind"),
    "doubled card": (changed(('name = "Mob"\nja', 'name = "Giants"\nja')), "Giants", "name"),
    "card of the same short name": (
        changed(('name = "Mob"\nja', 'name = "space_farmers"\nja')),
        "space_farmers",
        "name",
    ),
    "missing card": (HOUSE[: HOUSE.rindex(b"[[cards]]")], "cards", "kind"),
    "too many of a kind": (changed((MOB, MOB.replace("species", "box")), (MOB_BASE, ORE)), "cards", "kind"),
    "a box card's time on a species": (
        changed(in_giants('effect = "fill", when = "used", level = "city"')),
        "Giants.effects[0]",
        "when",
    ),
    "a species' time on a box card": (
        changed(in_ore('effect = "stars", when = "acquired"')),
        "Ore Vein.effects[0]",
        "when",
    ),
    "tips at the end": (
        changed(in_ore('effect = "take-tips", when = "game-end", amount = { plus = 1 }')),
        "Ore Vein.effects[0]",
        "when",
    ),
    "a turn's start on a box card": (
        changed(in_ore('effect = "points", when = "turn-start", amount = { plus = 1 }')),
        "Ore Vein.effects[0]",
        "when",
    ),
    "points for tips placed when a round starts": (
        changed(in_ore('effect = "points", when = "round-start", amount = { of = "placed" }')),
        "Ore Vein.effects[0]",
        "amount",
    ),
    "a hand that box cards fill at each round's start": (
        changed(in_ore('effect = "take-tips", when = "round-start", amount = { of = "stars" }')),
        "levels",
        "city",
    ),
    "tips at a turn's start": (
        changed(in_giants('effect = "take-tips", when = "turn-start", amount = { plus = 1 }')),
        "Giants.effects[0]",
        "when",
    ),
    "a species that provokes": (
        changed(in_giants('effect = "provoke", box = "war", tips = 1')),
        "Giants.effects[0]",
        "effect",
    ),
    "a species that compares": (
        changed(in_giants('effect = "compare", of = "city", extreme = "lowest", points = 1')),
        "Giants.effects[0]",
        "effect",
    ),
    "nothing compared": (changed((SURVEY, SURVEY.replace("stars", "nothing"))), "Outer Survey.effects[2]", "of"),
    "a box card that lasts": (changed(in_ore('effect = "clings"')), "Ore Vein.effects[0]", "effect"),
    "power from tips placed": (
        changed((MOB_BASE, MOB_BASE.replace("plus = 2", 'of = "placed"'))),
        "Mob.effects[0]",
        "amount",
    ),
    "points for tips when none are placed": (
        changed((FARMERS_POINTS, FARMERS_POINTS.replace("plus = 2", 'of = "placed"'))),
        "Space Farmers.effects[1]",
        "amount",
    ),
    "all placed when none are": (
        changed((FARMERS_POINTS, FARMERS_POINTS.replace("rulebook", "all_placed = true, rulebook"))),
        "Space Farmers.effects[1]",
        "all_placed",
    ),
    "two words on power": (changed((MOB_BASE, f"{MOB_BASE}, {MOB_BASE}")), "Mob.effects[1]", "effect"),
    "a scenario by chance": (changed(('name = "green-war"', 'name = "random"')), "random", "name"),
    "a scenario twice": (changed(('name = "green-war"', 'name = "first-game"')), "first-game", "name"),
    "an unknown card in a scenario": (
        changed(('"Mob", "Zombies", "Gard', '"Nobody", "Zombies", "Gard')),
        "green-war",
        "cards",
    ),
    "a card twice in a scenario": (
        changed(('"Mob", "Zombies", "Gard', '"Zombies", "Zombies", "Gard')),
        "green-war",
        "cards",
    ),
    "a scenario of seven": (changed(('"Mob", "Zombies", "Gard', '"Zombies", "Gard')), "green-war", "cards"),
    "too many tips": (
        changed(in_ore('effect = "take-tips", when = "used", amount = { of = "stars" }')),
        "levels",
        "city",
    ),
    "a field that the rulebook can't tell": (
        changed(('rulebook = ["lose"]', 'rulebook = ["loss"]')),
        "oxygen",
        "rulebook",
    ),
    "the same of a level": (changed(('rulebook = ["start"]', 'rulebook = ["end"]')), "levels.city", "rulebook"),
    "the same of a card": (
        changed((LAST_OF_GIANTS, LAST_OF_GIANTS.replace("kind", "power"))),
        "Giants",
        "rulebook",
    ),
    "the same of an effect": (
        changed(in_giants('effect = "science-counts", science = 3, rulebook = ["power"]')),
        "Giants.effects[0]",
        "rulebook",
    ),
    "the same of a scenario": (
        changed(('rulebook = ["name", "title", "ja", "cards"]', 'rulebook = ["size"]')),
        "first-game",
        "rulebook",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_tf_1_a_wrong_pack_is_refused_with_file_card_and_field(wrong: str) -> None:
    data, entry, field = WRONG[wrong]
    with pytest.raises(PackError, match=r"^wrong\.toml: ") as refused:
        GAME.parse_pack(data, "wrong.toml")
    assert (refused.value.file, refused.value.entry, refused.value.field) == ("wrong.toml", entry, field)


def test_a_hand_may_grow_by_a_plain_number_of_tips() -> None:
    data = changed(in_ore('effect = "take-tips", when = "used", amount = { plus = 20 }'))
    pack = GAME.parse_pack(data, "more.toml")
    assert given("Ore Vein", pack=pack).card(0, "Ore Vein", 4).player(0).hand == 20


def test_what_the_rulebook_tells_is_marked_in_the_house_pack() -> None:
    assert all({"name", "ja", "kind"} <= set(card.rulebook) for card in PACK.cards)
    assert not any("cost" in card.rulebook for card in PACK.cards)
    assert PACK.oxygen.rulebook == ("lose",)
    assert PACK.war.rulebook == ("first", "second")


def test_no_name_of_a_card_is_in_code() -> None:
    room = Path(terraformers.__path__[0])
    code = "\n".join(path.read_text() for path in room.rglob("*.py"))
    names = [name for card in PACK.cards for name in (card.name, card.ja)]
    assert not [name for name in names if re.search(rf"\b{re.escape(name)}\b", code)]
