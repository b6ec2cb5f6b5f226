"""The sentences and names that every language has."""

from __future__ import annotations

import msgspec

from domain.games.terraformers.abilities import Of, When
from domain.games.terraformers.components import Box, Kind, Level
from domain.games.terraformers.state import Phase


class LabelWords(msgspec.Struct, frozen=True, kw_only=True):
    """The labels of moves, addressed to "you", the seat that may make them."""

    all_tips: tuple[str, str]
    or_more: str
    spare: str
    join: str
    raise_level: str
    way: str
    not_raised: str
    full: str
    oxygen_open: str
    oxygen_short: str
    oxygen_met: str
    oxygen_by_species: str
    surplus: str
    war: str
    war_rival: str
    war_alone: str
    span: str
    carnival: str
    carnival_closed: str
    use_card: str
    use_card_on: str
    with_all: str
    acquire: str
    acquire_from: str
    gives_up: str
    guard: str
    put_back: str
    copy: str
    copies_nothing: str
    only_pass: str
    pass_: str
    pass_then: str
    pass_tips: tuple[str, str]
    pass_oxygen: str
    pass_last: str
    place_level: str
    place_no_level: str
    place_lost: str
    place_oxygen: str
    place_oxygen_short: str
    place_oxygen_gives: str
    place_oxygen_costs: str
    place_oxygen_anyway: str
    place_war: str
    place_carnival: str
    place_carnival_closed: str
    place_card: str
    place_card_on: str
    place_acquire: str
    place_acquire_from: str
    place_brings: str
    place_guard: str
    nothing: str
    gain: str
    other_loses: str
    take: str
    pay: str
    raised: str
    stars: str
    stars_compared: str
    """How stars are compared at the game's end."""
    stars_counted: str
    """The cards that count stars in another way."""
    power_falls: str
    """The power before any tip is less than before. Rule: TF-30, TF-31."""
    added: str
    added_each: str
    """On several boxes."""
    own_boxes: str
    other_boxes: str
    boxes_of: str
    """The same boxes of several seats."""
    yourself: str
    """The seat itself, among these."""
    forced: str


class TableWords(msgspec.Struct, frozen=True, kw_only=True):
    """The words on the table."""

    nothing_laid: str
    line: str
    phase: dict[Phase, str]
    chosen_box: str
    chosen_card: str
    chosen_against: str
    row: dict[Kind, str]
    """The rows of the planet cards that nobody holds."""
    cost: str
    copying: str
    chosen: str
    """The mark of the place where tips are to be placed."""
    tip: str
    """A tip on the table."""
    hand_tip: str
    star: str
    power: str
    marker: str
    passed: str
    named: str
    """The mark of the player on whom the chosen card works."""
    species: str
    sheet: str
    level: str
    next: str
    full: str
    level_text: str
    level_full_text: str
    oxygen: str
    powered: str
    closed: str
    box_text: dict[Box, str]
    """The boxes that are resolved at the round's end."""
    guard: str
    put_back: str
    pass_: str


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """One language. Sentences are filled by name: {seat} and other seats are words already, counted from 0."""

    seat: str
    comma: str
    between_sentences: str
    level: dict[Level, str]
    ordinal: tuple[str, ...]
    """The places in war, from the first."""
    box: dict[Box, str]
    kind: dict[Kind, str]
    tips: tuple[str, str]
    """For one, and for more."""
    points: tuple[str, str]
    stars: tuple[str, str]
    check_boxes: tuple[str, str]

    # moves
    use_box: str
    use_card: str
    use_card_on: str
    acquire: str
    guard: str
    place: str
    put_back: str
    copy: str
    pass_: str

    # events
    planet_laid: str
    marker_drawn: str
    round_started: str
    tips_dealt: str
    dealt: str
    turn_started: str
    box_chosen: str
    card_chosen: str
    card_chosen_against: str
    species_chosen: str
    species_chosen_from: str
    own_species_chosen: str
    box_used: str
    war_used: str
    """Without the power, to which the species may add. Rule: TF-34."""
    card_used: str
    species_returned: str
    species_acquired: str
    species_acquired_from: str
    species_guarded: str
    species_put_back: str
    ability_copied: str
    copy_ended: str
    passed: str
    level_raised: str
    card_scored: str
    card_cost: str
    tips_taken: str
    tips_paid: str
    tips_added: str
    tips_forced: str
    stars_marked: str
    oxygen_succeeds: str
    oxygen_succeeds_anyway: str
    """Although green and power stay below city. Rule: TF-35."""
    oxygen_fails: str
    war_resolved: str
    war_power: str
    war_scored: str
    marker_moved: str
    carnival_scored: str
    tips_returned: str
    match_ended: str
    match_ended_tied: str

    # the print of a card
    when: dict[When, str]
    when_for_all: dict[When, str]
    """For a box card, which nobody holds."""
    of: dict[Of, str]
    most: dict[Of, str]
    """The players who have the most of it."""
    least: dict[Of, str]
    amount_of: str
    """A number by which something is counted, with nothing added or subtracted."""
    amount_plus: str
    amount_minus: str
    points_equal: str
    """Points by such a number."""
    tips_equal: str
    gain_points: str
    gain_points_all: str
    take_tips: str
    pay_tips: str
    fill: str
    mark_stars: str
    whose_boxes: tuple[str, str]
    """One box of a sheet, and more."""
    box_in_row: str
    and_: str
    add_tips: str
    add_tips_others: str
    add_tips_occupied: str
    add_tips_others_occupied: str
    outdo: str
    contest: str
    provoke: str
    compare: str
    at_least: str
    gain: str
    lose: str
    science_counts: str
    power_base: str
    war_bonus: str
    war_bonus_always: str
    bar: str
    always_oxygen: str
    oxygen_surplus: str
    no_carnival: str
    clings: str
    copies: str

    # the cards in the rules
    cards_head: str

    table: TableWords
    label: LabelWords
