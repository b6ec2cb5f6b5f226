"""Tips where they lie, and the mark of the place where some are to be put."""

from __future__ import annotations

from domain.games.terraformers.scene.palette import TIP
from domain.games.terraformers.scene.places import lying_id
from domain.games.terraformers.text.words import Words
from domain.scene import Kind, Look, Mark, Piece


def tips_on(words: Words, place: str, tips: int) -> tuple[Piece, ...]:
    """The tips that lie at the place, if any do."""
    return (Piece(lying_id(place), Kind.CHIP, "", words.table.tip, tone=TIP, count=tips),) if tips else ()


def chosen_mark(words: Words, *, is_chosen: bool) -> tuple[Mark, ...]:
    """That tips are to be placed here, where they are. Rule: TF-8."""
    return (Mark(Look.RAISED, words.table.chosen),) if is_chosen else ()
