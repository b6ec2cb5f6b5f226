"""Planning: revealing cards and moving pawns, passing, being out; then the reveal of all hands."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import Refusal, Seat, Teller
from domain.games.troll_master.abilities import Timing
from domain.games.troll_master.components import ACTIONS, HOME, PASS_MANA, Magic, Magics
from domain.games.troll_master.events import (
    BroomTaken,
    CardDiscarded,
    CardRevealed,
    HandRevealed,
    OutPaid,
    PlanningPassed,
    TrollMasterEvent,
    TurnCame,
    WentOut,
)
from domain.games.troll_master.evolve import evolve
from domain.games.troll_master.moves import Reveal
from domain.games.troll_master.rules.abilities import payable
from domain.games.troll_master.rules.actions import next_action
from domain.games.troll_master.rules.preparation import Telling
from domain.games.troll_master.state import Place, Table, known


def placements(table: Table, seat: Seat) -> tuple[Reveal, ...]:
    """Every hand card with every action that it allows: free, and right of where the pawn stands.

    Rule:    TM-10, TM-11, TM-12, TM-13, TM-14.
    """
    place = table.places[seat]
    hand, at = place.hand, place.pawn
    pawns = [other.pawn for other in table.places]
    found: list[Reveal] = []
    for magic, reveals in table.terms.printed.reveals:
        if magic in hand:
            found += [reveal for reveal in reveals if reveal.action > at and reveal.action not in pawns]
    return tuple(found)


def free(table: Table) -> Magics:
    """The kinds of cards with which a pawn could be placed. Rule: TM-16."""
    pawns = [place.pawn for place in table.places]
    return tuple(
        magic for magic, reveals in table.terms.printed.reveals if any(reveal.action not in pawns for reveal in reveals)
    )


def must_place(table: Table, place: Place) -> bool:
    """Whether the pawn is at home and some hand card could place it: then there is no passing. Rule: TM-14, TM-16."""
    return place.pawn == HOME and any(magic in place.hand for magic in free(table))


def reveal(table: Table, seat: Seat, move: Reveal, chance: Chance) -> tuple[TrollMasterEvent, ...]:
    """Rule: TM-10 to TM-14."""
    place = table.places[seat]
    if move.card not in place.hand:
        raise Refusal("TM-14", "no-such-card", f"You hold no {move.card}.")
    if not 1 <= move.action <= ACTIONS:
        raise Refusal("TM-11", "no-such-action", f"The row has actions 1 to {ACTIONS}.")
    space = table.terms.printed.row[move.action]
    if move.card is not space.icon and move.card is not Magic.CRYSTAL:
        raise Refusal("TM-11", "wrong-icon", f"Action {move.action} takes a {space.icon} or a crystal.")
    if move.action <= place.pawn:
        raise Refusal("TM-12", "not-right", f"Your pawn stands on action {place.pawn} and moves right only.")
    if any(other.pawn == move.action for other in table.places):
        raise Refusal("TM-13", "occupied", f"Another pawn stands on action {move.action}.")
    return go_on(table, (CardRevealed(seat, move.card, move.action),), seat + 1, chance)


def pass_planning(table: Table, seat: Seat, chance: Chance) -> tuple[TrollMasterEvent, ...]:
    """Plan no more, or be out. Rule: TM-14, TM-16."""
    place = table.places[seat]
    if must_place(table, place):
        raise Refusal("TM-14", "not-placed", "Place your pawn first.")
    passed = WentOut(seat, free(table)) if place.pawn == HOME else PlanningPassed(seat)
    return go_on(table, (passed,), seat + 1, chance)


def discard(table: Table, seat: Seat, card: Magic, chance: Chance) -> tuple[TrollMasterEvent, ...]:
    """Discard a card of that kind; the seat's planning turn follows, or goes on. Rule: TM-8, TM-10, TM-17."""
    if card not in table.places[seat].hand:
        raise Refusal("TM-8", "no-such-card", f"You hold no {card}.")
    return go_on(table, (CardDiscarded(seat, card),), seat, chance)


def leave_broom(table: Table, seat: Seat, chance: Chance) -> tuple[TrollMasterEvent, ...]:
    """The broom is not used, and planning begins with its holder. Rule: TM-8, TM-10."""
    return go_on(table, (), seat, chance)


def go_on(
    table: Table, told: tuple[TrollMasterEvent, ...], first: Seat, chance: Chance
) -> tuple[TrollMasterEvent, ...]:
    """Whose planning turn it is next, clockwise from `first`; who is stuck is out at once. After the last, actions.

    Rule:    TM-10, TM-14, TM-15, TM-16.
    """
    teller: Telling = Teller(evolve, table)
    for event in told:
        teller.tell(event)
    while (seat := _next_turn(teller.state, first)) is not None:
        if not is_stuck(teller.state, seat):
            return (*teller.events, TurnCame(seat))
        teller.tell(WentOut(seat, free(teller.state)))
    _end_planning(teller, chance)
    return tuple(teller.events)


def _next_turn(table: Table, first: Seat) -> Seat | None:
    """The first clockwise who has not passed; None: all have. Rule: TM-10, TM-14."""
    places = table.places
    seats = len(places)
    for seat in range(first, first + seats):
        if not places[seat % seats].has_passed:
            return seat % seats
    return None


def is_stuck(table: Table, seat: Seat) -> bool:
    """Whether the seat can neither place its pawn nor pay for an ability that might help. Rule: TM-16."""
    place = table.places[seat]
    return place.pawn == HOME and not must_place(table, place) and not payable(place, Timing.PLANNING)


def _end_planning(teller: Telling, chance: Chance) -> None:
    """Who is out is paid, the rightmost takes the broom, all hands are revealed, and the first action is reached.

    Nobody takes the broom if nobody has placed a pawn.

    Rule:    TM-15, TM-16, TM-19, TM-32.
    """
    table = teller.state
    seats = len(table.places)
    clockwise = [(table.start + step) % seats for step in range(seats)]
    for seat in clockwise:
        if table.places[seat].is_out:
            teller.tell(OutPaid(seat, PASS_MANA))
    pawns = [place.pawn for place in table.places]
    if (rightmost := max(pawns)) != HOME:
        teller.tell(BroomTaken(pawns.index(rightmost)))
    for seat in clockwise:
        if hand := known(table.places[seat].hand):
            teller.tell(HandRevealed(seat, hand))
    next_action(teller, chance)
