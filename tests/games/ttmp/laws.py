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
from tests.laws.knowledge import HIDDEN, SHOWN_EACH, Field, Fields, drawn_by, kept_by, seats_in, told
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


def things(view: TableView) -> Counter[Kind]:
    """The dice; stones and magic cards in decks, beside them, in hands and in stock."""
    count = view.stones + sum(deck.cards + len(deck.discards) for deck in view.decks)
    for place in view.places:
        count += len(place.stones) + sum(map(len, (*place.hand, *place.stock)))
    return Counter({Kind.CARD: count, Kind.DIE: len(view.dice)})


TAKEN = Field(seats_in("seat", "owner"), seats_in("seat"))
"""A stone that the owner knew, and the taker knows now."""

FIELDS: Fields = {
    events.StonesShuffled: told(stones=HIDDEN),
    events.CardsShuffled: told("level", cards=HIDDEN),
    events.StartRolled: told("seats dice"),
    events.RoundBegan: told("round start"),
    events.LimitExceeded: told("seat limit"),
    events.TurnBegan: told("seat turn"),
    events.CardUsed: told("seat level card changed to rolled dice"),
    events.DiceRolled: told("seat action kept rolled dice"),
    events.DiceKept: told("seat dice"),
    events.DrawAnnounced: told("seat level"),
    events.CardDiscarded: told("seat level card"),
    events.DeckRefilled: told("level", cards=HIDDEN),
    events.CardDrawn: told("seat level", card=drawn_by("seat")),
    events.StoneDrawn: told("seat", stone=drawn_by("seat")),
    events.StonesMixed: told("seat", stones=kept_by("seat")),
    events.StoneTaken: told("seat owner both", stone=TAKEN),
    events.SummonerFound: told("seat stone"),
    events.StoneSummoned: told("seat stone owner readers", drawn=TAKEN, left=kept_by("owner")),
    events.DieRerolled: told("seat die to dice"),
    events.DiceLeft: told("seat"),
    events.CardStocked: told("seat level", card=kept_by("seat")),
    events.ExamLeft: told("seat"),
    events.RestTaken: told("seat", stones=drawn_by("seat")),
    events.RoundEnded: told("round taker returned"),
    events.StonesShown: told(stones=SHOWN_EACH),
    events.FamiliarSummoned: told("seat highest stone drawn left"),
    events.FinalRolled: told("seat points players dice value needed"),
    events.MatchEnded: told("points ranking winners"),
    moves.Use: told("card dice to"),
    moves.Roll: told("dice"),
    moves.KeepDice: told(),
    moves.DrawCard: told("level"),
    moves.DrawStone: told(),
    moves.TakeStone: told("seat"),
    moves.Discard: told("card"),
    moves.Reroll: told("die"),
    moves.LeaveDice: told(),
    moves.Stock: told("level", card=kept_by("seat")),
    moves.StockNothing: told(),
    moves.MixWith: told("seat"),
    moves.MixWithDeck: told(),
}

KNOWN = Known(
    conserved=conserved,
    options=options,
    fields=FIELDS,
    tells=frozenset({"SummonerFound", "StonesShown"}),
    floors={
        "Use": 396,
        "Stock": 50,
        "Discard": 20,
        "LimitExceeded": 3,
        "DrawStone": 133,
        "SummonerFound": 10,
        "TakeStone": 5,
        "MixWith": 3,
        "MixWithDeck": 3,
        "FamiliarSummoned": 5,
        "DeckRefilled": 5,
        "RestTaken": 1,
        "MatchEnded": 30,
    },
    matches=60,
    things=things,
    claims=CLAIMS,
)
