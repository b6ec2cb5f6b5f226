"""The pieces of cards, face up and face down, of artefacts, and of the sheet."""

from __future__ import annotations

from domain.games.magicative.components import INNOCENT, Artefact, number_of, school_of
from domain.games.magicative.scene.palette import ARTEFACT_TONE, INNOCENT_TONE
from domain.games.magicative.text.cards import ARTEFACTS, effect
from domain.games.magicative.text.describe import card_alone, counted, special_name
from domain.games.magicative.view import CardView, SheetView
from domain.scene import Face, Fact, Kind, Mark, Piece, SceneId
from domain.texts import Words, figure, sentence

WILD = "★"
"""The sign of an innocent, which has no number, and of any card that counts as another one."""
SIGNS = {Artefact.FATE: "◎", Artefact.PAST: "↺", Artefact.INNOCENT: WILD}
"""The signs of the artefacts."""


def card_piece(
    words: Words, at: SceneId, shown: CardView, *, count: int = 1, label: str = "", marks: tuple[Mark, ...] = ()
) -> Piece:
    """Return a card that the viewer knows. Rule: MG-1, MG-10."""
    card = shown.card
    is_wild = card == INNOCENT
    return Piece(
        at,
        Kind.CARD,
        label or (WILD if is_wild else str(number_of(card))),
        card_alone(words, card),
        tone=INNOCENT_TONE if is_wild else school_of(card).value,
        count=count,
        marks=marks,
    )


def face_down(words: Words, at: SceneId, *, count: int = 1) -> Piece:
    """Return cards that the viewer does not know."""
    return Piece(at, Kind.CARD, "", words["scene-back"], face=Face.DOWN, count=count)


def artefact_piece(words: Words, at: SceneId, artefact: Artefact, sheet: SheetView) -> Piece:
    """Return an artefact, with what it does and what it costs. Rule: MG-15."""
    (tool,) = (tool for tool in sheet.tools if ARTEFACTS[type(tool.power)] is artefact)
    return Piece(
        at,
        Kind.CARD,
        SIGNS[artefact],
        words[f"artefact-{artefact}"],
        text=effect(words, tool.power),
        tone=ARTEFACT_TONE,
        facts=(Fact(words["scene-points"], figure(tool.points)),),
    )


def sheet_piece(words: Words, at: SceneId, sheet: SheetView) -> Piece:
    """Return the points of a formula and of each special. Rule: MG-9, MG-13."""
    rows = [(words["scene-any-formula"], sheet.formula)]
    rows += [(special_name(words, special.group), special.points) for special in sheet.specials]
    lines = [words["scene-brings"].format(name=name, points=counted(words["points"], points)) for name, points in rows]
    text = sentence(words["clause"].join((*lines, words["scene-text-wild"])))
    return Piece(at, Kind.MARKER, "", words["scene-sheet"], text=text)
