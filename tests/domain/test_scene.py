"""A scene's texts, and a scene told as lines."""

from __future__ import annotations

import msgspec

from domain.scene import (
    Button,
    Face,
    Fact,
    Kind,
    Look,
    Mark,
    Piece,
    Scene,
    Score,
    Zone,
    ZoneKind,
    ids_of,
    numbered,
    said_by,
)
from domain.telling import drawn, explained, legend, scene_of, tell
from tests.domain.table import GAME, NO_PAIRS, start_match

DRAGON = Piece(
    "seat.0/row/0",
    Kind.CARD,
    "5",
    "Dragon of seat 1",
    text="Bites seat 1.",
    facts=(Fact("cost for seat 1", "3"),),
    marks=(Mark(Look.SPENT, "used by seat 1"),),
    on=(Piece("seat.0/row/0/pawn", Kind.PAWN, "", "pawn of seat 1"),),
)
BACK = Piece("deck/0", Kind.CARD, "", "a card", face=Face.DOWN, count=12)
SCENE = Scene(
    line="Seat 1 draws.",
    turn=(1,),
    zones=(
        Zone("deck", ZoneKind.PILE, "Deck", (BACK,), text="for seat 1"),
        Zone(
            "board",
            ZoneKind.GRID,
            "Board",
            tuple(Piece(f"board/{at}", Kind.SPACE, "", f"cell {at}") for at in range(3)),
            columns=2,
        ),
        Zone("seat.0/is", ZoneKind.COUNTERS, "", (Piece("seat.0/is/first", Kind.MARKER, "1", "first"),), seat=(0,)),
        Zone("seat.0/row", ZoneKind.ROW, "Row", (DRAGON,), seat=(0,)),
        Zone("seat.1/row", ZoneKind.ROW, "Row of seat 1", (), seat=(1,)),
    ),
    scores=(Score(0, 2, "2 points"), Score(1, 3, "3 points, as seat 1")),
    buttons=(Button("do/pass", "Pass to seat 1"),),
)  # fmt: skip


def test_a_scene_is_told_the_middle_first_and_then_seat_by_seat() -> None:
    assert tell(SCENE, "en").split("\n") == [
        "Seat 1 draws.",
        "Deck (for seat 1): a card \u00d712",
        "Board",
        "  cell 0 | cell 1",
        "  cell 2",
        "",
        "Seat 0: 2 points, first",
        "  Row: Dragon of seat 1 (cost for seat 1 3, used by seat 1): pawn of seat 1",
        "",
        "\u2192 Seat 1: 3 points, as seat 1",
        "  Row of seat 1: none",
    ]
    assert tell(SCENE, "ja").split("\n")[6] == "\u5e2d0\uff1a2 points\u3001first"


def test_what_lies_in_a_row_and_is_told_alike_is_told_once() -> None:
    stones = tuple(Piece(f"row/{at}", Kind.STONE, "", title) for at, title in enumerate(("red", "red", "blue", "red")))
    row = Zone("row", ZoneKind.ROW, "Row", stones)
    assert tell(Scene("Go.", (), (row,)), "en") == "Go.\nRow: red \u00d72, blue, red"


def test_equal_names_at_a_place_have_different_ids() -> None:
    assert numbered("hand", ("tome", "wand", "tome", "tome")) == (
        "hand/tome",
        "hand/wand",
        "hand/tome.2",
        "hand/tome.3",
    )


def test_names_are_put_into_every_text_and_nothing_else_is_changed() -> None:
    said = said_by(SCENE, lambda text: text.replace("seat 1", "Ann").replace("Seat 1", "Ann"))
    assert "eat 1" not in repr(said)
    assert [*ids_of(said)] == [*ids_of(SCENE)]
    assert said_by(said, lambda text: text) == said
    assert repr(SCENE).count("eat 1") == repr(said).count("Ann")


def test_in_json_what_is_as_it_mostly_is_is_left_out() -> None:
    told = msgspec.json.decode(msgspec.json.encode(SCENE))
    assert told["zones"][1]["pieces"][0] == {"id": "board/0", "kind": "space", "label": "", "title": "cell 0"}
    assert msgspec.json.decode(msgspec.json.encode(SCENE), type=Scene) == SCENE


def test_what_is_printed_on_pieces_is_told_once_for_each_sort() -> None:
    row = Zone("seat.1/row", ZoneKind.ROW, "Row", (DRAGON, BACK, DRAGON))
    assert legend(Scene("Go.", (), (row,)), "en") == "Dragon of seat 1: Bites seat 1."
    assert legend(Scene("Go.", (), ()), "ja") == ""


def test_dice_are_told_one_by_one_and_a_track_by_its_spaces() -> None:
    dice = Zone("dice", ZoneKind.ROW, "Dice", tuple(Piece(f"dice/{at}", Kind.DIE, "2", "a 2") for at in range(2)))
    price = (Fact("price", "3"),)
    row = (Piece("track/1", Kind.SPACE, "1", "first", facts=price), Piece("track/2", Kind.SPACE, "2", "second"))
    track = Zone("track", ZoneKind.TRACK, "Way", row)
    told = tell(Scene("Go.", (), (dice, track)), "en")
    assert told == "Go.\nDice: a 2, a 2\nWay\n  first (price 3)\n  second"


def test_what_is_noted_on_a_marker_is_not_told_again() -> None:
    held = Zone(
        "seat.0/is",
        ZoneKind.COUNTERS,
        "Is",
        (Piece("a", Kind.MARKER, "1", "first", marks=(Mark(Look.SPENT, "used"),)),),
    )
    assert "used" not in tell(Scene("Go.", (), (held,)), "en")


def test_a_view_is_told_as_its_scene_and_a_match_that_was_left_waits_for_nobody() -> None:
    view = GAME.view(start_match(NO_PAIRS).table, 0)
    assert drawn(GAME, view, "en") == tell(GAME.scene(view, "en"), "en")
    assert explained(SCENE, "en") == f"{tell(SCENE, 'en')}\n\n{legend(SCENE, 'en')}"
    running, over = (scene_of(GAME, view, "en", is_over=is_over) for is_over in (False, True))
    assert running == GAME.scene(view, "en")
    assert (over.turn, over.zones) == ((), running.zones)
    assert over.line != running.line
