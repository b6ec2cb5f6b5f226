"""The sentences and names that a language must have."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.games.magicative.components import Artefact, School
from domain.games.magicative.state import Step

Counted = tuple[str, str]
"""Words for one of something and for several, with their `{count}`."""


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """One language. Templates are filled by name; seats, cards and schools in them are words already."""

    seat: str
    hidden: str
    """A card that the reader may not see, in a sentence."""
    innocent: str
    an_innocent: str
    """An innocent in a sentence."""
    card: str
    naming: str
    """An aptitude card that names several numbers."""
    comma: str
    clause: str
    """Between two halves of a line."""
    either: str
    """Between things of which one is chosen: the last two."""
    either_more: str
    """Between those before them."""
    between_cards: str
    nothing: str
    unseen: Counted
    """Cards that the reader may not see, in a list."""
    points: Counted
    chips: Counted
    cards: Counted
    school: dict[School, str]
    artefact: dict[Artefact, str]
    step: dict[Step, str]
    """Who is to do what, as the table's first line."""
    special: dict[type[Any], str]
    told: dict[type[Any], str]
    """A sentence an event and a move."""
    own: dict[type[Any], str]
    """The sentence of an event in which a seat deals with its own row."""
    unseen_aptitude: str
    """The sentence of an aptitude card that was taken unseen by the reader."""
    with_innocents: str
    """After a formula's fixing as a move: the numbers that innocents stand for."""
    wild: str
    """In a formula's fixing: what stands for other numbers than its own."""
    stands_for: str
    between_wild: str
    with_chips: str
    """In a formula's fixing by version 1 of the rules."""
    more_to_put: str
    label: dict[str, str]
    """What a move is in a position, by a name of its own."""

    swap_own: str
    """The table's first line when a seat swaps with its own row."""
    imitating: str
    has_won: str
    all_draw: str
    scene: dict[str, str]
    """What stands on the table, by a name of its own."""
