"""What the laws must be told of Terraformers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from domain.chance import Chance
from domain.games.terraformers import GAME, events, moves
from domain.games.terraformers.components import LEVELS, Kind, Options
from domain.games.terraformers.state import Table
from domain.games.terraformers.view import TableView
from domain.scene import Kind as Thing
from tests.games.terraformers.claims import CLAIMS
from tests.games.terraformers.table import PACK
from tests.laws.knowledge import Fields, told
from tests.laws.rooms import Known, room_of

# box cards that do something at the round's start and at the end (TF-7, TF-25), which the house's don't
room_of(GAME.slug).add_pack("odd.toml", (Path(__file__).parent / "packs" / "odd.toml").read_bytes())


def conserved(table: Table) -> object:
    """The eight cards stay; a species is before one player at most; no level is off its sheet, no tip owed."""
    held = [spot for player in table.players for spot in player.species]
    assert len(set(held)) == len(held), "a species is held twice"  # TF-20
    assert all(len(player.species) <= 1 for player in table.players)  # TF-21
    for player in table.players:
        for level, value in zip(LEVELS, player.levels, strict=True):
            column = getattr(table.terms.pack.levels, level.value)
            assert column.start <= value <= column.start + len(column.prices)  # TF-3, TF-15
        assert player.hand >= 0
    return tuple(laid.name.name for laid in table.planet), len(table.tips)


def options(chance: Chance) -> tuple[str, int, Options]:
    """A third random planets, a third scenarios, a third those where Librarians are nearly the only species.

    A match in six is played with the odd pack.
    """
    seats = 2 + chance.below(3)
    if not chance.below(6):
        return "odd", seats, Options(planet=chance.choose(("random", "upside-down")))
    scenarios = tuple(scenario.name for scenario in PACK.scenarios)
    boxes = tuple(card.name for card in PACK.cards if card.kind is Kind.BOX)
    chosen = ("Librarians", chance.choose(("Dragon", "Giants")), *chance.shuffle(boxes)[:6])
    planets: tuple[str | tuple[str, ...], ...] = ("random", chance.choose(scenarios), chosen)
    return "house", seats, Options(planet=chance.choose(planets))


def things(view: TableView) -> Counter[Thing]:
    """The planet cards: nobody has a hand."""
    return Counter({Thing.CARD: len(view.planet)})


FIELDS: Fields = {
    events.PlanetLaid: told("cards"),
    events.MarkerDrawn: told("seat"),
    events.RoundStarted: told("round first"),
    events.TipsDealt: told("tips"),
    events.TurnStarted: told("seat"),
    events.BoxChosen: told("seat box"),
    events.CardChosen: told("seat card against"),
    events.SpeciesChosen: told("seat card holder"),
    events.BoxUsed: told("seat box tips power"),
    events.CardUsed: told("seat card tips power"),
    events.SpeciesReturned: told("seat card"),
    events.SpeciesAcquired: told("seat card tips power loser"),
    events.SpeciesGuarded: told("seat card tips power"),
    events.SpeciesPutBack: told("seat card tips"),
    events.AbilityCopied: told("seat card copied tips"),
    events.CopyEnded: told("card copied"),
    events.Passed: told("seat"),
    events.LevelRaised: told("seat level boxes to"),
    events.CardScored: told("seat card points"),
    events.TipsTaken: told("seat card tips"),
    events.TipsPaid: told("seat card tips"),
    events.TipsAdded: told("seat box tips card"),
    events.TipsForced: told("seat box tips card"),
    events.StarsMarked: told("seat card stars total"),
    events.OxygenResolved: told("seat city green power succeeds points"),
    events.WarResolved: told("order powers"),
    events.WarScored: told("seat place points"),
    events.MarkerMoved: told("seat"),
    events.CarnivalScored: told("seat power points"),
    events.TipsReturned: told(),
    events.MatchEnded: told("points ranking"),
    moves.UseBox: told("box"),
    moves.UseCard: told("card"),
    moves.UseCardOn: told("card other"),
    moves.Acquire: told("card"),
    moves.Guard: told("card"),
    moves.Place: told("tips"),
    moves.PutBack: told(),
    moves.Copy: told("card"),
    moves.Pass: told(),
}

KNOWN = Known(
    conserved=conserved,
    options=options,
    fields=FIELDS,
    tells=frozenset(),
    floors={
        "UseBox": 555,
        "UseCard": 200,
        "UseCardOn": 30,
        "Acquire": 100,
        "Guard": 15,
        "PutBack": 25,
        "Copy": 10,
        "Place": 1000,
        "Pass": 498,
        "LevelRaised": 290,
        "SpeciesReturned": 15,
        "AbilityCopied": 10,
        "CopyEnded": 10,
        "TipsAdded": 50,
        "TipsForced": 20,
        "TipsPaid": 23,
        "TipsTaken": 40,
        "StarsMarked": 18,
        "OxygenResolved": 498,
        "WarScored": 145,
        "MarkerMoved": 50,
        "CarnivalScored": 100,
        "MatchEnded": 30,
    },
    matches=60,
    things=things,
    claims=CLAIMS,
)
