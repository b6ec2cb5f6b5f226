"""Scenes and touches of the toy that are broken in one place, each with the law that is to notice it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.game import Game, Refusal
from domain.scene import Scene, Zone
from tests.laws import scenes, texts
from tests.laws.rooms import room_of
from tests.toy.high_card.moves import SetAside
from tests.toy.high_card.state import Table

GAME: Game[Table, Any, Any] = room_of("high-card").game

Drawn = Callable[[Any, str], Scene]


def scene_with(change: Callable[[Scene, str], Scene]) -> Drawn:
    """The scene with something else in a place, by language."""
    return lambda view, lang: change(GAME.scene(view, lang), lang)


def saying(english: str, japanese: str) -> Drawn:
    """The scene with such a line."""
    return scene_with(lambda scene, lang: replace(scene, line=japanese if lang == "ja" else english))


def without_the_stock(scene: Scene, lang: str) -> Scene:
    """Nobody sees how many cards are left."""
    return replace(scene, zones=scene.zones[1:])


def untitled(scene: Scene, lang: str) -> Scene:
    """Pieces without a word."""
    return replace(scene, zones=tuple(map(_untitled, scene.zones)))


def _untitled(zone: Zone) -> Zone:
    return replace(zone, pieces=tuple(replace(piece, title="") for piece in zone.pieces))


def path_that_tells(seen: Table, seat: int, move: Any) -> tuple[str, ...]:
    """A path that changes with the cards that lie in the stock."""
    return *GAME.touches(seen, seat, move), f"stock/{sum(card or 0 for card in seen.stock)}"


def any_card_will_do(state: Table, seat: int, move: Any, chance: Any) -> tuple[Any, ...]:
    """Accepts a move that is not listed, and makes the first one that is."""
    try:
        return GAME.decide(state, seat, move, chance)
    except Refusal:
        return GAME.decide(state, seat, GAME.legal(state, seat)[0], chance)


FAULTS: tuple[tuple[Any, dict[str, Any]], ...] = (
    (
        scenes.a_scene_is_of_values_and_its_ids_are_places_that_occur_once,
        {"scene": scene_with(lambda scene, lang: replace(scene, zones=scene.zones * 2))},
    ),
    (
        scenes.a_scene_differs_between_languages_in_its_words_alone,
        {"scene": scene_with(lambda scene, lang: without_the_stock(scene, lang) if lang == "ja" else scene)},
    ),
    (scenes.everything_in_a_scene_can_be_read_and_drawn, {"scene": scene_with(untitled)}),
    (scenes.everything_in_a_scene_can_be_read_and_drawn, {"palette": ()}),
    (
        scenes.the_table_can_be_drawn_after_every_event,
        {"scene": scene_with(lambda scene, lang: replace(scene, line=scene.line if scene.turn else ""))},
    ),
    (
        scenes.the_palette_can_be_drawn_light_and_dark_and_without_colours,
        {"palette": tuple(replace(tone, dark="#ffff99") for tone in GAME.palette)},
    ),
    (scenes.every_card_die_and_pawn_of_the_view_is_in_the_scene, {"scene": scene_with(without_the_stock)}),
    (
        scenes.every_move_has_a_path_of_its_own_through_what_its_seat_sees,
        {"touches": lambda seen, seat, move: ("do/pass",)},
    ),
    (
        scenes.every_move_has_a_path_of_its_own_through_what_its_seat_sees,
        {"touches": lambda seen, seat, move: ("nowhere", type(move).__name__.lower())},
    ),
    (scenes.a_path_tells_nothing_that_its_seat_does_not_know, {"touches": path_that_tells}),
    (
        scenes.a_touch_that_begins_no_move_is_said_why,
        {"meant": lambda seen, seat, touched: (SetAside(card=99),), "decide": any_card_will_do},
    ),
    (texts.seats_are_named_as_in_the_data_and_are_at_the_table, {"scene": saying("The pot: 3", "ポット：席4")}),
    (texts.japanese_is_written_with_its_own_punctuation, {"scene": saying("Pot: 3", "ポット: 3")}),
)
"""What is broken of the toy, by the law that notices it."""
