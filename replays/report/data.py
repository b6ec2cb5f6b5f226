"""What the report's page knows of a match: pictures and words of every version, told as briefly as can be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

import msgspec

from domain.game import Lang
from domain.matches import Finished, Forked
from replays.film import Film
from replays.log import Log, Viewer
from replays.pace import Thought, milliseconds, thoughts
from replays.printing import plain

LANGS: tuple[Lang, ...] = ("en", "ja")

T = TypeVar("T")
Change = tuple[int, T]
"""A value, and the version from which it holds."""


class Text(msgspec.Struct, frozen=True):
    """What a viewer sees in one language: a picture and a text a version, by their places in the page's lists."""

    pictures: tuple[int, ...]
    texts: tuple[int, ...]


class Seen(msgspec.Struct, frozen=True):
    """What a viewer sees."""

    viewer: Viewer
    en: Text
    ja: Text
    to_act: tuple[Change[tuple[int, ...]], ...]
    points: tuple[Change[tuple[int, ...]], ...]
    thoughts: tuple[Thought, ...]


class Data(msgspec.Struct, frozen=True):
    """All that the page shows but for the export itself."""

    match: str
    title: dict[Lang, str]
    status: str
    rules: int
    pack: str
    pack_hash: str
    seats: int
    viewer: Viewer
    """Whose eyes the page begins with."""
    lang: Lang
    forked: Forked | None
    result: tuple[tuple[int, int], ...]
    """A place and points a seat; none while there is no result."""
    at: tuple[int, ...]
    """When each event was stored, in milliseconds since 1970."""
    moves: tuple[int, ...]
    """How many moves were made after each event."""
    types: tuple[int, ...]
    actors: tuple[int, ...]
    texts: tuple[str, ...]
    """Every text once: events in words, lines of drawn tables, types and actors."""
    pictures: tuple[tuple[int, ...], ...]
    """Every drawn table once, as its lines."""
    seen: tuple[Seen, ...]


class _Once:
    """Values, each kept once, by their places."""

    def __init__(self) -> None:
        self.places: dict[Any, int] = {}

    def place(self, value: object) -> int:
        return self.places.setdefault(value, len(self.places))

    def all(self, values: Iterable[object]) -> tuple[int, ...]:
        return tuple(map(self.place, values))

    @property
    def values(self) -> tuple[Any, ...]:
        return tuple(self.places)


def data_of(log: Log, viewers: Sequence[Viewer], viewer: Viewer, lang: Lang) -> Data:
    """The match as these viewers see it, and nothing that none of them may know."""
    texts, pictures = _Once(), _Once()
    films = [Film(log, one) for one in viewers]
    seen = tuple(_seen(log, film, texts, pictures) for film in films)
    frames = films[0].frames
    events = [frame.event for frame in frames]
    last = events[-1]
    return Data(
        match=plain(log.id),
        title={one: log.game.title.get(one, log.game.title["en"]) for one in LANGS},
        status=films[0].status,
        rules=log.opening.version,
        pack=plain(log.pack.name),
        pack_hash=log.pack.hash,
        seats=log.opening.seats,
        viewer=viewer,
        lang=lang,
        forked=next((_plain(event) for event in events[1:2] if isinstance(event, Forked)), None),
        result=tuple(zip(last.ranking, last.points, strict=True)) if isinstance(last, Finished) else (),
        at=tuple(milliseconds(frame.at) for frame in frames),
        moves=tuple(frame.move for frame in frames),
        types=texts.all(plain(frame.type) for frame in frames),
        actors=texts.all(plain(frame.actor) for frame in frames),
        texts=texts.values,
        pictures=pictures.values,
        seen=seen,
    )


def _plain(forked: Forked) -> Forked:
    return msgspec.structs.replace(forked, parent=plain(forked.parent), hash=plain(forked.hash))


def _seen(log: Log, film: Film, texts: _Once, pictures: _Once) -> Seen:
    def told(lang: Lang) -> Text:
        return Text(
            pictures=pictures.all(texts.all(text.split("\n") if text else ()) for text in film.drawn(lang)),
            texts=texts.all(film.told(lang)),
        )

    return Seen(
        viewer=film.viewer,
        en=told("en"),
        ja=told("ja"),
        to_act=tuple(_changes(frame.to_act for frame in film.frames)),
        points=tuple(_changes(frame.points for frame in film.frames)),
        thoughts=thoughts(log, film),
    )


def _changes(values: Iterable[T]) -> Iterator[Change[T]]:
    last: T | None = None
    for version, value in enumerate(values, 1):
        if last is None or value != last:
            yield version, value
            last = value
