"""What the table shows."""

from __future__ import annotations

from domain.game import ALL, Seat, Value
from tests.toy.high_card.components import Phase
from tests.toy.high_card.state import Place, Table


class TableView(Value, frozen=True):
    """What the table shows to one seat."""

    round: int
    rounds: int
    phase: Phase
    pot: int
    stock: int
    asked: bool | None
    """Whether the viewer is asked for a raise; None: not known, or not open."""
    places: tuple[Place, ...]


def view(seen: Table, seat: Seat | None) -> TableView:
    """The table as the seat sees it: its own cards, pairs that were shown, and what was turned up."""
    places = tuple(
        Place(
            chips=place.chips,
            hand=place.hand if seat in {owner, ALL} or place.raised else (None,) * len(place.hand),
            aside=place.aside if seat in {owner, ALL} or seen.turned else (None,) * len(place.aside),
            pips=place.pips,
            raised=place.raised,
        )
        for owner, place in enumerate(seen.places)
    )
    asked = seen.asked[seat] if seen.asked and seat not in {None, ALL} else None
    return TableView(seen.round, seen.rounds, seen.phase, seen.pot, len(seen.stock), asked, places)
