"""Puts the scenes of a reel together again, as replays/player/film.js does."""

from __future__ import annotations

from msgspec.structs import asdict

from domain.scene import Scene, Zone
from replays.film import FilmZone, Reel


def scene_of(reel: Reel, version: int) -> Scene | None:
    """Return the scene after the event of that version, put together again; None if there was no table yet."""
    frame = reel.frames[version - reel.frames[0].version]
    if frame.scene is None:
        return None
    scene = reel.scenes[frame.scene]
    zones = tuple(_zone_of(reel, reel.zones[place]) for place in scene.zones)
    return Scene(**asdict(scene) | {"zones": zones})


def _zone_of(reel: Reel, zone: FilmZone) -> Zone:
    return Zone(**asdict(zone) | {"pieces": tuple(reel.pieces[place] for place in zone.pieces)})
