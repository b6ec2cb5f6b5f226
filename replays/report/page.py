"""The page itself: a template with its style and its scripts in it, and the match as data."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from domain.game import Lang
from replays.log import Log, Viewer
from replays.report.data import data_of
from replays.report.words import SAY

HERE = Path(__file__).parent
VERIFIER = HERE.parent / "verify.mjs"
STYLES = ("style.css", "table.css", "panels.css")
SCRIPTS = ("film.js", "changes.js", "charts.js", "pace.js", "verdict.js", "page.js")
"""One program: what a file names the later ones use."""

_ENDS = re.compile(r"</(script|style)|<!--", re.IGNORECASE)


def page(log: Log, viewers: Sequence[Viewer], viewer: Viewer, lang: Lang, export: bytes) -> str:
    """The match as these viewers see it, with the lines of its export, as HTML."""
    data = data_of(log, viewers, viewer, lang)
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("page.html.j2").render(
        data=data,
        lang=lang,
        say=SAY[lang],
        style=Markup("\n").join(_inlined(name) for name in STYLES),
        # a module of its own: its names are its own too
        verifier=_inlined(VERIFIER.name, HERE.parent),
        script=Markup("\n").join(_inlined(name) for name in SCRIPTS),
        match_json=_json(data),
        words_json=_json(SAY),
        # the bytes count, so they are told as such
        export=b64encode(export).decode(),
    )


def _inlined(name: str, folder: Path = HERE) -> Markup:
    """A file's text, as it stands. Raises ValueError when it would end the element that it stands in."""
    text = (folder / name).read_text(encoding="utf-8")
    if found := _ENDS.search(text):
        raise ValueError(f"{name} has {found[0]!r}, and can't stand in a page")
    return Markup(text)


def _json(value: object) -> Markup:
    """JSON that can stand in a script element: what might end it is escaped, as JSON may."""
    return Markup(msgspec.json.encode(value).decode().replace("<", "\\u003c"))
