"""What aptitude cards are worth, taken and still to be taken, in tenths of a point."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from domain.games.magicative.bot.hopes import POINT, Prospects, prospects
from domain.games.magicative.components import FORMULA, NUMBERS, SCHOOLS, named
from domain.games.magicative.pack import Pack
from domain.games.magicative.state import Aptitude, Formula, aptitude_points

TO_COME = 2
"""About how many formulas a seat fixes after an awakening."""
MORE_CARDS = 7.0
"""A card more at the start of each turn."""
IN_HAND = 0.95
"""Four equal cards in hand, of what they bring when they are set aside."""
FOURTH = 0.45
"""Three equal cards in hand, of the same: the fourth may be drawn, or lie in a row."""


def worth_of_aptitude(formulas: tuple[Formula, ...], aptitude: Aptitude) -> float:
    """An aptitude card that the seat knows: the cards that it names of the formulas fixed, and of those to come."""
    assert aptitude.number is not None, "a seat knows its own cards"
    share = (1 + sum(SCHOOLS[one.school] is aptitude.school for one in formulas)) / (len(formulas) + len(SCHOOLS))
    to_come = share * TO_COME * FORMULA * len(named(aptitude.number, aptitude.reach)) / NUMBERS
    return POINT * (aptitude_points(formulas, aptitude) + to_come)


@lru_cache(maxsize=1 << 12)
def worth_of_awakening(pack: Pack, formulas: tuple[Formula, ...]) -> float:
    """An aptitude card of the school that promises most, and a card more each turn."""
    best = 0.0
    for printed in pack.aptitudes:
        cards = [Aptitude(printed.school, number, False, printed.reach) for number in printed.numbers]
        if cards:
            best = max(best, sum(worth_of_aptitude(formulas, card) for card in cards) / len(cards))
    return best + MORE_CARDS


@lru_cache(maxsize=1 << 12)
def prospects_with_awakening(pack: Pack, formulas: tuple[Formula, ...]) -> Prospects:
    """What each further formula would bring, and what equal cards are worth beside: an awakening. Rule: MG-11."""
    worth = worth_of_awakening(pack, formulas)
    return replace(prospects(pack, formulas), awakening=IN_HAND * worth, fourth=FOURTH * worth)
