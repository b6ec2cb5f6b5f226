"""What is played for an absent seat, and what a bot needs: a state that could be, and how good a position looks."""

from __future__ import annotations

from msgspec.structs import replace

from domain.chance import Chance
from domain.game import Seat
from domain.secrecy import fill, unseen
from tests.toy.high_card.components import Phase
from tests.toy.high_card.moves import HighCardMove
from tests.toy.high_card.rules import legal
from tests.toy.high_card.state import Table, has_pair


def default(seen: Table, seat: Seat) -> HighCardMove:
    """For an absent seat: the highest card, and no raise."""
    return legal(seen, seat)[-1]


def imagine(seen: Table, seat: Seat | None, chance: Chance) -> Table:
    """A table that looks the same to the seat: what it doesn't know is drawn until the raises could have come so."""
    zones = [seen.stock, *(zone for place in seen.places for zone in (place.hand, place.aside))]
    unknown = unseen(seen.pack.deck, *zones)
    while True:
        left = reversed(chance.shuffle(unknown))
        places = tuple(
            replace(place, hand=fill(place.hand, left), aside=fill(place.aside, left)) for place in seen.places
        )
        pairs = tuple(has_pair(place) for place in places)
        if seen.phase is Phase.SETTING or any(pairs) == bool(seen.asked):
            return replace(seen, stock=fill(seen.stock, left), places=places, asked=pairs if seen.asked else ())


def evaluate(seen: Table, seat: Seat) -> float:
    """Own chips, and the share of the pot that one's own card, die and bonus promise."""
    own = seen.places[seat]
    card = own.aside[0] if own.aside else None
    promise = (card or 0) + own.pips + seen.pack.bonus * own.raised
    return own.chips + seen.pot * promise / (seen.pack.ranks + 6 + seen.pack.bonus)
