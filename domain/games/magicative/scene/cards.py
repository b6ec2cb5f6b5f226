"""A card as it is drawn, face up or face down."""

from __future__ import annotations

from domain.games.magicative.components import INNOCENT, number_of, school_of
from domain.games.magicative.scene.palette import INNOCENT_TONE
from domain.games.magicative.text.phrases import card_alone
from domain.games.magicative.text.words import Words
from domain.games.magicative.view import CardView
from domain.scene import Face, Fact, Kind, Mark, Piece, SceneId

WILD = "★"
"""What is drawn on an innocent, which has no number."""


def card_piece(
    words: Words,
    at: SceneId,
    shown: CardView,
    *,
    face: Face = Face.UP,
    count: int = 1,
    facts: tuple[Fact, ...] = (),
    marks: tuple[Mark, ...] = (),
) -> Piece:
    """A card that the viewer knows. Rule: MG-1, MG-10."""
    card = shown.card
    is_wild = card == INNOCENT
    return Piece(
        at,
        Kind.CARD,
        WILD if is_wild else str(number_of(card)),
        card_alone(words, card),
        text=words.scene["text-wild"] if is_wild else "",
        face=face,
        tone=INNOCENT_TONE if is_wild else school_of(card).value,
        count=count,
        facts=facts,
        marks=marks,
    )


def face_down(words: Words, at: SceneId, *, count: int = 1) -> Piece:
    """Cards that the viewer does not know."""
    return Piece(at, Kind.CARD, "", words.scene["back"], face=Face.DOWN, count=count)
