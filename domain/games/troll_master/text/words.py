"""The sentences and names that a language must have."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.game import Lang
from domain.games.troll_master.components import Kind, Magic
from domain.games.troll_master.state import Step

Amount = tuple[str, str, str]
"""How none, one and several of something are said; `{n}` is how many."""


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """One language. Templates are filled by the names of the fields of what is told, which are already words."""

    lang: Lang
    seat: str
    """A seat, counted from 0."""
    comma: str
    last: str
    """Between the last two of a list."""
    choice: str
    """Between the last two of a list of which one is meant."""
    gap: str
    """Between sentences."""
    magic: dict[Magic, str]
    kind: dict[Kind, str]
    amounts: dict[str, Amount]
    """By what is counted: a field's name, a magic card's, or an action's kind with its value."""
    nothing: str

    # what is told
    told: dict[type[Any], str]
    """By class of event or move."""
    drawn_unseen: str
    """A card was drawn that the reader may not see."""
    hand: str
    """What a seat was dealt, after the sentence on dealing."""
    counted: str
    """A seat's points."""
    wins: str
    shares: str
    """Several seats are first, with as much mana."""
    wins_by_mana: str
    """Others have as many points as who wins."""

    # actions and abilities
    all_there: str
    """What an action costs, when no card is missing."""
    missing: str
    """What an action costs, when cards are missing."""
    ability: dict[type[Any], str]
    """What it does, without its cost."""
    in_short: dict[type[Any], str]
    """The same where a label tells it, if that is shorter."""
    points_of: dict[str, str]
    points_of_each: dict[str, str]
    """What it adds where every single one counts."""
    on_success: str
    paid: str
    """An ability with its cost."""
    timing: dict[str, str]
    timed: str
    """An ability as it stands on a card."""

    # the table
    step: dict[Step, str]
    """What is to be done."""
    placing: str
    """The same in planning, while the pawn is at home: nobody may pass then."""
    doing: dict[Step, str]
    """How the action stands that is being done."""
    turn: str
    head: str
    last_head: str
    over: str
    """The head of a table whose match is over."""
    scene: dict[str, str]
    """What the table's parts, marks and buttons are called."""
    short: dict[Magic, str]
    """What stands on a magic card."""
    rule: dict[Kind, str]
    """What an action does, beside its value."""
    added: dict[Kind, str]
    """What an action's value is added to."""
    needed: dict[Magic, str]
    """What an action's cost is counted in."""

    # what a move is to who may make it
    label: dict[str, str]
