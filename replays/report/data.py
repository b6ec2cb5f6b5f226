"""The data in the report's page: the match and its films, in a compact form."""

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
    """Places and points, one number for each seat."""

    ranking: tuple[int, ...]
    points: tuple[int, ...]


class Game(msgspec.Struct, frozen=True):
    """What the renderer needs of the game."""

    slug: str
    title: dict[Lang, str]
    palette: tuple[Tone, ...]


class Data(msgspec.Struct, frozen=True):
    """All data of the match but its films and its export."""

    match: str
    game: Game
    status: str
    rules: int
    pack: str
    pack_hash: str
    names: tuple[str, ...]
    """The seats' names; "" if unknown."""
    eyes: tuple[str, ...]
    """The viewers: `all`, `nobody`, or a seat's number."""
    seen: str
    """The viewer with which the page begins."""
    lang: Lang
    forked: Forked | None
    result: Result | None
    begun: str
    ended: str
    moves: int
    events: int


class Spoken(msgspec.Struct, frozen=True):
    """The films in one language; all viewers share their scenes, zones and pieces."""

    texts: tuple[str, ...]
    """All events in words, each text once."""
    chapters: dict[int, str]
    """By the version with which the chapter begins."""
    scenes: tuple[FilmScene, ...]
    zones: tuple[FilmZone, ...]
    pieces: tuple[Piece, ...]
    seen: dict[str, tuple[tuple[int, ...], tuple[int | None, ...]]]
    """By viewer: for each event the place of its text, and the place of its scene."""


class Films(msgspec.Struct, frozen=True):
    """The match as all viewers see it, in all languages."""

    events: tuple[tuple[str, str, str, int], ...]
    """For each event the moment, the actor, the type, and the number of moves so far."""
    thoughts: dict[str, tuple[Thought, ...]]
    spoken: dict[Lang, Spoken]


def eyes_of(viewer: Viewer) -> str:
    """Return the page's name of a viewer."""
    return "all" if viewer == TRUTH else "nobody" if viewer is None else str(viewer)


def told(log: Log, viewers: Sequence[Viewer], viewer: Viewer, lang: Lang, names: Sequence[str]) -> tuple[Data, Films]:
    """Return the match as these viewers see it, and nothing that none of them may know."""
    films = [Film(log, each) for each in viewers]
    frames = films[0].frames
    first, last = frames[0], frames[-1]
    called = {lang: tuple(map(plain, names)) or ("",) * log.opening.seats for lang in LANGS}
    data = Data(
        match=plain(log.id),
        game=Game(
            log.game.slug, {each: log.game.title.get(each, log.game.title["en"]) for each in LANGS}, log.game.palette
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
        spoken={each: _spoken(films, each, called[each]) for each in LANGS},
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
    """Return the bytes compressed, in a form that browsers can unpack; the same result each time."""
    return gzip.compress(value, 9, mtime=0)
