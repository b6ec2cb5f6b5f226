"""The sentences and names that a language must have."""

from __future__ import annotations

import msgspec

from domain.games.three_magic.components import Attribute, Call, Line
from domain.games.three_magic.state import Phase


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """One language. Templates are filled by name: {seat} and other seats are already words, counted from 0."""

    seat: str
    hidden_card: str
    star: str
    """After a card's number."""
    card: str
    comma: str
    between_cards: str
    attribute: dict[Attribute, str]
    call: dict[Call, str]
    line: dict[Line, str]
    phase: dict[Phase, str]

    # moves
    tsumo: str
    insert: str
    discard: str
    discard_reach: str
    discard_drawn: str
    ron: str
    pledge: str
    pass_: str

    # events
    attributes_drawn: str
    holds: str
    deal_started: str
    shuffled: str
    hand_dealt: str
    hand_dealt_hidden: str
    unused_set_aside: str
    indicator_turned: str
    card_drawn: str
    card_drawn_hidden: str
    card_inserted: str
    card_discarded: str
    card_discarded_reach: str
    drawn_discarded: str
    reach_declared: str
    claims_opened: str
    who_is_asked: str
    claims_passed: str
    pledged: str
    tsumo_declared: str
    ron_declared: str
    measured: str
    no_line: str
    od_paid: str
    laid_taken: str
    ley_line_collected: str
    laid_sunk: str
    manager_added: str
    deal_drawn_ready: str
    deal_drawn: str
    hand_shown: str
    manager_stayed: str
    manager_passed: str
    lap_completed: str
    match_ended: str
    points: str

    # the table
    nothing_dealt: str
    table_head: str
    table_state: str
    table_claimed: str
    place_head: str
    place_manager: str
    place_reach: str
    place_laid: str
    place_hand: str
    place_drawn: str
    place_pledges: str
    place_discards: str
    reach_mark: str
    asked: str
    turn_mark: str
