"""Changes the table by events. No rules are applied here: each consequence of an event is another event."""

from __future__ import annotations

from struct import Struct

from msgspec.structs import replace

from domain.game import Evolve, Seat, put
from domain.games.three_magic import events
from domain.games.three_magic.components import Card, Lying
from domain.games.three_magic.state import (
    AT,
    CLAIMS,
    CLAIMS_OPENED,
    DEALING,
    DISCARD,
    DISCARDED,
    DRAWN,
    DRAWN_DISCARDED,
    LAIN,
    NOWHERE,
    OVER,
    PLEDGED,
    REACHED,
    RECORD,
    TAKEN,
    WON,
    Deal,
    Place,
    Table,
)
from domain.secrecy import face, faces

record = RECORD.pack
three_records = Struct(3 * RECORD.format).pack


def _add(od: tuple[int, ...], seat: Seat, amount: int) -> tuple[int, ...]:
    return put(od, seat, od[seat] + amount)


def _attributes_drawn(table: Table, event: events.AttributesDrawn) -> Table:
    return replace(table, attributes=event.attributes)


def _deal_started(table: Table, event: events.DealStarted) -> Table:
    deal = Deal(places=(Place(),) * len(table.od))
    return replace(table, number=event.deal, lap=event.lap, manager=event.manager, deal=deal)


def _shuffled(table: Table, event: events.Shuffled) -> Table:
    return replace(table, deal=replace(table.deal, wall=event.cards))


def _hand_dealt(table: Table, event: events.HandDealt) -> Table:
    deal = table.deal
    count = len(event.cards)
    hand = faces(deal.wall[:count], event.cards)
    places = put(deal.places, event.seat, replace(deal.places[event.seat], hand=hand))
    return replace(table, deal=replace(deal, wall=deal.wall[count:], places=places))


def _unused_set_aside(table: Table, event: events.UnusedSetAside) -> Table:
    wall = table.deal.wall
    return replace(table, deal=replace(table.deal, unused=wall[: event.count], wall=wall[event.count :]))


def _indicator_turned(table: Table, event: events.IndicatorTurned) -> Table:
    deal = table.deal
    face(deal.unused[0], event.card)
    return replace(table, deal=replace(deal, unused=deal.unused[1:], indicators=(*deal.indicators, event.card)))


def _card_drawn(table: Table, event: events.CardDrawn) -> Table:
    deal = table.deal
    wall = deal.wall
    card = wall[0]
    if card != event.card:  # a card that is known needs no call
        card = face(card, event.card)
    return replace(table, deal=replace(deal, phase=DRAWN, turn=event.seat, wall=wall[1:], drawn=(card,)))


def _card_inserted(table: Table, event: events.CardInserted) -> Table:
    deal = table.deal
    place = deal.places[event.seat]
    at = event.at
    hand = place.hand[:at] + deal.drawn + place.hand[at:]
    places = put(deal.places, event.seat, replace(place, hand=hand))
    return replace(table, deal=replace(deal, phase=DISCARD, drawn=(), inserted=AT[at], places=places))


def _card_discarded(table: Table, event: events.CardDiscarded) -> Table:
    deal = table.deal
    place = deal.places[event.seat]
    hand, at, card = place.hand, event.at, event.card
    if hand[at] != card:  # a card that is known needs no call
        face(hand[at], card)
    after = replace(place, hand=hand[:at] + hand[at + 1 :], row=(*place.row, LAIN[card][event.reach]))
    places = put(deal.places, event.seat, after)
    into = deal.inserted[0] if deal.inserted else NOWHERE
    past = deal.past + record(DISCARDED, event.seat, card, at, into)
    return replace(table, deal=replace(deal, phase=DEALING, inserted=(), places=places, past=past))


def _drawn_discarded(table: Table, event: events.DrawnDiscarded) -> Table:
    deal = table.deal
    face(deal.drawn[0], event.card)
    place = deal.places[event.seat]
    places = put(deal.places, event.seat, replace(place, row=(*place.row, LAIN[event.card][False])))
    past = deal.past + DRAWN_DISCARDED[event.seat][event.card]
    return replace(table, deal=replace(deal, phase=DEALING, drawn=(), places=places, past=past))


def _reach_declared(table: Table, event: events.ReachDeclared) -> Table:
    deal = table.deal
    place = deal.places[event.seat]
    places = put(deal.places, event.seat, replace(place, in_reach=True, laid=place.laid + event.od))
    deal = replace(deal, places=places, past=deal.past + record(REACHED, event.seat, NOWHERE, NOWHERE, NOWHERE))
    return replace(table, od=_add(table.od, event.seat, -event.od), deal=deal)


def _claims_opened(table: Table, event: events.ClaimsOpened) -> Table:
    past = table.deal.past + CLAIMS_OPENED[event.discarder]
    return replace(table, deal=replace(table.deal, phase=CLAIMS, asked=event.asked, past=past))


def _claims_passed(table: Table, event: events.ClaimsPassed) -> Table:
    return replace(table, deal=replace(table.deal, phase=DEALING, asked=()))


def _without_last(places: tuple[Place, ...], seat: Seat, card: Card) -> tuple[Place, ...]:
    """Return the places after the claimed discard has left its row."""
    place = places[seat]
    face(place.row[-1].card, card)
    return put(places, seat, replace(place, row=place.row[:-1]))


def _pledged(table: Table, event: events.Pledged) -> Table:
    deal = table.deal
    places = _without_last(deal.places, event.discarder, event.card)
    place = places[event.seat]
    hand, first, second = place.hand, event.first, event.second
    faces((hand[first], hand[second]), event.pair)
    after = replace(
        place,
        hand=hand[:first] + hand[first + 1 : second] + hand[second + 1 :],
        pledges=(*place.pledges, event.spell),
        laid=place.laid + event.od,
    )
    places = put(places, event.seat, after)
    seat, (left, right) = event.seat, event.pair
    taken = (TAKEN, seat, right, second, NOWHERE, TAKEN, seat, left, first, NOWHERE)
    past = deal.past + three_records(*taken, PLEDGED, seat, event.card, NOWHERE, NOWHERE)
    deal = replace(deal, phase=DISCARD, turn=seat, asked=(), places=places, past=past)
    return replace(table, od=_add(table.od, event.seat, -event.od), deal=deal)


def _shown(place: Place, lying: Lying, told: Lying) -> Place:
    return replace(place, hand=faces(lying, told), is_shown=True)


def _tsumo_declared(table: Table, event: events.TsumoDeclared) -> Table:
    deal = table.deal
    return replace(table, deal=_won(replace(deal, drawn=()), event, deal.drawn))


def _ron_declared(table: Table, event: events.RonDeclared) -> Table:
    deal = table.deal
    places = _without_last(deal.places, event.discarder, event.card)
    return replace(table, deal=_won(replace(deal, asked=(), places=places), event, (event.card,)))


def _won(deal: Deal, event: events.TsumoDeclared | events.RonDeclared, card: Lying) -> Deal:
    """Show the winner's hand, with the card with which it won in its place."""
    place = deal.places[event.seat]
    lying = (*place.hand[: event.at], *card, *place.hand[event.at :])
    places = put(deal.places, event.seat, _shown(place, lying, event.hand))
    past = deal.past + record(WON, event.seat, NOWHERE, NOWHERE, event.at)
    return replace(deal, phase=DEALING, places=places, past=past)


def _nothing(table: Table, event: object) -> Table:
    """Leave the table as it is: it shows already what the event reports, or the next event changes it."""
    return table


def _od_paid(table: Table, event: events.OdPaid) -> Table:
    return replace(table, od=_add(_add(table.od, event.payer, -event.od), event.winner, event.od))


def _nothing_laid(deal: Deal) -> Deal:
    return replace(deal, places=tuple(replace(place, laid=0) for place in deal.places))


def _laid_taken(table: Table, event: events.LaidTaken) -> Table:
    return replace(table, od=_add(table.od, event.seat, event.od), deal=_nothing_laid(table.deal))


def _ley_line_collected(table: Table, event: events.LeyLineCollected) -> Table:
    return replace(table, od=_add(table.od, event.seat, event.od), ley_line=table.ley_line - event.od)


def _laid_sunk(table: Table, event: events.LaidSunk) -> Table:
    return replace(table, ley_line=table.ley_line + event.od, deal=_nothing_laid(table.deal))


def _manager_added(table: Table, event: events.ManagerAdded) -> Table:
    return replace(table, od=_add(table.od, event.manager, -event.od), ley_line=table.ley_line + event.od)


def _hand_shown(table: Table, event: events.HandShown) -> Table:
    deal = table.deal
    place = deal.places[event.seat]
    places = put(deal.places, event.seat, _shown(place, place.hand, event.hand))
    return replace(table, deal=replace(deal, places=places))


def _manager_passed(table: Table, event: events.ManagerPassed) -> Table:
    return replace(table, manager=event.to)


def _match_ended(table: Table, event: events.MatchEnded) -> Table:
    return replace(table, deal=replace(table.deal, phase=OVER))


evolve: Evolve[Table] = Evolve(
    {
        events.AttributesDrawn: _attributes_drawn,
        events.DealStarted: _deal_started,
        events.Shuffled: _shuffled,
        events.HandDealt: _hand_dealt,
        events.UnusedSetAside: _unused_set_aside,
        events.IndicatorTurned: _indicator_turned,
        events.CardDrawn: _card_drawn,
        events.CardInserted: _card_inserted,
        events.CardDiscarded: _card_discarded,
        events.DrawnDiscarded: _drawn_discarded,
        events.ReachDeclared: _reach_declared,
        events.ClaimsOpened: _claims_opened,
        events.ClaimsPassed: _claims_passed,
        events.Pledged: _pledged,
        events.TsumoDeclared: _tsumo_declared,
        events.RonDeclared: _ron_declared,
        events.Measured: _nothing,
        events.OdPaid: _od_paid,
        events.LaidTaken: _laid_taken,
        events.LeyLineCollected: _ley_line_collected,
        events.LaidSunk: _laid_sunk,
        events.ManagerAdded: _manager_added,
        events.DealDrawn: _nothing,
        events.HandShown: _hand_shown,
        events.ManagerStayed: _nothing,
        events.ManagerPassed: _manager_passed,
        events.LapCompleted: _nothing,
        events.MatchEnded: _match_ended,
    }
)
"""Returns the table after an event.

Raises:  ValueError when an event has a face other than the one that is known to be there.
"""
