"""Stones, magic cards and dice as pieces of a scene."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from domain.game import Seat
from domain.games.ttmp.abilities import AnyEffect, Copy, Flip, RollAgain, Shift, Turn, faces_of, steps_of
from domain.games.ttmp.components import STONE, Dice, Stone
from domain.games.ttmp.scene import places
from domain.games.ttmp.scene.palette import LEVEL
from domain.games.ttmp.text.cards import effect_text
from domain.games.ttmp.text.describe import card_name, stone_name
from domain.games.ttmp.view import CardView, Levels, Lying, TableView
from domain.scene import Face, Fact, Kind, Look, Mark, Piece, emblem, numbered
from domain.texts import Words

MOST = 3
"""The most faces for which a card has room."""


def dice(words: Words, faces: Dice, at: str = places.DICE) -> tuple[Piece, ...]:
    """Return the dice in their order; `at`: the id of their zone."""
    return tuple(
        Piece(place, Kind.DIE, str(face), words["piece-die"].format(face=face))
        for place, face in zip(numbered(at, map(str, faces)), faces, strict=True)
    )


def stones(words: Words, view: TableView, seat: Seat) -> tuple[Piece, ...]:
    """Return a seat's stones, in the order in which they came."""
    summons = words["piece-summons-drawn" if view.goal else "piece-summons"]
    return tuple(
        _back(places.stone(seat, at), STONE, words["piece-stone"])
        if points is None
        else _stone(words, places.stone(seat, at), points, summons if points == view.summoning else "")
        for at, points in enumerate(view.places[seat].stones)
    )


def _stone(words: Words, place: str, points: Stone, summons: str) -> Piece:
    return Piece(
        place,
        Kind.CARD,
        str(points),
        stone_name(words, points),
        text=summons,
        tone=LEVEL[STONE],
        marks=(Mark(Look.BRIGHT, words["print-summons"]),) if summons else (),
    )


def pile(words: Words, level: int, count: int) -> Piece:
    """Return a deck, or an empty space if it has run out."""
    place = places.deck(level)
    if count:
        title = words["piece-stone"] if level == STONE else words["level"].format(level=level)
        return _back(place, level, title, count=count)
    gone = words["piece-no-stones" if level == STONE else "piece-no-cards"].format(level=level)
    return Piece(place, Kind.SPACE, "", gone, tone=LEVEL[level])


def _back(place: str, level: int, title: str, *, count: int = 1) -> Piece:
    """Return face-down cards or stones; everybody sees their backs."""
    return Piece(place, Kind.CARD, "", title, face=Face.DOWN, tone=LEVEL[level], count=count)


def held(words: Words, at: str, levels: Levels, face: Face = Face.UP) -> tuple[Piece, ...]:
    """Return the magic cards of a hand, or of a stock, in which known cards are face down too."""
    return tuple(piece for level, cards in enumerate(levels, 1) for piece in _held(words, at, level, cards, face))


def _held(words: Words, at: str, level: int, cards: Lying, face: Face) -> Iterator[Piece]:
    names = (f"level-{level}" if card is None else places.card(card.card) for card in cards)
    back, facts = words["level"].format(level=level), (Fact(words["piece-level"], str(level)),)
    for place, card in zip(numbered(at, names), cards, strict=True):
        yield _back(place, level, back) if card is None else _card(words, place, level, card, face, facts)


def discards(words: Words, at: str, level: int, cards: tuple[CardView, ...]) -> tuple[Piece, ...]:
    """Return used and discarded cards, the last one first: it is on top."""
    return tuple(_card(words, f"{at}/{number}", level, card) for number, card in reversed([*enumerate(cards)]))


def _card(
    words: Words, place: str, level: int, card: CardView, face: Face = Face.UP, facts: tuple[Fact, ...] = ()
) -> Piece:
    return Piece(
        place,
        Kind.CARD,
        label(card.effect),
        card_name(words, card.name),
        text=effect_text(card.effect, words),
        face=face,
        tone=LEVEL[level],
        facts=facts,
        emblem=emblem("sigil", card.name.en),
    )


def label(effect: AnyEffect) -> str:
    """Return the effect of a magic card as a sign: names of cards are too long to be drawn."""
    match effect:
        case Shift(dice=on):
            return _steps(steps_of(effect)) + ("" if on == "one" else "×3")
        case Turn():
            faces = faces_of(effect)
            return "→" + "/".join(map(str, faces)) if len(faces) <= MOST else "→?"
        case Copy():
            return "="
        case Flip(dice=on):
            return "⇅" if on == "one" else "⇅×3"
        case RollAgain(dice=count):
            return "↻" if count == 1 else f"↻×{count}"
        case _:
            assert_never(effect)


def _steps(by: tuple[int, ...]) -> str:
    """Return one step as a number with its sign; of two equal ones up and down, how far they go; else only a sign."""
    if len(by) == 1:
        return f"{by[0]:+d}"
    if len(by) == 2 and sum(by) == 0:
        return f"±{abs(by[0])}"
    return "±"
