"""Cards that lie face down: what a viewer knows of them, and how it changes when a card moves or is shown.

Cards lie in a tuple in their order; None is a card whose face the viewer does not know. A card is any value that the
room chooses (a number, an enum, a struct, a stone). Equal cards are interchangeable. `evolve` uses the first five
functions, for the truth and for every viewer alike; `imagine` uses the last two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TypeVar

T = TypeVar("T")

Lying = tuple[T | None, ...]


def face(lying: T | None, told: T | None) -> T | None:
    """Return the face of a card after an event: it stays known, becomes known by `told`, or stays unknown.

    Raises:  ValueError when `told` differs from the known face.
    """
    if told is None or lying == told:
        return lying
    if lying is not None:
        raise ValueError(f"{told} is told where {lying} lies")
    return told


def faces(lying: Lying[T], told: Lying[T]) -> Lying[T]:
    """Return the faces of several cards after an event, one for one in their order.

    Raises:  ValueError for another number of cards, or a face that differs from the known one.
    """
    if lying == told:
        return lying
    if len(lying) != len(told):
        raise ValueError(f"{len(told)} cards are told where {len(lying)} lie")
    return tuple(map(face, lying, told))


def shuffled(lying: Lying[T], told: Lying[T]) -> Lying[T]:
    """Return the cards after a shuffle: a viewer who was told the new order knows it, the others know nothing of it.

    Raises:  ValueError for another number of cards, or for other cards where all are known.
    """
    if len(lying) != len(told):
        raise ValueError(f"{len(told)} cards are told where {len(lying)} were shuffled")
    # compared as dicts, which is faster and right, since no count is 0
    if None not in lying and None not in told and not dict.__eq__(Counter(lying), Counter(told)):
        raise ValueError(f"{told} are told where {lying} were shuffled")
    return told


def find(lying: Lying[T], card: T | None) -> int:
    """Return the index from which a card is taken: a known copy if there is one, else the first unknown card.

    Raises:  ValueError when no card there can be it.
    """
    if card in lying:
        return lying.index(card)
    if None in lying:
        return lying.index(None)
    raise ValueError(f"{card} is told where there is none")


def without(lying: Lying[T], card: T | None) -> Lying[T]:
    """Return the cards that are left when the card at `find` is taken away.

    Raises:  ValueError when no card there can be it.
    """
    at = find(lying, card)
    return lying[:at] + lying[at + 1 :]


def known(lying: Lying[T]) -> tuple[T, ...]:
    """Return the same cards, typed as known: decisions know every card, and a seat the cards of its own hand."""
    return lying  # type: ignore[return-value]  # a cast would be a second call


def unseen(deck: Iterable[T], *zones: Iterable[T | None]) -> tuple[T, ...]:
    """Return the cards of a whole deck that are not seen in any of these zones, equal cards side by side."""
    return tuple((Counter[T | None](deck) - Counter(chain.from_iterable(zones))).elements())  # type: ignore[arg-type]


def fill(lying: Lying[T], left: Iterator[T]) -> tuple[T, ...]:
    """Return the cards with each unknown one replaced by the next of `left`, which is consumed.

    Raises:  ValueError when `left` has too few.
    """
    try:
        return tuple([next(left) if card is None else card for card in lying])
    except StopIteration:
        raise ValueError("fewer cards are left than lie unknown") from None
