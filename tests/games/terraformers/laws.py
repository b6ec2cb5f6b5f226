"""What the laws must be told of Terraformers."""

from __future__ import annotations

from domain.chance import Chance
from domain.games.terraformers.components import LEVELS, Kind, Options
from domain.games.terraformers.state import Table
from tests.games.terraformers.table import PACK
from tests.laws.rooms import Known


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
    """A third random planets, a third scenarios, a third those where Librarians are nearly the only species."""
    seats = 2 + chance.below(3)
    scenarios = tuple(scenario.name for scenario in PACK.scenarios)
    boxes = tuple(card.name for card in PACK.cards if card.kind is Kind.BOX)
    chosen = ("Librarians", chance.choose(("Dragon", "Giants")), *chance.shuffle(boxes)[:6])
    planets: tuple[str | tuple[str, ...], ...] = ("random", chance.choose(scenarios), chosen)
    return "house", seats, Options(planet=chance.choose(planets))


KNOWN = Known(
    conserved=conserved,
    options=options,
    reveals={},
    tells=frozenset(),
    floors={
        "UseBox": 700,
        "UseCard": 200,
        "UseCardOn": 30,
        "Acquire": 100,
        "Guard": 15,
        "PutBack": 25,
        "Copy": 10,
        "Place": 1000,
        "Pass": 500,
        "LevelRaised": 300,
        "SpeciesReturned": 15,
        "AbilityCopied": 10,
        "CopyEnded": 10,
        "TipsAdded": 50,
        "TipsForced": 20,
        "TipsPaid": 40,
        "TipsTaken": 40,
        "StarsMarked": 20,
        "OxygenResolved": 500,
        "WarScored": 150,
        "MarkerMoved": 50,
        "CarnivalScored": 100,
        "MatchEnded": 60,
    },
    matches=60,
)
