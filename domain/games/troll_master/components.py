"""The pieces: magic cards, kinds of action, names of cards, and the numbers that the rules fix."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from msgspec import Meta

from domain.game import Value


class Magic(StrEnum):
    """A magic card 魔法カード. Copies are equal; a card has no identity. Rule: TM-1."""

    TOME = "tome"  # 古文書
    """The cost of a summon."""
    FLASK = "flask"  # 薬瓶
    """The cost of a brew."""
    WAND = "wand"  # 杖
    """The cost of an attack."""
    CRYSTAL = "crystal"  # 水晶
    """The cost of a divination."""


Magics = Annotated[tuple[Magic, ...], Meta(description="Magic cards in their order.")]
Lying = Annotated[tuple[Magic | None, ...], Meta(description="Magic cards in their order; null is one face down.")]
"""Magic cards in their order, as a viewer knows them: None is a card whose face the viewer does not know."""


class Kind(StrEnum):
    """The kind of an action on the workshop row 工房. Rule: TM-25, TM-26, TM-27, TM-29."""

    SUMMON = "summon"  # 召喚
    """A familiar is acquired."""
    BREW = "brew"  # 調合
    """Mana is taken, and familiars are charged."""
    ATTACK = "attack"  # 攻撃
    """All other seats are attacked."""
    DIVINATION = "divination"  # 占い
    """Chips are taken."""


ICON = {
    Kind.SUMMON: Magic.TOME,
    Kind.BREW: Magic.FLASK,
    Kind.ATTACK: Magic.WAND,
    Kind.DIVINATION: Magic.CRYSTAL,
}
"""The card that an action asks for, and in which its cost is paid. Rule: TM-11, TM-21."""

COPIES = 6  # TM-1
MAGICS: Magics = (Magic.TOME, Magic.FLASK, Magic.WAND, Magic.CRYSTAL)
DECK: Magics = tuple(magic for magic in MAGICS for _ in range(COPIES))
"""The 24 magic cards. Rule: TM-1."""

SEATS = (3, 4, 5)  # TM-5
WORKSHOP_CARDS = 7  # TM-1
ACTIONS = 14  # TM-1
FAMILIARS = 22  # TM-1
FAMILIAR_COPIES = 2  # TM-1
SUPPLY = 10  # TM-2
MANA = 4  # TM-3
TURNED = {3: 1, 4: 2, 5: 0}  # TM-5: cards turned face up, by seats
HAND = {3: 3, 4: 2, 5: 2}  # TM-5
PASS_MANA = 2  # TM-16, TM-23
CARD_MANA = 2  # TM-22
SUCCESS_CHIPS = 1  # TM-27
GOAL = 20  # TM-32
ROUNDS = 40  # TM-34

ActionNumber = Annotated[
    int,
    Meta(
        title="ActionNumber",
        description="An action of the workshop row by its number, from 1, the leftmost.",
        extra_json_schema={"minimum": 1, "maximum": 14},
    ),
]
Mana = Annotated[int, Meta(description="How much mana.")]
Chips = Annotated[int, Meta(description="How many chips.")]
Power = Annotated[int, Meta(description="How much power.")]
OnCard = Annotated[int, Meta(description="How many charges lie on it.")]

HOME = 0
"""The position of a pawn 計画コマ that is on no action; actions are counted from 1, the leftmost."""


class Name(Value, frozen=True):
    """A card's name as the pack prints it; a move's short name has the English one."""

    en: str
    """In English."""
    ja: str
    """In Japanese."""

    def __str__(self) -> str:
        return self.en


TEN = Meta(
    description="The names of familiars.",
    extra_json_schema={"minItems": SUPPLY, "maxItems": SUPPLY, "uniqueItems": True},
)
"""The rule for the names in JSON Schema, for clients that choose options. Rule: TM-2."""


class Options(Value, frozen=True):
    """The options of a match."""

    familiars: Literal["random"] | Annotated[tuple[str, ...], TEN] = "random"
    """"random" to draw the familiars by chance, or the English names of exactly ten kinds. Rule: TM-2."""
