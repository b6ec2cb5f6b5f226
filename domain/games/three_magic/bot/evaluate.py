"""Judges a position for a seat, in od: what it has more than the others, and what its hand may yet win.

It is quick, and good enough to play by. The worth of a hand is the likely score of the three spells to which it is
nearest, times the probability that they are completed in time. It reads only what the seat may know.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, log

from domain.game import Seat, Terms
from domain.games.three_magic.components import (
    ATTRIBUTES,
    COMBINATION,
    COMPLETING,
    DECK,
    KINDS,
    SEATS,
    WEAK_TO,
    Attribute,
    Card,
    Cards,
    Spell,
    attribute_of,
)
from domain.games.three_magic.pack import Scores
from domain.games.three_magic.rules.claims import arrangements, ready_without, waits
from domain.games.three_magic.rules.scoring import catalysts_for, measure
from domain.games.three_magic.state import NEXT_SEAT, OVER, PREVIOUS_SEAT, Table
from domain.secrecy import known

WIN = 1.5
"""The worth of a won od: the others lose it too, half of it each on average."""
PLAIN = 18.0
"""The likely score of three spells of which none is of an attribute that counts."""
LONG = 8.0
"""The turns in which a hand becomes e times as likely to be completed."""
DEALS = 5.0
"""The deals of a lap, on average."""
FULL = 10.0
"""The turns of a seat in a whole deal."""
TIME_LEFT = tuple(float((cards / SEATS / FULL) ** 1.5) for cards in range(len(DECK) + 1))
"""By the cards in the wall: the part of a hand's worth that it still has."""

# First, the turns that a spell still takes, by what there is of it. Then, for one, two and three of its cards, the
# logarithm of what its attribute adds to the score.
NOTHING = 16.0
ONE = 10.5
TWO_ONE_WAY = 9.0
TWO_TWO_WAYS = 5.0
OWN = (0.3, 0.6, 0.85)
FOR_RON = (0.1, 0.2, 0.3)
NO_USE = (0.0, 0.0, 0.0)


class Weights:
    """The worth of single cards, pairs and spells to a player of one attribute, as logarithms."""

    def __init__(self, own: Attribute) -> None:
        others = [other for other in ATTRIBUTES if other is not own]
        gains = {
            attribute: OWN if attribute is own else FOR_RON if attribute in map(WEAK_TO.get, others) else NO_USE
            for attribute in ATTRIBUTES
        }
        kinds = range(KINDS)
        self.none = -NOTHING / LONG
        self.one = [gains[attribute_of(card)][0] - ONE / LONG for card in kinds]
        self.two = [self._two(gains[attribute_of(a)][1], COMPLETING[a][b]) for a in kinds for b in kinds]
        self.three = [gains[attribute_of(card)][2] for card in kinds]

    def _two(self, gain: float, completing: int) -> float:
        if not completing:
            return self.none
        return gain - (TWO_TWO_WAYS if completing.bit_count() > 1 else TWO_ONE_WAY) / LONG

    def of(self, cards: Cards) -> float:
        """Return the weight of what the first and the last of these cards begin, of one attribute."""
        first, last = cards[0], cards[-1]
        if len(cards) == 1:
            return self.one[first]
        by_inner = COMBINATION[first]
        for inner in cards[1:-1]:
            if by_inner[inner][last]:
                return self.three[first]
        return self.two[first * KINDS + last]


WEIGHTS = {attribute: Weights(attribute) for attribute in ATTRIBUTES}


def evaluate(seen: Table, seat: Seat) -> float:
    """Return the seat's od less the mean of the others', with what its hand may win in this deal."""
    return _money(seen, seat) + _hand(seen, seat)


def terms(seen: Table, seat: Seat) -> Terms:
    """Return the seat's od less the mean of the others', and what its hand may win in this deal."""
    return {"od": _money(seen, seat), "hand": _hand(seen, seat)}


def _money(seen: Table, seat: Seat) -> float:
    od = seen.od
    return od[seat] - (sum(od) - od[seat]) / (SEATS - 1)


def _hand(seen: Table, seat: Seat) -> float:
    """Return the worth of the hand; with a card too many, of the best hand after a discard if that may be ready."""
    deal = seen.deal
    if deal.phase is OVER or not deal.places:
        return 0.0
    hand = known(deal.places[seat].hand)
    if len(hand) % 3 == 0 and ready_without(hand):
        left = {hand[:at] + hand[at + 1 :] for at in range(len(hand))}  # a set: equal cards often lie side by side
        return max([_held(seen, seat, held) for held in left])
    return _held(seen, seat, hand)


def _held(seen: Table, seat: Seat, hand: Cards) -> float:
    if len(hand) % 3 == 2 and (waiting := waits(hand)):
        return _ready(seen, seat, hand, waiting)
    own = seen.attributes[seat]
    worth = worth_of_spells(hand, own)
    for spell in seen.deal.places[seat].pledges:
        worth += WEIGHTS[own].three[spell[0]]
    return WIN * PLAIN * exp(worth) * TIME_LEFT[len(seen.deal.wall)]


def _ready(seen: Table, seat: Seat, hand: Cards, waiting: int) -> float:
    """Return what a ready hand may win: by tsumo, or by ron from one of the others, of the cards out of sight."""
    place = seen.deal.places[seat]
    scores, catalysts, counted = seen.terms.pack.scores, catalysts_for(seen, seat), _counted(seen, seat)
    in_sight = _in_sight(seen, hand)
    out_of_sight = 60 - len(in_sight)
    ways = 0
    score = 0.0
    for face in range(KINDS // 2):
        if waiting >> face & 1:
            left = 4 - in_sight.count(face)
            ways += left
            card = face * 2 + (face % 5 > 0)
            score += left * _mean_score(scores, catalysts, counted, hand, place.pledges, card)
    if not ways:
        return 0.0
    chances = 1.0 - exp(2.2 * (len(seen.deal.wall) / SEATS) * log(1.0 - ways / (out_of_sight + 1)))
    extra = 0 if place.pledges else seen.ley_line
    if place.in_reach:
        extra += sum(other.laid for other in seen.deal.places)
    return chances * (WIN * score / ways + (extra if score else 0))


def _in_sight(seen: Table, hand: Cards) -> list[int]:
    """Return the faces of all cards that the seat sees."""
    deal = seen.deal
    faces = [card // 2 for card in (*hand, *deal.indicators)]
    for place in deal.places:
        faces.extend(lain.card // 2 for lain in place.row)
        for spell in place.pledges:
            faces.extend(card // 2 for card in spell)
    return faces


def _counted(seen: Table, seat: Seat) -> tuple[Attribute, ...]:
    """Return the attributes that count on a tsumo, and on a ron from each neighbour, each a third of the wins."""
    attributes = seen.attributes
    return attributes[seat], WEAK_TO[attributes[NEXT_SEAT[seat]]], WEAK_TO[attributes[PREVIOUS_SEAT[seat]]]


@lru_cache(maxsize=1 << 14)
def _mean_score(
    scores: Scores,
    catalysts: tuple[int, ...],
    counted: tuple[Attribute, ...],
    hand: Cards,
    pledges: tuple[Spell, ...],
    card: Card,
) -> float:
    """Return the best score with that card, on average over the attributes of which one counts."""
    ways = [own + pledges for _, own in arrangements(hand, card)]
    best = {one: max([measure(scores, way, one, catalysts).total for way in ways]) for one in set(counted)}
    return sum([best[one] for one in counted]) / len(counted)


@lru_cache(maxsize=1 << 16)
def worth_of_spells(hand: Cards, own: Attribute) -> float:
    """Return the best sum of weights of the spells still to be made from cards of the hand, in their order."""
    none = WEIGHTS[own].none
    # the best sums of one, two and three spells from the cards so far; by attribute, its cards so far, and the sums of
    # one and two spells from all cards before each of them
    first, second, third = none, 2 * none, 3 * none
    held: list[Cards] = [(), (), ()]
    before: list[list[tuple[float, float]]] = [[], [], []]
    for card in hand:
        attribute = card // 10
        held[attribute] += (card & ~1,)  # without its star, which makes no difference
        before[attribute].append((first, second))
        for start, weight in _endings(held[attribute], own):
            one, two = before[attribute][start]
            if (sum_of_two := one + weight) > second:
                second = sum_of_two
            if (sum_of_three := two + weight) > third:
                third = sum_of_three
        first = max(first, weight)  # the last one weighs most
    return (first, second, third)[(len(hand) + 1) // 3 - 1]


@lru_cache(maxsize=1 << 15)
def _endings(cards: Cards, own: Attribute) -> tuple[tuple[int, float], ...]:
    """Return where each spell starts that the last of these cards ends, of one attribute, and its weight.

    Left out are those that weigh no more than one that starts later, as there are no better sums before them.
    """
    found: list[tuple[int, float]] = []
    for start in reversed(range(len(cards))):
        weight = WEIGHTS[own].of(cards[start:])
        if not found or weight > found[-1][1]:
            found.append((start, weight))
    return tuple(found)


def progress(table: Table) -> float:
    """Return the part of the match that is over, by the deals that a lap takes on average."""
    if table.deal.phase is OVER:
        return 1.0
    return min(1.0, max(0, table.number - 1) / (DEALS * table.terms.laps))
