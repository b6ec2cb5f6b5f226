"""The probability that dice become a triple in a turn, with given magic cards. Results are cached."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import product

from domain.game import total
from domain.games.ttmp.abilities import AnyEffect, ways
from domain.games.ttmp.components import ALLOWED, CARDS, CHOICES, Dice, is_triple, laid, without
from domain.games.ttmp.state import Printed, changed

Effects = tuple[AnyEffect, ...]
"""The effects of cards that may be used."""

DRAW = {1: 0.06, 2: 0.1}
"""The worth of drawing a magic card of each level, in stones."""
RIVAL = 0.4
"""The cost of a stone that another seat gets, in stones."""

ROLLS: dict[int, tuple[tuple[Dice, float], ...]] = {
    count: tuple((dice, many / 6**count) for dice, many in Counter(map(laid, [()] * 6**count, rolls)).items())
    for count, rolls in ((n, tuple(product(range(1, 7), repeat=n))) for n in range(4))
}
"""By number of dice rolled: the possible results in ascending order, with their probabilities."""


@lru_cache(maxsize=1 << 16)
def finish(dice: Dice, effects: Effects) -> float:
    """Return the probability that the cards alone make these dice a triple. Rule: TT-7, TT-9."""
    if is_triple(dice):
        return 1.0
    best = 0.0
    for i, effect in enumerate(effects):
        rest = effects[:i] + effects[i + 1 :]
        for old, new in ways(effect, dice):
            if new:
                best = max(best, finish(changed(dice, old, new), rest))
            else:
                kept = without(dice, old)
                best = max(best, total(p * finish(laid(kept, roll), rest) for roll, p in ROLLS[len(old)]))
    return best


@lru_cache(maxsize=1 << 16)
def after_action(kept: Dice, effects: Effects, may_draw: bool) -> float:
    """Return the worth of a dice action in which these dice are kept, before the others are rolled. Rule: TT-8."""
    return total(p * standing(laid(kept, roll), effects, may_draw) for roll, p in ROLLS[3 - len(kept)])


@lru_cache(maxsize=1 << 16)
def standing(dice: Dice, effects: Effects, may_draw: bool) -> float:
    """Return the worth of these dice after the dice action: a stone, or a card and a turn change."""
    chance = finish(dice, effects)
    draw = max((DRAW[level] for level in ALLOWED[dice]), default=0.0) if may_draw else 0.0
    return chance + (1 - chance) * (draw - RIVAL * spoiled(dice))


@lru_cache(maxsize=1 << 16)
def best_action(dice: Dice, effects: Effects) -> float:
    """Return the probability that a turn that begins with these dice brings a stone. Rule: TT-7, TT-8."""
    chance = finish(dice, effects)
    if chance == 1:
        return chance
    keeps = (without(dice, some) for count in (1, 2, 3) for some in CHOICES[dice, count])
    return max(chance, *(_rolled(kept, effects) for kept in keeps))


@lru_cache(maxsize=1 << 16)
def _rolled(kept: Dice, effects: Effects) -> float:
    return total(p * finish(laid(kept, roll), effects) for roll, p in ROLLS[3 - len(kept)])


@lru_cache
def spoiled(dice: Dice) -> float:
    """Return the probability that a player without cards gets a stone after a turn change that spoils the dice.

    Rule:    TT-11.
    """
    rerolls = (without(dice, some) for some in CHOICES[dice, 1])
    return min(best_action(dice, ()), *(_then(kept) for kept in rerolls))


def _then(kept: Dice) -> float:
    return total(p * best_action(laid(kept, roll), ()) for roll, p in ROLLS[1])


@lru_cache
def potential(effect: AnyEffect) -> float:
    """Return by how much a card raises the probability that a turn brings a stone, on average."""
    rolls = ROLLS[3]
    return total(p * (best_action(dice, (effect,)) - best_action(dice, ())) for dice, p in rolls)


@lru_cache(maxsize=1 << 12)
def danger(printed: Printed, dice: Dice, ones: int, twos: int) -> float:
    """Return the probability that a player with so many unknown cards of each level gets a stone."""
    fail = 1.0 - best_action(dice, ())
    for level, count in enumerate((ones, twos), 1):
        copies = Counter(printed.decks[level - 1])
        likely = total(many * best_action(dice, (printed.kinds[card.number].effect,)) for card, many in copies.items())
        fail *= (1.0 - likely / CARDS) ** count if count else 1.0
    return 1.0 - fail
