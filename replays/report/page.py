"""The report's page: a template that contains its style, its scripts, and the match as data."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from domain import texts
from domain.game import Lang
from replays import player, table
from replays.log import Log, Viewer
from replays.report.data import packed, told

SAY = texts.read("replays.report", "words")
"""The report's own texts by language and name; the page fills `{…}` in."""

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
