"""Planning: revealing cards and moving pawns, passing, being out; then all hands are revealed."""

from __future__ import annotations

from collections.abc import Sequence

from domain.chance import Chance
from domain.game import EventBuffer, Refusal, Seat
from domain.games.troll_master import events
from domain.games.troll_master.abilities import Timing
from domain.games.troll_master.components import ACTIONS, HOME, PASS_MANA, SEATS, Lying, Magic, Magics
from domain.games.troll_master.events import Events
from domain.games.troll_master.evolve import evolve
from domain.games.troll_master.moves import Reveal
from domain.games.troll_master.printed import begins_turns
from domain.games.troll_master.rules.abilities import fire, payable
from domain.games.troll_master.rules.actions import next_action
from domain.games.troll_master.rules.preparation import Buffer, draw
from domain.games.troll_master.state import Step, Table
from domain.secrecy import known


def placements(table: Table, seat: Seat) -> tuple[Reveal, ...]:
    """Return every reveal that places or moves the pawn: a hand card, with an action that it allows.

    The action is free, and right of the pawn.

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


def free(table: Table, pawns: Sequence[int]) -> Magics:
    """Return the kinds of cards with which a pawn could be placed. Rule: TM-16."""
    return tuple(magic for magic, reveals in table.terms.printed.reveals if _is_free(reveals, pawns))


def _is_free(reveals: tuple[Reveal, ...], pawns: Sequence[int]) -> bool:
    for reveal in reveals:  # noqa: SIM110 a loop takes half the time of `any`, and every turn asks this
        if reveal.action not in pawns:
            return True
    return False


def may_place(table: Table, hand: Lying, pawns: Sequence[int]) -> bool:
    """Return whether a card of the hand could place a pawn that is at home. Rule: TM-11, TM-13, TM-16."""
    return any(magic in hand and _is_free(reveals, pawns) for magic, reveals in table.terms.printed.reveals)


def is_stuck(table: Table, seat: Seat, pawns: Sequence[int]) -> bool:
    """Return whether the seat can neither place its pawn nor pay for an ability that might help. Rule: TM-16."""
    place = table.places[seat]
    return pawns[seat] == HOME and not may_place(table, place.hand, pawns) and not payable(place, Timing.PLANNING)


def reveal(table: Table, seat: Seat, move: Reveal, chance: Chance) -> Events:
    """Reveal a hand card, put the pawn on the action, and give the turn to the next seat.

    Rule:    TM-10 to TM-14.
    Raises:  Refusal when the hand has no such card, it does not allow that action, or the pawn may not go there.
    """
    place = table.places[seat]
    if move.card not in place.hand:
        raise Refusal("TM-14", "no-such-card", card=move.card.value)
    if not 1 <= move.action <= ACTIONS:
        raise Refusal("TM-11", "no-such-action", action=move.action, actions=ACTIONS)
    space = table.terms.printed.row[move.action]
    if move.card is not space.icon and move.card is not Magic.CRYSTAL:
        if space.icon is Magic.CRYSTAL:
            raise Refusal("TM-11", "crystal-only", action=move.action)
        raise Refusal("TM-11", "wrong-icon", action=move.action, icon=space.icon.value)
    if move.action <= place.pawn:
        raise Refusal("TM-12", "not-right", pawn=place.pawn, action=move.action)
    if any(other.pawn == move.action for other in table.places):
        raise Refusal("TM-13", "occupied", action=move.action)
    pawns = [other.pawn for other in table.places]
    pawns[seat] = move.action
    revealed = events.CardRevealed(seat, move.card, move.action)
    return _go_on(table, (revealed,), (*_others(table, seat), seat), pawns, chance)


def pass_planning(table: Table, seat: Seat, chance: Chance) -> Events:
    """Plan no more in this round; a seat whose pawn is at home is out of it.

    Rule:    TM-14, TM-16.
    Raises:  Refusal when the pawn is not placed and could be.
    """
    place = table.places[seat]
    pawns = [other.pawn for other in table.places]
    passed: events.PlanningPassed | events.WentOut = events.PlanningPassed(seat)
    if place.pawn == HOME:
        if may_place(table, place.hand, pawns):
            raise Refusal("TM-14", "not-placed")
        passed = events.WentOut(seat, free(table, pawns))
    return _go_on(table, (passed,), _others(table, seat), pawns, chance)


def discard(table: Table, seat: Seat, card: Magic, chance: Chance) -> Events:
    """Discard a card of that kind; then the seat's planning turn begins, or goes on.

    Rule:    TM-8, TM-10, TM-17.
    Raises:  Refusal when the hand has no such card.
    """
    if card not in table.places[seat].hand:
        raise Refusal("TM-8", "no-such-card", card=card.value)
    discarded = events.CardDiscarded(seat, card)
    after = plan if not table.stage.has_turn else _go_on_turn
    return (discarded, *after(evolve(table, discarded), seat, chance))


def plan(table: Table, seat: Seat, chance: Chance) -> Events:
    """Begin the seat's planning turn, or the next seat's if it is stuck. Rule: TM-10, TM-16."""
    pawns = [other.pawn for other in table.places]
    return _go_on(table, (), (seat, *_others(table, seat)), pawns, chance)


def _begin_turn(table: Table, told: Events, seat: Seat, chance: Chance) -> Events:
    """Begin the turn of a seat with abilities without a cost in planning: they fire before anything else.

    Rule:    TM-49.
    """
    buffer: Buffer = EventBuffer(evolve, table, (*told, events.TurnCame(seat)))
    for event in fire(buffer.state.places[seat], seat, Timing.PLANNING):
        buffer.tell(event)
    return (*buffer.events, *_go_on_turn(buffer.state, seat, chance))


def _go_on_turn(table: Table, seat: Seat, chance: Chance) -> Events:
    """Make the next draw without a cost. After the last one ask the seat, or declare it out if it is stuck.

    Rule:    TM-16, TM-49.
    """
    stage = table.stage
    redraws = [
        events.AbilityFired(seat, owned.card.name, ability)
        for owned in table.places[seat].familiars
        for ability in owned.card.redraws
    ]
    if stage.redrawn < len(redraws):
        return (redraws[stage.redrawn], *draw(table, seat, chance))
    pawns = [other.pawn for other in table.places]
    if is_stuck(table, seat, pawns):
        return _go_on(table, (events.WentOut(seat, free(table, pawns)),), _others(table, seat), pawns, chance)
    return (events.TurnCame(seat),) if stage.step is Step.DISCARD else ()


def _others(table: Table, seat: Seat) -> tuple[Seat, ...]:
    """Return all other seats, clockwise from the left of this one. Rule: TM-10."""
    return OTHERS[len(table.places)][seat]


OTHERS = {seats: tuple((*range(seat + 1, seats), *range(seat)) for seat in range(seats)) for seats in SEATS}


def _go_on(table: Table, told: Events, order: tuple[Seat, ...], pawns: Sequence[int], chance: Chance) -> Events:
    """Give the turn to the first seat in that order that has not passed; after the last, end planning.

    A seat that is stuck is out at once.

    Rule:    TM-10, TM-14, TM-15, TM-16.
    Shape:   `table` is as it was before the events `told`; `pawns` is as it is after them.
    """
    for seat in order:
        if table.places[seat].has_passed:
            continue
        if table.terms.printed.begins_turns and any(begins_turns(owned.card) for owned in table.places[seat].familiars):
            return _begin_turn(table, told, seat, chance)
        if not is_stuck(table, seat, pawns):
            return (*told, events.TurnCame(seat))
        told = (*told, events.WentOut(seat, free(table, pawns)))
    return _end_planning(table, told, chance)


def _end_planning(table: Table, told: Events, chance: Chance) -> Events:
    """End planning: pay the seats that are out, hand over the broom, reveal all hands, reach the first action.

    The rightmost pawn's seat gets the broom; nobody does if no pawn was placed.

    Rule:    TM-15, TM-16, TM-19, TM-32.
    """
    buffer: Buffer = EventBuffer(evolve, table, told)
    table = buffer.state
    seats = len(table.places)
    clockwise = [(table.start + step) % seats for step in range(seats)]
    for seat in clockwise:
        if table.places[seat].is_out:
            buffer.tell(events.OutPaid(seat, PASS_MANA))
    pawns = [place.pawn for place in table.places]
    if (rightmost := max(pawns)) != HOME:
        buffer.tell(events.BroomTaken(pawns.index(rightmost)))
    for seat in clockwise:
        if hand := known(table.places[seat].hand):
            buffer.tell(events.HandRevealed(seat, hand))
    return (*buffer.events, *next_action(buffer.state, (), pawns, chance))
