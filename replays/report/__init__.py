"""A match as a single page that can be read and verified anywhere."""

from __future__ import annotations

import gzip
import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from domain import texts
from domain.game import Lang
from domain.matches import Finished, Forked
from domain.scene import Piece, Tone
from events.store import Statement, StoreError, Tables
from replays import player, table
from replays.files.format import Export
from replays.film import Cutter, Film, FilmScene, FilmZone, Thought, thoughts
from replays.log import TRUTH, Log, Viewer
from replays.printing import plain

SAY = texts.read("replays.report", "words")
"""The report's own texts by language and name; the page fills `{…}` in."""

SEATED = (
    "SELECT seats.seat, players.name, seats.bot FROM seats LEFT JOIN players ON players.id = seats.player"
    " WHERE seats.partition = :partition AND seats.match = :match"
)

BOTS: dict[Lang, str] = {"en": "{bot} bot", "ja": "ボット{bot}"}


def names_of(log: Log, store: object, lang: Lang) -> tuple[str, ...]:
    """Return a name for each seat, "" if it is unknown; () if nobody's name is known."""
    if isinstance(store, Export) or not hasattr(store, "find"):
        return ()
    tables: Tables = store  # type: ignore[assignment]  # it has their methods
    try:
        rows = tables.find(Statement(SEATED, {"match": log.id}, log.id))
    except StoreError:
        # a store of logs alone has no tables of a service
        return ()
    known = {seat: name or (BOTS[lang].format(bot=bot) if bot else "") for seat, name, bot in rows}
    names = [known.get(seat, "") for seat in range(log.opening.seats)]
    # two seats with the same name keep their numbers instead
    return tuple(name if names.count(name) == 1 else "" for name in names)


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


HERE = Path(__file__).parent
VERIFIER = HERE.parent / "verify.mjs"

POLICY = "default-src 'none'; script-src {script}; style-src {style}; base-uri 'none'; form-action 'none'"
"""The page runs and draws only what it contains, and loads nothing."""

_ENDS = re.compile(r"</(script|style)|<!--", re.IGNORECASE)


def page(
    log: Log, viewers: Sequence[Viewer], viewer: Viewer, lang: Lang, export: bytes, names: Sequence[str] = ()
) -> str:
    """Return the HTML of the match as these viewers see it, with its export. `names`: of its seats, if known."""
    data, films = told(log, viewers, viewer, lang, names)
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    style, scripts = _style(), (_verifier(), _script())
    return environment.get_template("page.html.j2").render(
        data=data,
        lang=lang,
        say=SAY[lang],
        policy=POLICY.format(script=" ".join(map(_hash, scripts)), style=_hash(style)),
        style=style,
        scripts=scripts,
        match_json=_json(data),
        words_json=_json({each: {**player.SAY[each], **SAY[each]} for each in SAY}),
        films=b64encode(packed(msgspec.json.encode(films))).decode(),
        # as bytes, since the verifier checks the exact bytes
        export=b64encode(packed(export)).decode(),
    )


@cache
def _style() -> Markup:
    own = (HERE / "style.css").read_text(encoding="utf-8")
    text = "\n".join((own, table.styles(), (player.FOLDER / player.STYLE).read_text(encoding="utf-8")))
    return _inlined("style.css", text)


@cache
def _verifier() -> Markup:
    """Return the verifier as a module of its own, so that its names don't meet the others'."""
    return _inlined(VERIFIER.name, f"{VERIFIER.read_text(encoding='utf-8')}\nglobalThis.verifyExport = verify\n")


@cache
def _script() -> Markup:
    return _inlined("page.js", f"{player.bundle()}\n{(HERE / 'page.js').read_text(encoding='utf-8')}")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _inlined(name: str, text: str) -> Markup:
    """Return a file's text unchanged. Raises ValueError when it would end the element around it."""
    if end := _ENDS.search(text):
        raise ValueError(f"{name} has {end[0]!r}, and can't stand in a page")
    return Markup(text)


def _json(value: object) -> Markup:
    """Return JSON for a script element, with "<" escaped, so that nothing can end the element."""
    return Markup(msgspec.json.encode(value).decode().replace("<", "\\u003c"))
