"""Formulas, with and without innocents, and their chips."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import Refusal, Seat
from domain.games.magicative import events
from domain.games.magicative.components import (
    AT,
    FORM_OF,
    FORMULA_CARDS,
    FORMULA_DRAWN,
    FORMULA_PILES,
    INNOCENT,
    INNOCENTS,
    INNOCENTS_FROM,
    Card,
    Cards,
    School,
    card_of,
    pile_of,
)
from domain.games.magicative.events import Events
from domain.games.magicative.moves import Fix
from domain.games.magicative.rules.drawing import draw
from domain.games.magicative.rules.ending import buffered, end
from domain.games.magicative.rules.holding import covers, declares
from domain.games.magicative.rules.scoring import completed, total_with
from domain.games.magicative.rules.steps import check_step
from domain.games.magicative.state import DECLARE, FORMULA, TURN, Formula, Table, held

ENDING = frozenset({events.MatchDrawn, events.MatchEnded, events.DrawWaits})
"""The last events of a draw for which there are too few cards: the formula's chips are not taken then."""


def innocents_at_hand(table: Table, seat: Seat) -> int:
    """Return how many innocents the hand has, with the card that counts as one. Rule: MG-10, MG-15."""
    return (held(table.places[seat].hand) >> INNOCENTS_FROM) + len(table.stage.work.aside)


def declare(table: Table, seat: Seat, school: School) -> Events:
    """Declare the school of a formula with innocents, which is named next. Rule: MG-10. Raises Refusal."""
    check_step(table, seat, TURN, DECLARE)
    pile = held(table.places[seat].hand)
    if school not in [move.school for move in declares(pile, innocents_at_hand(table, seat))]:
        raise Refusal("MG-10", "no-formula", school=school.value)
    return (events.SchoolDeclared(seat, school),)


def fix(table: Table, seat: Seat, move: Fix, chance: Chance) -> Events:
    """Show three cards, which stay; draw two cards; then take chips, which may win.

    Rule:    MG-9, MG-10, MG-12, MG-17, MG-19.
    Raises:  Refusal, with the clause.
    """
    step = check_step(table, seat, TURN, FORMULA)
    if (form := FORM_OF.get(move.numbers)) is None:
        raise Refusal("MG-9", "no-formula", cards=len(move.numbers), numbers=move.numbers)
    if step is FORMULA:
        _check_declared(move, *table.stage.work.school)
    elif move.innocents:
        raise Refusal("MG-10", "undeclared", school=move.school.value)
    at = AT[move.school]
    if move.innocents:
        cards = _with_innocents(table, move)
        wanted = pile_of(cards) - pile_of(table.stage.work.aside)
    else:
        cards, wanted = FORMULA_CARDS[at][form], FORMULA_PILES[at][form]
    if not covers(held(table.places[seat].hand), wanted):
        raise Refusal("MG-9", "not-in-hand", school=move.school.value, numbers=move.numbers)
    formula = Formula(at, form, cards)
    total = total_with(table.places[seat].won, formula)
    fixed = events.FormulaFixed(seat, move.school, move.numbers, cards, 0, total)
    drawn = draw(table, seat, FORMULA_DRAWN, (fixed,), chance)
    if type(drawn[-1]) in ENDING:
        return drawn
    return _with_chips(table, seat, formula, drawn, total)


def _check_declared(move: Fix, school: School) -> None:
    """Refuse a formula of another school than was declared, or without an innocent. Rule: MG-10."""
    if not move.innocents or move.school is not school:
        raise Refusal("MG-10", "declared", school=school.value)


def _with_innocents(table: Table, move: Fix) -> Cards:
    """Return the cards of the formula in the order of its numbers; the card that counts as innocent precedes innocents.

    Raises:  Refusal when the innocents do not fit the formula.
    """
    if len(move.innocents) > INNOCENTS:
        raise Refusal("MG-10", "all-innocent", most=INNOCENTS, innocents=len(move.innocents))
    wild, declared = [*table.stage.work.aside], [*move.innocents]
    cards: list[Card] = []
    for number in move.numbers:
        if number in declared:
            declared.remove(number)
            cards.append(wild.pop() if wild else INNOCENT)
        else:
            cards.append(card_of(move.school, number))
    if declared or list(move.innocents) != sorted(move.innocents):
        raise Refusal("MG-10", "declared-as", numbers=move.numbers, innocents=move.innocents)
    return tuple(cards)


def _with_chips(table: Table, seat: Seat, formula: Formula, told: Events, total: int) -> Events:
    """Return these events, the formula's chips, and those of each special of which it completes one more group.

    Rule:    MG-9, MG-13, MG-14, MG-17.
    """
    terms, before = table.terms, table.places[seat].won.formulas
    chips = terms.pack.play.formula
    total += chips
    told += (events.ChipsTaken(seat, chips, total),)
    for group, gained in completed(terms.pack.specials, before, formula):
        total += gained
        told += (events.SpecialCompleted(seat, group, gained, total),)
    return end(buffered(table, *told), seat) if total >= terms.goal else told
