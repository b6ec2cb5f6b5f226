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
from tests.laws.rooms import Known, listed, room_of

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


KNOWN = Known(conserved=conserved, options=options, things=things, claims=CLAIMS, **listed(__file__, events, moves))
