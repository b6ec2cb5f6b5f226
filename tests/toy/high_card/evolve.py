"""Writes events down: the table as they have told it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from domain.game import Evolve, Seat, put
from domain.secrecy import faces, without
from tests.toy.high_card import events
from tests.toy.high_card.components import HAND, Phase
from tests.toy.high_card.state import Place, Table


def _at(table: Table, seat: Seat, **changes: Any) -> tuple[Place, ...]:
    return put(table.places, seat, replace(table.places[seat], **changes))


def _round_started(table: Table, event: events.RoundStarted) -> Table:
    places = tuple(Place(chips=place.chips - event.ante) for place in table.places)
    pot = table.pot + event.ante * len(places)
    return replace(table, round=event.round, phase=Phase.SETTING, pot=pot, asked=(), turned=False, places=places)


def _shuffled(table: Table, event: events.Shuffled) -> Table:
    return replace(table, stock=event.cards)


def _dealt(table: Table, event: events.Dealt) -> Table:
    hand = faces(table.stock[:HAND], event.cards)
    return replace(table, stock=table.stock[HAND:], places=_at(table, event.seat, hand=hand))


def _card_set_aside(table: Table, event: events.CardSetAside) -> Table:
    hand = without(table.places[event.seat].hand, event.card)
    places = _at(table, event.seat, hand=hand, aside=(event.card,))
    is_last = all(place.aside for place in places)
    return replace(table, places=places, phase=Phase.ROLLING if is_last else Phase.SETTING)


def _raises_opened(table: Table, event: events.RaisesOpened) -> Table:
    return replace(table, phase=Phase.RAISING, asked=event.asked)


def _raised(table: Table, event: events.Raised) -> Table:
    place = table.places[event.seat]
    hand = faces(place.hand, (event.rank,) * len(place.hand))
    places = _at(table, event.seat, chips=place.chips - event.chips, raised=True, hand=hand)
    return replace(table, pot=table.pot + event.chips, places=places)


def _raises_closed(table: Table, event: events.RaisesClosed) -> Table:
    return replace(table, phase=Phase.ROLLING)


def _die_rolled(table: Table, event: events.DieRolled) -> Table:
    return replace(table, places=_at(table, event.seat, pips=event.pips))


def _cards_turned(table: Table, event: events.CardsTurned) -> Table:
    turned = tuple(
        replace(place, aside=faces(place.aside, (card,))) for place, card in zip(table.places, event.cards, strict=True)
    )
    return replace(table, turned=True, places=turned)


def _pot_shared(table: Table, event: events.PotShared) -> Table:
    places = tuple(
        replace(place, chips=place.chips + event.chips) if seat in event.winners else place
        for seat, place in enumerate(table.places)
    )
    return replace(table, pot=table.pot - event.chips * len(event.winners), places=places)


def _game_ended(table: Table, event: events.GameEnded) -> Table:
    return replace(table, phase=Phase.OVER)


evolve: Evolve[Table] = Evolve(
    {
        events.RoundStarted: _round_started,
        events.Shuffled: _shuffled,
        events.Dealt: _dealt,
        events.CardSetAside: _card_set_aside,
        events.RaisesOpened: _raises_opened,
        events.Raised: _raised,
        events.RaisesClosed: _raises_closed,
        events.DieRolled: _die_rolled,
        events.CardsTurned: _cards_turned,
        events.PotShared: _pot_shared,
        events.GameEnded: _game_ended,
    }
)
"""The table after an event."""
