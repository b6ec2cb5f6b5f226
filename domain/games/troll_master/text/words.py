"""The sentences and names that a language must have."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.game import Lang
from domain.games.troll_master.components import Kind, Magic
from domain.games.troll_master.state import Step


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """One language. Templates are filled by the names of the fields of what is told, which are already words."""

    lang: Lang
    seat: str
    """A seat, counted from 0."""
    comma: str
    magic: dict[Magic, str]
    hidden: str
    """A magic card that the reader may not see."""
    kind: dict[Kind, str]
    kind_short: dict[Kind, str]
    """What an action does, with its value."""
    told: dict[type[Any], str]
    """By class of event or move."""
    drawn_unseen: str
    """A card was drawn that the reader may not see."""
    hand: str
    """What a seat was dealt, after the sentence on dealing."""
    counted: str
    """A seat's points."""
    result: str
    """A seat's place in the end."""

    # abilities
    ability: dict[type[Any], str]
    points_of: dict[str, str]
    points_of_each: dict[str, str]
    """The same where every single one counts."""
    on_success: str
    paid: str
    timing: dict[str, str]
    timed: str
    """An ability as it stands on a card."""

    # the table
    step: dict[Step, str]
    turn: str
    head: str
    piles: str
    no_top: str
    nothing: str
    doing: str
    row: str
    action: str
    supply: str
    pile: str
    card: str
    """A familiar's card, with all that is printed on it."""
    place: str
    start: str
    broom: str
    passed: str
    out: str
    pawn: str
    hand_line: str
    familiars: str
    owned: str
    covered: str
