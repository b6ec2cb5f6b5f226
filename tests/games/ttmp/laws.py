"""What the laws must be told of TTMP."""

from __future__ import annotations

from collections import Counter

from domain.chance import Chance
from domain.games.ttmp import GAME, events, moves
from domain.games.ttmp.components import Mode, Options
from domain.games.ttmp.state import Table
from domain.games.ttmp.view import TableView
from domain.scene import Kind
from tests.games.ttmp.claims import CLAIMS
from tests.games.ttmp.table import ODD
from tests.laws.rooms import Known, listed, room_of

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


def things(view: TableView) -> Counter[Kind]:
    """The dice, those of the final exam too; stones and magic cards in decks, beside them, in hands and in stock."""
    count = view.stones + sum(deck.cards + len(deck.discards) for deck in view.decks)
    for place in view.places:
        count += len(place.stones) + sum(map(len, (*place.hand, *place.stock)))
    return Counter({Kind.CARD: count, Kind.DIE: len(view.dice) + sum(len(place.exam) for place in view.places)})


KNOWN = Known(conserved=conserved, options=options, things=things, claims=CLAIMS, **listed(__file__, events, moves))
