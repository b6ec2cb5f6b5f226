"""What the laws must be told of High Card."""

from __future__ import annotations

from collections import Counter

from domain.chance import Chance
from domain.scene import Kind
from tests.games.high_card.claims import CLAIMS
from tests.laws.knowledge import HIDDEN, OWN_EACH, SHOWN_EACH, Fields, drawn_by, kept_by, shown_by, told
from tests.laws.rooms import Known
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


FIELDS: Fields = {
    events.RoundStarted: told("round ante"),
    events.Shuffled: told(cards=HIDDEN),
    events.Dealt: told("seat", cards=drawn_by("seat")),
    events.CardSetAside: told("seat", card=kept_by("seat")),
    events.RaisesOpened: told(asked=OWN_EACH),
    events.Raised: told("seat chips", rank=shown_by("seat")),
    events.RaisesClosed: told(),
    events.DieRolled: told("seat pips"),
    events.CardsTurned: told(cards=SHOWN_EACH),
    events.PotShared: told("winners chips"),
    events.GameEnded: told("points ranking"),
    moves.SetAside: told(card=kept_by("seat")),
    moves.Raise: told(),
    moves.Pass: told(),
    moves.Roll: told(),
}

KNOWN = Known(
    conserved=conserved,
    options=options,
    fields=FIELDS,
    tells=frozenset({"RaisesOpened"}),
    floors={"RaisesOpened": 19, "Raised": 10, "GameEnded": 30, "Pass": 10},
    matches=60,
    things=things,
    claims=CLAIMS,
)
