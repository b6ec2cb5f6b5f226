"""Packs: the house's, and those that are refused; how bots judge. Rules TF-1, TF-2, TF-15."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from bots.choose import Bot, Greedy, Random
from bots.simulate import play_out
from domain.chance import Simulation
from domain.game import PackError
from domain.games import terraformers
from domain.games.terraformers import GAME
from domain.games.terraformers.components import Options
from domain.games.terraformers.events import CardUsed, SpeciesAcquired, TurnStarted
from tests.games.terraformers.table import HOUSE, PACK, given
from tests.rows import each


def changed(*changes: tuple[str, str]) -> bytes:
    text = HOUSE.decode()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text.encode()


GIANTS = 'name = "Giants"\nja = "巨人族"\nkind = "species"\ncost = 3\n'
MOB = 'ja = "モブ族"\nkind = "species"'
LAST_OF_GIANTS = '{ effect = "bar", box = "carnival" },\n]\nrulebook = ["name", "ja", "kind"]'
SCIENCE_3 = '{ effect = "science-counts", science = 3, rulebook = ["effect", "science"] }'
ORE = '{ effect = "take-tips", when = "used", amount = { of = "cosmo", plus = 1 } }'
MOB_BASE = '{ effect = "power-base", amount = { plus = 3 }, rulebook = ["effect"] }'
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
    "missing field of a card": (changed((GIANTS, GIANTS.replace("cost = 3\n", ""))), "Giants", "cost"),
    "missing field of an effect": (changed(in_giants('effect = "science-counts"')), "Giants.effects[0]", "science"),
    "wrong type": (changed((GIANTS, GIANTS.replace("3", '"3"'))), "Giants", "cost"),
    "cost out of range": (changed((GIANTS, GIANTS.replace("3", "51"))), "Giants", "cost"),
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
        changed((MOB_BASE, MOB_BASE.replace("plus = 3", 'of = "placed"'))),
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


def test_tf_1_a_wrong_pack_is_refused_with_file_card_and_field() -> None:
    for wrong in each(WRONG):
        data, entry, field = WRONG[wrong]
        with pytest.raises(PackError, match=r"^wrong\.toml: ") as refused:
            GAME.parse_pack(data, "wrong.toml")
        assert (refused.value.file, refused.value.entry, refused.value.field) == ("wrong.toml", entry, field)


def test_a_hand_may_grow_by_a_plain_number_of_tips() -> None:
    data = changed(in_ore('effect = "take-tips", when = "used", amount = { plus = 20 }'))
    pack = GAME.parse_pack(data, "more.toml")
    assert given("Ore Vein", pack=pack).card(0, "Ore Vein", 4).player(0).hand == 20


@pytest.mark.parametrize("seats", GAME.seats)
def test_greedy_wins_among_random_players(seats: int) -> None:
    wins = 0
    for seed in range(2 * seats):
        bots: list[Bot] = [Greedy() if seat == seed % seats else Random() for seat in range(seats)]
        wins += play_out(GAME, PACK, Options(), seats, bots, Simulation(seed)).ranking[seed % seats] == 1
    assert wins >= 2 * seats - 1


def test_no_name_of_a_card_is_in_code() -> None:
    room = Path(terraformers.__path__[0])
    code = "\n".join(path.read_text() for path in room.rglob("*.py"))
    names = [name for card in PACK.cards for name in (card.name, card.ja)]
    assert not [name for name in names if re.search(rf"\b{re.escape(name)}\b", code)]


def test_the_end_is_judged_by_places() -> None:
    play = given("Mob", seats=2, marker=1).end_match()
    assert GAME.standing(play.table).points[0] == GAME.standing(play.table).points[1]
    assert GAME.evaluate(play.table, 1) > GAME.evaluate(play.table, 0)


def test_a_match_is_counted_by_its_cards() -> None:
    planet = ("Librarians", "Giants", "Mob", "Zombies", "Ore Vein", "World Expo", "Almsgiving", "Dragon")
    counted = Counter[str]()
    for seed in range(20):
        told = play_out(GAME, PACK, Options(planet), 2, [Random()] * 2, Simulation(seed)).told
        measured = GAME.measure(("not an event of the game", *told))
        assert (measured.rounds, [name for name, _ in measured.uses]) == (6, list(planet))
        assert measured.first == next(event.seat for event in told if isinstance(event, TurnStarted))
        used = {(event.card.name, event.seat) for event in told if isinstance(event, CardUsed | SpeciesAcquired)}
        assert {(name, seat) for name, seats in measured.uses for seat in seats} == used
        counted.update(name for name, seats in measured.uses if seats)
    assert set(counted) == set(planet)
