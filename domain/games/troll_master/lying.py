"""Magic cards that lie somewhere, and what is told of them."""

from __future__ import annotations

from domain.games.troll_master.components import Lying, Magic


def face(lying: Magic | None, told: Magic | None) -> Magic | None:
    """What is known of a card after it was told: a told face fills an unknown one in."""
    if told is None or lying == told:
        return lying
    if lying is not None:
        raise ValueError(f"a {told} is told where a {lying} lies")
    return told


def faces(lying: Lying, told: Lying) -> Lying:
    """The same for cards in their order."""
    if len(lying) != len(told):
        raise ValueError(f"{len(told)} cards are told where {len(lying)} lie")
    return tuple(map(face, lying, told))


def find(hand: Lying, card: Magic) -> int:
    """Where the card is taken from a hand: a known copy first, else a card that may be it."""
    if card in hand:
        return hand.index(card)
    if None in hand:
        return hand.index(None)
    raise ValueError(f"a {card} is told where there is none")
