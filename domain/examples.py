"""Examples that teach a game: which match is played, up to which event, and which part of the table is shown.

A room lists them in its `examples.toml`, and its `HOWTO.md` shows them. They are played by the rules, not drawn by
hand.
"""

from __future__ import annotations

import tomllib
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from domain.game import Seat, Value
from domain.scene import Scene, Zone


class Example(Value, frozen=True):
    """A moment of a match between bots."""

    until: str
    """The class of the event after which the table is shown."""
    nth: Annotated[int, Meta(ge=1)] = 1
    """Which event of this class, from 1."""
    settled: bool = False
    """Whether everything that the move brings about happens first."""
    seats: int = 0
    """The number of players; 0 for the fewest possible."""
    seed: str = "0"
    """The seed of chance."""
    bot: str = "greedy"
    """The bot that plays all seats."""
    options: dict[str, Any] = {}
    """The match's options."""
    eyes: Literal["actor", "other", "nobody"] = "actor"
    """Who looks: the seat of the event, the seat after it, or a spectator."""
    zones: tuple[str, ...] = ()
    """The zones to show, with `{seat}` for the seat of the event; empty for the whole table."""


def read_examples(data: str) -> dict[str, Example]:
    """Return a room's examples by name. Raises msgspec.ValidationError, tomllib.TOMLDecodeError."""
    return msgspec.convert(tomllib.loads(data), dict[str, Example], strict=True)


def seat_of(event: Any) -> Seat:
    """Return the seat that an event is about; 0 if it is about none."""
    seat = getattr(event, "seat", 0)
    return seat if isinstance(seat, int) else 0


def looked_at(scene: Scene, example: Example, seat: Seat) -> Scene:
    """Return the part of a scene that the example shows. Zones of one seat alone are shown without its heading."""
    if not example.zones:
        return scene
    wanted = [name.format(seat=seat) for name in example.zones]
    zones = [zone for name in wanted for zone in scene.zones if zone.id == name]
    if len({zone.seat for zone in zones}) == 1:
        zones = [_nobodys(zone) for zone in zones]
    shown = {zone.seat for zone in zones}
    scores = tuple(score for score in scene.scores if (score.seat,) in shown)
    return Scene(line="", turn=(), zones=tuple(zones), scores=scores)


def _nobodys(zone: Zone) -> Zone:
    return msgspec.structs.replace(zone, seat=())
