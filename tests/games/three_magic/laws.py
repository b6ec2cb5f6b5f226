"""What the laws must be told of Three Magic."""

from __future__ import annotations

from collections import Counter

from domain.chance import Chance
from domain.games.three_magic.components import DECK, Options
from domain.games.three_magic.state import Table
from tests.laws.rooms import Known


def conserved(table: Table) -> object:
    """The 60 cards by kind, and all od: in hand, before the players and in the ley line."""
    deal = table.deal
    cards = Counter((*deal.wall, *deal.drawn, *deal.unused, *deal.indicators))
    for place in deal.places:
        cards.update(place.hand)
        cards.update(lain.card for lain in place.row)
        cards.update(card for spell in place.pledges for card in spell)
    od = sum(table.od) + sum(place.laid for place in deal.places) + table.ley_line
    assert cards == Counter(DECK), "cards are lost or doubled"  # 3M-1
    assert od == 3 * table.terms.pack.prices.start, f"{od} od in all"  # 3M-3
    return od


def options(chance: Chance) -> tuple[str, int, Options]:
    """Mostly the short game."""
    return "house", 3, Options(laps=2 if chance.below(5) == 0 else 1)


KNOWN = Known(
    conserved=conserved,
    options=options,
    reveals={
        "HandDealt": frozenset({"cards"}),
        "IndicatorTurned": frozenset({"card"}),
        "CardDrawn": frozenset({"card"}),
        "CardDiscarded": frozenset({"card"}),
        "DrawnDiscarded": frozenset({"card"}),
        "TsumoDeclared": frozenset({"card", "at", "hand"}),
        "RonDeclared": frozenset({"at", "hand"}),
        "Pledged": frozenset({"pair", "spell", "call", "od"}),
        "DealDrawn": frozenset({"ready"}),
    },
    tells=frozenset({"ClaimsOpened", "HandShown"}),
    floors={
        "Tsumo": 20,
        "Ron": 20,
        "Pledge": 20,
        "Discard": 1000,
        "Insert": 1000,
        "DiscardDrawn": 40,
        "ReachDeclared": 50,
        "ClaimsPassed": 20,
        "LeyLineCollected": 5,
        "LaidTaken": 5,
        "DealDrawn": 20,
        "HandShown": 1,
        "MatchEnded": 30,
    },
    matches=30,
)
