"""What is known of hands, and how it changes when a card comes or goes.

Cards in a hand have no identity. A copy that everybody knows leaves it first, then one that Fate's user has traced from
the deck, then any other: so the knowledge of each viewer stays as exact as possible.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from domain.games.magicative.components import BITS_OF, ONE, Card, Lying, Pile, size
from domain.games.magicative.state import Hand


def drawn(hand: Hand, cards: Lying) -> Hand:
    """Return the hand after it has drawn these cards of the deck."""
    secret = hand.secret
    if secret is not None:
        more = _pile(cards)
        secret = None if more is None else secret + more
    return Hand(hand.taken, hand.hidden + len(cards), secret, hand.traced)


def traced(hand: Hand, cards: Lying) -> Hand:
    """Return the hand after it has drawn cards at which Fate's user had looked, and which that user knows."""
    more = _pile(cards)
    return replace(hand, traced=None if hand.traced is None or more is None else hand.traced + more)


@lru_cache(maxsize=1 << 11)
def _pile(cards: Lying) -> Pile | None:
    """Return two or three cards as a pile, None if one of them is unknown. There are 484 ways to draw two."""
    return None if None in cards else sum([ONE[card] for card in cards if card is not None])


def taken(hand: Hand, card: Card) -> Hand:
    """Return the hand after it has taken a card openly from a row."""
    return Hand(hand.taken + ONE[card], hand.hidden, hand.secret, hand.traced)


def played(hand: Hand, card: Card) -> Hand:
    """Return the hand after it has played a card openly.

    Raises:  ValueError when the card is known not to be there.
    """
    of_kind = BITS_OF[card]
    secret, traced, hidden = hand.secret, hand.traced, hand.hidden - 1
    if hand.taken & of_kind:
        return Hand(hand.taken - ONE[card], hand.hidden, secret, traced)
    if secret is None:
        _check_room(card, hidden, traced or 0)
    elif secret & of_kind:
        secret -= ONE[card]
    else:
        raise ValueError(f"card {card} is told where it is known not to be")
    if traced and traced & of_kind:
        traced -= ONE[card]
    # an empty hand is known
    return Hand(hand.taken, hidden, secret, traced) if hidden else Hand(hand.taken)


def _check_room(card: Card, hidden: int, traced: Pile) -> None:
    """Refuse a card that cannot have been in the hand, where so many others are left and some are known."""
    if hidden < 0:
        raise ValueError(f"card {card} is told where no card is left")
    if size(traced) > hidden and not traced & BITS_OF[card]:
        raise ValueError(f"card {card} is told where other cards are known to be")
