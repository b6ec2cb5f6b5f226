"""The sentences and names that a language must have."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.games.ttmp.components import Action, Mode
from domain.games.ttmp.state import Step


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """One language. Templates are filled by the names of the fields of what is told, which are already words."""

    # names and counts
    seat: str
    """A seat, counted from 0."""
    comma: str
    semicolon: str
    and_: str
    """Between the last two names of a list."""
    and_rolls: str
    """Between the last two rolls for the start."""
    or_: str
    """Between things that may be done."""
    none: str
    """No cards, no stones, no dice."""
    stone: str
    """A stone by its points."""
    stones_of: str
    """Several stones in a sentence, by their points."""
    between_points: tuple[str, str]
    """Between the points of several stones, and between the last two."""
    level: str
    """A magic card of which the level is told."""
    counted: dict[str, tuple[str, str]]
    """So many of something: how one is said, and how more are."""
    shape: dict[int, str]
    """What dice are, by the level of the card that they allow to draw; 0: a triple, for a stone."""
    shown: str
    """Dice that are something."""
    action: dict[Action, str]
    mode: dict[Mode, str]
    standard: str

    # events and moves
    told: dict[type[Any], str]
    """By class."""
    unseen: dict[type[Any], str]
    """By class, where the reader may not see the card or stone that it is about."""
    used_to_roll: dict[type[Any], str]
    """A magic card by which dice are rolled, as a move and as an event."""
    roll: str
    """What a seat rolled for the start."""
    start_is_tied: str
    first_round: str
    """No card is in stock yet."""
    holds: str
    """A seat with the stones that it shows."""
    rolled: dict[int, str]
    """By how many dice."""
    rolled_first: str
    announced_stone: str
    mixed_with_deck: str
    mixed_with_deck_unseen: str
    round_ran_out: str
    discards_go_back: str
    """Added where no hand goes back to the decks, and where some do."""
    goes_back: str
    passes: str
    fails: str
    won: tuple[str, str, str]
    """Nobody has won; somebody has; several have."""
    winner: str
    """One of several, with the points."""

    # the table
    line: str
    """How far the match is, and who is to do what."""
    phase: dict[str, str]
    """How far the match is: "before" the first round, "start" of a round, in a "turn", "over"."""
    terms: dict[str, str]
    """What is agreed on: hands have a "limit" or "any" number of cards; what wins: "pass", "rank" or "goal"."""
    turn: str
    step: dict[Step, str]
    """What whoever is to act does."""
    may: dict[str, str]
    """What may be done in a turn: "act", "use", "draw", "stone", "take", "end"."""
    discard_for: str
    """As a step: a discard before a draw of which it is known what will be drawn."""
    zones: dict[str, str]
    """What parts of the table are called."""
    pieces: dict[str, str]
    """What lies there, and what is so of it."""
    buttons: dict[str, str]
    """What can be said without touching a thing; "face" and "step" are chosen for a card."""

    label: dict[str, str]
    """Lines and notes that say what a move is in a position."""
    cards: dict[str, str]
    """What is printed on cards and stones."""
    refusals: dict[str, str]
    """By `clause code`, or by `code` alone."""
