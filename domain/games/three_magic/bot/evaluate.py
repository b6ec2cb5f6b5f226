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
from domain.games.three_magic.state import NEXT_SEAT, PREVIOUS_SEAT, Phase, Table
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
    return sum(terms(seen, seat).values())


def terms(seen: Table, seat: Seat) -> Terms:
    """Return the seat's od less the mean of the others', and what its hand may win in this deal."""
    od, deal = seen.od, seen.deal
    money = od[seat] - (sum(od) - od[seat]) / (SEATS - 1)
    return {"od": money, "hand": 0.0 if deal.phase is Phase.OVER or not deal.places else _hand(seen, seat)}


def _hand(seen: Table, seat: Seat) -> float:
    """Return the worth of the hand; with a card too many, of the best hand after a discard if that may be ready."""
    hand = known(seen.deal.places[seat].hand)
    if len(hand) % 3 == 0 and ready_without(hand):
        return max(_held(seen, seat, hand[:at] + hand[at + 1 :]) for at in range(len(hand)))
    return _held(seen, seat, hand)


def _held(seen: Table, seat: Seat, hand: Cards) -> float:
    turns = len(seen.deal.wall) / SEATS
    if len(hand) % 3 == 2 and (waiting := waits(hand)):
        return _ready(seen, seat, hand, waiting, turns)
    own = seen.attributes[seat]
    weights = WEIGHTS[own]
    worth = worth_of_spells(hand, own)
    for spell in seen.deal.places[seat].pledges:
        worth += weights.three[spell[0]]
    return WIN * PLAIN * exp(worth) * float((turns / FULL) ** 1.5)


def _ready(seen: Table, seat: Seat, hand: Cards, waiting: int, turns: float) -> float:
    """Return what a ready hand may win: by tsumo, or by ron from one of the others, of the cards out of sight."""
    place = seen.deal.places[seat]
    in_sight = _in_sight(seen, hand)
    out_of_sight = 60 - len(in_sight)
    ways = 0
    score = 0.0
    for face in range(KINDS // 2):
        if waiting >> face & 1:
            left = 4 - in_sight.count(face)
            ways += left
            score += left * _likely_score(seen, seat, hand, face * 2 + (face % 5 > 0))
    if not ways:
        return 0.0
    chances = 1.0 - exp(2.2 * turns * log(1.0 - ways / (out_of_sight + 1)))
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


def _likely_score(seen: Table, seat: Seat, hand: Cards, card: Card) -> float:
    """Return the best score with that card, a third for its draw and a third for each neighbour's discard."""
    counted = (
        seen.attributes[seat],
        WEAK_TO[seen.attributes[NEXT_SEAT[seat]]],
        WEAK_TO[seen.attributes[PREVIOUS_SEAT[seat]]],
    )
    pledges, catalysts = seen.deal.places[seat].pledges, catalysts_for(seen, seat)
    return _mean_score(seen.terms.pack.scores, catalysts, counted, hand, pledges, card)


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
    return sum(max(measure(scores, way, one, catalysts).total for way in ways) for one in counted) / len(counted)


@lru_cache(maxsize=1 << 16)
def worth_of_spells(hand: Cards, own: Attribute) -> float:
    """Return the best sum of weights of the spells still to be made from cards of the hand, in their order."""
    weights = WEIGHTS[own]
    # the best sums of one, two and three spells from the cards so far, and of one and two from those before each card
    first, second, third = weights.none, 2 * weights.none, 3 * weights.none
    before = [(first, second)]
    for end, last in enumerate(hand):
        for start, card in enumerate(hand[: end + 1]):
            if card // 10 == last // 10:
                weight = weights.of(hand[start : end + 1])
                one, two = before[start]
                first = max(first, weight)
                second = max(second, one + weight)
                third = max(third, two + weight)
        before.append((first, second))
    return (first, second, third)[(len(hand) + 1) // 3 - 1]


def progress(table: Table) -> float:
    """Return the part of the match that is over, by the deals that a lap takes on average."""
    if table.deal.phase is Phase.OVER:
        return 1.0
    return min(1.0, max(0, table.number - 1) / (DEALS * table.terms.laps))
