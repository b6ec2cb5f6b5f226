"""Cards and stones that lie somewhere, and what is told of them."""

from __future__ import annotations

from typing import TypeVar

from domain.game import Value

T = TypeVar("T", bound="Value | int")


def face(lying: T | None, told: T | None) -> T | None:
    """What is known of a card after it was told: a told face fills an unknown one in."""
    if told is None or lying == told:
        return lying
    if lying is not None:
        raise ValueError(f"{told} is told where {lying} lies")
    return told


def faces(lying: tuple[T | None, ...], told: tuple[T | None, ...]) -> tuple[T | None, ...]:
    """The same for cards in their order."""
    if len(lying) != len(told):
        raise ValueError(f"{len(told)} cards are told where {len(lying)} lie")
    return tuple(map(face, lying, told))


def shuffled(lying: tuple[T | None, ...], told: tuple[T | None, ...]) -> tuple[T | None, ...]:
    """A zone after shuffling: its faces are those told, and unknown to whom they aren't."""
    if len(lying) != len(told):
        raise ValueError(f"{len(told)} cards are told where {len(lying)} were shuffled")
    if None not in lying and None not in told and sorted(map(str, lying)) != sorted(map(str, told)):
        raise ValueError(f"{told} are told where {lying} were shuffled")
    return told


def taken(lying: tuple[T | None, ...], card: T | None) -> tuple[T | None, ...]:
    """What is left when a card leaves: a known copy first, else one that may be it; of unknown ones any."""
    for wanted in (card, None):
        if wanted in lying:
            at = lying.index(wanted)
            return lying[:at] + lying[at + 1 :]
    raise ValueError(f"{card} leaves where there is none")
