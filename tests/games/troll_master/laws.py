"""What the laws must be told of Troll Master."""

from __future__ import annotations

from collections import Counter

from domain.chance import Chance
from domain.games.troll_master import GAME
from domain.games.troll_master.components import DECK, Options
from domain.games.troll_master.state import Table
from tests.games.troll_master.table import ODD, PACK
from tests.laws.rooms import Known, room_of

room_of(GAME.slug).add_pack("odd.toml", ODD)


def conserved(table: Table) -> object:
    """The 24 magic cards by kind, and the familiars: in the supply, uncovered and covered."""
    cards = Counter((*table.cards.deck, *table.cards.discards, *table.cards.open))
    familiars = Counter({pile.card.name: pile.left for pile in table.supply})
    for place in table.places:
        cards.update(place.hand)
        for owned in place.familiars:
            familiars.update((owned.card.name, *owned.covered))
        assert place.mana >= 0
        assert all(0 <= owned.charges <= owned.card.ribbons for owned in place.familiars)
    assert cards == Counter(DECK), "magic cards are lost or doubled"  # TM-1
    return +familiars


def options(chance: Chance) -> tuple[str, int, Options]:
    """Any number of seats, and sometimes the odd pack, which lays other tables; mostly familiars drawn by chance."""
    seats = chance.choose(GAME.seats)
    if chance.below(3) == 0:
        return "odd", seats, Options()
    names = tuple(familiar.name for familiar in PACK.familiars)
    return "house", seats, Options(familiars=chance.shuffle(names)[:10]) if chance.below(4) == 0 else Options()


KNOWN = Known(
    conserved=conserved,
    options=options,
    reveals={
        "CardsTurned": frozenset({"cards"}),
        "CardsDealt": frozenset({"hands"}),
        "CardDrawn": frozenset({"card"}),
        "HandRevealed": frozenset({"cards"}),
        "Discard": frozenset({"card"}),  # the only card in hand, which the engine discards (TM-18)
    },
    tells=frozenset({"WentOut"}),
    floors={
        "Use": 20,
        "Summon": 50,
        "Train": 50,
        "Charge": 20,
        "ChainTo": 5,
        "AttackSucceeded": 50,
        "AttackFailed": 50,
        "MatchEnded": 30,
    },
    matches=45,
)
