"""The options, and the table before the first round."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import EventBuffer, Refusal
from domain.games.terraformers.components import PLANET, RANDOM, Name, Options
from domain.games.terraformers.events import Events, MarkerDrawn, PlanetLaid
from domain.games.terraformers.evolve import evolve
from domain.games.terraformers.pack import Pack
from domain.games.terraformers.rules.cards import Buffer
from domain.games.terraformers.rules.turn import start_round
from domain.games.terraformers.state import Table


def check_options(options: Options, seats: int, pack: Pack) -> None:
    """Refuse a planet that the pack does not have. Rule: TF-1, TF-2."""
    planet = options.planet
    if isinstance(planet, str):
        scenarios = [scenario.name for scenario in pack.scenarios]
        if planet != RANDOM and planet not in scenarios:
            raise Refusal("TF-1", "no-such-planet", planet=planet, known=(RANDOM, *scenarios))
        return
    names = {card.name for card in pack.cards}
    if unknown := [name for name in planet if name not in names]:
        raise Refusal("TF-1", "unknown-card", name=unknown[0])
    if len(planet) != PLANET or len(set(planet)) != PLANET:
        raise Refusal("TF-1", "planet-size", cards=PLANET)


def setup(table: Table, chance: Chance) -> Events:
    """Lay out the planet, draw the marker and begin the first round. Rule: TF-1, TF-2, TF-4, TF-6."""
    buffer: Buffer = EventBuffer(evolve, table)
    buffer.tell(PlanetLaid(_planet(table, chance)))
    buffer.tell(MarkerDrawn(chance.choose(tuple(range(len(table.players))))))
    start_round(buffer, 1)
    return tuple(buffer.events)


def _planet(table: Table, chance: Chance) -> tuple[Name, ...]:
    """Rule: TF-1, TF-2."""
    pack, planet = table.terms.pack, table.terms.planet
    names = {card.name: Name(card.name, card.ja) for card in pack.cards}
    if planet == RANDOM:
        return chance.shuffle(tuple(names.values()))[:PLANET]
    chosen = next((scenario.cards for scenario in pack.scenarios if scenario.name == planet), planet)
    return tuple(names[name] for name in chosen)
