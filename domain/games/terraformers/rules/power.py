"""Power, and the numbers as which levels count."""

from __future__ import annotations

from domain.games.terraformers.components import SCIENCE, Levels
from domain.games.terraformers.pack import Column, Pack
from domain.games.terraformers.printed import Ability, worth
from domain.games.terraformers.state import Player


def levels_of(player: Player, ability: Ability) -> Levels:
    """Return the levels as they count: a species may make science count as another number.

    Rule:    TF-30.
    """
    if not ability.science:
        return player.levels
    city, green, _, cosmo = player.levels
    return (city, green, ability.science[0], cosmo)


def base_of(player: Player, ability: Ability) -> int:
    """Return the power before any tip: science, or what a species puts in its place.

    Rule:    TF-10, TF-30, TF-31.
    """
    if ability.base:
        return worth(ability.base[0], levels_of(player, ability), player.stars)
    return ability.science[0] if ability.science else player.levels[SCIENCE]


def column_of(pack: Pack, at: int) -> Column:
    """Return the column of check boxes by its position on the sheet."""
    levels = pack.levels
    return (levels.city, levels.green, levels.science, levels.cosmo)[at]


def affordable(column: Column, level: int, power: int) -> int:
    """Return how many of the next check boxes the power fills, from the top. Rule: TF-14, TF-15."""
    boxes = 0
    for price in column.prices[level - column.start :]:
        power -= price
        if power < 0:
            break
        boxes += 1
    return boxes


def free(column: Column, level: int, boxes: int) -> int:
    """Return how many of the next check boxes can be filled for nothing; a full column rises no further.

    Rule:    TF-15.
    """
    return min(boxes, column.start + len(column.prices) - level)
