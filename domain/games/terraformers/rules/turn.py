"""How rounds and turns begin and end."""

from __future__ import annotations

from domain.game import Seat, Teller
from domain.games.terraformers import events
from domain.games.terraformers.components import ROUNDS
from domain.games.terraformers.events import TerraformersEvent
from domain.games.terraformers.evolve import evolve
from domain.games.terraformers.rules.cards import Telling, happen
from domain.games.terraformers.rules.scoring import carnival, game_end, oxygen, war
from domain.games.terraformers.state import Table, ability_of, clockwise


def start_round(teller: Telling, number: int) -> None:
    """Tell that everybody takes tips, then what happens at the round's start, and that the marker's holder begins.

    Rule:    TF-6, TF-7.
    """
    first = teller.state.marker
    teller.tell(events.RoundStarted(number, first))
    teller.tell(events.TipsDealt(tuple(player.levels[0] for player in teller.state.players)))
    for seat in clockwise(teller.state):
        _begin_for(teller, seat)
    start_turn(teller, first)


def _begin_for(teller: Telling, seat: Seat) -> None:
    """What box cards do for everybody, in table order, then the seat's own species. Rule: TF-7."""
    for laid in teller.state.planet:
        if laid.round_start:
            happen(teller, seat, laid.name, laid.round_start)
    table = teller.state
    player = table.players[seat]
    if effects := ability_of(table, player).round_start:
        happen(teller, seat, table.planet[player.species[0]].name, effects)


def start_turn(teller: Telling, seat: Seat) -> None:
    """Tell that it is the seat's turn, and what happens at its start. Rule: TF-8."""
    table = teller.state
    player = table.players[seat]
    if player.species and (effects := ability_of(table, player).turn_start):
        teller.tell(events.TurnStarted(seat))
        happen(teller, seat, table.planet[player.species[0]].name, effects)
    else:
        # told last: nothing in this decision reads the table after it
        teller.events.append(events.TurnStarted(seat))


def next_turn(teller: Telling, seat: Seat) -> None:
    """Tell of the turn of the next player clockwise who has not passed, or of the round's end. Rule: TF-6, TF-9."""
    other = _next_seat(teller.state, seat)
    if teller.state.players[other].has_passed:
        _end_round(teller)
    else:
        start_turn(teller, other)


def _next_seat(table: Table, seat: Seat) -> Seat:
    """The next one who has not passed, or the seat itself. Rule: TF-9."""
    players = table.players
    seats = len(players)
    other = (seat + 1) % seats
    while players[other].has_passed and other != seat:
        other = (other + 1) % seats
    return other


def then(table: Table, seat: Seat, told: tuple[TerraformersEvent, ...]) -> tuple[TerraformersEvent, ...]:
    """The events of a turn, followed by those that begin the next one.

    Shape:   `table` is as it was before `told`, by which nobody passed and no species moved.
    """
    other = _next_seat(table, seat)
    player = table.players[other]
    if not player.species or not ability_of(table, player).turn_start:
        return (*told, events.TurnStarted(other))
    teller: Telling = Teller(evolve, table)
    for event in told:
        teller.tell(event)
    start_turn(teller, other)
    return tuple(teller.events)


def _end_round(teller: Telling) -> None:
    """Oxygen, war, carnival, and all tips to the stock, each finished for all before the next; copies end.

    Rule:    TF-24, TF-25, TF-39.
    """
    oxygen(teller)
    war(teller)
    carnival(teller)
    table = teller.tell(events.TipsReturned())
    for spot, copied in enumerate(table.copies):
        if copied != spot:
            teller.tell(events.CopyEnded(table.planet[spot].name, table.planet[copied].name))
    if table.round < ROUNDS:
        start_round(teller, table.round + 1)
    else:
        game_end(teller)
