"""Formulas, with and without innocents, and the chips that they bring."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import Refusal, Seat
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
from domain.games.magicative.events import FormulaFixed, MagicativeEvent, SchoolDeclared, SpecialCompleted
from domain.games.magicative.moves import Fix
from domain.games.magicative.rules.drawing import draw
from domain.games.magicative.rules.ending import end, telling
from domain.games.magicative.rules.holding import covers, declares
from domain.games.magicative.rules.specials import completed
from domain.games.magicative.rules.steps import check_step
from domain.games.magicative.state import DECLARE, FORMULA, TURN, Formula, Table, aptitude_points, held, points

Events = tuple[MagicativeEvent, ...]
Scored = tuple[FormulaFixed | SpecialCompleted, ...]


def innocents_at_hand(table: Table, seat: Seat) -> int:
    """Innocents in hand, and the card that counts as one. Rule: MG-10, MG-15."""
    return (held(table.places[seat].hand) >> INNOCENTS_FROM) + len(table.stage.work.aside)


def declare(table: Table, seat: Seat, school: School) -> Events:
    """A formula of the school with innocents is to be named. Rule: MG-10."""
    check_step(table, seat, TURN, DECLARE)
    pile = held(table.places[seat].hand)
    if school not in [move.school for move in declares(pile, innocents_at_hand(table, seat))]:
        raise Refusal("MG-10", "no-formula", "Your hand makes no formula of that school with an innocent in it.")
    return (SchoolDeclared(seat, school),)


def fix(table: Table, seat: Seat, move: Fix, chance: Chance) -> Events:
    """Three cards are shown and stay, chips are taken, and two cards are drawn unless the match is won.

    Rule:    MG-9, MG-10, MG-12, MG-17.
    """
    step = check_step(table, seat, TURN, FORMULA)
    if (form := FORM_OF.get(move.numbers)) is None:
        raise Refusal("MG-9", "no-formula", "A formula is three numbers in a row, or three equal ones.")
    if step is FORMULA and (not move.innocents or (move.school,) != table.stage.work.school):
        raise Refusal("MG-10", "declared", "You are to fix a formula of the school you named, with an innocent in it.")
    if step is TURN and move.innocents:
        raise Refusal("MG-10", "undeclared", "First name the school of a formula with innocents.")
    at = AT[move.school]
    if move.innocents:
        cards = _with_innocents(table, move)
        wanted = pile_of(cards) - pile_of(table.stage.work.aside)
    else:
        cards, wanted = FORMULA_CARDS[at][form], FORMULA_PILES[at][form]
    if not covers(held(table.places[seat].hand), wanted):
        raise Refusal("MG-9", "not-in-hand", "Your hand does not hold the cards of that formula.")
    scored = _scored(table, seat, move, Formula(at, form, cards))
    if scored[-1].total >= table.terms.goal:
        return end(telling(table, *scored), seat)
    return draw(table, seat, FORMULA_DRAWN, scored, chance)


def _with_innocents(table: Table, move: Fix) -> Cards:
    """The cards of the formula where their numbers stand; the card that counts as innocent comes before others.

    Raises:  Refusal when no formula is declared so.
    """
    if len(move.innocents) > INNOCENTS:
        raise Refusal("MG-10", "all-innocent", "At least one card of a formula is no innocent.")
    wild, declared = [*table.stage.work.aside], [*move.innocents]
    cards: list[Card] = []
    for number in move.numbers:
        if number in declared:
            declared.remove(number)
            cards.append(wild.pop() if wild else INNOCENT)
        else:
            cards.append(card_of(move.school, number))
    if declared or list(move.innocents) != sorted(move.innocents):
        raise Refusal("MG-10", "declared-as", "Innocents are declared as numbers of the formula, in ascending order.")
    return tuple(cards)


def _scored(table: Table, seat: Seat, move: Fix, formula: Formula) -> Scored:
    """The formula's chips and those of each special of which it makes one group more. Rule: MG-9, MG-13, MG-14."""
    won = table.places[seat].won
    chips = table.terms.pack.play.formula
    total = points(won) + chips
    for aptitude in won.aptitudes:
        if aptitude.is_shown and aptitude.number is not None:
            total += aptitude_points((formula,), aptitude.school, aptitude.number)
    told: Scored = (FormulaFixed(seat, move.school, move.numbers, formula.cards, chips, total),)
    for group, gained in completed(table.terms.pack.specials, won.formulas, formula):
        total += gained
        told += (SpecialCompleted(seat, group, gained, total),)
    return told
