"""Puts the scenes of a reel together again, as replays/player/film.js does."""

from __future__ import annotations

from domain.scene import Scene, Zone
from replays.film import FilmZone, Reel


def scene_of(reel: Reel, version: int) -> Scene | None:
    """Return the scene after the event of that version, put together again; None if there was no table yet."""
    frame = reel.frames[version - reel.frames[0].version]
    if frame.scene is None:
        return None
    scene = reel.scenes[frame.scene]
    return Scene(
        line=scene.line,
        turn=scene.turn,
        zones=tuple(_zone_of(reel, reel.zones[place]) for place in scene.zones),
        scores=scene.scores,
    )


def _zone_of(reel: Reel, zone: FilmZone) -> Zone:
    return Zone(
        id=zone.id,
        kind=zone.kind,
        title=zone.title,
        pieces=tuple(reel.pieces[place] for place in zone.pieces),
        seat=zone.seat,
        columns=zone.columns,
        text=zone.text,
    )
