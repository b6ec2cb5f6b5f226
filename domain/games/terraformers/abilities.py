"""The abilities of planet cards: a closed set of effects, each with its parameters, printed on cards by a pack.

Effects that happen have a time (`when`). Effects that last work while their species is held.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from domain.game import Value
from domain.games.terraformers.components import Box, Level

Count = Annotated[int, Meta(ge=1, le=20)]
Points = Annotated[int, Meta(ge=0, le=50)]


class When(StrEnum):
    """When an effect happens."""

    USED = "used"
    """Tips were placed on the box card. Rule: TF-19."""
    ACQUIRED = "acquired"
    """The species was acquired. Rule: TF-20."""
    ROUND_START = "round-start"
    """Rule: TF-7."""
    TURN_START = "turn-start"
    """Rule: TF-8."""
    GAME_END = "game-end"
    """Rule: TF-25."""


class Of(StrEnum):
    """The number by which an amount is counted."""

    NOTHING = "nothing"
    CITY = "city"
    GREEN = "green"
    SCIENCE = "science"
    COSMO = "cosmo"
    STARS = "stars"
    PLACED = "placed"
    """The tips just placed on the card."""


class Whose(StrEnum):
    """The players whose boxes are concerned."""

    OTHERS = "others"
    ALL = "all"


class Extreme(StrEnum):
    """The end of a comparison that counts."""

    HIGHEST = "highest"
    LOWEST = "lowest"


class Amount(Value, frozen=True):
    """A number that may depend on a level; below 0 it counts as 0. Rule: TF-28."""

    of: Of = Of.NOTHING
    plus: Annotated[int, Meta(ge=-20, le=20)] = 0


class Effect(Value, frozen=True, tag_field="effect", kw_only=True):
    """One effect of a card."""

    rulebook: tuple[str, ...] = ()
    """The fields that the rulebook gives, with `effect` as one of them; the others are the pack's own."""


class Happens(Effect, frozen=True, kw_only=True):
    """An effect that happens to the player who used the card or owns the species, or to every player. Rule: TF-43."""

    when: When


class GainPoints(Happens, frozen=True, tag="points", kw_only=True):
    """Gain points."""

    amount: Amount
    all_placed: bool = False
    """Whether it needs that no tip is left in hand. Rule: TF-41."""


class TakeTips(Happens, frozen=True, tag="take-tips", kw_only=True):
    """Take tips from the stock."""

    amount: Amount


class PayTips(Happens, frozen=True, tag="pay-tips", kw_only=True):
    """Give tips from hand to the stock, or all if there are fewer. Rule: TF-40."""

    tips: Count


class Fill(Happens, frozen=True, tag="fill", kw_only=True):
    """Fill the next check boxes of a column for nothing. Rule: TF-15."""

    level: Level
    boxes: Count = 1


class MarkStars(Happens, frozen=True, tag="stars", kw_only=True):
    """Mark stars. Rule: TF-27."""

    stars: Count = 1


class AddTips(Happens, frozen=True, tag="add-tips", kw_only=True):
    """Put tips from the stock on players' boxes, occupied ones too. Rule: TF-11."""

    boxes: Annotated[tuple[Box, ...], Meta(min_length=1)]
    tips: Count
    whose: Whose
    occupied: bool
    """Whether it is only for boxes that already have tips."""


class Outdo(Happens, frozen=True, tag="outdo", kw_only=True):
    """Every other player whose level is lower than the player's own loses points. Rule: TF-42."""

    level: Level
    points: Points


class Contest(Happens, frozen=True, tag="contest", kw_only=True):
    """Gain points by how the player's level compares with those of all others. Rule: TF-42."""

    level: Level
    highest: Points
    """Strictly the highest."""
    tied: Points
    """Equal to the highest of the others."""
    otherwise: Points


class Provoke(Effect, frozen=True, tag="provoke", kw_only=True):
    """When used: another player, named with the action, puts tips from hand on a box, or all if there are fewer.

    Rule:    TF-11, TF-40.
    """

    box: Box
    tips: Count


class Compare(Effect, frozen=True, tag="compare", kw_only=True):
    """At the game's end: all players with the most or the least of something gain or lose points.

    Rule:    TF-25, TF-42.
    """

    of: Of
    extreme: Extreme
    at_least: Annotated[int, Meta(ge=0, le=50)] = 0
    """Only players with at least that many."""
    points: Annotated[int, Meta(ge=-50, le=50)]


class ScienceCounts(Effect, frozen=True, tag="science-counts", kw_only=True):
    """Science counts as a number; the sheet is not changed. Rule: TF-30."""

    science: Annotated[int, Meta(ge=0, le=20)]


class PowerBase(Effect, frozen=True, tag="power-base", kw_only=True):
    """Power is counted from something other than science, whatever science counts as. Rule: TF-31."""

    amount: Amount


class WarBonus(Effect, frozen=True, tag="war-bonus", kw_only=True):
    """War power is greater. Rule: TF-34."""

    amount: Amount
    without_tips: bool
    """Whether the player takes part in war without tips too; war power is then such bonuses alone."""


class Bar(Effect, frozen=True, tag="bar", kw_only=True):
    """A box of the player's own sheet may not be chosen. Rule: TF-32."""

    box: Box


class OxygenSucceeds(Effect, frozen=True, tag="oxygen-succeeds", kw_only=True):
    """Oxygen always succeeds. Rule: TF-35."""


class OxygenSurplus(Effect, frozen=True, tag="oxygen-surplus", kw_only=True):
    """At oxygen, points for each by which green and oxygen power exceed city, with tips on the box or without.

    Rule:    TF-36.
    """

    points: Points


class NoCarnival(Effect, frozen=True, tag="no-carnival", kw_only=True):
    """Carnival gives no points. Rule: TF-44."""


class Clings(Effect, frozen=True, tag="clings", kw_only=True):
    """Its owner cannot give it up; others may take it. Rule: TF-33."""


class Copies(Effect, frozen=True, tag="copies", kw_only=True):
    """Once a turn, before the action, its owner may pay tips and name a species to gain its ability. Rule: TF-37."""

    tips: Count


def is_for_all(effect: Happens) -> bool:
    """Return whether the effect is on every player's boxes at once, so that a box card has it only once. Rule: TF-7."""
    return isinstance(effect, AddTips) and effect.whose is Whose.ALL


Happening = GainPoints | TakeTips | PayTips | Fill | MarkStars | AddTips | Outdo | Contest
Lasting = ScienceCounts | PowerBase | WarBonus | Bar | OxygenSucceeds | OxygenSurplus | NoCarnival | Clings | Copies
AnyEffect = Happening | Provoke | Compare | Lasting
