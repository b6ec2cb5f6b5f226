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


FILM = 80_000
"""Bytes that the scenes of a film have at most: so many steps of a match are shown."""
STAGE = "table"
"""The example whose match is shown as a film: it is looked at as a whole."""


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


def has_film(room: Room) -> bool:
    """Whether a match can be shown as a film."""
    return STAGE in room.examples()


@lru_cache(maxsize=32)
def film_of(room: Room, lang: Lang) -> tuple[Figure, ...]:
    """The last steps of a match up to its telling moment, as the seat sees them that it is about."""
    game, moment = room.game, moment_of(room, STAGE)
    seen = moment.table
    steps: list[Scene] = []
    for at, event in enumerate(moment.events, 1):
        seen = game.evolve(seen, redact(event, moment.seat))
        if at in moment.steps:
            scene = game.scene(game.view(seen, moment.seat), lang)
            if not steps or steps[-1] != scene:
                steps.append(scene)
    return tuple(Figure(scene, moment.seat, tell(scene, lang)) for scene in _last(steps))


def _last(scenes: list[Scene]) -> list[Scene]:
    """As many of the last scenes as a page may be asked to load."""
    room = FILM
    found: list[Scene] = []
    for scene in reversed(scenes):
        room -= len(msgspec.json.encode(scene))
        if room < 0 and found:
            break
        found.append(scene)
    return found[::-1]


class Moment(msgspec.Struct, frozen=True):
    """Where a match has come to."""

    example: Example
    table: Any
    """Before anything happened."""
    events: tuple[Any, ...]
    steps: frozenset[int]
    """After how many of them a move, and all that it brought about, was done."""
    seats: int
    seat: Seat
    """Whom the event is about."""


@lru_cache(maxsize=128)
def moment_of(room: Room, name: str) -> Moment:
    """Play until the event of the example has happened as often as it says."""
    game, example = room.game, room.examples()[name]
    options, seats = msgspec.convert(example.options, game.Options), example.seats or min(game.seats)
    pack = next(iter(room.kept.values())).pack  # the room's own, whatever is offered here
    events: list[Any] = []
    about: list[Seat] = []
    steps: list[int] = []
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
        steps.append(len(events))
        if about:
            raise _Reached

    try:
        play_out(game, pack, options, seats, [BOTS[example.bot]] * seats, Simulation(example.seed), watch=watch)
    except _Reached:
        steps.append(len(events))
        return Moment(example, game.initial(options, seats, pack), tuple(events), frozenset(steps), seats, about[0])
    raise NeverCame(f"{game.slug}: {name}: {example.until}")
