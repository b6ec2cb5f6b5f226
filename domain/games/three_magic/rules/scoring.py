"""Measuring 魔力測定: the score of a won hand."""

from __future__ import annotations

from domain.game import Seat, Value
from domain.games.three_magic.components import (
    WEAK_TO,
    Attribute,
    Card,
    Line,
    Spell,
    attribute_of,
    combination,
    face_of,
    has_star,
    is_sequence,
    named_by,
    set_of,
)
from domain.games.three_magic.pack import Scores
from domain.games.three_magic.rules.claims import arrangements
from domain.games.three_magic.state import Table
from domain.secrecy import known


class Measure(Value, frozen=True):
    """The score of three spells, in od."""

    attribute: int
    line: tuple[Line, ...]
    """The line that scores; empty if none does."""
    number: int
    star: int
    catalyst: int

    @property
    def base(self) -> int:
        """Return attribute, number and star: 0 is a win without payment. Rule: 3M-28."""
        return self.attribute + self.number + self.star

    @property
    def total(self) -> int:
        """Return what all payers together pay."""
        return self.base + self.catalyst


class Win(Value, frozen=True):
    """A winning hand, laid out and measured."""

    at: int
    """The position in the hand at which the winning card is inserted."""
    spells: tuple[Spell, ...]
    """The three spells: those of the hand from the left, then the pledged ones."""
    measure: Measure


def measure(scores: Scores, spells: tuple[Spell, ...], counted: Attribute, catalysts: tuple[int, ...]) -> Measure:
    """Return the score of three spells. `catalysts` are the faces that the counting indicators name, one each.

    Rule:    3M-23, 3M-24, 3M-25, 3M-26.
    """
    attribute = _row(scores.attribute, sum(attribute_of(spell[0]) is counted for spell in spells))
    number, line = _number(scores, spells)
    star = _row(scores.star, sum(all(map(has_star, spell)) for spell in spells))
    catalyst, base = 0, attribute + number + star
    if base and base >= scores.catalyst_from:
        catalyst = scores.catalyst * sum(catalysts.count(face_of(card)) for spell in spells for card in spell)
    return Measure(attribute=attribute, line=line, number=number, star=star, catalyst=catalyst)


def _row(amounts: tuple[int, ...], spells: int) -> int:
    return amounts[spells - 1] if spells else 0


def _number(scores: Scores, spells: tuple[Spell, ...]) -> tuple[int, tuple[Line, ...]]:
    """Return the score of the best line, the only one that counts: two or three spells of the same combination.

    Rule:    3M-24.
    """
    codes = [combination(spell) for spell in spells]
    best: tuple[int, tuple[Line, ...]] = (0, ())
    for code in codes:
        same = codes.count(code)
        alike = sum(set_of(other) == set_of(code) for other in codes)
        if is_sequence(code):
            lines = [(scores.one_direction, same, Line.ONE_DIRECTION), (scores.mixed, alike, Line.MIXED)]
        else:
            lines = [(scores.equal, same, Line.EQUAL)]
        for amounts, count, line in lines:
            if count > 1 and amounts[count - 2] > best[0]:
                best = (amounts[count - 2], (line,))
    return best


def catalysts_for(table: Table, seat: Seat) -> tuple[int, ...]:
    """Return the faces of the catalysts if the seat wins, one for each indicator that counts. Rule: 3M-21.

    In reach all indicators count, else the first.
    """
    indicators = table.deal.indicators
    return tuple(map(named_by, indicators if table.deal.places[seat].in_reach else indicators[:1]))


def counted_on_tsumo(table: Table, seat: Seat) -> Attribute:
    """Return the attribute that counts when the seat wins by tsumo: its own. Rule: 3M-23."""
    return table.attributes[seat]


def counted_on_ron(table: Table, discarder: Seat) -> Attribute:
    """Return the attribute that counts on a ron: the one to which the discarder is weak. Rule: 3M-2, 3M-23."""
    return WEAK_TO[table.attributes[discarder]]


def best_win(table: Table, seat: Seat, card: Card, counted: Attribute) -> Win:
    """Return the win with the card inserted where the hand scores most; of equal scores the place furthest left.

    Rule:    3M-10, 3M-24.
    Raises:  ValueError when the card does not win.
    """
    place = table.deal.places[seat]
    scores, catalysts = table.terms.pack.scores, catalysts_for(table, seat)
    wins = (
        Win(at=at, spells=spells, measure=measure(scores, spells, counted, catalysts))
        for at, own in arrangements(known(place.hand), card)
        for spells in [own + place.pledges]
    )
    return max(wins, key=lambda win: win.measure.total)
