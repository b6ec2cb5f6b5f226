"""What the table shows."""

from __future__ import annotations

from domain.game import ALL, Maybe, Seat, Value, View
from tests.toy.high_card.components import Lying, Phase
from tests.toy.high_card.rules import to_act
from tests.toy.high_card.state import Place, Table


class PlaceView(Value, frozen=True):
    """What lies before one seat."""

    seat: Seat
    chips: int
    """What the seat owns, without the pot."""
    hand: Lying
    """Its cards; None is a card that is face down to the viewer."""
    aside: Maybe[int | None]
    """The card set aside, once it is."""
    pips: Maybe[int]
    """Of the die, once it was rolled."""
    raised: bool
    """Whether the seat has shown its pair in this round."""


class TableView(View, frozen=True, tag="high-card"):
    """What the table shows to one seat."""

    step: Phase
    """What the round waits for."""
    round: int
    """From 1; 0 before the first."""
    rounds: int
    """How many are played."""
    pot: int
    """Chips that the winner of the round takes."""
    stock: int
    """Cards left in it."""
    places: tuple[PlaceView, ...]
    """In seat order."""


def view(seen: Table, viewer: Seat | None) -> TableView:
    """The table as the seat sees it: its own cards, pairs that were shown, and what was turned up."""
    is_sealed = seen.phase is Phase.RAISING
    return TableView(
        turn=tuple(seat for seat in to_act(seen) if not is_sealed or viewer in {seat, ALL}),
        step=seen.phase,
        round=seen.round,
        rounds=seen.rounds,
        pot=seen.pot,
        stock=len(seen.stock),
        places=tuple(_place(seen, owner, place, viewer in {owner, ALL}) for owner, place in enumerate(seen.places)),
    )


def _place(seen: Table, owner: Seat, place: Place, may_see: bool) -> PlaceView:
    return PlaceView(
        seat=owner,
        chips=place.chips,
        hand=place.hand if may_see or place.raised else (None,) * len(place.hand),
        aside=place.aside if may_see or seen.turned else (None,) * len(place.aside),
        pips=(place.pips,) if place.pips else (),
        raised=place.raised,
    )
