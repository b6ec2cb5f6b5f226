"""A film as data: all scenes of a match, with each zone and piece only once, and the events in words.

The hundreds of scenes of a match differ by a card or two. So a scene names its zones by their places in a list, and a
zone its pieces likewise; a reader puts them together again (`scene_of`, or replays/player/film.js).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from domain import matches
from domain.game import Count, Lang, Maybe, Seat, Value
from domain.scene import Piece, Scene, SceneId, Score, Zone, ZoneKind, said_by
from replays import words
from replays.film import Film, Frame
from replays.printing import plain

Place = Annotated[int, msgspec.Meta(extra_json_schema={"minimum": 0})]
"""An index in a list, from 0."""


class FilmZone(Value, frozen=True, omit_defaults=True):
    """A zone of a scene, with its pieces by their places in `pieces`."""

    id: SceneId
    """Its place."""
    kind: ZoneKind
    """How its pieces lie."""
    title: str
    """Its name; empty where its pieces explain themselves."""
    pieces: tuple[Place, ...]
    """In their order, by their places in the film's `pieces`."""
    seat: Maybe[Seat] = ()
    """The seat that it belongs to, if any."""
    columns: Count = 0
    """Of a grid: how many pieces stand in a row."""
    text: str = ""
    """Further information about it."""


class FilmScene(Value, frozen=True):
    """A scene, with its zones by their places in `zones`. It has no buttons, since nobody moves in a film."""

    line: str
    """What is going on, in one line."""
    turn: tuple[Seat, ...]
    """The seats that are to act, as far as the viewer may know."""
    zones: tuple[Place, ...]
    """In reading order, by their places in the film's `zones`."""
    scores: tuple[Score, ...]
    """In seat order."""


class FilmFrame(Value, frozen=True):
    """An event, and what the table showed after it."""

    version: int
    """The event's version in the match's log, from 1."""
    at: str
    """When it was stored: UTC, RFC 3339 with milliseconds."""
    actor: str
    """Who made it happen."""
    type: str
    """The event's type in the log."""
    text: str
    """The event in words."""
    moves: Count
    """The number of moves made so far."""
    scene: Place | None
    """By its place in the film's `scenes`; null where there was no table yet."""
    chapter: str | None
    """The name of the part of the match that begins here: "Round 2"; usually null."""


class Reel(Value, frozen=True):
    """Consecutive events of a match, and the table after each as one viewer knew it then."""

    frames: tuple[FilmFrame, ...]
    """One for each event."""
    scenes: tuple[FilmScene, ...]
    """Each scene once."""
    zones: tuple[FilmZone, ...]
    """Each zone once, as it was at some time."""
    pieces: tuple[Piece, ...]
    """Each piece once, as it was at some time."""


class Namer:
    """Puts names in the place of seats, and escapes what a terminal or a page would obey."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self._said: dict[str, str] = {}

    def __call__(self, text: str) -> str:
        """Return the text with names."""
        if text not in self._said:
            self._said[text] = plain(words.named(text, self._names))
        return self._said[text]


def reel(film: Film, lang: Lang, names: Sequence[str] = (), frames: Iterable[Frame] | None = None) -> Reel:
    """Return the film, or these frames of it, in that language; seats without a name keep their number."""
    cutter = Cutter(lang, names)
    cut = cutter.cut(film, film.frames if frames is None else frames)
    return Reel(frames=cut, scenes=cutter.scenes, zones=cutter.zones, pieces=cutter.pieces)


class _Once:
    """Distinct values, each with its place."""

    def __init__(self) -> None:
        self.places: dict[Any, int] = {}

    def place(self, value: object) -> int:
        return self.places.setdefault(value, len(self.places))


class Cutter:
    """Makes frames of films in one language; their scenes, zones and pieces are kept once each."""

    def __init__(self, lang: Lang, names: Sequence[str] = ()) -> None:
        self._lang, self._say = lang, Namer(names)
        self._scenes, self._zones, self._pieces = _Once(), _Once(), _Once()
        self._printed: dict[Piece, Piece] = {}

    @property
    def scenes(self) -> tuple[FilmScene, ...]:
        """Each scene once."""
        return tuple(self._scenes.places)

    @property
    def zones(self) -> tuple[FilmZone, ...]:
        """Each zone once."""
        return tuple(self._zones.places)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Each piece once."""
        return tuple(self._pieces.places)

    def cut(self, film: Film, frames: Iterable[Frame]) -> tuple[FilmFrame, ...]:
        """Return these frames of the film."""
        table, scene = None, None
        cut = []
        for frame in frames:
            # the match's own events leave the table as it was
            if frame.table is not table:
                table = frame.table
                scene = None if table is None else self._place(film, table)
            cut.append(self._frame(film, frame, scene))
        return tuple(cut)

    def _frame(self, film: Film, frame: Frame, scene: int | None) -> FilmFrame:
        game, event, lang = film.game, frame.event, self._lang
        text = words.describe(game, event, lang)
        is_own = not isinstance(event, matches.EVENTS)
        return FilmFrame(
            version=frame.version,
            at=frame.at,
            actor=plain(frame.actor),
            type=plain(frame.type),
            text=plain(text) if isinstance(event, words.UNNAMED) else self._say(text),
            moves=frame.move,
            scene=scene,
            chapter=game.chapter(event, lang) if is_own else None,
        )

    def _place(self, film: Film, table: Any) -> int:
        game = film.game
        scene: Scene = said_by(game.scene(game.view(table, film.viewer), self._lang), self._say)
        zones = tuple(self._zones.place(self._zone(zone)) for zone in scene.zones)
        return self._scenes.place(FilmScene(line=scene.line, turn=scene.turn, zones=zones, scores=scene.scores))

    def _plain(self, piece: Piece) -> Piece:
        """Return the piece with what is printed on it escaped; its other texts are escaped already."""
        if piece not in self._printed:
            self._printed[piece] = replace(
                piece,
                label=plain(piece.label),
                facts=tuple(replace(fact, value=plain(fact.value)) for fact in piece.facts),
                on=tuple(map(self._plain, piece.on)),
            )
        return self._printed[piece]

    def _zone(self, zone: Zone) -> FilmZone:
        return FilmZone(
            id=zone.id,
            kind=zone.kind,
            title=zone.title,
            pieces=tuple(self._pieces.place(self._plain(piece)) for piece in zone.pieces),
            seat=zone.seat,
            columns=zone.columns,
            text=zone.text,
        )


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
