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
from tests.laws.knowledge import DRAWN_EACH, HIDDEN, NEWS, Fields, drawn_by, shown_by, told
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


def things(view: TableView) -> Counter[Kind]:
    """Magic cards in every pile and hand, familiars in the supply, in play and below others; a pawn a seat."""
    magics = view.deck + view.discards + len(view.open) + sum(len(place.hand) for place in view.places)
    owned = [one for place in view.places for one in place.familiars]
    familiars = sum(pile.left for pile in view.supply) + sum(1 + len(one.covered) for one in owned)
    return Counter({Kind.CARD: magics + familiars, Kind.PAWN: len(view.places)})


FIELDS: Fields = {
    events.FamiliarsLaidOut: told("familiars"),
    events.BroomTaken: told("seat"),
    events.Shuffled: told(cards=HIDDEN),
    events.RoundStarted: told("round start"),
    events.CardsTurned: told(cards=NEWS),
    events.CardsDealt: told("first count", hands=DRAWN_EACH),
    events.BroomReady: told("seat"),
    events.CardDrawn: told("seat", card=drawn_by("seat")),
    events.CardDiscarded: told("seat card"),
    events.TurnCame: told("seat"),
    events.CardRevealed: told("seat card action"),
    events.PlanningPassed: told("seat"),
    events.WentOut: told("seat lacks"),
    events.OutPaid: told("seat mana"),
    events.HandRevealed: told("seat", cards=shown_by("seat")),
    events.ActionReached: told("seat action kind cost found price"),
    events.ActionPassed: told("seat action mana"),
    events.CardsBought: told("seat cards mana"),
    events.SummonBegun: told("seat action reduction"),
    events.BrewBegun: told("seat action mana"),
    events.AttackBegun: told("seat action power"),
    events.DivinationBegun: told("seat action chips"),
    events.AbilityFired: told("seat familiar ability"),
    events.AbilityUsed: told("seat familiar ability"),
    events.FamiliarSummoned: told("seat familiar mana charges"),
    events.FamiliarTrained: told("seat own lost familiar mana charges"),
    events.FamiliarCharged: told("seat familiar"),
    events.AttackDeclared: told("seat strength"),
    events.DefenderAsked: told("seat attacker power"),
    events.AttackSucceeded: told("seat defender strength defence chips"),
    events.AttackFailed: told("seat defender strength defence"),
    events.ChainOffered: told("seat"),
    events.PawnChained: told("seat action"),
    events.PawnReturned: told("seat action"),
    events.PointsCounted: told("round points"),
    events.CardsCleared: told("count"),
    events.MatchEnded: told("points mana ranking"),
    moves.Draw: told(),
    moves.Discard: told(card=shown_by("seat")),
    moves.Reveal: told("card action"),
    moves.Pass: told(),
    moves.Act: told(),
    moves.Use: told("familiar ability"),
    moves.Summon: told("familiar"),
    moves.Train: told("own familiar"),
    moves.Charge: told("familiar"),
    moves.Attack: told(),
    moves.Answer: told(),
    moves.ChainTo: told("action"),
    moves.Done: told(),
}

KNOWN = Known(
    conserved=conserved,
    options=options,
    fields=FIELDS,
    tells=frozenset({"WentOut"}),
    floors={
        "Use": 20,
        "Summon": 50,
        "Train": 50,
        "Charge": 20,
        "ChainTo": 5,
        "AttackSucceeded": 50,
        "AttackFailed": 50,
        "MatchEnded": 22,
    },
    matches=45,
    things=things,
    claims=CLAIMS,
)
