"""The sentences and names that every language has."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.games.three_magic.components import Attribute, Call, Line
from domain.games.three_magic.state import Phase


class Labels(msgspec.Struct, frozen=True, kw_only=True):
    """The labels of moves, for the seat that may make them."""

    insert_left: str
    """At the left end of the hand."""
    insert: str
    insert_right: str
    discard: str
    discard_inserted: str
    """The card that was drawn and inserted in this turn."""
    plain: str
    """After a discard that leaves a hand which is not ready."""
    ready: str
    """After a discard that leaves a ready hand: what it waits for."""
    reach: str
    """After a discard with which reach is declared: what it costs, and what the hand waits for."""
    discard_drawn: str
    tsumo: str
    ron: str
    pays_nothing: str
    """After a win that scores nothing."""
    halves: str
    """After a tsumo: what is paid, and by whom."""
    whole: str
    """After a ron: what the discarder pays."""
    laid: str
    """What else a winner takes: the od before the players, and the ley line."""
    ley_line: str
    outranked: str
    """For a ron that another seat's ron would beat."""
    pledge: str
    first_pledge: str
    """What a first pledge rules out; then, what a second one does."""
    second_pledge: str
    pass_: str
    pass_ron: str
    """If the seat could win with the discard."""


class TableWords(msgspec.Struct, frozen=True, kw_only=True):
    """The words on the table and on its buttons."""

    nothing_dealt: str
    line: str
    """Which deal it is, and what it waits for."""
    phase: dict[Phase, str]
    """What the deal waits for, by the seat in turn and its last discard; how the match ended, by its result."""
    drawn_in_reach: str
    """What the deal waits for when a seat in reach has drawn."""

    wall: str
    """The names of the zones."""
    indicators: str
    ley_line: str
    hand: str
    discards: str

    back: str
    """A face-down card."""
    right_end: str
    """The right end of a hand: a space for the drawn card."""
    od: str
    laid: str
    """The od before a player."""
    weak: str
    """The attribute to which a player's is weak."""
    manager: str
    in_reach: str
    asked: str

    drawn: str
    """The marks of a card."""
    inserted: str
    claimed: str
    reach: str
    catalyst: str
    in_reach_only: str
    """Of an indicator: it counts for a winner in reach only."""

    buttons: dict[Phase, dict[str, str]]
    """The buttons, by what the deal waits for."""


class Words(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One language. Sentences are filled with the fields of events, moves and pieces, which are words already.

    There is one object for each language, so that the names of cards can be cached.
    """

    seat: str
    """Counted from 0, as in the data."""
    hidden_card: str
    card: str
    star: str
    """After a card's number."""
    comma: str
    and_: str
    """Before the last of several seats that do the same."""
    or_: str
    """Before the last of several cards of which one would do."""
    between_cards: str
    between_numbers: str
    """Within a spell."""
    attribute: dict[Attribute, str]
    call: dict[Call, str]

    told: dict[type[Any], str]
    """The sentences, by class of event or move."""
    hidden: dict[type[Any], str]
    """For classes with another sentence if the reader may not know the cards."""
    with_reach: dict[type[Any], str]
    """For classes with another sentence if reach is declared."""
    holds: str
    """A seat's attribute."""
    who_is_asked: str
    scores_nothing: str
    attribute_scores: str
    """The score of a win, part by part; `count` is how many spells score there."""
    line_scores: dict[Line, str]
    star_scores: str
    spells: tuple[str, str]
    """One spell, and several."""
    catalyst_scores: str
    manager_is_ready: str
    wins: str
    """How the match ended: who won, or shared the first place, and what the others have."""
    share: str
    has: str

    labels: Labels
    table: TableWords
    refusals: dict[str, str]
    """By code, or by clause and code."""
    steps: dict[str, str]
    """By phase: what the seat is to do, as refusals say it."""
    printed: dict[str, str]
    """The heads of the tables of cards and numbers, and what each number of a pack is."""
