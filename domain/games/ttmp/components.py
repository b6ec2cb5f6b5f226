"""The pieces: dice, magic cards, stones, modes, and the numbers that the rules fix."""

from __future__ import annotations

from enum import StrEnum
from itertools import combinations, combinations_with_replacement
from typing import Annotated, Any

from msgspec import Meta

from domain.game import Value


class Card(Value, frozen=True):
    """A kind of magic card Magicカード (Mg). Copies are equal; a card has no identity. Rule: TT-1."""

    number: int
    """The index of the card in the pack, from 0."""
    en: str
    """The name in English."""
    ja: str
    """The name in Japanese."""

    def __str__(self) -> str:
        """Return the name for a move's short name: it is unique in a pack."""
        return self.en


Cards = tuple[Card, ...]
Lying = Annotated[tuple[Card | None, ...], Meta(description="Magic cards in their order; null is one face down.")]
"""Magic cards in their order, as a viewer knows them: None is a card whose face the viewer does not know."""
Levels = tuple[Lying, Lying]
"""Magic cards by the level on their backs, which everybody sees: level 1, then level 2. Rule: TT-4."""

Level = Annotated[
    int,
    Meta(
        title="Level",
        description="What is on the back of a magic card: level 1 or 2.",
        extra_json_schema={"minimum": 1, "maximum": 2},
    ),
]

Stone = Annotated[int, Meta(title="Stone", description="A stone by its points.", extra_json_schema={"minimum": 0})]
"""A stone Magic stoneカード (Ms) by its points: stones with the same points are equal. Rule: TT-1."""
Stones = Annotated[tuple[Stone, ...], Meta(description="Stones by their points.")]
LyingStones = Annotated[
    tuple[Stone | None, ...], Meta(description="Stones by their points; null is one that is face down.")
]
"""Stones as a viewer knows them."""

Die = Annotated[
    int, Meta(title="Die", description="The face of a die.", extra_json_schema={"minimum": 1, "maximum": 6})
]
Dice = Annotated[tuple[Die, ...], Meta(description="Dice by their faces, in ascending order.")]
"""The faces in ascending order: the order on the table does not matter. Rule: TT-10."""

SEATS = (2, 3, 4)
STONES = 5  # TT-1
LEVELS = (1, 2)
CARDS = 10  # TT-1: of each level
STONE = 0
"""In place of a level, where a draw has one: a stone is drawn."""
HAND = {2: 3, 3: 3, 4: 2}  # TT-2: by number of seats
STOCK = 2  # TT-11
TURNS = 120  # TT-14: of a round
ROUNDS = 12  # TT-14
PASS = 80  # TT-17
HARD_PASS = 100  # TT-20
GOAL = {2: 6, 3: 5, 4: 4}  # TT-23: by number of seats


class Mode(StrEnum):
    """The modes that may be added to the standard rules. Rule: TT-19 to TT-23."""

    HARD = "hard"  # ハードモード
    """100 is needed to pass, not 80."""
    KIND = "kind"  # 優しい世界モード
    """Nothing is stocked, and hands are kept at the end of a round, except that of the taker of a stone."""
    RANKING = "ranking"  # 順位確定モード
    """The final values rank, and nobody has to pass."""
    KNOCKOUT = "knockout"  # 勝ち抜けモード
    """There is no final exam: enough points of stones win at once."""


class Action(StrEnum):
    """The dice action of a turn. Rule: TT-6, TT-8."""

    NONE = "none"
    """It is still to be chosen."""
    FIRST = "first"
    """The roll of the round's first turn, which is no dice action."""
    A = "a"
    """Two or three dice were rolled."""
    B = "b"
    """One die was rolled."""
    C = "c"
    """No die was rolled."""


def _with(mode: Mode) -> dict[str, Any]:
    return {"contains": {"const": mode.value}}


KNOCKOUT_AMONG_OTHERS = {"allOf": [_with(Mode.KNOCKOUT), {"minItems": 2}]}
HARD_AND_RANKING = {"allOf": [_with(Mode.HARD), _with(Mode.RANKING)]}
TOGETHER = Meta(
    description="Nothing is the standard game.",
    extra_json_schema={"uniqueItems": True, "not": {"anyOf": [KNOCKOUT_AMONG_OTHERS, HARD_AND_RANKING]}},
)
"""The rule for modes in JSON Schema, for clients that choose options. Rule: TT-19, TT-22, TT-23."""


class Options(Value, frozen=True):
    """The options of a match."""

    modes: Annotated[tuple[Mode, ...], TOGETHER] = ()
    """The modes; none: the standard rules. Rule: TT-19."""


ALL_DICE: tuple[Dice, ...] = tuple(combinations_with_replacement(range(1, 7), 3))
"""All combinations of three dice."""


def is_triple(dice: Dice) -> bool:
    """Return whether the dice are three equal ぞろめ: a stone may be drawn. Rule: TT-10."""
    return dice[0] == dice[2]


def _allowed(dice: Dice) -> tuple[int, ...]:
    a, b, c = dice
    if len({a, b, c}) < 3:
        return (1,)  # わんぺあ; a triple is also two equal
    return (2,) if c - a == 2 else ()  # れんばん


ALLOWED = {dice: _allowed(dice) for dice in ALL_DICE}
"""By dice: the levels of the magic cards that may be drawn. Rule: TT-10."""
CHOICES = {(dice, n): tuple(dict.fromkeys(combinations(dice, n))) for dice in ALL_DICE for n in (1, 2, 3)}
"""By dice and number: the choices of so many of the dice; equal dice are one choice."""


def without(dice: Dice, taken: Dice) -> Dice:
    """Return the dice that are left when some are taken."""
    left = list(dice)
    for die in taken:
        left.remove(die)
    return tuple(left)


def laid(dice: Dice, more: Dice) -> Dice:
    """Return all of these dice together."""
    return tuple(sorted((*dice, *more)))


def final_value(points: int, players: int, dice: Dice) -> int:
    """Return the final magic value: points of the stones, times the players, times the sum of the dice. Rule: TT-17."""
    return points * players * sum(dice)
