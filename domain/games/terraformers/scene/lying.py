"""Tips on the table, and the mark of the place where tips are to be placed."""

from __future__ import annotations

from domain.games.terraformers.scene.palette import TIP
from domain.games.terraformers.scene.places import lying_id
from domain.scene import Kind, Look, Mark, Piece
from domain.texts import Words


def tips_on(words: Words, place: str, tips: int) -> tuple[Piece, ...]:
    """Return the tips that are on the place, if any."""
    return (Piece(lying_id(place), Kind.CHIP, "", words["table-tip"], tone=TIP, count=tips),) if tips else ()


def chosen_mark(words: Words, *, is_chosen: bool) -> tuple[Mark, ...]:
    """Return the mark of a place on which tips are to be placed, if it is chosen. Rule: TF-8."""
    return (Mark(Look.RAISED, words["table-chosen"]),) if is_chosen else ()
