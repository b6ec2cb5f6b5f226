"""Packs: the house's, and those that are refused; how bots judge. Rules TF-1, TF-2, TF-15."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from bots.choose import Random
from bots.simulate import play_out
from domain.chance import Simulation
from domain.game import PackError
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


WRONG: tuple[tuple[Any, ...], ...] = (
    ("", "toml", b"name = "),
    ("", "levels", b'name = "x"'),
    ("cards", "kind", HOUSE[: HOUSE.rindex(b"[[cards]]")]),
    ("Giants.effects[0]", "effect", in_giants('effect = "flies"')),
    ("", "water", ("[oxygen]", "[water]\n[oxygen]")),
    ("Giants", "size", (GIANTS, GIANTS + "size = 9\n")),
    ("Giants", "cost", (GIANTS, GIANTS.replace("cost = 3\n", ""))),
    ("Giants.effects[0]", "science", in_giants('effect = "science-counts"')),
    ("Giants", "cost", (GIANTS, GIANTS.replace("3", '"3"'))),
    ("Giants", "cost", (GIANTS, GIANTS.replace("3", "51"))),
    ("Giants.effects[0]", "science", in_giants('effect = "science-counts", science = 21')),
    ("levels.city.prices", "0", ("prices = [2, 3, 4, 5, 6, 7, 8, 9]", "prices = [0]")),
    ("Giants", "kind", (GIANTS, GIANTS.replace("species", "planet"))),
    ("Giants", "name", ('name = "Mob"\nja', 'name = "Giants"\nja')),
    ("space_farmers", "name", ('name = "Mob"\nja', 'name = "space_farmers"\nja')),
    ("cards", "kind", (MOB, MOB.replace("species", "box")), (MOB_BASE, ORE)),
    ("Giants.effects[0]", "when", in_giants('effect = "fill", when = "used", level = "city"')),
    ("Ore Vein.effects[0]", "when", in_ore('effect = "stars", when = "acquired"')),
    ("Ore Vein.effects[0]", "when", in_ore('effect = "take-tips", when = "game-end", amount = { plus = 1 }')),
    ("Ore Vein.effects[0]", "when", in_ore('effect = "points", when = "turn-start", amount = { plus = 1 }')),
    ("Ore Vein.effects[0]", "amount", in_ore('effect = "points", when = "round-start", amount = { of = "placed" }')),
    ("levels", "city", in_ore('effect = "take-tips", when = "round-start", amount = { of = "stars" }')),
    ("Giants.effects[0]", "when", in_giants('effect = "take-tips", when = "turn-start", amount = { plus = 1 }')),
    ("Giants.effects[0]", "effect", in_giants('effect = "provoke", box = "war", tips = 1')),
    ("Giants.effects[0]", "effect", in_giants('effect = "compare", of = "city", extreme = "lowest", points = 1')),
    ("Outer Survey.effects[2]", "of", (SURVEY, SURVEY.replace("stars", "nothing"))),
    ("Ore Vein.effects[0]", "effect", in_ore('effect = "clings"')),
    ("Mob.effects[0]", "amount", (MOB_BASE, MOB_BASE.replace("plus = 3", 'of = "placed"'))),
    ("Space Farmers.effects[1]", "amount", (FARMERS_POINTS, FARMERS_POINTS.replace("plus = 2", 'of = "placed"'))),
    (
        "Space Farmers.effects[1]",
        "all_placed",
        (FARMERS_POINTS, FARMERS_POINTS.replace("rulebook", "all_placed = true, rulebook")),
    ),
    ("Mob.effects[1]", "effect", (MOB_BASE, f"{MOB_BASE}, {MOB_BASE}")),
    ("random", "name", ('name = "green-war"', 'name = "random"')),
    ("first-game", "name", ('name = "green-war"', 'name = "first-game"')),
    ("green-war", "cards", ('"Mob", "Zombies", "Gard', '"Nobody", "Zombies", "Gard')),
    ("green-war", "cards", ('"Mob", "Zombies", "Gard', '"Zombies", "Zombies", "Gard')),
    ("green-war", "cards", ('"Mob", "Zombies", "Gard', '"Zombies", "Gard')),
    ("levels", "city", in_ore('effect = "take-tips", when = "used", amount = { of = "stars" }')),
    ("oxygen", "rulebook", ('rulebook = ["lose"]', 'rulebook = ["loss"]')),
    ("levels.city", "rulebook", ('rulebook = ["start"]', 'rulebook = ["end"]')),
    ("Giants", "rulebook", (LAST_OF_GIANTS, LAST_OF_GIANTS.replace("kind", "power"))),
    ("Giants.effects[0]", "rulebook", in_giants('effect = "science-counts", science = 3, rulebook = ["power"]')),
    ("first-game", "rulebook", ('rulebook = ["name", "title", "ja", "cards"]', 'rulebook = ["size"]')),
)


def test_tf_1_a_wrong_pack_is_refused_with_file_card_and_field() -> None:
    for entry, field, *changes in each(WRONG):
        data = changes[0] if isinstance(changes[0], bytes) else changed(*changes)
        with pytest.raises(PackError, match=r"^wrong\.toml: ") as refused:
            GAME.parse_pack(data, "wrong.toml")
        assert (refused.value.file, refused.value.entry, refused.value.field) == ("wrong.toml", entry, field)


def test_a_hand_may_grow_by_a_plain_number_of_tips() -> None:
    data = changed(in_ore('effect = "take-tips", when = "used", amount = { plus = 20 }'))
    pack = GAME.parse_pack(data, "more.toml")
    assert given("Ore Vein", pack=pack).card(0, "Ore Vein", 4).player(0).hand == 20


def test_the_end_is_judged_by_places() -> None:
    play = given("Mob", seats=2, marker=1).end_match()
    assert GAME.standing(play.table).points[0] == GAME.standing(play.table).points[1]
    assert GAME.evaluate(play.table, 1) > GAME.evaluate(play.table, 0)


def test_a_match_is_counted_by_its_cards() -> None:
    planet = ("Librarians", "Giants", "Mob", "Zombies", "Ore Vein", "World Expo", "Almsgiving", "Dragon")
    counted = Counter[str]()
    for seed in range(20):
        told: tuple[Any, ...] = play_out(GAME, PACK, Options(planet), 2, [Random()] * 2, Simulation(seed)).told
        measured = GAME.measure(("not an event of the game", *told))
        assert (measured.rounds, [name for name, _ in measured.uses]) == (6, list(planet))
        assert measured.first == next(event.seat for event in told if isinstance(event, TurnStarted))
        used = {(event.card.name, event.seat) for event in told if isinstance(event, CardUsed | SpeciesAcquired)}
        assert {(name, seat) for name, seats in measured.uses for seat in seats} == used
        counted.update(name for name, seats in measured.uses if seats)
    assert set(counted) == set(planet)
