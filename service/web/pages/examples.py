"""Drawn examples: moments of matches that bots play on the quiet, at once and the same ones every time.

Nothing of them is kept but in memory: they are no matches of the house.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from bots import BOTS
from bots.simulate import play_out
from domain.catalogue import Room
from domain.chance import Simulation
from domain.examples import Example, looked_at, seat_of
from domain.game import Game, Lang, Seat
from domain.scene import Scene
from domain.secrecy import redact
from domain.telling import tell

AnyGame = Game[Any, Any, Any]


class NeverCame(RuntimeError):
    """An example whose event does not happen in its match."""


class Figure(msgspec.Struct, frozen=True):
    """What is drawn, by the page's script; without one it is told as text."""

    scene: Scene
    seat: Seat | None
    """Whose eyes these are."""
    text: str


class _Reached(Exception):
    """The match has come to where it is looked at."""


def data_of(game: AnyGame) -> dict[str, Any]:
    """What the renderer is to know of a game."""
    return {"slug": game.slug, "title": game.title, "palette": game.palette}


def shown(zones: tuple[Any, ...], lang: Lang) -> Figure:
    """Things that are laid out to be looked at, and belong to nobody."""
    scene = Scene(line="", turn=(), zones=zones)
    return Figure(scene, None, tell(scene, lang))


@lru_cache(maxsize=256)
def cards_of(room: Room, pack: str, lang: Lang) -> Figure:
    """All that a pack at hand prints, by its hash."""
    return shown(room.game.showcase(room.kept[pack].pack, lang), lang)


@lru_cache(maxsize=256)
def figure_of(room: Room, name: str, lang: Lang) -> Figure:
    """One of the room's examples. Raises KeyError, NeverCame."""
    game, moment = room.game, moment_of(room, name)
    viewer = {"actor": moment.seat, "other": (moment.seat + 1) % moment.seats, "nobody": None}[moment.example.eyes]
    seen = moment.table
    for event in moment.events:
        seen = game.evolve(seen, redact(event, viewer))
    scene = looked_at(game.scene(game.view(seen, viewer), lang), moment.example, moment.seat)
    return Figure(scene, viewer, tell(scene, lang))


class Moment(msgspec.Struct, frozen=True):
    """Where a match has come to."""

    example: Example
    table: Any
    """Before anything happened."""
    events: tuple[Any, ...]
    seats: int
    seat: Seat
    """Whom the event is about."""


@lru_cache(maxsize=128)
def moment_of(room: Room, name: str) -> Moment:
    """Play until the event of the example has happened as often as it says."""
    game, example = room.game, room.examples()[name]
    options, seats = msgspec.convert(example.options, game.Options), example.seats or min(game.seats)
    pack = next(iter(room.packs.values() or room.kept.values())).pack
    events: list[Any] = []
    about: list[Seat] = []
    left = example.nth

    def watch(before: Any, seat: Seat | None, move: Any, told: tuple[Any, ...]) -> None:
        nonlocal left
        for event in told:
            events.append(event)
            left -= type(event).__name__ == example.until
            if left == 0:
                about.append(seat_of(event))
                left = -1
            if about and not example.settled:
                raise _Reached
        if about:
            raise _Reached

    try:
        play_out(game, pack, options, seats, [BOTS[example.bot]] * seats, Simulation(example.seed), watch=watch)
    except _Reached:
        return Moment(example, game.initial(options, seats, pack), tuple(events), seats, about[0])
    raise NeverCame(f"{game.slug}: {name}: {example.until}")
