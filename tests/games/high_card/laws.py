"""What the laws must be told of High Card."""

from __future__ import annotations

from collections import Counter

from domain.chance import Chance
from tests.laws.rooms import Known
from tests.toy.high_card.components import Options
from tests.toy.high_card.state import Table


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


KNOWN = Known(
    conserved=conserved,
    options=options,
    reveals={
        "Dealt": frozenset({"cards"}),
        "Raised": frozenset({"rank"}),
        "CardsTurned": frozenset({"cards"}),
        "PotShared": frozenset({"winners", "chips"}),
        "RaisesOpened": frozenset({"asked"}),
    },
    tells=frozenset({"RaisesOpened"}),
    floors={"RaisesOpened": 20, "Raised": 10, "GameEnded": 60, "Pass": 10},
    matches=60,
)
