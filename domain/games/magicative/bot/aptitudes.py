"""The worth of aptitude cards, taken and still to be taken, in tenths of a point."""

from __future__ import annotations

from functools import lru_cache

from domain.game import total
from domain.games.magicative.bot.hopes import POINT, Prospects, prospects
from domain.games.magicative.components import FORMULA, NUMBERS, SCHOOLS, named
from domain.games.magicative.pack import Pack
from domain.games.magicative.state import Aptitude, Formula, aptitude_points

TO_COME = 2
"""About how many formulas a seat fixes after an awakening."""
MORE_CARDS = 7.0
"""The worth of one more card at the start of each turn."""
IN_HAND = 0.95
"""The part of an awakening's worth that four equal cards in hand have."""
FOURTH = 0.45
"""The part of it that three equal cards in hand have: the fourth may be drawn, or be in a row."""


def worth_of_aptitude(formulas: tuple[Formula, ...], aptitude: Aptitude) -> float:
    """Return the worth of a known aptitude card: the cards that it names in formulas, fixed and expected."""
    assert aptitude.number is not None, "a seat knows its own cards"
    share = (1 + sum(SCHOOLS[one.school] is aptitude.school for one in formulas)) / (len(formulas) + len(SCHOOLS))
    to_come = share * TO_COME * FORMULA * len(named(aptitude.number, aptitude.reach)) / NUMBERS
    return POINT * (aptitude_points(formulas, aptitude) + to_come)


@lru_cache(maxsize=1 << 12)
def worth_of_awakening(pack: Pack, formulas: tuple[Formula, ...]) -> float:
    """Return the worth of an aptitude card of the most promising school, and of one more card each turn."""
    best = 0.0
    for printed in pack.aptitudes:
        cards = [Aptitude(printed.school, number, False, printed.reach) for number in printed.numbers]
        if cards:
            best = max(best, total(worth_of_aptitude(formulas, card) for card in cards) / len(cards))
    return best + MORE_CARDS


@lru_cache(maxsize=1 << 12)
def prospects_with_awakening(pack: Pack, formulas: tuple[Formula, ...]) -> Prospects:
    """Return what each further formula would bring, and what equal cards are worth for an awakening. Rule: MG-11."""
    worth = worth_of_awakening(pack, formulas)
    return prospects(pack, formulas, IN_HAND * worth, FOURTH * worth)
