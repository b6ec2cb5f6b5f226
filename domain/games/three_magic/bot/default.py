"""What the clock plays for an absent seat."""

from __future__ import annotations

from domain.game import Seat
from domain.games.three_magic.moves import Discard, Insert, ThreeMagicMove
from domain.games.three_magic.rules.claims import PASS
from domain.games.three_magic.rules.turn import DISCARD_DRAWN
from domain.games.three_magic.state import Phase, Table


def default(seen: Table, seat: Seat) -> ThreeMagicMove:
    """Pass; discard what was drawn, through the right end of the hand; after a pledge the rightmost card."""
    deal = seen.deal
    place = deal.places[seat]
    if deal.phase is Phase.CLAIMS:
        return PASS
    if deal.phase is Phase.DRAWN:
        return DISCARD_DRAWN if place.in_reach else Insert(len(place.hand))
    return Discard(deal.inserted[0] if deal.inserted else len(place.hand) - 1)
