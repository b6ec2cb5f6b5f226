"""What a magic card can do: the closed set of effects that a pack may print on its cards.

A way to use an effect is told by the faces of the dice that it changes and by those that they change to, one for one;
where chance says what they change to, by none.
"""

from __future__ import annotations

from typing import Annotated, Literal, assert_never

from msgspec import Meta

from domain.game import Value
from domain.games.ttmp.components import CHOICES, Dice

Way = tuple[Dice, Dice]
"""The dice that change, and what they change to; nothing: they are rolled."""
Faces = Annotated[int, Meta(ge=1, le=6)]
Step = Annotated[int, Meta(ge=-5, le=5)]
On = Literal["one", "all"]
FACES = range(1, 7)


class Effect(Value, frozen=True, tag_field="does"):
    """Any effect."""


class Shift(Effect, frozen=True, tag="shift"):
    """A die, or each, shows so much more or less."""

    by: Annotated[tuple[Step, ...], Meta(min_length=1, max_length=4)]
    """One of these is chosen."""
    dice: On = "one"
    """Whether one die changes, or each by as much."""


class Turn(Effect, frozen=True, tag="turn"):
    """A die is turned to one of these faces."""

    to: Annotated[tuple[Faces, ...], Meta(min_length=1, max_length=6)]
    """One of these is chosen."""


class Copy(Effect, frozen=True, tag="copy"):
    """A die takes the face of another."""


class Flip(Effect, frozen=True, tag="flip"):
    """A die, or each, shows the face that lay below: 7 less its own."""

    dice: On = "one"
    """Whether one die is turned over, or each."""


class RollAgain(Effect, frozen=True, tag="reroll"):
    """So many dice are rolled again."""

    dice: Annotated[int, Meta(ge=1, le=3)] = 1
    """How many."""


AnyEffect = Shift | Turn | Copy | Flip | RollAgain


def ways(effect: AnyEffect, dice: Dice) -> tuple[Way, ...]:
    """Every way to use the effect on these dice: no die leaves 1 to 6, and something changes.

    Rule:    TT-7, and the pack's chapter of RULES.md.
    """
    match effect:
        case Shift(by=by, dice=on):
            found = [(old, tuple(face + step for face in old)) for old in _on(dice, on) for step in by]
        case Turn(to=to):
            found = [((face,), (other,)) for (face,) in CHOICES[dice, 1] for other in to]
        case Copy():
            found = [((face,), (other,)) for (face,) in CHOICES[dice, 1] for (other,) in CHOICES[dice, 1]]
        case Flip(dice=on):
            found = [(old, tuple(7 - face for face in old)) for old in _on(dice, on)]
        case RollAgain(dice=count):
            return tuple((old, ()) for old in CHOICES[dice, count])
        case _:
            assert_never(effect)
    return tuple(dict.fromkeys((old, new) for old, new in found if old != new and all(face in FACES for face in new)))


def _on(dice: Dice, on: On) -> tuple[Dice, ...]:
    return CHOICES[dice, 3 if on == "all" else 1]
