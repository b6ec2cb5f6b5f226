"""How rounds and turns begin and end."""

from __future__ import annotations

from domain.game import Seat
from domain.games.terraformers.components import ROUNDS
from domain.games.terraformers.events import CopyEnded, RoundStarted, TipsDealt, TipsReturned, TurnStarted
from domain.games.terraformers.rules.happenings import Telling, happen
from domain.games.terraformers.rules.scoring import carnival, game_end, oxygen, war
from domain.games.terraformers.state import ability_of, clockwise


def start_round(teller: Telling, number: int) -> None:
    """Everybody takes tips, then what happens at the round's start happens; the marker's holder begins.

    Rule:    TF-6, TF-7.
    """
    first = teller.state.marker
    teller.tell(RoundStarted(number, first))
    teller.tell(TipsDealt(tuple(player.levels[0] for player in teller.state.players)))
    for seat in clockwise(teller.state):
        table = teller.state
        player = table.players[seat]
        if effects := ability_of(table, player).round_start:
            happen(teller, seat, table.planet[player.species[0]].name, effects)
    start_turn(teller, first)


def start_turn(teller: Telling, seat: Seat) -> None:
    """It is the seat's turn, and what happens at its start happens. Rule: TF-8."""
    table = teller.tell(TurnStarted(seat))
    player = table.players[seat]
    if player.species and (effects := ability_of(table, player).turn_start):
        happen(teller, seat, table.planet[player.species[0]].name, effects)


def next_turn(teller: Telling, seat: Seat) -> None:
    """The next player clockwise who has not passed; when all have, the round ends. Rule: TF-6, TF-9."""
    players = teller.state.players
    seats = len(players)
    for i in range(1, seats + 1):
        other = (seat + i) % seats
        if not players[other].has_passed:
            start_turn(teller, other)
            return
    _end_round(teller)


def _end_round(teller: Telling) -> None:
    """Oxygen, war, carnival, and all tips to the stock, each finished for all before the next; copies end.

    Rule:    TF-24, TF-25, Librarians.
    """
    oxygen(teller)
    war(teller)
    carnival(teller)
    table = teller.tell(TipsReturned())
    for spot, copied in enumerate(table.copies):
        if copied != spot:
            teller.tell(CopyEnded(table.planet[spot].name, table.planet[copied].name))
    if table.round < ROUNDS:
        start_round(teller, table.round + 1)
    else:
        game_end(teller)
