"""How hands win, and claims on a discard: who is asked, which answers are allowed, and which answer wins."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from domain.game import Refusal, Seat
from domain.games.three_magic.components import (
    COMBINATION,
    COMPLETING,
    COUNTED,
    PARTNERED,
    PLEDGES,
    Call,
    Card,
    Cards,
    Spell,
    attribute_of,
    combination,
    face_of,
    insertions,
)
from domain.games.three_magic.events import Pledged
from domain.games.three_magic.moves import Pass, Pledge, Ron, ThreeMagicMove
from domain.games.three_magic.state import NEXT_SEAT, Table
from domain.secrecy import known


def waits(hand: Cards) -> int:
    """Return the faces that make the hand win when inserted somewhere, a bit each; 0 if the hand is not ready.

    The inserted card belongs to one spell. The other two cards of that spell are adjacent, with whole spells on either
    side: the hand is a pair and two spells, in one of three orders. Pledged spells do not matter: the hand is shorter
    by them.

    Rule:    3M-9.
    Shape:   `hand` has 8, 5 or 2 cards, without the winning one.
    """
    if len(hand) == 8:
        a, b, c, d, e, f, g, h = hand
        faces = 0
        if COMBINATION[f][g][h]:
            if COMBINATION[c][d][e]:
                faces = COMPLETING[a][b]
            if COMBINATION[a][b][c]:
                faces |= COMPLETING[d][e]
        if COMBINATION[d][e][f] and COMBINATION[a][b][c]:
            faces |= COMPLETING[g][h]
        return faces
    if len(hand) == 5:
        a, b, c, d, e = hand
        faces = 0
        if COMBINATION[c][d][e]:
            faces = COMPLETING[a][b]
        if COMBINATION[a][b][c]:
            faces |= COMPLETING[d][e]
        return faces
    a, b = hand
    return COMPLETING[a][b]


def is_won_with(hand: Cards, card: Card) -> bool:
    """Return whether the card, inserted somewhere, makes the hand win. Rule: 3M-9."""
    return waits(hand) >> (card // 2) & 1 == 1


def ready_without(hand: Cards) -> tuple[int, ...]:
    """Return the positions in a hand whose card leaves a ready hand when it is taken out.

    Rule:    3M-9, 3M-19.
    Shape:   `hand` has 9, 6 or 3 cards: one is to be discarded.
    """
    if len(hand) == 9:
        # A ready hand has two spells, of which the card to discard broke at most one. Wherever they are, there is a
        # spell at one of these four places; most hands have none there, and end the search.
        a, b, c, d, e, f, g, h, i = hand
        if not (COMBINATION[a][b][c] or COMBINATION[c][d][e] or COMBINATION[e][f][g] or COMBINATION[g][h][i]):
            return ()
    return tuple([at for at in range(len(hand)) if waits(hand[:at] + hand[at + 1 :])])


def arrangements(hand: Cards, card: Card) -> Iterator[tuple[int, tuple[Spell, ...]]]:
    """Yield every place at which the card makes the hand win, with the spells into which the hand then falls.

    Rule:    3M-9, 3M-10.
    """
    for start in range(0, len(hand), 3):
        for at in range(start, start + 3):
            spells = spells_of((*hand[:at], card, *hand[at:]))
            if all(map(combination, spells)):
                yield at, spells


def spells_of(cards: Cards) -> tuple[Spell, ...]:
    """Return the cards in threes, from the left."""
    return tuple((cards[i], cards[i + 1], cards[i + 2]) for i in range(0, len(cards), 3))


PASS = Pass()
RON = Ron()


def price(table: Table, seat: Seat, card: Card) -> int:
    """Return what the seat's next pledge of that card costs. The seat has made fewer than two. Rule: 3M-15."""
    prices = table.terms.pack.prices
    amounts = prices.pledge_own if attribute_of(card) is table.attributes[seat] else prices.pledge_other
    return amounts[len(table.deal.places[seat].pledges)]


def may_pledge(table: Table, seat: Seat, card: Card) -> bool:
    """Return whether the seat could pay for a pledge of the card, and has the right to make one. Rule: 3M-15, 3M-20."""
    place = table.deal.places[seat]
    return not place.in_reach and len(place.pledges) < PLEDGES and table.od[seat] >= price(table, seat, card)


def could_pledge(table: Table, seat: Seat, discarder: Seat, card: Card) -> bool:
    """Return whether the seat may pledge the discard: pon from either neighbour, chi from the previous player.

    Rule:    3M-13, 3M-14, 3M-15, 3M-17, 3M-20.
    """
    hand = known(table.deal.places[seat].hand)
    return has_partners(hand, card, may_chi=NEXT_SEAT[discarder] == seat) and may_pledge(table, seat, card)


def has_partners(hand: Cards, card: Card, *, may_chi: bool) -> bool:
    """Return whether the hand holds two cards that make a spell with the card: of equal numbers, or also a chi.

    Rule:    3M-13, 3M-14.
    """
    if may_chi:
        held = sum(map(COUNTED[card // 10].__getitem__, hand))
        return bool(PARTNERED[card % 10 // 2][held])
    return hand.count(card) + hand.count(card ^ 1) > 1  # the same face with and without a star


def pledges(table: Table, seat: Seat, discarder: Seat, card: Card) -> tuple[Pledge, ...]:
    """Return every pledge that the seat may make of the discard. Rule: 3M-13, 3M-14."""
    if not could_pledge(table, seat, discarder, card):
        return ()
    hand = known(table.deal.places[seat].hand)
    face = face_of(card)
    may_chi = NEXT_SEAT[discarder] == seat
    near = [at for at, own in enumerate(hand) if (own // 10 == card // 10 if may_chi else own // 2 == face)]
    return tuple(
        Pledge(first, second)
        for first, second in combinations(near, 2)
        if COMPLETING[hand[first]][hand[second]] >> face & 1
    )


def may_claim(table: Table, seat: Seat, discarder: Seat, card: Card) -> bool:
    """Return whether the seat could claim the discard, so that it is asked. Rule: 3M-12."""
    won = is_won_with(known(table.deal.places[seat].hand), card)
    return won or could_pledge(table, seat, discarder, card)


def discard_claimed(table: Table) -> tuple[Seat, Card]:
    """Return who discarded, and which card, while claims are open."""
    return table.deal.turn, table.deal.places[table.deal.turn].row[-1].card


def claims(table: Table, seat: Seat) -> tuple[ThreeMagicMove, ...]:
    """Return the answers of a seat that is asked: ron, every pledge, pass. Rule: 3M-12."""
    discarder, card = discard_claimed(table)
    ron = (RON,) if is_won_with(known(table.deal.places[seat].hand), card) else ()
    return (*ron, *pledges(table, seat, discarder, card), PASS)


def check_claim(table: Table, seat: Seat, move: Ron | Pledge | Pass) -> None:
    """Refuse an answer that the seat may not give.

    Rule:    3M-10 to 3M-17, 3M-20.
    Raises:  Refusal.
    """
    if not table.deal.asked or not table.deal.asked[seat]:
        raise Refusal("3M-12", "not-asked")
    discarder, card = discard_claimed(table)
    place = table.deal.places[seat]
    match move:
        case Ron() if not is_won_with(known(place.hand), card):
            raise Refusal("3M-9", "not-winning")
        case Pledge():
            if place.in_reach:
                raise Refusal("3M-20", "in-reach")
            if len(place.pledges) >= PLEDGES:
                raise Refusal("3M-15", "two-pledges")
            if not may_pledge(table, seat, card):
                raise Refusal("3M-15", "cannot-pay", od=price(table, seat, card))
            if move not in pledges(table, seat, discarder, card):
                raise Refusal("3M-13", "no-spell")
        case _:
            pass


def standing_claim(table: Table, answers: tuple[ThreeMagicMove | None, ...]) -> tuple[Seat, Ron | Pledge] | None:
    """Return the seat and the claim that wins, None if all pass.

    Ron beats pon, pon beats chi, and of two rons the next player's wins.

    Rule:    3M-11.
    """
    first = NEXT_SEAT[table.deal.turn]
    second = NEXT_SEAT[first]
    claim: tuple[Seat, Ron | Pledge] | None = None
    for seat in (first, second):
        answer = answers[seat]
        if isinstance(answer, Ron):
            return seat, answer
        # Only the first seat can make a chi, and four copies do not make two pons: a later pledge is a pon and wins.
        if isinstance(answer, Pledge):
            claim = seat, answer
    return claim


def pledged(table: Table, seat: Seat, pledge: Pledge) -> Pledged:
    """Return the event of a pledge: the two cards and the discard lie open, in the order of the hand.

    Rule:    3M-13, 3M-14, 3M-15.
    """
    discarder, card = discard_claimed(table)
    hand = known(table.deal.places[seat].hand)
    pair = (hand[pledge.first], hand[pledge.second])
    return Pledged(
        seat=seat,
        discarder=discarder,
        call=Call.PON if face_of(pair[0]) == face_of(pair[1]) else Call.CHI,
        first=pledge.first,
        second=pledge.second,
        pair=pair,
        card=card,
        spell=insertions(*pair, card)[-1],
        od=price(table, seat, card),
    )
