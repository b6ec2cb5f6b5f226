"""Every room there is, the toy too, and what its tests say of it in `tests/games/<room>/laws.py` and `laws.toml`."""

from __future__ import annotations

import importlib
import importlib.util
import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import domain.games
import tests.toy
from domain.catalogue import Catalogue, Room
from domain.chance import Chance
from domain.game import classes
from domain.scene import Kind
from tests.laws.knowledge import MATCH, Fields, fields_of

CATALOGUE = Catalogue((domain.games, tests.toy))
SLUGS = tuple(CATALOGUE.rooms)


@dataclass(frozen=True, slots=True)
class Known:
    """What the laws must be told of a game, because it can't be read off its record."""

    conserved: Callable[[Any], object]
    """Of a full state (cards are all known): what never changes, such as the cards by kind and the money in all."""
    options: Callable[[Chance], tuple[str, int, Any]]
    """Draws a pack's name, a number of seats and options for one match."""
    fields: Fields
    """Who may know each field of each class of event and move, and who learns by it."""
    tells: frozenset[str]
    """Event classes that RULES.md lists as tells: two logs may differ by having one or not, never in what it says."""
    floors: dict[str, int]
    """How often an event or move class must occur at least in `matches` matches; once if it isn't named.
    At most half of what the least of several seeds has (`make soak` tells)."""
    things: Callable[[Any], Counter[Kind]]
    """How many cards, dice and pawns lie in a view: all of them are to be in its scene."""
    matches: int
    """How many matches are counted for that, a third of them by each kind of bot."""
    claims: Any
    """What labels claim, see `claims.py`."""
    wanted: Any = None
    """Options that a law is always tried on, where the drawn ones are mostly others."""


def listed(laws: str, *modules: ModuleType) -> dict[str, Any]:
    """What `laws.toml` beside the room's `laws.py` says of it: its modules of events and moves are named."""
    file = Path(laws).with_suffix(".toml")
    found = tomllib.loads(file.read_text(encoding="utf-8"))
    more = {"tells": frozenset(found["tells"]), "fields": fields_of(file, *modules)}
    return {"matches": found["matches"], "floors": found["floors"], **more}


def room_of(slug: str) -> Room:
    """The room of a game."""
    return CATALOGUE.rooms[slug]


def known_of(slug: str) -> Known:
    """What the room's tests say of it."""
    name = f"tests.games.{slug.replace('-', '_')}.laws"
    assert importlib.util.find_spec(name), f"{slug} is to say in {name} what the laws can't read off its record"
    module: ModuleType = importlib.import_module(name)
    return cast("Known", module.KNOWN)


def classes_of(slug: str) -> tuple[type[Any], ...]:
    """Every class of event and move of the game."""
    game = room_of(slug).game
    return (*classes(game.Event), *classes(game.Move))


@lru_cache
def table_of(slug: str) -> Fields:
    """Who may know each field of all that a log of the game holds."""
    return {**MATCH, **known_of(slug).fields}
