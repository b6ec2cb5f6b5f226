"""The pieces: dice, magic cards, stones, modes, and the numbers that the rules themselves say."""

from __future__ import annotations

from enum import StrEnum
from itertools import combinations, combinations_with_replacement
from typing import Annotated, Any

from msgspec import Meta

from domain.game import Value


class Card(Value, frozen=True):
    """A magic card Magicカード (Mg) by its face. Copies are equal; a card has no identity. Rule: TT-1."""

    number: int
    """Its place in the pack, from 0."""
    en: str
    """Its name in English."""
    ja: str
    """Its name in Japanese."""

    def __str__(self) -> str:
        """For a move's short name: unique in a pack."""
        return self.en


Cards = tuple[Card, ...]
Lying = Annotated[tuple[Card | None, ...], Meta(description="Magic cards in their order; null is one face down.")]
"""Magic cards in their order as somebody knows them: None is a card whose face they don't know."""
Levels = tuple[Lying, Lying]
"""Magic cards by what is on their backs, which is open: those of level 1, those of level 2. Rule: TT-4."""

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
"""Stones as somebody knows them."""

Die = Annotated[
    int, Meta(title="Die", description="The face of a die.", extra_json_schema={"minimum": 1, "maximum": 6})
]
Dice = Annotated[tuple[Die, ...], Meta(description="Dice by their faces, in ascending order.")]
"""Faces in ascending order, for the order on the table is irrelevant. Rule: TT-10."""

SEATS = (2, 3, 4)
STONES = 5  # TT-1
LEVELS = (1, 2)
CARDS = 10  # TT-1: of each level
STONE = 0
"""Where a draw is told by the level of what is drawn: a stone."""
HAND = {2: 3, 3: 3, 4: 2}  # TT-2: by number of seats
STOCK = 2  # TT-11
TURNS = 120  # TT-14: of a round
ROUNDS = 12  # TT-14
PASS = 80  # TT-17
HARD_PASS = 100  # TT-20
GOAL = {2: 6, 3: 5, 4: 4}  # TT-23: by number of seats


class Mode(StrEnum):
    """What a table agrees on beside the standard. Rule: TT-19 to TT-23."""

    HARD = "hard"  # ハードモード
    """100 passes, not 80."""
    KIND = "kind"  # 優しい世界モード
    """Nothing is stocked, and hands are kept at the end of a round, but for that of the taker of a stone."""
    RANKING = "ranking"  # 順位確定モード
    """The final values rank, and nobody has to pass."""
    KNOCKOUT = "knockout"  # 勝ち抜けモード
    """No final exam: enough points of stones win at once."""


class Action(StrEnum):
    """What has become of the dice in a turn. Rule: TT-6, TT-8."""

    NONE = "none"
    """The dice action is still to be chosen."""
    FIRST = "first"
    """The roll of the round's first turn, which is no dice action."""
    A = "a"
    """Two or three were rolled."""
    B = "b"
    """One was rolled."""
    C = "c"
    """None was rolled."""


def _with(mode: Mode) -> dict[str, Any]:
    return {"contains": {"const": mode.value}}


KNOCKOUT_AMONG_OTHERS = {"allOf": [_with(Mode.KNOCKOUT), {"minItems": 2}]}
HARD_AND_RANKING = {"allOf": [_with(Mode.HARD), _with(Mode.RANKING)]}
TOGETHER = Meta(
    description="Nothing is the standard game.",
    extra_json_schema={"uniqueItems": True, "not": {"anyOf": [KNOCKOUT_AMONG_OTHERS, HARD_AND_RANKING]}},
)
"""As JSON schema says it, for who chooses options. Rule: TT-19, TT-22, TT-23."""


class Options(Value, frozen=True):
    """What a table agrees on before the match."""

    modes: Annotated[tuple[Mode, ...], TOGETHER] = ()
    """None: the standard rules. Rule: TT-19."""


ALL_DICE: tuple[Dice, ...] = tuple(combinations_with_replacement(range(1, 7), 3))
"""Everything that can lie on the table."""


def is_triple(dice: Dice) -> bool:
    """Three equal ぞろめ: a stone may be drawn. Rule: TT-10."""
    return dice[0] == dice[2]


def _allowed(dice: Dice) -> tuple[int, ...]:
    a, b, c = dice
    if len({a, b, c}) < 3:
        return (1,)  # わんぺあ; a triple is also two equal
    return (2,) if c - a == 2 else ()  # れんばん


ALLOWED = {dice: _allowed(dice) for dice in ALL_DICE}
"""By dice, the levels of the magic cards that they allow to draw. Rule: TT-10."""
CHOICES = {(dice, n): tuple(dict.fromkeys(combinations(dice, n))) for dice in ALL_DICE for n in (1, 2, 3)}
"""So many of the dice: equal dice are one choice."""


def without(dice: Dice, taken: Dice) -> Dice:
    """The dice that stay when some are taken."""
    left = list(dice)
    for die in taken:
        left.remove(die)
    return tuple(left)


def laid(dice: Dice, more: Dice) -> Dice:
    """All of these dice on the table."""
    return tuple(sorted((*dice, *more)))
