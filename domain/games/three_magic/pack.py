"""The printed numbers of the game, and how they are read from a pack file. Rule: 3M-29."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from domain.game import Value
from domain.pack import read_pack

MOST = 100_000
"""The greatest amount in a pack."""

Od = Annotated[int, Meta(ge=0, le=MOST)]
Score = Annotated[int, Meta(ge=0, le=MOST, multiple_of=2)]
"""An even amount, because a tsumo is paid in halves. Rule: 3M-27, 3M-29."""


class Prices(Value, frozen=True):
    """The prices, in od."""

    start: Od
    """The od with which each player starts. Rule: 3M-3."""
    reach: Od
    """Rule: 3M-19."""
    pledge_own: tuple[Od, Od]
    """The first and the second pledge in a deal, of the player's own attribute. Rule: 3M-15."""
    pledge_other: tuple[Od, Od]
    """The first and the second pledge in a deal, of another attribute. Rule: 3M-15."""
    manager: Od
    """The od that the manager adds to the ley line. Rule: 3M-28, 3M-32."""


class Scores(Value, frozen=True):
    """The scores, in od. Rule: 3M-29."""

    attribute: tuple[Score, Score, Score]
    """For 1, 2, 3 spells. Rule: 3M-23."""
    equal: tuple[Score, Score]
    """For 2, 3 spells of the same equal numbers. Rule: 3M-24."""
    one_direction: tuple[Score, Score]
    """For 2, 3 spells of the same sequence in one direction. Rule: 3M-24."""
    mixed: tuple[Score, Score]
    """For 2, 3 spells of the same sequence in any direction. Rule: 3M-24."""
    star: tuple[Score, Score, Score]
    """For 1, 2, 3 spells. Rule: 3M-25."""
    catalyst: Score
    """The score of each catalyst, for each indicator that names it. Rule: 3M-26."""
    catalyst_from: Score
    """The least sum of attribute, number and star with which catalysts count. Rule: 3M-26."""


class Pack(Value, frozen=True):
    """The printed numbers of the game."""

    name: Annotated[str, Meta(min_length=1)]
    prices: Prices
    scores: Scores


def parse_pack(data: bytes, file: str) -> Pack:
    """Read a pack from TOML and check all of it.

    Rule:    3M-29.
    Raises:  PackError with the file, the table and the field.
    """
    return read_pack(data, file, Pack)
