"""The default move: the clock plays it for an absent seat whose time is up."""

from __future__ import annotations

from domain.game import Seat
from domain.games.three_magic.moves import Discard, Insert, ThreeMagicMove
from domain.games.three_magic.rules.claims import PASS
from domain.games.three_magic.rules.turn import DISCARD_DRAWN
from domain.games.three_magic.state import Phase, Table


def default(seen: Table, seat: Seat) -> ThreeMagicMove:
    """Return the move of an absent seat: pass; insert the drawn card at the right end, and discard it.

    After a pledge the rightmost card is discarded.
    """
    deal = seen.deal
    place = deal.places[seat]
    if deal.phase is Phase.CLAIMS:
        return PASS
    if deal.phase is Phase.DRAWN:
        return DISCARD_DRAWN if place.in_reach else Insert(len(place.hand))
    return Discard(deal.inserted[0] if deal.inserted else len(place.hand) - 1)
