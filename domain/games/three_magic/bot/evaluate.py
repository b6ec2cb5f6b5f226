"""Judges a position for a seat, in od: what it has more than the others, and what its hand may yet win.

It is quick, and good enough to play by. The worth of a hand is the likely score of the three spells to which it is
nearest, times the probability that they are completed in time. It reads only what the seat may know.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, log

from domain.game import Seat
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


WEIGHTS = {attribute: Weights(attribute) for attribute in ATTRIBUTES}


def evaluate(seen: Table, seat: Seat) -> float:
    """Return the seat's od less the mean of the others', with what its hand may win in this deal."""
    od = seen.od
    money = od[seat] - (sum(od) - od[seat]) / (SEATS - 1)
    deal = seen.deal
    if deal.phase is Phase.OVER or not deal.places:
        return float(money)
    return money + _hand(seen, seat)


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
    worth = _nearest(hand, own)
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
def _nearest(hand: Cards, own: Attribute) -> float:
    """Return the best sum of weights of the spells still to be made from cards of the hand, in their order."""
    weights = WEIGHTS[own]
    spells = (len(hand) + 1) // 3
    best = _between(hand, weights)
    before = [weights.none]  # the best first group among the cards up to a position
    for end in range(len(hand)):
        before.append(max(before[-1], *(best[start][end] for start in range(end + 1))))
    if spells == 1:
        return before[-1]
    after = [weights.none] * (len(hand) + 1)  # the best last group from a position on
    for start in range(len(hand) - 1, -1, -1):
        after[start] = max(after[start + 1], *best[start][start:])
    if spells == 2:
        return max(map(sum, zip(before, after, strict=True)))
    middle = max(
        before[start] + best[start][end] + after[end + 1]
        for start in range(len(hand))
        for end in range(start, len(hand))
    )
    return max(middle, weights.none + max(map(sum, zip(before, after, strict=True))))


def _between(hand: Cards, weights: Weights) -> list[list[float]]:
    """Return, at [start][end], the weight of the best group that begins and ends with these cards of the hand."""
    size = len(hand)
    best = [[weights.none] * size for _ in hand]
    one, two, three = weights.one, weights.two, weights.three
    for start, first in enumerate(hand):
        row = best[start]
        row[start] = one[first]
        for end in range(start + 1, size):
            last = hand[end]
            if first // 10 != last // 10:
                continue
            row[end] = two[first * KINDS + last]
            for inner in hand[start + 1 : end]:
                if COMBINATION[first][inner][last]:
                    row[end] = three[first]
                    break
    return best


def progress(table: Table) -> float:
    """Return the part of the match that is over, by the deals that a lap takes on average."""
    if table.deal.phase is Phase.OVER:
        return 1.0
    return min(1.0, max(0, table.number - 1) / (DEALS * table.terms.laps))
