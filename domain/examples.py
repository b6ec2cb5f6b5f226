"""Telling moments of a game, for who learns it: which match is played, up to which event, what of it is looked at.

A room names them in its `examples.toml`, and its `HOWTO.md` shows them. Nothing is drawn by hand: the rules bring them
about.
"""

from __future__ import annotations

import tomllib
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from domain.game import Seat, Value
from domain.scene import Scene, Zone


class Example(Value, frozen=True):
    """A moment of a match that bots play."""

    until: str
    """The class of the event after which it is looked at."""
    nth: Annotated[int, Meta(ge=1)] = 1
    """Which one of these."""
    settled: bool = False
    """Whether all that the move brings about comes first."""
    seats: int = 0
    """How many play; 0: as few as can."""
    seed: str = "0"
    """Where chance comes from."""
    bot: str = "greedy"
    """Which bot plays all seats."""
    options: dict[str, Any] = {}
    """What the table agrees on."""
    eyes: Literal["actor", "other", "nobody"] = "actor"
    """Who looks: the seat that the event is about, the one after it, or somebody who only watches."""
    zones: tuple[str, ...] = ()
    """What is looked at, with the seat that the event is about as `{seat}`; without any the whole table."""


def read_examples(data: str) -> dict[str, Example]:
    """The examples of a room by their names. Raises msgspec.ValidationError, tomllib.TOMLDecodeError."""
    return msgspec.convert(tomllib.loads(data), dict[str, Example], strict=True)


def seat_of(event: Any) -> Seat:
    """The seat that an event is about, or the first one."""
    seat = getattr(event, "seat", 0)
    return seat if isinstance(seat, int) else 0


def looked_at(scene: Scene, example: Example, seat: Seat) -> Scene:
    """What of a scene is looked at. A few zones of one seat alone need no head that says whose they are."""
    if not example.zones:
        return scene
    wanted = [name.format(seat=seat) for name in example.zones]
    found = [zone for name in wanted for zone in scene.zones if zone.id == name]
    if len({zone.seat for zone in found}) == 1:
        found = [_nobodys(zone) for zone in found]
    shown = {zone.seat for zone in found}
    scores = tuple(score for score in scene.scores if (score.seat,) in shown)
    return Scene(line="", turn=(), zones=tuple(found), scores=scores)


def _nobodys(zone: Zone) -> Zone:
    return msgspec.structs.replace(zone, seat=())
