"""Formulas, with and without innocents, and the chips that they bring."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import Refusal, Seat
from domain.games.magicative.components import (
    AT,
    FORM_OF,
    FORMULA_DRAWN,
    INNOCENT,
    INNOCENTS,
    INNOCENTS_FROM,
    Card,
    Cards,
    School,
    card_of,
    covers,
    pile_of,
)
from domain.games.magicative.events import FormulaFixed, MagicativeEvent, SchoolDeclared, SpecialCompleted
from domain.games.magicative.moves import Fix
from domain.games.magicative.pack import Special
from domain.games.magicative.primitives import Group
from domain.games.magicative.rules.drawing import draw
from domain.games.magicative.rules.ending import end, has_won, telling
from domain.games.magicative.rules.holding import declares, parts_of
from domain.games.magicative.rules.specials import by_form, groups
from domain.games.magicative.rules.steps import check_step
from domain.games.magicative.state import DECLARE, FORMULA, TURN, Formula, Table, aptitude_points, held, points

Events = tuple[MagicativeEvent, ...]


def innocents_at_hand(table: Table, seat: Seat) -> int:
    """Innocents in hand, and the card that counts as one. Rule: MG-10, MG-15."""
    return (held(table.places[seat].hand) >> INNOCENTS_FROM) + len(table.stage.work.aside)


def declare(table: Table, seat: Seat, school: School) -> Events:
    """A formula of the school with innocents is to be named. Rule: MG-10."""
    check_step(table, seat, TURN, DECLARE)
    parts = parts_of(held(table.places[seat].hand))
    if school not in [move.school for move in declares(parts, innocents_at_hand(table, seat))]:
        raise Refusal("MG-10", "no-formula", "Your hand makes no formula of that school with an innocent in it.")
    return (SchoolDeclared(seat, school),)


def fix(table: Table, seat: Seat, move: Fix, chance: Chance) -> Events:
    """Three cards are shown and stay, chips are taken, and two cards are drawn unless the match is won.

    Rule:    MG-9, MG-10, MG-12, MG-17.
    """
    step = check_step(table, seat, TURN, FORMULA)
    if move.numbers not in FORM_OF:
        raise Refusal("MG-9", "no-formula", "A formula is three numbers in a row, or three equal ones.")
    if step is FORMULA and (not move.innocents or (move.school,) != table.stage.work.school):
        raise Refusal("MG-10", "declared", "You are to fix a formula of the school you named, with an innocent in it.")
    if step is TURN and move.innocents:
        raise Refusal("MG-10", "undeclared", "First name the school of a formula with innocents.")
    cards = _cards(table, seat, move)
    scored = _scored(table, seat, move, cards)
    teller = telling(table, *scored)
    if has_won(teller.state, seat):
        return end(teller, seat)
    return draw(table, seat, FORMULA_DRAWN, scored, chance)


def _cards(table: Table, seat: Seat, move: Fix) -> Cards:
    """The cards of the formula where their numbers stand; the one that counts as innocent comes before others.

    Raises:  Refusal when the hand does not hold them.
    """
    wild: list[Card] = [*table.stage.work.aside]
    declared = list(move.innocents)
    cards: list[Card] = []
    for number in move.numbers:
        if number in declared:
            declared.remove(number)
            cards.append(wild.pop() if wild else INNOCENT)
        else:
            cards.append(card_of(move.school, number))
    if declared or list(move.innocents) != sorted(move.innocents):
        raise Refusal("MG-10", "declared-as", "Innocents are declared as numbers of the formula, in ascending order.")
    if len(move.innocents) > INNOCENTS:
        raise Refusal("MG-10", "all-innocent", "At least one card of a formula is no innocent.")
    from_hand = list(cards)
    for card in table.stage.work.aside:
        from_hand.remove(card)
    if not covers(held(table.places[seat].hand), pile_of(tuple(from_hand))):
        raise Refusal("MG-9", "not-in-hand", "Your hand does not hold the cards of that formula.")
    return tuple(cards)


def _scored(table: Table, seat: Seat, move: Fix, cards: Cards) -> Events:
    """The formula's chips and those of each special of which it makes one group more. Rule: MG-9, MG-13, MG-14."""
    won = table.places[seat].won
    chips = table.terms.pack.play.formula
    formula = Formula(AT[move.school], FORM_OF[move.numbers], cards)
    total = points(won) + chips
    for aptitude in won.aptitudes:
        if aptitude.is_shown and aptitude.number is not None:
            total += aptitude_points((formula,), aptitude.school, aptitude.number)
    told: list[MagicativeEvent] = [FormulaFixed(seat, move.school, move.numbers, cards, chips, total)]
    for group, gained in completed(table.terms.pack.specials, won.formulas, formula):
        total += gained
        told.append(SpecialCompleted(seat, group, gained, total))
    return tuple(told)


def completed(
    specials: tuple[Special, ...], formulas: tuple[Formula, ...], formula: Formula
) -> list[tuple[Group, int]]:
    """The specials of which one more formula makes one group more, with their points, in the pack's order.

    Rule:    MG-13, MG-14: a formula more never makes more than one group more.
    """
    before, after = by_form(formulas), by_form((*formulas, formula))
    return [
        (special.group, special.points)
        for special in specials
        if groups(special.group, after) > groups(special.group, before)
    ]
