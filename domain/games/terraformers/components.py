"""What lies on the table: levels, power boxes, the names of the planet cards, and what a table agrees on."""

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
"""No pack lets a player hold more tips than this, so that every list of moves stays short."""


class Level(StrEnum):
    """A column of check boxes on the player sheet. Rule: TF-3."""

    CITY = "city"  # 都市
    """Tips that are dealt each round, and what oxygen is compared with."""
    GREEN = "green"  # 緑化
    """What is added to the power of oxygen."""
    SCIENCE = "science"  # 科学
    """The power that every action has before any tip."""
    COSMO = "cosmo"  # コスモ
    """What many cards count."""


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
    """Is compared with the city level at the round's end."""
    WAR = "war"  # 戦争
    """Is compared among the players at the round's end."""
    CARNIVAL = "carnival"  # カーニバル
    """Gives points at the round's end."""


class Kind(StrEnum):
    """The two kinds of planet cards."""

    SPECIES = "species"  # 宇宙種族, blue
    """It is held, and gives its holder an ability."""
    BOX = "box"  # パワーボックス, red
    """It is used once a round by tips, like a box of the sheet."""


LEVELS = tuple(Level)
BOXES = tuple(Box)
LEVEL_AT = {level: at for at, level in enumerate(LEVELS)}
BOX_AT = {box: at for at, box in enumerate(BOXES)}
SCIENCE = LEVEL_AT[Level.SCIENCE]
OXYGEN, WAR, CARNIVAL = BOX_AT[Box.OXYGEN], BOX_AT[Box.WAR], BOX_AT[Box.CARNIVAL]

Levels = tuple[int, int, int, int]
"""A level a column: city, green, science, cosmo."""


class Name(Value, frozen=True):
    """A planet card as it is called: its English name names it among the cards of a pack."""

    name: str
    """In English: it names the card among those of a pack."""
    ja: str
    """In Japanese."""

    def __str__(self) -> str:
        """The English name alone: what the short name of a move is made of."""
        return self.name

    def told(self) -> tuple[str, str]:
        """The name in English and in Japanese, as a refusal tells it."""
        return self.name, self.ja


SCENARIO = Meta(description='"random", or the name of a scenario.')
EIGHT = Meta(
    description="The names of cards.",
    extra_json_schema={"minItems": PLANET, "maxItems": PLANET, "uniqueItems": True},
)
"""As JSON schema says it, for who chooses options. Rule: TF-1."""


class Options(Value, frozen=True):
    """What a table agrees on before the match."""

    planet: Annotated[str, SCENARIO] | Annotated[tuple[str, ...], EIGHT] = RANDOM
    """"random", the name of a scenario, or the names of exactly eight cards. Rule: TF-1."""
