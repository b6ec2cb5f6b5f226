"""Judges a seat's position: its points, what its familiars, mana and charges may still bring, and its pawn.

All amounts are in points. Nothing is read that the seat may not know: of other hands, only the number of cards.
"""

from __future__ import annotations

from domain.game import Seat, Terms, total
from domain.games.troll_master.bot.prospects import prospect
from domain.games.troll_master.bot.worth import horizon, worth_of_familiars, worth_of_mana
from domain.games.troll_master.components import GOAL
from domain.games.troll_master.rules.scoring import standing
from domain.games.troll_master.state import Step, Table, points, power

WON = 100.0
RIVAL = 0.5
"""How much the points of the best other seat count against the seat's own."""
GOAL_REACHED = 4.0
"""Added if the match would end after this round with the seat ahead."""
BROOM = 0.15
HELD = 0.4
"""The worth of a defence that holds against the declared attack."""


def evaluate(table: Table, seat: Seat) -> float:
    """Return the seat's worth in points, less a part of its best rival's points. After the end, the result decides."""
    return total(terms(table, seat).values())


def terms(table: Table, seat: Seat) -> Terms:
    """Return the worth of the seat's points, mana, familiars and pawn, less its best rival's; or the result."""
    place = table.places[seat]
    reached = list(map(points, table.places))
    own = reached.pop(seat)
    if table.stage.step is Step.OVER:
        ranking = standing(table).ranking
        return {"result": WON / ranking.count(1) + own if ranking[seat] == 1 else float(own)}
    rival = max(reached)
    rounds = horizon(max(own, rival))
    pawn = prospect(table, seat, rounds) + _defence(table, seat)
    if own >= GOAL and own > rival:
        pawn += GOAL_REACHED
    if max(other.pawn for other in table.places) == place.pawn:
        pawn += BROOM
    return {
        "points": own,
        "mana": worth_of_mana(place.mana, rounds),
        "familiars": worth_of_familiars(place.familiars, rounds, len(table.places)),
        "pawn": pawn,
        "rivals": -RIVAL * rival,
    }


def _defence(table: Table, seat: Seat) -> float:
    """Return the worth of a defence that holds as it is now; 0 if the seat is not asked to answer an attack."""
    stage = table.stage
    if stage.step is not Step.DEFENCE or stage.seat != seat:
        return 0.0
    return HELD if stage.strength <= power(table.places[seat]) + stage.bonus else 0.0


def progress(table: Table) -> float:
    """Return how much of the goal the leading seat has. Rule: TM-32."""
    return min(1.0, max(map(points, table.places)) / GOAL)
