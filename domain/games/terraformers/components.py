"""The parts of the table: levels, power boxes, the names of the planet cards; and the options."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from domain.game import Value

ROUNDS = 6  # TF-6
PLANET = 8  # TF-1: the planet cards of a match
CARDS = 22  # TF-1: the planet cards of a pack
HALF = 11  # of each kind
RANDOM = "random"  # TF-1
MOST_TIPS = 99
"""The most tips that a pack lets a player hold, so that every list of moves stays short."""


class Level(StrEnum):
    """A column of check boxes on the player sheet. Rule: TF-3."""

    CITY = "city"  # 都市
    """The tips that the player is dealt each round, and the number with which oxygen is compared."""
    GREEN = "green"  # 緑化
    """The number that is added to the power of oxygen."""
    SCIENCE = "science"  # 科学
    """The power that every action has before any tip."""
    COSMO = "cosmo"  # コスモ
    """The number that many cards count."""


class Box(StrEnum):
    """A power box パワーボックス of the player sheet; the first four raise the level of that name. Rule: TF-13."""

    CITY = "city"
    """Raises the city level."""
    GREEN = "green"
    """Raises the green level."""
    SCIENCE = "science"
    """Raises the science level."""
    COSMO = "cosmo"
    """Raises the cosmo level."""
    OXYGEN = "oxygen"  # 酸素
    """It is compared with the city level at the round's end."""
    WAR = "war"  # 戦争
    """It is compared among the players at the round's end."""
    CARNIVAL = "carnival"  # カーニバル
    """Gives points at the round's end."""


class Kind(StrEnum):
    """The two kinds of planet cards."""

    SPECIES = "species"  # 宇宙種族, blue
    """It is held, and gives its holder an ability."""
    BOX = "box"  # パワーボックス, red
    """It is used once a round with tips, like a box of the sheet."""


LEVELS = tuple(Level)
BOXES = tuple(Box)
LEVEL_AT = {level: at for at, level in enumerate(LEVELS)}
BOX_AT = {box: at for at, box in enumerate(BOXES)}
SCIENCE = LEVEL_AT[Level.SCIENCE]
OXYGEN, WAR, CARNIVAL = BOX_AT[Box.OXYGEN], BOX_AT[Box.WAR], BOX_AT[Box.CARNIVAL]

Levels = tuple[int, int, int, int]
"""The level of each column: city, green, science, cosmo."""


class Name(Value, frozen=True):
    """The name of a planet card."""

    name: str
    """In English; it identifies the card among those of a pack."""
    ja: str
    """In Japanese."""

    def __str__(self) -> str:
        """Return the English name, which the short name of a move has."""
        return self.name

    def told(self) -> tuple[str, str]:
        """Return the name in English and in Japanese, for a refusal."""
        return self.name, self.ja


SCENARIO = Meta(description='"random", or the name of a scenario.')
EIGHT = Meta(
    description="The names of cards.",
    extra_json_schema={"minItems": PLANET, "maxItems": PLANET, "uniqueItems": True},
)
"""The rule for the cards in JSON Schema, for clients that choose options. Rule: TF-1."""


class Options(Value, frozen=True):
    """The options of a match."""

    planet: Annotated[str, SCENARIO] | Annotated[tuple[str, ...], EIGHT] = RANDOM
    """"random", the name of a scenario, or the names of exactly eight cards. Rule: TF-1."""
