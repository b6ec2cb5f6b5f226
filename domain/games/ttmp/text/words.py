"""The sentences and names that every language has."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.games.ttmp.components import Action, Mode
from domain.games.ttmp.state import Step


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """One language. Sentences are filled with the fields of events, moves and pieces, which are words already."""

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
    """For no cards, no stones, no dice."""
    stone: str
    """A stone by its points."""
    stones_of: str
    """Several stones in a sentence, by their points."""
    between_points: tuple[str, str]
    """Between the points of several stones, and between the last two."""
    level: str
    """A magic card of which only the level is named."""
    counted: dict[str, tuple[str, str]]
    """So many of something: for one, and for more."""
    shape: dict[int, str]
    """The shapes of dice, by the level of the card that they allow to draw; 0: a triple, for a stone."""
    shown: str
    """Dice with their shape."""
    action: dict[Action, str]
    mode: dict[Mode, str]
    standard: str

    # events and moves
    told: dict[type[Any], str]
    """The sentences, by class."""
    unseen: dict[type[Any], str]
    """By class, for a reader who may not see the card or stone."""
    used_to_roll: dict[type[Any], str]
    """A magic card that rolls dice, as a move and as an event."""
    roll: str
    """The roll of a seat for the start."""
    start_is_tied: str
    first_round: str
    """For a round in which no card is in stock yet."""
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
    """Added if no hand goes back to the decks, and if some do."""
    goes_back: str
    passes: str
    fails: str
    won: tuple[str, str, str]
    """For no winner, one winner, several winners."""
    winner: str
    """One of several winners, with the points."""

    # the table
    line: str
    """How far the match is, and who is to do what."""
    phase: dict[str, str]
    """How far the match is: "before" the first round, "start" of a round, in a "turn", "over"."""
    terms: dict[str, str]
    """The terms of a match: hands have a "limit" or "any" number of cards; what wins: "pass", "rank" or "goal"."""
    turn: str
    step: dict[Step, str]
    """What the seat that is to act does."""
    may: dict[str, str]
    """What may be done in a turn: "act", "use", "draw", "stone", "take", "end"."""
    discard_for: str
    """For a step: a discard before a draw of which the level is known."""
    zones: dict[str, str]
    """The names of parts of the table."""
    pieces: dict[str, str]
    """The names of pieces, and of their marks."""
    buttons: dict[str, str]
    """The buttons; "face" and "step" are chosen for a card."""

    label: dict[str, str]
    """The lines and notes of labels."""
    cards: dict[str, str]
    """The print of cards and stones."""
    refusals: dict[str, str]
    """By `clause code`, or by `code` alone."""
