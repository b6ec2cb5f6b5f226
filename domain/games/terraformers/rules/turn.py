"""The beginning and the end of rounds and turns."""

from __future__ import annotations

from domain.game import EventBuffer, Seat
from domain.games.terraformers import events
from domain.games.terraformers.components import ROUNDS
from domain.games.terraformers.events import Events
from domain.games.terraformers.evolve import evolve
from domain.games.terraformers.rules.cards import Buffer, happen
from domain.games.terraformers.rules.scoring import carnival, game_end, oxygen, war
from domain.games.terraformers.state import Table, ability_of, clockwise


def start_round(buffer: Buffer, number: int) -> None:
    """Deal tips, add the effects at the round's start, and begin the turn of the marker's holder.

    Rule:    TF-6, TF-7.
    """
    first = buffer.state.marker
    buffer.tell(events.RoundStarted(number, first))
    buffer.tell(events.TipsDealt(tuple(player.levels[0] for player in buffer.state.players)))
    for seat in clockwise(buffer.state):
        _begin_for(buffer, seat)
    start_turn(buffer, first)


def _begin_for(buffer: Buffer, seat: Seat) -> None:
    """Add the effects of box cards for a seat, in table order, then of the seat's own species. Rule: TF-7."""
    is_first = seat == buffer.state.marker or not buffer.state.terms.gives_all_once
    for laid in buffer.state.planet:
        if effects := laid.round_start if is_first else laid.for_each:
            happen(buffer, seat, laid.name, effects)
    table = buffer.state
    player = table.players[seat]
    if effects := ability_of(table, player).round_start:
        happen(buffer, seat, table.planet[player.species[0]].name, effects)


def start_turn(buffer: Buffer, seat: Seat) -> None:
    """Begin the seat's turn, with the effects at its start. Rule: TF-8."""
    table = buffer.state
    player = table.players[seat]
    if effects := ability_of(table, player).turn_start:
        buffer.tell(events.TurnStarted(seat))
        happen(buffer, seat, table.planet[player.species[0]].name, effects)
    else:
        # the last event of the decision: nothing reads the table after it
        buffer.events.append(events.TurnStarted(seat))


def next_turn(buffer: Buffer, seat: Seat) -> None:
    """Begin the turn of the next player clockwise who has not passed, or end the round. Rule: TF-6, TF-9."""
    other = _next_seat(buffer.state, seat)
    if buffer.state.players[other].has_passed:
        _end_round(buffer)
    else:
        start_turn(buffer, other)


def _next_seat(table: Table, seat: Seat) -> Seat:
    """Return the next seat that has not passed, or the seat itself. Rule: TF-9."""
    players = table.players
    seats = len(players)
    other = (seat + 1) % seats
    while players[other].has_passed and other != seat:
        other = (other + 1) % seats
    return other


def then(table: Table, seat: Seat, told: Events) -> Events:
    """Return the events of a turn, followed by those that begin the next one.

    Shape:   `table` is as it was before the events `told`, in which nobody passed and no species moved.
    """
    other = _next_seat(table, seat)
    player = table.players[other]
    if not ability_of(table, player).turn_start:
        return (*told, events.TurnStarted(other))
    buffer: Buffer = EventBuffer(evolve, table, told)
    start_turn(buffer, other)
    return tuple(buffer.events)


def _end_round(buffer: Buffer) -> None:
    """Resolve oxygen, war and carnival, each for all seats; return all tips to the stock; end copies.

    Then the next round starts, or the game ends.

    Rule:    TF-24, TF-25, TF-39.
    """
    oxygen(buffer)
    war(buffer)
    carnival(buffer)
    table = buffer.tell(events.TipsReturned())
    for spot, copied in enumerate(table.copies):
        if copied != spot:
            buffer.tell(events.CopyEnded(table.planet[spot].name, table.planet[copied].name))
    if table.round < ROUNDS:
        start_round(buffer, table.round + 1)
    else:
        game_end(buffer)
