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
from domain.matches import Finished
from domain.scene import Piece, Tone, style_of
from domain.texts import LANGS
from events.store import Statement, StoreError, Tables
from replays import player, table
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


class CostlyMove(msgspec.Struct, frozen=True):
    """A move that cost its seat much. Shares are of the first place, from 0 to 1."""

    version: int
    """The last version before the move."""
    lost: float
    """By how much the move was worse than the best one."""
    error: float
    """The standard error of `lost`."""
    played: dict[Lang, str]
    better: dict[Lang, str]
    gains: dict[Lang, tuple[str, ...]]
    """What the better move gains some moves later."""


class ReviewedSeat(msgspec.Struct, frozen=True):
    """What was found out about a seat's decisions, as the page tells it."""

    seat: int
    account: dict[str, float]
    """The parts of the result, and the result, by their names in `words`, in their order."""
    moments: tuple[CostlyMove, ...]
    words: dict[Lang, dict[str, str]]
    """The sentences around it, by `of`, `account-about`, `moments`, `no-moments`, `cost`, `range`, `played`, `better`,
    `gains`, `see` and `event`, and the names of the parts."""
    luck_error: float | None = None
    """The standard error of luck."""
    notes: tuple[str, ...] = ()
    """What else is said of the parts, by its names in `words`."""


def names_of(log: Log, lang: Lang) -> tuple[str, ...]:
    """Return a name for each seat, "" if it is unknown; () if nobody's name is known."""
    if not isinstance(log.store, Tables):
        return ()
    try:
        rows = log.store.find(Statement(SEATED, {"match": log.id}, log.id))
    except StoreError:
        # a store of logs alone has no tables of a service
        return ()
    known = {seat: name or (BOTS[lang].format(bot=bot) if bot else "") for seat, name, bot in rows}
    names = [known.get(seat, "") for seat in range(log.opening.seats)]
    # two seats with the same name keep their numbers instead
    return tuple(name if names.count(name) == 1 else "" for name in names)


def eyes_of(viewer: Viewer) -> str:
    """Return the page's name of a viewer."""
    return "all" if viewer == TRUTH else "nobody" if viewer is None else str(viewer)


def data_of(
    log: Log, films: Sequence[Film], viewer: Viewer, lang: Lang, names: dict[Lang, tuple[str, ...]]
) -> dict[str, Any]:
    """Return all data of the match but its films and its export. The page begins with that viewer and language."""
    game, frames, forked = log.game, films[0].frames, films[0].forked
    first, last = frames[0], frames[-1]
    if forked is not None:
        forked = msgspec.structs.replace(forked, parent=plain(forked.parent), hash=plain(forked.hash))
    return {
        "match": plain(log.id),
        "game": {
            "slug": game.slug,
            "title": {each: game.title.get(each, game.title["en"]) for each in LANGS},
            "palette": game.palette,
            "style": style_of(game),
        },
        "status": films[0].status,
        "rules": log.opening.version,
        "pack": plain(log.pack.name),
        "pack_hash": log.pack.hash,
        "names": names[lang],
        "eyes": [eyes_of(film.viewer) for film in films],
        "seen": eyes_of(viewer),
        "lang": lang,
        "forked": forked,
        "result": {"ranking": last.ranking, "points": last.points} if isinstance(last.event, Finished) else None,
        "begun": first.at,
        "ended": last.at,
        "moves": last.move,
        "events": len(frames),
    }


def films_of(log: Log, films: Sequence[Film], names: dict[Lang, tuple[str, ...]]) -> dict[str, Any]:
    """Return the match as all viewers see it, in all languages; what is the same for several of them stands once."""
    return {
        "events": [(frame.at, plain(frame.actor), plain(frame.type), frame.move) for frame in films[0].frames],
        "thoughts": {eyes_of(film.viewer): thoughts(log, film) for film in films},
        "spoken": {lang: _spoken(films, lang, names[lang]) for lang in LANGS},
    }


def _spoken(films: Sequence[Film], lang: Lang, names: Sequence[str]) -> dict[str, Any]:
    """Return the films in one language. `seen`: by viewer, for each event the places of its text and its scene."""
    cutter, texts = Cutter(lang, names), dict[str, int]()
    seen: dict[str, Any] = {}
    chapters: dict[int, str] = {}
    asides = set[int]()
    for film in films:
        frames = cutter.cut(film, film.frames)
        chapters.update({frame.version: frame.chapter for frame in frames if frame.chapter})
        asides.update(frame.version for frame in frames if frame.aside)
        places = [texts.setdefault(frame.text, len(texts)) for frame in frames]
        seen[eyes_of(film.viewer)] = places, [frame.scene for frame in frames]
    kept = {"scenes": list(cutter.scenes), "zones": list(cutter.zones), "pieces": list(cutter.pieces)}
    return {"texts": list(texts), "chapters": chapters, "asides": sorted(asides), **kept, "seen": seen}


def _packed(value: bytes) -> str:
    """Return the bytes compressed, in a form that browsers can unpack; the same result each time."""
    packed = bytearray(gzip.compress(value, 9, mtime=0))
    # the system on which it was compressed: Python 3.11 names it, 3.13 says that it is unknown
    packed[9] = 255
    return b64encode(packed).decode()


HERE = Path(__file__).parent

POLICY = "default-src 'none'; script-src {script}; style-src {style}; base-uri 'none'; form-action 'none'"
"""The page runs and draws only what it contains, and loads nothing."""

_ENDS = re.compile(r"</(script|style)|<!--", re.IGNORECASE)


def page(
    log: Log,
    viewers: Sequence[Viewer],
    viewer: Viewer,
    lang: Lang,
    export: bytes,
    names: Sequence[str] = (),
    review: ReviewedSeat | None = None,
) -> str:
    """Return the HTML of the match as these viewers see it, with its export. `names`: of its seats, if known."""
    films = [Film(log, each) for each in viewers]
    called = {each: tuple(map(plain, names)) or ("",) * log.opening.seats for each in LANGS}
    data = {**data_of(log, films, viewer, lang, called), "review": review}
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    style, scripts = _parts()
    return environment.get_template("page.html.j2").render(
        data=data,
        lang=lang,
        say=SAY[lang],
        policy=POLICY.format(script=" ".join(map(_hash, scripts)), style=_hash(style)),
        style=style,
        scripts=scripts,
        match_json=_json(data),
        words_json=_json({each: {**player.SAY[each], **SAY[each]} for each in SAY}),
        films=_packed(msgspec.json.encode(films_of(log, films, called))),
        # as bytes, since the verifier checks the exact bytes
        export=_packed(export),
    )


@cache
def _parts() -> tuple[Markup, tuple[Markup, ...]]:
    """Return the style, and the scripts: the verifier is a module of its own, so that its names don't meet others."""

    def text(path: Path) -> str:
        return path.read_text(encoding="utf-8")

    style = "\n".join((text(HERE / "style.css"), table.styles(), text(player.FOLDER / player.STYLE)))
    verifier = _inlined("verify.mjs", f"{text(HERE.parent / 'verify.mjs')}\nglobalThis.verifyExport = verify\n")
    script = _inlined("page.js", f"{player.bundle()}\n{text(HERE / 'page.js')}")
    return _inlined("style.css", style), (verifier, script)


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
