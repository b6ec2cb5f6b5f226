"""What the laws must be told of Troll Master."""

from __future__ import annotations

from collections import Counter

from domain.chance import Chance
from domain.games.troll_master import GAME, events, moves
from domain.games.troll_master.components import DECK, Options
from domain.games.troll_master.state import Table
from domain.games.troll_master.view import TableView
from domain.scene import Kind
from tests.games.troll_master.claims import CLAIMS
from tests.games.troll_master.table import ODD, PACK
from tests.laws.rooms import Known, listed, room_of

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


def things(view: TableView) -> Counter[Kind]:
    """Magic cards in every pile and hand, familiars in the supply, in play and below others; a pawn a seat."""
    magics = view.deck + view.discards + len(view.open) + sum(len(place.hand) for place in view.places)
    owned = [one for place in view.places for one in place.familiars]
    familiars = sum(pile.left for pile in view.supply) + sum(1 + len(one.covered) for one in owned)
    return Counter({Kind.CARD: magics + familiars, Kind.PAWN: len(view.places)})


KNOWN = Known(conserved=conserved, options=options, things=things, claims=CLAIMS, **listed(__file__, events, moves))
