"""The sentences and names that a language must have."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.games.ttmp.components import Action, Mode
from domain.games.ttmp.state import Step


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """One language. Templates are filled by the names of the fields of what is told, which are already words."""

    seat: str
    """A seat, counted from 0."""
    comma: str
    nobody: str
    none: str
    """No cards, no dice."""
    hidden: str
    """A magic card of a level whose face the reader may not see."""
    hidden_stone: str
    stone: str
    """By its points."""
    told: dict[type[Any], str]
    """By class of event or move."""

    # what a sentence says otherwise
    use_to_roll: str
    card_unseen: dict[type[Any], str]
    """A card was drawn or stocked, or is to be, that the reader may not see."""
    stone_unseen: dict[type[Any], str]
    used_to_roll: str
    rolled_first: str
    announced_stone: str
    mixed_with_deck: str
    mixed_with_deck_unseen: str
    round_ran_out: str
    passes: str
    fails: str
    result: str
    """A seat's final value."""

    # the table
    action: dict[Action, str]
    mode: dict[Mode, str]
    standard: str
    step: dict[Step, str]
    head: str
    turn: str
    dice: str
    decks: str
    discards: str
    place: str
    out: str
    stones: str
    hand: str
    stock: str
