"""What a familiar can do: the closed set of abilities that a pack may print on its cards.

Each says its timing (`at`), its cost in charges of that very card (0: it fires by itself) and its amount.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Literal

from msgspec import Meta

from domain.game import Value
from domain.games.troll_master.components import Kind, Name


class Timing(IntEnum):
    """Where a card keeps its abilities of that timing; a pack writes the names in lower case. Rule: TM-35."""

    PLANNING = 0
    SUMMON = 1
    BREW = 2
    ATTACK = 3
    DEFENCE = 4
    DIVINATION = 5
    SCORING = 6


TIMING_OF = {
    Kind.SUMMON: Timing.SUMMON,
    Kind.BREW: Timing.BREW,
    Kind.ATTACK: Timing.ATTACK,
    Kind.DIVINATION: Timing.DIVINATION,
}

AT = Meta(description="When it may be used, or fires by itself.")
Acting = Annotated[Literal["summon", "brew", "attack", "divination"], AT]
Playing = Annotated[Literal["planning", "summon", "brew", "attack", "defence", "divination"], AT]
Amount = Annotated[int, Meta(ge=1, le=20, description="How much of it, or how many.")]
Charges = Annotated[int, Meta(ge=0, le=9, description="What it costs, in charges of its card; 0: it fires by itself.")]
RIBBONS = 9
"""No card of a pack has more ribbons, nor an ability a greater cost."""


class PrintedAbility(Value, frozen=True, tag_field="does"):
    """What all abilities have in common: they are told apart by `does`."""

    def __str__(self) -> str:
        """The ability as a part of a move's short name, unique among the abilities of a card."""
        said = "-".join(str(getattr(self, name)) for name in self.__struct_fields__)
        return f"{self.__struct_config__.tag}-{said}"


class GainMana(PrintedAbility, frozen=True, tag="gain-mana"):
    """Mana from the stock to the hand; it never charges. Rule: TM-28, TM-39."""

    at: Playing
    mana: Amount
    cost: Charges = 0
    on_success: bool = False
    """Of an attack: fires for each success."""


class GainChips(PrintedAbility, frozen=True, tag="gain-chips"):
    """Chips from the stock. Rule: TM-28, TM-40."""

    at: Playing
    chips: Amount
    cost: Charges = 0
    on_success: bool = False
    """Of an attack: fires for each success."""


class Reduce(PrintedAbility, frozen=True, tag="reduce"):
    """What is acquired in this action costs less mana. Rule: TM-41."""

    at: Annotated[Literal["summon"], AT]
    mana: Amount
    cost: Charges = 0


class ChargeItself(PrintedAbility, frozen=True, tag="charge"):
    """A mana from the stock becomes a charge on this very card, up to its ribbons. Rule: TM-38, TM-42."""

    at: Playing


class ChargeAnother(PrintedAbility, frozen=True, tag="charge-another"):
    """A mana from the stock becomes a charge on the owner's uncovered familiar of that name. Rule: TM-42."""

    at: Playing
    familiar: Name


class Chain(PrintedAbility, frozen=True, tag="chain"):
    """When the action is done, the pawn may move left to an action of the named kind. Rule: TM-43."""

    at: Acting
    to: Kind
    cost: Charges = 0


class Strengthen(PrintedAbility, frozen=True, tag="power"):
    """More power to the end of the action. Rule: TM-30, TM-44."""

    at: Annotated[Literal["attack", "defence"], AT]
    power: Amount
    cost: Charges = 0


class MorePoints(PrintedAbility, frozen=True, tag="points"):
    """More points when points are counted: once, or for every so many of something. Rule: TM-31, TM-45."""

    at: Annotated[Literal["scoring"], AT]
    points: Amount
    of: Literal["itself", "charges", "familiars"] = "itself"
    """Counted: nothing, the charges on it, or its owner's uncovered familiars, itself included."""
    every: Amount = 1
    """Rounded down."""


class Redraw(PrintedAbility, frozen=True, tag="redraw"):
    """Draw a magic card, then discard one from hand. Rule: TM-17."""

    at: Annotated[Literal["planning"], AT]
    cost: Charges = 0


Paid = GainMana | GainChips | Reduce | Chain | Strengthen | Redraw
"""Abilities that may cost charges."""
Charging = ChargeItself | ChargeAnother
Ability = Paid | Charging | MorePoints


def charges(ability: Charging, on: Name) -> Name:
    """The familiar that the ability charges; `on` is the card on which the ability stands. Rule: TM-38, TM-42."""
    return ability.familiar if isinstance(ability, ChargeAnother) else on


def timing_of(ability: Ability) -> Timing:
    """When the ability may be used, or fires by itself."""
    return Timing[ability.at.upper()]


def cost_of(ability: Ability) -> int:
    """What the ability costs, in charges of the card that it stands on; 0 if it fires by itself. Rule: TM-36."""
    match ability:
        case ChargeItself() | ChargeAnother() | MorePoints():
            return 0
        case _:
            return ability.cost


def fires_on_success(ability: Ability) -> bool:
    """Whether the ability fires for each success of an attack. Rule: TM-28."""
    return isinstance(ability, GainMana | GainChips) and ability.on_success
