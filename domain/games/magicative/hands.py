"""What is known of hands and of cards that lie somewhere, and how it changes when a card moves or is told.

Cards in a hand have no identity. A copy that is known to everybody leaves it first, then one that Fate's user has
traced from the deck, then any other: so what each viewer knows stays as exact as it can be.
"""

from __future__ import annotations

from domain.games.magicative.components import ONE, Card, Lying, count, size
from domain.games.magicative.state import Hand


def face(lying: int | None, told: int | None) -> int | None:
    """What is known of a card after it was told: a told face fills an unknown one in."""
    if told is None or lying == told:
        return lying
    if lying is not None:
        raise ValueError(f"card {told} is told where card {lying} lies")
    return told


def faces(lying: Lying, told: Lying) -> Lying:
    """The same for cards in their order."""
    if lying == told:
        return lying
    if len(lying) != len(told):
        raise ValueError(f"{len(told)} cards are told where {len(lying)} lie")
    return tuple(map(face, lying, told))


def drawn(hand: Hand, cards: Lying, traced: int = 0) -> Hand:
    """The hand with cards of the deck, the first so many of them traced by Fate's user."""
    more = len(cards)
    secret = _plus(hand.secret, cards)
    known = _plus(hand.traced, cards[:traced]) if traced else hand.traced
    return Hand(hand.size + more, hand.hidden + more, hand.taken, secret, known)


def _plus(pile: int | None, cards: Lying) -> int | None:
    """The pile with more cards; unknown as soon as one of them is."""
    if pile is None:
        return None
    for card in cards:
        if card is None:
            return None
        pile += ONE[card]
    return pile


def taken(hand: Hand, card: Card) -> Hand:
    """The hand with a card taken openly from a row."""
    return Hand(hand.size + 1, hand.hidden, hand.taken + ONE[card], hand.secret, hand.traced)


def played(hand: Hand, card: Card) -> Hand:
    """The hand without a card that is shown.

    Raises:  ValueError when the card is known not to be there.
    """
    if hand.taken and count(hand.taken, card):
        return Hand(hand.size - 1, hand.hidden, hand.taken - ONE[card], hand.secret, hand.traced)
    secret, traced, hidden = hand.secret, hand.traced, hand.hidden - 1
    if traced and count(traced, card):
        traced -= ONE[card]
    elif traced and size(traced) > hidden:
        raise ValueError(f"card {card} is told where other cards are known to be")
    if secret is not None:
        if not count(secret, card):
            raise ValueError(f"card {card} is told where it is known not to be")
        secret -= ONE[card]
    elif hidden < 0:
        raise ValueError(f"card {card} is told where no card is left")
    # an empty hand is known
    return Hand(hand.size - 1, hidden, hand.taken, secret, traced) if hidden else Hand(hand.size - 1, 0, hand.taken)
