"""Refusals as code, fields and sentences."""

from __future__ import annotations

import pytest

from domain.game import Field, Refusal
from domain.games.terraformers import GAME, moves
from domain.games.terraformers.components import Box, Options
from domain.games.terraformers.moves import TerraformersMove
from tests.games.terraformers.table import PACK, Play, given, name, odd

MOB = ("Mob", "モブ族")
ORE = ("Ore Vein", "鉱脈")


def free() -> Play:
    return given("Mob", "Ore Vein", "Dragon")


def with_dragon() -> Play:
    return free().with_species(0, "Dragon")


SAID: tuple[tuple[Play, TerraformersMove, str, dict[str, Field], str, str], ...] = (
    (free(), moves.Place(1), "action-first", {}, "Choose an action first, then place tips.", ""),
    (free().with_hand(0, 0), moves.PutBack(), "no-tips", {}, "Without tips in hand you can only pass.", ""),
    (
        free().with_boxes(0, war=1),
        moves.UseBox(Box.WAR),
        "box-occupied",
        {"box": "war"},
        "Tips lie on your war box.",
        "自分の「戦争」にはコマがあります。",
    ),
    (
        free().with_tips("Mob", 1),
        moves.Acquire(name("Mob")),
        "card-occupied",
        {"card": MOB},
        "Tips lie on Mob.",
        "「モブ族」にはコマがあります。",
    ),
    (
        free().with_hand(0, 2),
        moves.UseCard(name("Ore Vein")),
        "too-weak",
        {"card": ORE, "cost": 4, "power": 2},
        "Ore Vein costs 4, and all your tips make a power of 2.",
        "「鉱脈」のコストは4ですが、コマをすべて使ってもパワーは2です。",
    ),
    (free(), moves.UseCard(name("Mob")), "wrong-kind", {"card": MOB}, "Mob is a species, and no box card to use.", ""),
    (
        free(),
        moves.Acquire(name("Ore Vein")),
        "wrong-kind",
        {"card": ORE},
        "Ore Vein is a box card, and no species to acquire or guard.",
        "",
    ),
    (
        with_dragon(),
        moves.PutBack(),
        "clings",
        {"card": ("Dragon", "ドラゴン")},
        "You can't let go of Dragon.",
        "「ドラゴン」は手放せません。",
    ),
    (
        free().move(0, moves.UseCard(name("Ore Vein"))).with_hand(0, 6),
        moves.Place(7),
        "tips",
        {"least": 4, "most": 6},
        "You can place at least 4 tips there, and at most 6.",
        "そこに置けるのはコマ4個以上、6個以下です。",
    ),
    (
        free().with_hand(0, 1).move(0, moves.UseBox(Box.WAR)),
        moves.Place(2),
        "tips",
        {"least": 1, "most": 1},
        "You can place at least 1 tip there, and at most 1.",
        "そこに置けるのはコマ1個以上、1個以下です。",
    ),
)


@pytest.mark.parametrize(("play", "move", "code", "fields", "english", "japanese"), SAID, ids=[row[2] for row in SAID])
def test_a_refusal_has_a_code_fields_and_a_sentence(
    play: Play, move: TerraformersMove, code: str, fields: dict[str, Field], english: str, japanese: str
) -> None:
    refused = play.refused(0, move)
    assert (refused.code, refused.fields) == (code, fields)
    assert GAME.explain(refused, "en") == english
    assert GAME.explain(refused, "ja") == japanese or not japanese


def test_the_names_of_a_foreign_pack_are_told_in_both_languages() -> None:
    play = odd("Ai", "Bo").with_species(0, "Ai").with_hand(0, 1)
    refused = play.refused(0, moves.Copy(play.called("Bo")))
    assert GAME.explain(refused, "en") == "Naming a species costs 2 tips; you have 1 tip."
    play.with_tips("Bo", 1)
    assert GAME.explain(play.refused(0, moves.Acquire(play.called("Bo"))), "ja") == "「乙」にはコマがあります。"


def test_what_planets_there_are_is_said() -> None:
    with pytest.raises(Refusal) as refused:
        GAME.check_options(Options(planet="venus"), 2, PACK)
    assert GAME.explain(refused.value, "en") == (
        "There is no planet venus; there is random, first-game, looming-crisis, green-war, mysteries-of-space, "
        "or a list of cards."
    )
    assert "random、first-game" in GAME.explain(refused.value, "ja")


def test_who_is_not_in_turn_is_told_nothing_else() -> None:
    for move in (moves.Pass(), moves.Place(1), moves.UseBox(Box.WAR), moves.UseCard(name("Mob"))):
        refused = free().refused(1, move)
        assert (refused.clause, refused.code, refused.fields) == ("TF-6", "not-your-turn", {})
