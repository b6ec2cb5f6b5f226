"""The abilities of familiars: the closed set that a pack may print on its cards.

Each has a timing (`at`). Most have a cost in charges of their own card (0: the ability fires by itself), and an amount.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Literal

from msgspec import Meta

from domain.game import Value
from domain.games.troll_master.components import Kind, Name


class Timing(IntEnum):
    """When an ability may be used or fires. A card has its abilities sorted by it; packs write the names in lower case.

    Rule:    TM-35.
    """

    PLANNING = 0
    SUMMON = 1
    BREW = 2
    ATTACK = 3
    DEFENCE = 4
    DIVINATION = 5
    SCORING = 6


AT = Meta(description="When it may be used, or fires by itself.")
Acting = Annotated[Literal["summon", "brew", "attack", "divination"], AT]
Playing = Annotated[Literal["planning", "summon", "brew", "attack", "defence", "divination"], AT]
Amount = Annotated[int, Meta(ge=1, le=20, description="How much of it, or how many.")]
Charges = Annotated[int, Meta(ge=0, le=9, description="What it costs, in charges of its card; 0: it fires by itself.")]
RIBBONS = 9
"""The most ribbons of a card, and the highest cost of an ability."""


class PrintedAbility(Value, frozen=True, tag_field="does"):
    """The base of all abilities. `does` says which ability it is."""

    def __str__(self) -> str:
        """Return the ability as a part of a move's short name, unique among the abilities of a card."""
        fields = "-".join(str(getattr(self, name)) for name in self.__struct_fields__)
        return f"{self.__struct_config__.tag}-{fields}"


class GainMana(PrintedAbility, frozen=True, tag="gain-mana"):
    """Mana from the stock goes to the hand; it never becomes a charge. Rule: TM-28, TM-39."""

    at: Playing
    mana: Amount
    cost: Charges = 0
    on_success: bool = False
    """Whether the ability fires for each success of an attack."""


class GainChips(PrintedAbility, frozen=True, tag="gain-chips"):
    """Chips from the stock go to the seat. Rule: TM-28, TM-40."""

    at: Playing
    chips: Amount
    cost: Charges = 0
    on_success: bool = False
    """Whether the ability fires for each success of an attack."""


class Reduce(PrintedAbility, frozen=True, tag="reduce"):
    """The familiar acquired in this action costs less mana. Rule: TM-41."""

    at: Annotated[Literal["summon"], AT]
    mana: Amount
    cost: Charges = 0


class ChargeItself(PrintedAbility, frozen=True, tag="charge"):
    """A mana from the stock becomes a charge on the ability's own card, up to its ribbons. Rule: TM-38, TM-42."""

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
    """More power until the end of the action. Rule: TM-30, TM-44."""

    at: Annotated[Literal["attack", "defence"], AT]
    power: Amount
    cost: Charges = 0


class MorePoints(PrintedAbility, frozen=True, tag="points"):
    """More points when points are counted: once, or for each of something. Rule: TM-31, TM-45."""

    at: Annotated[Literal["scoring"], AT]
    points: Amount
    of: Literal["itself", "charges", "familiars"] = "itself"
    """What is counted: nothing (the points are added once), the charges on it, or its owner's uncovered familiars,
    itself included."""
    every: Amount = 1
    """The points are added for every so many, rounded down."""


class Redraw(PrintedAbility, frozen=True, tag="redraw"):
    """Draw a magic card, then discard one from hand. Rule: TM-17."""

    at: Annotated[Literal["planning"], AT]
    cost: Charges = 0


Paid = GainMana | GainChips | Reduce | Chain | Strengthen | Redraw
"""Abilities that may cost charges."""
Charging = ChargeItself | ChargeAnother
Ability = Paid | Charging | MorePoints


def charges(ability: Charging, on: Name) -> Name:
    """Return the name of the familiar that the ability charges. The ability is printed on the card `on`.

    Rule:    TM-38, TM-42.
    """
    return ability.familiar if isinstance(ability, ChargeAnother) else on


def timing_of(ability: Ability) -> Timing:
    """Return when the ability may be used, or fires by itself."""
    return Timing[ability.at.upper()]


def cost_of(ability: Ability) -> int:
    """Return the cost of the ability, in charges of its own card; 0 if it fires by itself. Rule: TM-36."""
    match ability:
        case ChargeItself() | ChargeAnother() | MorePoints():
            return 0
        case _:
            return ability.cost


def fires_on_success(ability: Ability) -> bool:
    """Return whether the ability fires for each success of an attack. Rule: TM-28."""
    return isinstance(ability, GainMana | GainChips) and ability.on_success
