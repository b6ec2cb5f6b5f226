"""The sentences and names that a language must have."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.games.magicative.components import Artefact, School
from domain.games.magicative.state import Step


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """One language. Templates are filled by name; seats, cards and schools in them are words already."""

    seat: str
    hidden: str
    """A card that the reader may not see."""
    innocent: str
    card: str
    comma: str
    between_cards: str
    nothing: str
    cards_unseen: str
    """Several of them."""
    school: dict[School, str]
    artefact: dict[Artefact, str]
    step: dict[Step, str]
    special: dict[type[Any], str]
    told: dict[type[Any], str]
    """A sentence an event and a move."""
    with_innocents: str
    """After a formula's fixing: the numbers that innocents stand for."""
    with_chips: str
    """In a formula's fixing by version 1 of the rules."""
    result: str

    head: str
    turn: str
    swapped: str
    work_other: str
    work_school: str
    work_imitating: str
    work_done: str
    work_taken: str
    deck: str
    rebuilt: str
    top: str
    known: str
    artefacts: str
    aptitudes: str
    aptitude_deck: str
    place: str
    hand: str
    row: str
    formulas: str
    formula: str
    formula_with: str
    awakened: str
    own_aptitudes: str
    aptitude: str
    shown: str
    used: str
