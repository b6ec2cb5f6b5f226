"""Judges a position for a seat, in tenths of a point: what it has, and what its hand may become."""

from __future__ import annotations

from collections.abc import Iterator

from domain.game import Seat, Terms
from domain.games.magicative.bot.aptitudes import (
    MORE_CARDS,
    prospects_with_awakening,
    worth_of_aptitude,
    worth_of_awakening,
)
from domain.games.magicative.bot.fate import worth_of_fate
from domain.games.magicative.bot.hopes import Prospects, worth_of_hand
from domain.games.magicative.components import AT, FORM_OF, INNOCENT, INNOCENTS_FROM, ONE, Card, Lying, Pile, card_of
from domain.games.magicative.moves import Fix
from domain.games.magicative.rules.drawing import drawn_at_start
from domain.games.magicative.rules.holding import cards_in, declares, imitations, with_innocents
from domain.games.magicative.state import (
    APTITUDE,
    ARRANGE,
    DECLARE,
    FORMULA,
    IMITATE,
    OVER,
    PUT,
    SWAP,
    TAKE,
    Table,
    aptitude_points,
    held,
    points,
    unshown,
)

POINT = 10.0
WON = 1000.0
ABOUT_TO_WIN = 500.0
"""Added if showing the aptitude cards would win."""
SECRECY = 0.5
"""The worth of an aptitude card that nobody else knows."""


def evaluate(table: Table, seat: Seat) -> float:
    """Return how good the position looks to the seat, by its own cards and what is open, and nothing else."""
    if table.stage.step is OVER:
        return _result(table, seat)
    # bots spend their time here, and need no names
    chips, aptitudes, formulas, hand = _worth(table, seat)
    return chips + aptitudes + formulas + hand


def terms(table: Table, seat: Seat) -> Terms:
    """Return the worth of the seat's chips, aptitude cards, formulas and hand; or the result."""
    if table.stage.step is OVER:
        return {"result": _result(table, seat)}
    chips, aptitudes, formulas, hand = _worth(table, seat)
    return {"chips": chips, "aptitudes": aptitudes, "formulas": formulas, "hand": hand}


def _result(table: Table, seat: Seat) -> float:
    ranking, total = table.middle.ranking, points(table.places[seat].won)
    if max(ranking) == 1:
        return POINT * total
    return WON + total if ranking[seat] == 1 else -WON


def _worth(table: Table, seat: Seat) -> tuple[float, float, float, float]:
    place = table.places[seat]
    won = place.won
    kept = unshown(won)
    hidden = sum([aptitude_points(won.formulas, aptitude) for aptitude in kept])
    aptitudes = MORE_CARDS * len(won.awakened) + SECRECY * len(kept)
    aptitudes += sum([worth_of_aptitude(won.formulas, aptitude) for aptitude in won.aptitudes])
    if hidden and points(won) + hidden >= table.terms.goal:
        aptitudes += ABOUT_TO_WIN
    hoped = prospects_with_awakening(table.terms.pack, won.formulas)
    hand = _worth_in_step(table, seat, held(place.hand), hoped)
    return POINT * (won.chips + won.penalty), aptitudes, hoped.progress, hand


def _worth_in_step(table: Table, seat: Seat, pile: Pile, hoped: Prospects) -> float:
    """Return the worth of the hand, if the action that was begun is ended in the best way."""
    stage = table.stage
    if stage.seat != seat:
        return worth_of_hand(pile, hoped)
    step, work = stage.step, stage.work
    if step is SWAP:
        pile += ONE[table.places[work.other].row[-1]]
        return _worth_without(pile, hoped)
    if step in (IMITATE, DECLARE, FORMULA):
        school = AT[work.school[0]] if step is FORMULA else -1
        return max(
            _best_formula(left, innocents, hoped, school)
            for left, innocents in _wild(step is IMITATE, pile, work.aside)
        )
    if step in (PUT, TAKE):
        left = table.terms.past - work.done if step is PUT else 0
        row = table.places[seat].row[work.done :]
        return _worth_of_exchange(pile, row, left, table.terms.past - work.of, hoped)
    if step is APTITUDE:
        return worth_of_hand(pile, hoped) + worth_of_awakening(table.terms.pack, table.places[seat].won.formulas)
    if step is ARRANGE:
        # before any is arranged the next cards count as without Fate, so that its gain is only what it changes
        drawn = drawn_at_start(table.places[seat].won) if work.before_draw else 0
        drawn = min(drawn, work.done or work.of)
        return worth_of_hand(pile + sum(map(_one, table.deck[:drawn])), hoped) + worth_of_fate(table)
    return worth_of_hand(pile, hoped)


def _one(card: Card | None) -> Pile:
    return 0 if card is None else ONE[card]


def _worth_without(pile: Pile, hoped: Prospects) -> float:
    """Return the worth of the hand without the card that it misses least."""
    return max(worth_of_hand(pile - ONE[card], hoped) for card in _kinds(pile))


def _kinds(pile: Pile) -> tuple[Card, ...]:
    return (*cards_in(pile), INNOCENT) if pile >> INNOCENTS_FROM else cards_in(pile)


def _wild(may_choose: bool, pile: Pile, aside: tuple[Card, ...]) -> Iterator[tuple[Pile, int]]:
    """Yield the hand and its number of innocents, with the card that counts as one: each possible card if none is
    named."""
    if may_choose:
        for move in imitations(pile):
            left = pile - ONE[move.card]
            yield left, (left >> INNOCENTS_FROM) + 1
    else:
        yield pile, (pile >> INNOCENTS_FROM) + len(aside)


def _best_formula(pile: Pile, innocents: int, hoped: Prospects, school: int) -> float:
    """Return the best of the formulas with innocents, of one school or (-1) of any, with the rest of the hand."""
    schools = (AT[move.school] for move in declares(pile, innocents)) if school < 0 else (school,)
    return max(
        hoped.schools[at].weights[FORM_OF[move.numbers]] + worth_of_hand(_less(pile, move), hoped)
        for at in schools
        for move in with_innocents(pile, at, innocents)
    )


def _less(pile: Pile, move: Fix) -> Pile:
    """Return the hand without the formula's cards. Its first innocent is the card that imitates, or else leaves too."""
    declared = list(move.innocents)
    for number in move.numbers:
        if number in declared:
            declared.remove(number)
        else:
            pile -= ONE[card_of(move.school, number)]
    return pile - min(len(move.innocents), pile >> INNOCENTS_FROM) * ONE[INNOCENT]


def _worth_of_exchange(pile: Pile, row: Lying, put: int, take: int, hoped: Prospects) -> float:
    """Return the worth of the hand after the cards that it misses least are put, and the best are taken."""
    for _ in range(put):
        pile -= ONE[max(_kinds(pile), key=lambda card: worth_of_hand(pile - ONE[card], hoped))]
    left = [card for card in row if card is not None]
    for _ in range(min(take, len(left))):
        best = max(sorted(set(left)), key=lambda card: worth_of_hand(pile + ONE[card], hoped))
        left.remove(best)
        pile += ONE[best]
    return worth_of_hand(pile, hoped)


def progress(table: Table) -> float:
    """Return how much of the goal the leading seat has. Rule: MG-17."""
    if table.stage.step is OVER:
        return 1.0
    return min(1.0, max(0, *(points(place.won) for place in table.places)) / table.terms.goal)
