"""Views, scenes and labels of the toy that are broken in one place, each with the law that is to notice it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.game import Game, Refusal, Spoken
from domain.scene import Scene, Shade, Style
from tests.laws import alike, claims, moves, scenes, secrecy, texts, views
from tests.laws.rooms import room_of
from tests.toy.high_card.moves import SetAside
from tests.toy.high_card.state import Table

GAME: Game[Table, Any, Any] = room_of("high-card").game


class Loud(Spoken, frozen=True):
    """A name that says more than its languages."""

    loud: bool = True


def view_of_all(state: Table, seat: int | None) -> Any:
    """Shows whatever it is given."""
    shown = GAME.view(state, seat)
    both = zip(shown.places, state.places, strict=True)
    return replace(shown, places=tuple(replace(place, hand=true.hand) for place, true in both))


def shown_with(**changes: Any) -> Callable[[Table, int | None], Any]:
    """The table shown with something else in a place; what is a function is called with what stands there."""

    def view(state: Table, seat: int | None) -> Any:
        shown = GAME.view(state, seat)
        return replace(
            shown, **{name: new(getattr(shown, name)) if callable(new) else new for name, new in changes.items()}
        )

    return view


def scene_with(change: Callable[[Scene, str], Scene]) -> Callable[[Any, str], Scene]:
    """The scene with something else in a place, by language."""
    return lambda view, lang: change(GAME.scene(view, lang), lang)


def saying(english: str, japanese: str) -> Callable[[Any, str], Scene]:
    """The scene with such a line."""
    return scene_with(lambda scene, lang: replace(scene, line=japanese if lang == "ja" else english))


def without_the_stock(scene: Scene, lang: str) -> Scene:
    """Nobody sees how many cards are left."""
    return replace(scene, zones=scene.zones[1:])


def untitled(scene: Scene, lang: str) -> Scene:
    """Pieces without a word."""
    zones = (replace(zone, pieces=tuple(replace(piece, title="") for piece in zone.pieces)) for zone in scene.zones)
    return replace(scene, zones=tuple(zones))


def any_card_will_do(state: Table, seat: int, move: Any, chance: Any) -> tuple[Any, ...]:
    """Accepts a move that is not listed, and makes the first one that is."""
    try:
        return GAME.decide(state, seat, move, chance)
    except Refusal:
        return GAME.decide(state, seat, GAME.legal(state, seat)[0], chance)


def in_stock(seen: Table) -> int:
    """What nobody may know: it changes with the cards that lie in the stock."""
    return sum(card or 0 for card in seen.stock)


def label_with(change: Callable[[str, Table, int, str], str]) -> dict[str, Any]:
    """The label with something else in it: of the line, the table, the seat and the language."""
    return {"label": lambda seen, seat, move, lang: change(GAME.label(seen, seat, move, lang), seen, seat, lang)}


TELLS = label_with(lambda line, seen, seat, lang: f"{line}, {in_stock(seen)}")
TELLS_IN_JAPANESE = label_with(lambda line, seen, seat, lang: f"{line}、{in_stock(seen)}" if lang == "ja" else line)

FAULTS: tuple[tuple[Callable[[Any], None], dict[str, Any]], ...] = (
    (secrecy.a_view_shows_the_same_from_what_is_seen_as_from_the_truth, {"view": view_of_all}),
    (views.a_view_says_of_which_game_it_is_who_is_to_act_and_for_what, {"slug": "low-card"}),
    *(
        (law, {"view": shown_with(**changes)})
        for law, changes in (
            (views.a_view_says_of_which_game_it_is_who_is_to_act_and_for_what, {"turn": ()}),
            (views.a_view_says_of_which_game_it_is_who_is_to_act_and_for_what, {"step": ""}),
            (views.what_lies_before_a_seat_is_in_places_by_seat, {"places": lambda places: places[::-1]}),
            (views.what_lies_before_a_seat_is_in_places_by_seat, {"places": ()}),
            (views.what_may_be_absent_is_a_row_and_none_is_what_is_unknown, {"pot": None}),
            (views.what_may_be_absent_is_a_row_and_none_is_what_is_unknown, {"turn": []}),
            (
                views.what_may_be_absent_is_a_row_and_none_is_what_is_unknown,
                {"places": lambda places: tuple(replace(place, aside=(1, 2)) for place in places)},
            ),
            (views.names_are_told_in_every_language, {"pot": Spoken("Pot", "")}),
            (views.names_are_told_in_every_language, {"pot": Loud("Pot", "ポット")}),
        )
    ),
    *(
        (law, {"scene": scene})
        for law, scene in (
            (
                scenes.a_scene_is_of_values_and_its_ids_are_places_that_occur_once,
                scene_with(lambda scene, lang: replace(scene, zones=scene.zones * 2)),
            ),
            (
                scenes.a_scene_differs_between_languages_in_its_words_alone,
                scene_with(lambda scene, lang: without_the_stock(scene, lang) if lang == "ja" else scene),
            ),
            (scenes.everything_in_a_scene_can_be_read_and_drawn, scene_with(untitled)),
            (
                scenes.the_table_can_be_drawn_after_every_event,
                scene_with(lambda scene, lang: replace(scene, line=scene.line if scene.turn else "")),
            ),
            (scenes.every_card_die_and_pawn_of_the_view_is_in_the_scene, scene_with(without_the_stock)),
            (texts.seats_are_named_as_in_the_data_and_are_at_the_table, saying("The pot: 3", "ポット：席4")),
            (texts.japanese_is_written_with_its_own_punctuation, saying("Pot: 3", "ポット: 3")),
        )
    ),
    (scenes.everything_in_a_scene_can_be_read_and_drawn, {"palette": ()}),
    (
        scenes.the_palette_can_be_drawn_light_and_dark_and_without_colours,
        {"palette": tuple(replace(tone, dark="#ffff99") for tone in GAME.palette)},
    ),
    (
        scenes.the_palette_can_be_drawn_light_and_dark_and_without_colours,
        {"style": Style(board=Shade("#9fb59c", "#25332d"))},
    ),
    *(
        (scenes.every_move_has_a_path_of_its_own_through_what_its_seat_sees, {"touches": touches})
        for touches in (
            lambda seen, seat, move: ("do/pass",),
            lambda seen, seat, move: ("nowhere", type(move).__name__.lower()),
        )
    ),
    (
        scenes.every_move_has_a_path_of_its_own_through_what_its_seat_sees,
        {"ways": lambda seen, seat, move: (GAME.touches(seen, seat, move),)},
    ),
    (
        scenes.a_path_tells_nothing_that_its_seat_does_not_know,
        {"touches": lambda seen, seat, move: (*GAME.touches(seen, seat, move), f"stock/{in_stock(seen)}")},
    ),
    (
        scenes.a_touch_that_begins_no_move_is_said_why,
        {"meant": lambda seen, seat, touched: (SetAside(card=99),), "decide": any_card_will_do},
    ),
    (moves.a_label_tells_nothing_that_its_seat_does_not_know, TELLS),
    (moves.a_label_tells_nothing_that_its_seat_does_not_know, TELLS_IN_JAPANESE),
    (secrecy.an_imagined_state_looks_the_same_to_its_seat, TELLS),
    (alike.two_logs_that_differ_in_what_a_seat_may_not_know_look_the_same_to_it, TELLS),
    (alike.two_logs_that_differ_in_what_a_seat_may_not_know_look_the_same_to_it, TELLS_IN_JAPANESE),
    (
        claims.a_label_claims_what_then_happens,
        label_with(lambda line, seen, seat, lang: line.replace("pay 1 of", f"pay {seen.places[seat].chips} of")),
    ),
    (claims.a_label_claims_what_then_happens, label_with(lambda line, *_: f"{line}; 2 more to come")),
    (
        claims.both_languages_claim_the_same_numbers,
        label_with(lambda line, seen, seat, lang: line + ("、残り8枚" if lang == "ja" else "")),
    ),
    (texts.less_than_nothing_is_written_with_a_minus_sign, label_with(lambda line, *_: f"{line} -3")),
)
"""Each law, and what breaks it."""
