"""What the report's page knows of a match: who it is, and its films, told as briefly as can be."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from typing import Any

import msgspec

from domain.game import Lang
from domain.matches import Finished, Forked
from domain.scene import Piece, Tone
from replays.film import Film
from replays.log import TRUTH, Log, Viewer
from replays.pace import Thought, thoughts
from replays.printing import plain
from replays.reel import Cutter, FilmScene, FilmZone

LANGS: tuple[Lang, ...] = ("en", "ja")


class Result(msgspec.Struct, frozen=True):
    """Places and points, a number a seat."""

    ranking: tuple[int, ...]
    points: tuple[int, ...]


class Game(msgspec.Struct, frozen=True):
    """What the renderer is to know."""

    slug: str
    title: dict[Lang, str]
    palette: tuple[Tone, ...]


class Data(msgspec.Struct, frozen=True):
    """All that the page says of the match beside its films and its export."""

    match: str
    game: Game
    status: str
    rules: int
    pack: str
    pack_hash: str
    names: tuple[str, ...]
    """Of the seats; "" where nothing is known but the number."""
    eyes: tuple[str, ...]
    """Whose eyes there are: `all`, `nobody`, or a seat's number."""
    seen: str
    """With which of them the page begins."""
    lang: Lang
    forked: Forked | None
    result: Result | None
    begun: str
    ended: str
    moves: int
    events: int


class Spoken(msgspec.Struct, frozen=True):
    """The films in one language: all eyes share their scenes, zones and pieces."""

    texts: tuple[str, ...]
    """Every event in words, each once."""
    chapters: dict[int, str]
    """By the versions with which they begin."""
    scenes: tuple[FilmScene, ...]
    zones: tuple[FilmZone, ...]
    pieces: tuple[Piece, ...]
    seen: dict[str, tuple[tuple[int, ...], tuple[int | None, ...]]]
    """By whose eyes: of each event the places of its text and of its scene."""


class Films(msgspec.Struct, frozen=True):
    """The match with all eyes, in all languages."""

    events: tuple[tuple[str, str, str, int], ...]
    """When, by whom, what, and how many moves were made until then."""
    thoughts: dict[str, tuple[Thought, ...]]
    spoken: dict[Lang, Spoken]


def eyes_of(viewer: Viewer) -> str:
    """How the page calls a viewer."""
    return "all" if viewer == TRUTH else "nobody" if viewer is None else str(viewer)


def told(log: Log, viewers: Sequence[Viewer], viewer: Viewer, lang: Lang, names: Sequence[str]) -> tuple[Data, Films]:
    """The match as these viewers see it, and nothing that none of them may know."""
    films = [Film(log, one) for one in viewers]
    frames = films[0].frames
    first, last = frames[0], frames[-1]
    called = {lang: tuple(map(plain, names)) or ("",) * log.opening.seats for lang in LANGS}
    data = Data(
        match=plain(log.id),
        game=Game(
            log.game.slug, {one: log.game.title.get(one, log.game.title["en"]) for one in LANGS}, log.game.palette
        ),
        status=films[0].status,
        rules=log.opening.version,
        pack=plain(log.pack.name),
        pack_hash=log.pack.hash,
        names=called[lang],
        eyes=tuple(map(eyes_of, viewers)),
        seen=eyes_of(viewer),
        lang=lang,
        forked=next((_plain(frame.event) for frame in frames[1:2] if isinstance(frame.event, Forked)), None),
        result=Result(last.ranking, last.points) if isinstance(last.event, Finished) else None,
        begun=first.at,
        ended=last.at,
        moves=last.move,
        events=len(frames),
    )
    return data, Films(
        events=tuple((frame.at, plain(frame.actor), plain(frame.type), frame.move) for frame in frames),
        thoughts={eyes_of(film.viewer): thoughts(log, film) for film in films},
        spoken={one: _spoken(films, one, called[one]) for one in LANGS},
    )


def _plain(forked: Forked) -> Forked:
    return msgspec.structs.replace(forked, parent=plain(forked.parent), hash=plain(forked.hash))


def _spoken(films: Sequence[Film], lang: Lang, names: Sequence[str]) -> Spoken:
    cutter, texts = Cutter(lang, names), dict[str, int]()
    seen: dict[str, Any] = {}
    chapters: dict[int, str] = {}
    for film in films:
        frames = cutter.cut(film, film.frames)
        chapters.update({frame.version: frame.chapter for frame in frames if frame.chapter})
        places = tuple(texts.setdefault(frame.text, len(texts)) for frame in frames)
        seen[eyes_of(film.viewer)] = places, tuple(frame.scene for frame in frames)
    return Spoken(
        texts=tuple(texts),
        chapters=chapters,
        scenes=cutter.scenes,
        zones=cutter.zones,
        pieces=cutter.pieces,
        seen=seen,
    )


def packed(value: bytes) -> bytes:
    """As small as any browser can unpack it; the same bytes each time."""
    return gzip.compress(value, 9, mtime=0)
