"""What the laws must be told of Three Magic."""

from __future__ import annotations

from collections import Counter

from domain.chance import Chance
from domain.games.three_magic import events, moves
from domain.games.three_magic.components import DECK, Options
from domain.games.three_magic.state import Table
from domain.games.three_magic.view import TableView
from domain.scene import Kind
from tests.games.three_magic.claims import CLAIMS
from tests.laws.rooms import Known, listed


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


def things(view: TableView) -> Counter[Kind]:
    """The wall, the indicators, the hands with what was drawn, the discards, and three cards a pledge."""
    cards = view.wall + len(view.indicators)
    for place in view.places:
        cards += len(place.hand) + len(place.drawn) + len(place.discards) + 3 * len(place.pledges)
    return Counter({Kind.CARD: cards})


def options(chance: Chance) -> tuple[str, int, Options]:
    """Mostly the short game."""
    return "house", 3, Options(laps=2 if chance.below(5) == 0 else 1)


KNOWN = Known(
    conserved=conserved,
    options=options,
    things=things,
    claims=CLAIMS,
    wanted=Options(laps=2),
    **listed(__file__, events, moves),
)
