"""The worth of Fate: whether the cards that it shows, in the best order, win in this turn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from domain.games.magicative.components import (
    AWAKENING,
    BITS_OF,
    FATE,
    FORMS,
    FORMULA,
    FORMULA_CARDS,
    FORMULA_DRAWN,
    IMITATION,
    INNOCENT,
    INNOCENTS,
    INNOCENTS_FROM,
    ONE,
    SCHOOL_BITS,
    SCHOOL_PILE,
    Card,
    Cards,
    Lying,
    Pile,
    cards_of,
    counts_of,
    pile_of,
)
from domain.games.magicative.pack import deck_of
from domain.games.magicative.rules.artefacts import COST_AT
from domain.games.magicative.rules.drawing import drawn_at_start
from domain.games.magicative.rules.scoring import completed
from domain.games.magicative.state import Formula, Table, Won, aptitude_points, held, points, unshown
from domain.secrecy import unseen

SAMPLES = 6
"""How often the top of the deck is imagined before it is looked at."""
MOST_MISSING = 8
"""The most points that may be missing to the goal; more are seldom made in a turn."""
MOST_FORMULAS = 2
"""The most formulas that are looked ahead."""
WINNING = 120.0
"""The worth of winning in this turn, in tenths of a point."""
SPARED = 15.0
"""The worth of the use of Innocent, which a user of Fate gives up while it is left."""


def worth_of_fate(table: Table) -> float:
    """Return what the user of Fate gains by its cards, which are in `table` as far as they are arranged.

    Before any is arranged, cards that the seat does not see show how likely they are to win, and how likely that was
    without Fate: so many of the looks that it may bring, whatever lies there.
    """
    stage, deck = table.stage, table.deck
    work, won = stage.work, table.places[stage.seat].won
    if _missing(table, won) > MOST_MISSING:
        return 0.0
    drawn = drawn_at_start(won) if work.before_draw else 0
    pile = held(table.places[stage.seat].hand)
    if work.done:
        return WINNING * _wins(table, pile, drawn, deck[: work.done], deck[work.done : work.of])
    cost = table.terms.costs[COST_AT[FATE]]
    tops = _tops(table, work.of)
    more = sum(_wins(table, pile, drawn, (), top) - _wins(table, pile, drawn, top, (), -cost) for top in tops)
    spared = SPARED if IMITATION in table.middle.artefacts else 0.0
    return WINNING * more / len(tops) - spared


def _tops(table: Table, size: int) -> list[Cards]:
    """Return so many cards that the seat does not see, several times: the same ones whatever it does not see."""
    seat = table.stage.seat
    zones: list[Lying] = [cards_of(held(table.places[seat].hand)), table.stage.work.aside]
    for place in table.places:
        zones += [place.row, place.won.awakened * AWAKENING, *(formula.cards for formula in place.won.formulas)]
        zones += [cards_of(place.hand.taken)] * (place is not table.places[seat])
    left = unseen(deck_of(table.terms.pack), *zones)
    spread = [left[at * len(left) // (SAMPLES * size)] for at in range(SAMPLES * size)]
    return [tuple(spread[at::SAMPLES]) for at in range(SAMPLES)]


def _missing(table: Table, won: Won, more: int = 0) -> int:
    """Return the points that are missing to the goal, if all aptitude cards are shown."""
    hidden = sum([aptitude_points(won.formulas, aptitude) for aptitude in unshown(won)])
    return table.terms.goal - points(won) - hidden - more


def _wins(table: Table, pile: Pile, drawn: int, fixed: Lying, free: Lying, more: int = 0) -> bool:
    """Return whether formulas reach the goal when so many cards are drawn first, and two after each formula.

    The fixed cards are drawn in their order, then the free ones in any. `more`: points that the seat has besides.
    """
    won = table.places[table.stage.seat].won
    known, left = [card for card in fixed if card is not None], [card for card in free if card is not None]
    return _reaches(table, won, _missing(table, won, more), pile, (tuple(known), tuple(left)), drawn, 1)


def _reaches(
    table: Table, won: Won, missing: int, pile: Pile, lying: tuple[Cards, Cards], drawn: int, number: int
) -> bool:
    """Return whether the seat reaches the goal by its formula of that number or a later one.

    So many cards of the deck are drawn before it.
    """
    if missing <= 0:
        return True
    fixed, free = lying
    pile += pile_of(fixed[:drawn])
    # as many free cards as are drawn beyond the fixed ones, any that help; they are taken when they are used
    may_take = max(0, drawn - len(fixed))
    for formula, taken, after in _formulas(pile, free, may_take):
        chips = table.terms.pack.play.formula
        chips += sum([gained for _, gained in completed(table.terms.pack.specials, won.formulas, formula)])
        chips += sum([aptitude_points((formula,), aptitude) for aptitude in won.aptitudes])
        if missing <= chips:
            return True
        if number == MOST_FORMULAS:
            continue
        left = list(free)
        for card in taken:
            left.remove(card)
        then = Won((*won.formulas, formula), won.chips, won.awakened, won.aptitudes, won.artefact, won.penalty)
        rest = may_take - len(taken) + FORMULA_DRAWN
        if _reaches(table, then, missing - chips, after, (fixed[drawn:], tuple(left)), rest, number + 1):
            return True
    return False


def _formulas(pile: Pile, free: Cards, may_take: int) -> Iterator[tuple[Formula, list[Card], Pile]]:
    """Yield formulas of the hand and of so many free cards, with the free cards used and the hand after it."""
    most_short = min(may_take + (pile >> INNOCENTS_FROM), FORMULA)
    for school, cards in enumerate(FORMULA_CARDS):
        for form in _within_reach(pile >> school * SCHOOL_BITS & SCHOOL_PILE, most_short):
            after, lying, wild = pile, list(free), 0
            taken: list[Card] = []
            for card in cards[form]:
                if after & BITS_OF[card]:
                    after -= ONE[card]
                elif card in lying and len(taken) < may_take:
                    lying.remove(card)
                    taken.append(card)
                elif after >> INNOCENTS_FROM:
                    after -= ONE[INNOCENT]
                    wild += 1
                elif INNOCENT in lying and len(taken) < may_take:
                    lying.remove(INNOCENT)
                    taken.append(INNOCENT)
                    wild += 1
                else:
                    break
            else:
                if wild <= INNOCENTS:
                    yield Formula(school, form, ()), taken, after


@lru_cache(maxsize=1 << 13)
def _within_reach(part: Pile, most: int) -> tuple[int, ...]:
    """Return the forms of which a school's part of a hand lacks at most so many cards."""
    counts = counts_of(part)
    return tuple(
        form
        for form, numbers in enumerate(FORMS)
        if sum(max(0, numbers.count(each) - counts[each - 1]) for each in set(numbers)) <= most
    )
