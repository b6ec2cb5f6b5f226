"""Claims on a discard: who is asked, what they may answer, and which answer stands."""

from __future__ import annotations

from itertools import combinations

from domain.facedown import known
from domain.game import Refusal, Seat
from domain.games.three_magic.components import (
    COMPLETING,
    COUNTED,
    PARTNERED,
    PLEDGES,
    Call,
    Card,
    Cards,
    attribute_of,
    face_of,
    insertions,
)
from domain.games.three_magic.events import Pledged
from domain.games.three_magic.moves import Pass, Pledge, Ron, ThreeMagicMove
from domain.games.three_magic.rules.hands import is_won_with
from domain.games.three_magic.state import Table, next_seat

PASS = Pass()
RON = Ron()


def price(table: Table, seat: Seat, card: Card) -> int:
    """What the next pledge of that card costs the seat, which has made fewer than two. Rule: 3M-15."""
    prices = table.terms.pack.prices
    amounts = prices.pledge_own if attribute_of(card) is table.attributes[seat] else prices.pledge_other
    return amounts[len(table.deal.places[seat].pledges)]


def may_pledge(table: Table, seat: Seat, card: Card) -> bool:
    """Whether the seat could pay for a pledge of the card and has not lost the right to it. Rule: 3M-15, 3M-20."""
    place = table.deal.places[seat]
    return not place.in_reach and len(place.pledges) < PLEDGES and table.od[seat] >= price(table, seat, card)


def could_pledge(table: Table, seat: Seat, discarder: Seat, card: Card) -> bool:
    """Whether the seat may make a pledge of the discard: pon from either neighbour, chi from the previous player.

    Rule:    3M-13, 3M-14, 3M-15, 3M-17, 3M-20.
    """
    hand = known(table.deal.places[seat].hand)
    return has_partners(hand, card, may_chi=next_seat(discarder) == seat) and may_pledge(table, seat, card)


def has_partners(hand: Cards, card: Card, *, may_chi: bool) -> bool:
    """Whether the hand holds two cards that make a spell with the card, of equal numbers unless it may be a chi.

    Rule:    3M-13, 3M-14.
    """
    if may_chi:
        held = sum(map(COUNTED[card // 10].__getitem__, hand))
        return bool(PARTNERED[card % 10 // 2][held])
    return hand.count(card) + hand.count(card ^ 1) > 1  # the same face with and without a star


def pledges(table: Table, seat: Seat, discarder: Seat, card: Card) -> tuple[Pledge, ...]:
    """Every pledge that the seat may make of the discard. Rule: 3M-13, 3M-14."""
    if not could_pledge(table, seat, discarder, card):
        return ()
    hand = known(table.deal.places[seat].hand)
    face = face_of(card)
    may_chi = next_seat(discarder) == seat
    near = [at for at, own in enumerate(hand) if (own // 10 == card // 10 if may_chi else own // 2 == face)]
    return tuple(
        Pledge(first, second)
        for first, second in combinations(near, 2)
        if COMPLETING[hand[first]][hand[second]] >> face & 1
    )


def may_claim(table: Table, seat: Seat, discarder: Seat, card: Card) -> bool:
    """Whether the seat is asked about the discard: it could claim it. Rule: 3M-12."""
    won = is_won_with(known(table.deal.places[seat].hand), card)
    return won or could_pledge(table, seat, discarder, card)


def discard_claimed(table: Table) -> tuple[Seat, Card]:
    """Who discarded, and which card; asked while claims are open."""
    return table.deal.turn, table.deal.places[table.deal.turn].row[-1].card


def claims(table: Table, seat: Seat) -> tuple[ThreeMagicMove, ...]:
    """The answers that a seat which is asked may give: ron, every pledge, pass. Rule: 3M-12."""
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
    """The seat and its claim that stands, None if all pass: ron beats pon beats chi, of two rons the next player's.

    Rule:    3M-11.
    """
    first = next_seat(table.deal.turn)
    second = next_seat(first)
    found: tuple[Seat, Ron | Pledge] | None = None
    for seat in (first, second):
        answer = answers[seat]
        if isinstance(answer, Ron):
            return seat, answer
        # A chi is made by the first seat only, and of two pons one lacks the cards: a later pledge is a pon, and beats.
        if isinstance(answer, Pledge):
            found = seat, answer
    return found


def pledged(table: Table, seat: Seat, pledge: Pledge) -> Pledged:
    """The event of a pledge that stands: the two cards and the discard lie open, in the order of the hand.

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
