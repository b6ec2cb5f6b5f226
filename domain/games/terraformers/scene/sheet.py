"""A seat's sheet: seven boxes, four of which raise a level; and what lies on a box or a card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from domain.games.terraformers.components import Box, Level
from domain.games.terraformers.scene.palette import TIP
from domain.games.terraformers.scene.places import box_id, lying_id
from domain.games.terraformers.view import LevelView, PlaceView, TableView
from domain.scene import Fact, Kind, Look, Mark, Piece
from domain.texts import Words


class Printed(NamedTuple):
    """The words and marks on a box."""

    label: str
    title: str
    text: str
    facts: tuple[Fact, ...] = ()
    marks: tuple[Mark, ...] = ()


def tips_on(words: Words, place: str, tips: int) -> tuple[Piece, ...]:
    """Return the tips that are on the place, if any."""
    return (Piece(lying_id(place), Kind.CHIP, "", words["table-tip"], tone=TIP, count=tips),) if tips else ()


def chosen_mark(words: Words, *, is_chosen: bool) -> tuple[Mark, ...]:
    """Return the mark of a place on which tips are to be placed, if it is chosen. Rule: TF-8."""
    return (Mark(Look.RAISED, words["table-chosen"]),) if is_chosen else ()


def boxes(words: Words, view: TableView, place: PlaceView) -> Iterator[Piece]:
    """Yield the boxes in their order, with the tips on them. Rule: TF-13."""
    levels = {column.level.value: column for column in place.levels}
    for box in Box:
        if column := levels.get(box.value):
            printed = _raising(words, column)
        elif box is Box.OXYGEN:
            printed = _oxygen(words, place)
        else:
            printed = _powered(words, box, place)
        at = box_id(place.seat, box)
        yield Piece(
            at,
            Kind.TILE if column else Kind.SPACE,
            printed.label,
            printed.title,
            text=printed.text,
            tone=box.value,
            facts=printed.facts,
            marks=(*chosen_mark(words, is_chosen=place.seat in view.turn and box in view.box), *printed.marks),
            on=tips_on(words, at, getattr(place.boxes, box.value)),
        )


def _raising(words: Words, column: LevelView) -> Printed:
    """Return the level, and what its next check box costs. Rule: TF-14."""
    value = str(column.value)
    title = words["table-level"].format(level=words[f"level-{column.level}"], value=value)
    if not column.prices:
        return Printed(value, title, words["table-level-full-text"], marks=(Mark(Look.NOTED, words["table-full"]),))
    prices = words["comma"].join(map(str, column.prices))
    text = words["table-level-text"].format(level=words[f"level-{column.level}"], prices=prices)
    return Printed(value, title, text, facts=(Fact(words["table-next"], str(column.prices[0])),))


def _powered(words: Words, box: Box, place: PlaceView) -> Printed:
    """Return war or carnival, with the power of the tips as they are now. Rule: TF-17, TF-18."""
    title, text = words[f"box-{box}"], words[f"table-box-text-{box}"]
    if power := place.war if box is Box.WAR else place.carnival:
        label = str(*power)
        return Printed(label, words["table-powered"].format(box=title, power=label), text)
    is_closed = box is Box.CARNIVAL
    return Printed("", title, text, marks=(Mark(Look.BLOCKED, words["table-closed"]),) if is_closed else ())


def _oxygen(words: Words, place: PlaceView) -> Printed:
    """Return how much of the city's need is met: by green, and by the box's power if it has tips.

    Rule:    TF-16, TF-35.
    """
    values = {column.level: column.value for column in place.levels}
    tips = place.boxes.oxygen
    has, needs = values[Level.GREEN] + (place.base + tips if tips else 0), values[Level.CITY]
    title = words["table-oxygen"].format(box=words["box-oxygen"], has=has, needs=needs)
    text = words["always-oxygen" if place.always_oxygen else "table-box-text-oxygen"]
    return Printed(f"{has}/{needs}", title, text)
