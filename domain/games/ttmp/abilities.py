"""The abilities of magic cards: the closed set of effects that a pack may print on its cards.

A way to use an effect has the faces of the dice that it changes, and the faces to which they change, one for one. If
chance decides these, there are none.
"""

from __future__ import annotations

from typing import Annotated, Literal, assert_never

from msgspec import Meta

from domain.game import Value
from domain.games.ttmp.components import CHOICES, Dice

Way = tuple[Dice, Dice]
"""The dice that change, and the faces to which they change; none: they are rolled."""
Faces = Annotated[int, Meta(ge=1, le=6)]
Step = Annotated[int, Meta(ge=-5, le=5)]
On = Literal["one", "all"]
FACES = range(1, 7)


class Effect(Value, frozen=True, tag_field="does"):
    """The base of all effects."""


class Shift(Effect, frozen=True, tag="shift"):
    """A die, or each die, shows so much more or less."""

    by: Annotated[tuple[Step, ...], Meta(min_length=1, max_length=4)]
    """The steps, of which one is chosen."""
    dice: On = "one"
    """Whether one die changes, or each die by the same step."""


class Turn(Effect, frozen=True, tag="turn"):
    """A die is turned to one of these faces."""

    to: Annotated[tuple[Faces, ...], Meta(min_length=1, max_length=6)]
    """The faces, of which one is chosen."""


class Copy(Effect, frozen=True, tag="copy"):
    """A die takes the face of another."""


class Flip(Effect, frozen=True, tag="flip"):
    """A die, or each die, shows the face that was below: 7 less its own."""

    dice: On = "one"
    """Whether one die is turned over, or each die."""


class RollAgain(Effect, frozen=True, tag="reroll"):
    """A number of dice are rolled again."""

    dice: Annotated[int, Meta(ge=1, le=3)] = 1
    """How many dice."""


AnyEffect = Shift | Turn | Copy | Flip | RollAgain


def steps_of(effect: Shift) -> tuple[int, ...]:
    """Return the steps that change something, each once, in their order."""
    return tuple(dict.fromkeys(filter(None, effect.by)))


def faces_of(effect: Turn) -> tuple[int, ...]:
    """Return the faces, each once, in their order."""
    return tuple(dict.fromkeys(effect.to))


def ways(effect: AnyEffect, dice: Dice) -> tuple[Way, ...]:
    """Return every way to use the effect on these dice: each die stays within 1 to 6, and something changes.

    Rule:    TT-7, and the pack's chapter of RULES.md.
    """
    match effect:
        case Shift(by=by, dice=on):
            changes = [(old, tuple(face + step for face in old)) for old in _on(dice, on) for step in by]
        case Turn(to=to):
            changes = [((face,), (other,)) for (face,) in CHOICES[dice, 1] for other in to]
        case Copy():
            changes = [((face,), (other,)) for (face,) in CHOICES[dice, 1] for (other,) in CHOICES[dice, 1]]
        case Flip(dice=on):
            changes = [(old, tuple(7 - face for face in old)) for old in _on(dice, on)]
        case RollAgain(dice=count):
            return tuple((old, ()) for old in CHOICES[dice, count])
        case _:
            assert_never(effect)
    return tuple(dict.fromkeys((old, new) for old, new in changes if old != new and all(face in FACES for face in new)))


def _on(dice: Dice, on: On) -> tuple[Dice, ...]:
    return CHOICES[dice, 3 if on == "all" else 1]
