"""What the laws must be told of TTMP."""

from __future__ import annotations

from collections import Counter

from domain.chance import Chance
from domain.games.ttmp import GAME
from domain.games.ttmp.components import Mode, Options
from domain.games.ttmp.state import Table
from tests.games.ttmp.table import ODD
from tests.laws.rooms import Known, room_of

room_of(GAME.slug).add_pack("odd.toml", ODD)

MODES = (
    (),
    (Mode.HARD,),
    (Mode.KIND,),
    (Mode.RANKING,),
    (Mode.KNOCKOUT,),
    (Mode.KNOCKOUT,),
    (Mode.KNOCKOUT,),
    (Mode.KIND, Mode.HARD),
)


def conserved(table: Table) -> object:
    """The stones by their points, and the magic cards of each level by kind."""
    stones, cards = Counter(table.stones), (Counter[object](), Counter[object]())
    for count, deck in zip(cards, table.decks, strict=True):
        count.update((*deck.cards, *deck.discards))
    for place in table.places:
        stones.update(place.stones)
        for count, hand, stock in zip(cards, place.hand, place.stock, strict=True):
            count.update((*hand, *stock))
    printed = table.terms.printed
    assert stones == Counter(printed.stones), "stones are lost or doubled"  # TT-1
    assert cards == tuple(map(Counter, printed.decks)), "magic cards are lost or doubled"  # TT-1
    return len(table.places)


def options(chance: Chance) -> tuple[str, int, Options]:
    """Any mode and number of seats, and sometimes the odd pack."""
    return "odd" if chance.below(4) == 0 else "house", chance.choose(GAME.seats), Options(modes=chance.choose(MODES))


KNOWN = Known(
    conserved=conserved,
    options=options,
    reveals={
        "CardUsed": frozenset({"card"}),
        "CardDiscarded": frozenset({"card"}),
        "CardDrawn": frozenset({"card"}),
        "StoneDrawn": frozenset({"stone"}),
        "StonesMixed": frozenset({"stones"}),
        "StoneTaken": frozenset({"stone"}),
        "StoneSummoned": frozenset({"drawn", "left"}),
        "RestTaken": frozenset({"stones"}),
        "StonesShown": frozenset({"stones"}),
    },
    tells=frozenset({"SummonerFound", "StonesShown"}),
    floors={
        "Use": 500,
        "Stock": 50,
        "Discard": 20,
        "LimitExceeded": 5,
        "DrawStone": 150,
        "SummonerFound": 10,
        "TakeStone": 10,
        "MixWith": 3,
        "MixWithDeck": 3,
        "FamiliarSummoned": 5,
        "DeckRefilled": 10,
        "RestTaken": 1,
        "MatchEnded": 60,
    },
    matches=60,
)
