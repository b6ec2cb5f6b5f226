"""The sentences and names that every language has."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.games.magicative.components import Artefact, School
from domain.games.magicative.state import Step

Counted = tuple[str, str]
"""The words for one of something and for several, with their `{count}`."""


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """One language. Sentences are filled by name; seats, cards and schools in them are words already."""

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
    """Between the last two of several alternatives."""
    either_more: str
    """Between the alternatives before them."""
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
    """The table's first line: who is to do what."""
    special: dict[type[Any], str]
    told: dict[type[Any], str]
    """A sentence for each event and move."""
    own: dict[type[Any], str]
    """The sentence for an event in which a seat deals with its own row."""
    unseen_aptitude: str
    """The sentence for an aptitude card that was taken, if the reader may not see it."""
    with_innocents: str
    """After a move that fixes a formula: the numbers as which innocents count."""
    wild: str
    """In an event that fixes a formula: the cards that count as other numbers."""
    stands_for: str
    between_wild: str
    with_chips: str
    """In an event that fixes a formula by version 1 of the rules."""
    more_to_put: str
    label: dict[str, str]
    """The labels of moves, by a name of their own."""

    swap_own: str
    """The table's first line when a seat swaps with its own row."""
    imitating: str
    has_won: str
    all_draw: str
    scene: dict[str, str]
    """The words on the table, by a name of their own."""
