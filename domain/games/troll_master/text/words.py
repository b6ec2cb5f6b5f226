"""The sentences and names that every language has."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.game import Lang
from domain.games.troll_master.components import Kind, Magic
from domain.games.troll_master.state import Step

Amount = tuple[str, str, str]
"""The words for none, one and several of something; `{n}` is how many."""


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """One language. Sentences are filled with the fields of events, moves and pieces, which are words already."""

    lang: Lang
    seat: str
    """A seat, counted from 0."""
    comma: str
    last: str
    """Between the last two of a list."""
    choice: str
    """Between the last two of a list of alternatives."""
    gap: str
    """Between sentences."""
    magic: dict[Magic, str]
    kind: dict[Kind, str]
    amounts: dict[str, Amount]
    """By what is counted: the name of a field, a magic card, or the kind of an action for its value."""
    nothing: str

    # events and moves
    told: dict[type[Any], str]
    """The sentences, by class of event or move."""
    drawn_unseen: str
    """The sentence for a drawn card that the reader may not see."""
    hand: str
    """The cards that a seat was dealt, after the sentence on dealing."""
    counted: str
    """A seat's points."""
    wins: str
    shares: str
    """Several seats are first, with equal mana."""
    wins_by_mana: str
    """Other seats have as many points as the winner."""

    # actions and abilities
    all_there: str
    """The cost of an action of which no card is missing."""
    missing: str
    """The cost of an action of which cards are missing."""
    ability: dict[type[Any], str]
    """The effect of an ability, without its cost."""
    in_short: dict[type[Any], str]
    """The same for a label, if that is shorter."""
    points_of: dict[str, str]
    points_of_each: dict[str, str]
    """The points that are added where every single one counts."""
    on_success: str
    paid: str
    """An ability with its cost."""
    timing: dict[str, str]
    timed: str
    """An ability as it is printed on a card."""

    # the table
    step: dict[Step, str]
    """What the seat is to do."""
    placing: str
    """The same in planning, while the pawn is at home: the seat may not pass then."""
    doing: dict[Step, str]
    """The state of the action that is being done."""
    turn: str
    head: str
    last_head: str
    over: str
    """The head of a table whose match is over."""
    scene: dict[str, str]
    """The names of the table's parts, marks and buttons."""
    short: dict[Magic, str]
    """The short text on a magic card."""
    rule: dict[Kind, str]
    """The effect of an action, beside its value."""
    added: dict[Kind, str]
    """The name of the fact to which an action's value is added."""
    needed: dict[Magic, str]
    """The name of the cards in which an action's cost is counted."""

    # labels of moves
    label: dict[str, str]
