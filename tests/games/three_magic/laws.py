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
from tests.laws.knowledge import HIDDEN, NEWS, OWN_EACH, Fields, drawn_by, shown_by, told
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


def things(view: TableView) -> Counter[Kind]:
    """The wall, the indicators, the hands with what was drawn, the discards, and three cards a pledge."""
    cards = view.wall + len(view.indicators)
    for place in view.places:
        cards += len(place.hand) + len(place.drawn) + len(place.discards) + 3 * len(place.pledges)
    return Counter({Kind.CARD: cards})


def options(chance: Chance) -> tuple[str, int, Options]:
    """Mostly the short game."""
    return "house", 3, Options(laps=2 if chance.below(5) == 0 else 1)


FIELDS: Fields = {
    events.AttributesDrawn: told("attributes"),
    events.DealStarted: told("deal lap manager"),
    events.Shuffled: told(cards=HIDDEN),
    events.HandDealt: told("seat", cards=drawn_by("seat")),
    events.UnusedSetAside: told("count"),
    events.IndicatorTurned: told(card=NEWS),
    events.CardDrawn: told("seat", card=drawn_by("seat")),
    events.CardInserted: told("seat at"),
    events.CardDiscarded: told("seat at reach", card=shown_by("seat")),
    events.DrawnDiscarded: told("seat", card=shown_by("seat")),
    events.ReachDeclared: told("seat od"),
    events.ClaimsOpened: told("discarder card", asked=OWN_EACH),
    events.ClaimsPassed: told("discarder card"),
    events.Pledged: told(
        "seat discarder first second card",
        call=shown_by("seat"),
        pair=shown_by("seat"),
        spell=shown_by("seat"),
        od=shown_by("seat"),
    ),
    events.TsumoDeclared: told("seat", card=shown_by("seat"), at=shown_by("seat"), hand=shown_by("seat")),
    events.RonDeclared: told("seat discarder card", at=shown_by("seat"), hand=shown_by("seat")),
    events.Measured: told("seat spells counted attribute line number star catalyst total"),
    events.OdPaid: told("payer winner od"),
    events.LaidTaken: told("seat od"),
    events.LeyLineCollected: told("seat od"),
    events.LaidSunk: told("od"),
    events.ManagerAdded: told("manager od"),
    events.DealDrawn: told("manager", ready=shown_by("manager")),
    events.HandShown: told("seat", hand=shown_by("seat")),
    events.ManagerStayed: told("manager"),
    events.ManagerPassed: told("manager to"),
    events.LapCompleted: told("lap"),
    events.MatchEnded: told("points ranking"),
    moves.Tsumo: told(),
    moves.Insert: told("at"),
    moves.Discard: told("at reach"),
    moves.DiscardDrawn: told(),
    moves.Ron: told(),
    moves.Pledge: told("first second"),
    moves.Pass: told(),
}

KNOWN = Known(
    conserved=conserved,
    options=options,
    fields=FIELDS,
    tells=frozenset({"ClaimsOpened", "HandShown"}),
    floors={
        "Tsumo": 12,
        "Ron": 20,
        "Pledge": 20,
        "Discard": 1000,
        "Insert": 1000,
        "DiscardDrawn": 21,
        "ReachDeclared": 14,
        "ClaimsPassed": 20,
        "LeyLineCollected": 5,
        "LaidTaken": 5,
        "DealDrawn": 13,
        "HandShown": 1,
        "MatchEnded": 15,
    },
    matches=30,
    things=things,
    claims=CLAIMS,
    wanted=Options(laps=2),
)
