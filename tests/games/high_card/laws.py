"""What the laws must be told of High Card."""

from __future__ import annotations

from collections import Counter

from domain.chance import Chance
from domain.scene import Kind
from tests.games.high_card.claims import CLAIMS
from tests.laws.rooms import Known, listed
from tests.toy.high_card import events, moves
from tests.toy.high_card.components import Options
from tests.toy.high_card.state import Table
from tests.toy.high_card.view import TableView


def conserved(table: Table) -> object:
    """Every card lies somewhere once dealt, and no chip is lost."""
    cards = Counter(table.stock)
    for place in table.places:
        cards.update((*place.hand, *place.aside))
    chips = table.pot + sum(place.chips for place in table.places)
    # before the first round and between ante and deal no card lies anywhere
    return chips == table.pack.stake * len(table.places), not cards or cards == Counter(table.pack.deck)


def options(chance: Chance) -> tuple[str, int, Options]:
    """Mostly the house pack."""
    return ("flat" if chance.below(5) == 0 else "house"), 2 + chance.below(3), Options(rounds=1 + chance.below(3))


def things(view: TableView) -> Counter[Kind]:
    """Cards in the stock, in hands and set aside, and dice that were rolled."""
    return Counter(
        {
            Kind.CARD: view.stock + sum(len(place.hand) + len(place.aside) for place in view.places),
            Kind.DIE: sum(len(place.pips) for place in view.places),
        }
    )


KNOWN = Known(conserved=conserved, options=options, things=things, claims=CLAIMS, **listed(__file__, events, moves))
