"""Drawn examples: moments of matches that bots play in memory, the same ones every time.

They are no matches of the service, and nothing of them is stored.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from typing import Any

import msgspec

from bots import BOTS
from bots.simulate import play_out
from domain.catalogue import Example, Room, looked_at, seat_of
from domain.chance import Simulation
from domain.game import Lang, Seat
from domain.lessons import Lesson
from domain.scene import Scene
from domain.secrecy import redact
from domain.telling import tell

FILM = 80_000
"""The most bytes of a film's scenes, which limit its number of steps."""
STAGE = "table"
"""The name of the example that shows a whole table; its match is shown as a film."""


class NeverCame(RuntimeError):
    """An example's event does not happen in its match."""


class Figure(msgspec.Struct, frozen=True):
    """A scene that the page's script draws, and its text for readers without scripts."""

    scene: Scene
    seat: Seat | None
    """The seat that sees it."""
    text: str


class _Reached(Exception):
    """The match has reached the example's moment."""


def shown(zones: tuple[Any, ...], lang: Lang) -> Figure:
    """Return a figure of these zones, which are nobody's."""
    scene = Scene(line="", turn=(), zones=zones)
    return Figure(scene, None, tell(scene, lang))


@lru_cache(maxsize=256)
def cards_of(room: Room, pack: str, lang: Lang) -> Figure:
    """Return a figure of all pieces of a pack, which is named by its hash."""
    return shown(room.game.showcase(room.kept[pack].pack, lang), lang)


@lru_cache(maxsize=256)
def figure_of(room: Room, name: str, lang: Lang) -> Figure:
    """Return the figure of a room's example. Raises KeyError, NeverCame."""
    game, moment = room.game, moment_of(room, name)
    viewer = {"actor": moment.seat, "other": (moment.seat + 1) % moment.seats, "nobody": None}[moment.example.eyes]
    seen = moment.table
    for event in moment.events:
        seen = game.evolve(seen, redact(event, viewer))
    scene = looked_at(game.scene(game.view(seen, viewer), lang), moment.example, moment.seat)
    return Figure(scene, viewer, tell(scene, lang))


@lru_cache(maxsize=64)
def lesson_of(room: Room) -> Lesson[Any, Any] | None:
    """Return the room's lesson; None if it has none."""
    return room.lesson()


def has_film(room: Room) -> bool:
    """Return whether the room has a film."""
    return STAGE in room.examples()


@lru_cache(maxsize=32)
def film_of(room: Room, lang: Lang) -> tuple[Figure, ...]:
    """Return the last steps of a match up to the example's moment, as the seat sees them to which it happens."""
    game, moment = room.game, moment_of(room, STAGE)
    seen = moment.table
    steps: list[Scene] = []
    for at, event in enumerate(moment.events, 1):
        seen = game.evolve(seen, redact(event, moment.seat))
        if at in moment.steps:
            scene = game.scene(game.view(seen, moment.seat), lang)
            if not steps or steps[-1] != scene:
                steps.append(scene)
    sizes = accumulate(len(msgspec.json.encode(scene)) for scene in reversed(steps))
    last = max(1, sum(size <= FILM for size in sizes))
    return tuple(Figure(scene, moment.seat, tell(scene, lang)) for scene in steps[-last:])


class Moment(msgspec.Struct, frozen=True):
    """The moment of an example in its match."""

    example: Example
    table: Any
    """The table at the beginning."""
    events: tuple[Any, ...]
    steps: frozenset[int]
    """The numbers of events after which a move and everything that followed from it was done."""
    seats: int
    seat: Seat
    """The seat to which the example's event happens."""


@lru_cache(maxsize=128)
def moment_of(room: Room, name: str) -> Moment:
    """Play until the example's event has happened as often as the example says. Raises NeverCame."""
    game, example = room.game, room.examples()[name]
    options, seats = msgspec.convert(example.options, game.Options), example.seats or min(game.seats)
    pack = next(iter(room.kept.values())).pack  # the room's own pack, whatever the operator offers
    events: list[Any] = []
    happened: list[Any] = []
    steps: list[int] = []

    def watch(before: Any, seat: Seat | None, move: Any, new: tuple[Any, ...]) -> None:
        for event in new:
            events.append(event)
            if type(event).__name__ == example.until:
                happened.append(event)
            if len(happened) == example.nth and not example.settled:
                raise _Reached
        steps.append(len(events))
        if len(happened) >= example.nth:
            raise _Reached

    try:
        play_out(game, pack, options, seats, [BOTS[example.bot]] * seats, Simulation(example.seed), watch=watch)
    except _Reached:
        steps.append(len(events))
        seat, table = seat_of(happened[example.nth - 1]), game.initial(options, seats, pack)
        return Moment(example, table, tuple(events), frozenset(steps), seats, seat)
    raise NeverCame(f"{game.slug}: {name}: {example.until}")
