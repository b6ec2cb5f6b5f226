"""The end of a deal: wins and payments, the ley line, drawn deals, the manager, the laps, the end of the match."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import EventBuffer, Seat, Standing, rank
from domain.games.three_magic import events
from domain.games.three_magic.components import DEALS_A_LAP, SEATS, Attribute, Card
from domain.games.three_magic.events import Events
from domain.games.three_magic.evolve import evolve
from domain.games.three_magic.rules.claims import waits
from domain.games.three_magic.rules.scoring import Win, best_win, counted_on_ron, counted_on_tsumo
from domain.games.three_magic.rules.setup import Buffer, start_deal
from domain.games.three_magic.state import NEXT_SEAT, Phase, Table
from domain.secrecy import known


def tsumo(table: Table, seat: Seat, chance: Chance) -> Events:
    """Return the events when the seat wins with the card it drew: the other two pay half each. Rule: 3M-10, 3M-27."""
    card = known(table.deal.drawn)[0]
    counted = counted_on_tsumo(table, seat)
    win = best_win(table, seat, card, counted)
    half = win.measure.total // 2
    payers = [(payer, half) for payer in range(SEATS) if payer != seat]
    buffer: Buffer = EventBuffer(evolve, table)
    buffer.tell(events.TsumoDeclared(seat=seat, card=card, at=win.at, hand=_laid_out(table, seat, card, win)))
    return _settle(buffer, seat, counted, win, payers, chance)


def ron(table: Table, seat: Seat, discarder: Seat, card: Card, chance: Chance) -> Events:
    """Return the events when the seat wins with another's discard: the discarder pays all. Rule: 3M-10, 3M-27."""
    counted = counted_on_ron(table, discarder)
    win = best_win(table, seat, card, counted)
    buffer: Buffer = EventBuffer(evolve, table)
    hand = _laid_out(table, seat, card, win)
    buffer.tell(events.RonDeclared(seat=seat, discarder=discarder, card=card, at=win.at, hand=hand))
    return _settle(buffer, seat, counted, win, [(discarder, win.measure.total)], chance)


def _laid_out(table: Table, seat: Seat, card: Card, win: Win) -> tuple[Card, ...]:
    hand = known(table.deal.places[seat].hand)
    return (*hand[: win.at], card, *hand[win.at :])


def _settle(
    buffer: Buffer, winner: Seat, counted: Attribute, win: Win, payers: list[tuple[Seat, int]], chance: Chance
) -> Events:
    """Measure and pay; then settle the od before the players, the ley line and the next manager, in that order.

    Rule:    3M-22, 3M-27, 3M-28, 3M-30, 3M-31, 3M-33, 3M-35.
    Shape:   one OdPaid for each payer, in seat order; amounts of 0 make no event.
    """
    measure = win.measure
    buffer.tell(
        events.Measured(
            seat=winner,
            spells=win.spells,
            counted=counted,
            attribute=measure.attribute,
            line=measure.line,
            number=measure.number,
            star=measure.star,
            catalyst=measure.catalyst,
            total=measure.total,
        )
    )
    manager = buffer.state.manager
    if not measure.base:
        _sink(buffer)
        _add(buffer)
        return _next_deal(buffer, manager, chance)
    for payer, od in payers:
        buffer.tell(events.OdPaid(payer=payer, winner=winner, od=od))
    place = buffer.state.deal.places[winner]
    if place.in_reach and (laid := _laid(buffer.state)):
        buffer.tell(events.LaidTaken(seat=winner, od=laid))
    if not place.pledges and buffer.state.ley_line:
        buffer.tell(events.LeyLineCollected(seat=winner, od=buffer.state.ley_line))
    _sink(buffer)
    return _next_deal(buffer, manager if winner == manager else NEXT_SEAT[manager], chance)


def _laid(table: Table) -> int:
    return sum(place.laid for place in table.deal.places)


def _sink(buffer: Buffer) -> None:
    """Move the od that lie before the players to the ley line. Rule: 3M-28, 3M-30, 3M-32."""
    if laid := _laid(buffer.state):
        buffer.tell(events.LaidSunk(laid))


def _add(buffer: Buffer) -> None:
    """Have the manager add to the ley line, in debt if need be. Rule: 3M-28, 3M-32, 3M-35."""
    if od := buffer.state.terms.pack.prices.manager:
        buffer.tell(events.ManagerAdded(manager=buffer.state.manager, od=od))


def draw_deal(buffer: Buffer, chance: Chance) -> Events:
    """Return the events when the wall is empty and nobody claims the last discard.

    A manager whose hand is ready shows it and stays manager.

    Rule:    3M-32.
    """
    manager = buffer.state.manager
    hand = known(buffer.state.deal.places[manager].hand)
    ready = bool(waits(hand))
    buffer.tell(events.DealDrawn(manager=manager, ready=ready))
    if ready:
        buffer.tell(events.HandShown(seat=manager, hand=hand))
    _sink(buffer)
    if ready:
        _add(buffer)
    return _next_deal(buffer, manager if ready else NEXT_SEAT[manager], chance)


def _next_deal(buffer: Buffer, manager: Seat, chance: Chance) -> Events:
    """Keep or pass the manager's place; then start the next deal, or end the match after the last lap or deal.

    Rule:    3M-33, 3M-34.
    """
    table = buffer.state
    lap, laps = table.lap, table.terms.laps
    if manager == table.manager:
        buffer.tell(events.ManagerStayed(manager))
    else:
        buffer.tell(events.ManagerPassed(manager=table.manager, to=manager))
        # The fire player was the first manager, and the place goes round: when it is back at fire, all have had it.
        if table.attributes[manager] is Attribute.FIRE:
            buffer.tell(events.LapCompleted(lap))
            lap += 1
    if lap > laps or table.number == laps * DEALS_A_LAP:
        points = buffer.state.od
        buffer.tell(events.MatchEnded(points=points, ranking=rank(points)))
    else:
        start_deal(buffer, table.number + 1, lap, manager, chance)
    return tuple(buffer.events)


def standing(table: Table) -> Standing:
    """Return points and places by od. Od before the players and in the ley line do not count. Rule: 3M-36."""
    return Standing(points=table.od, ranking=rank(table.od), over=table.deal.phase is Phase.OVER)
