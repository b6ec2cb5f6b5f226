"""Cards that lie face down somewhere: what a viewer knows of them, and how it changes when one moves or is told.

Cards lie in a tuple in their order, and None stands for one whose face the viewer does not know. What is a card here is
whatever the room says (a number, an enum, a struct, a stone): equal cards are the same to everybody, none has an
identity. `evolve` uses the first five functions, for the truth and for every viewer alike; `imagine` the last two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TypeVar

T = TypeVar("T")

Lying = tuple[T | None, ...]


def face(lying: T | None, told: T | None) -> T | None:
    """The face of a card after an event has told it: it stays known, or becomes known, or stays unknown.

    Raises:  ValueError when another face is told than the one that is known to lie there.
    """
    if told is None or lying == told:
        return lying
    if lying is not None:
        raise ValueError(f"{told} is told where {lying} lies")
    return told


def faces(lying: Lying[T], told: Lying[T]) -> Lying[T]:
    """The faces of several cards after an event has told them, one for one in their order.

    Raises:  ValueError when more or fewer are told than lie there, or another face than the one that is known.
    """
    if lying == told:
        return lying
    if len(lying) != len(told):
        raise ValueError(f"{len(told)} cards are told where {len(lying)} lie")
    return tuple(map(face, lying, told))


def shuffled(lying: Lying[T], told: Lying[T]) -> Lying[T]:
    """The cards after they were shuffled: whoever is told their order knows it, all others know nothing of them.

    Raises:  ValueError when more or fewer are told than lay there, or other ones where all are known.
    """
    if len(lying) != len(told):
        raise ValueError(f"{len(told)} cards are told where {len(lying)} were shuffled")
    # as dicts, which compares them in one go: no count is 0
    if None not in lying and None not in told and not dict.__eq__(Counter(lying), Counter(told)):
        raise ValueError(f"{told} are told where {lying} were shuffled")
    return told


def find(lying: Lying[T], card: T | None) -> int:
    """The index from which a card is taken: a copy that is known to lie there, else a card that may be it.

    Raises:  ValueError when no card there can be it.
    """
    if card in lying:
        return lying.index(card)
    if None in lying:
        return lying.index(None)
    raise ValueError(f"{card} is told where there is none")


def without(lying: Lying[T], card: T | None) -> Lying[T]:
    """The cards that are left when one is taken from where `find` finds it.

    Raises:  ValueError when no card there can be it.
    """
    at = find(lying, card)
    return lying[:at] + lying[at + 1 :]


def known(lying: Lying[T]) -> tuple[T, ...]:
    """These cards as they are, typed as known: decisions know every card, and a seat those of its own hand."""
    return lying  # type: ignore[return-value]  # a cast would be a second call


def unseen(deck: Iterable[T], *zones: Iterable[T | None]) -> tuple[T, ...]:
    """The cards of a whole deck that are not seen in any of these zones, copies side by side."""
    return tuple((Counter[T | None](deck) - Counter(chain.from_iterable(zones))).elements())  # type: ignore[arg-type]


def fill(lying: Lying[T], left: Iterator[T]) -> tuple[T, ...]:
    """The cards with the next of those that are left in each unknown one's place; `left` goes on after them.

    Raises:  ValueError when fewer are left than are unknown.
    """
    try:
        return tuple([next(left) if card is None else card for card in lying])
    except StopIteration:
        raise ValueError("fewer cards are left than lie unknown") from None
