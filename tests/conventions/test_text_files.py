"""What holds of the texts of the house outside the rooms, each file of which has its languages side by side."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from domain import texts
from domain.catalogue import Catalogue
from domain.matches import EVENTS
from service.web.pages.opening import fields_of
from service.web.pages.page import FOLDER
from tests.conventions.tree import text_of, tracked

AREAS = {"domain", "replays", "bots", "service"}
OTHERS = {"games", "schema"}
"""Folders whose files of this kind hold no texts."""

FILES = [
    path for path in tracked() if path.suffix == ".toml" and path.parts[0] in AREAS and OTHERS.isdisjoint(path.parts)
]
PAGES = Path("service/web/pages")
ELSEWHERE = {"problems", "titles", "libraries", "options"}
"""Files whose keys are no names: other tests compare them with the codes, statuses and sentences that there are."""

JAPANESE = re.compile("[\u3000-\u9fff\uff00-\uffef]")
BUILT = (
    r"""(?<!\w)f["']([\w-]*)\{[^"']*\}([\w-]*)["']""",  # f"subject-{kind}"
    r"""`([\w-]*)\$\{[^`]*\}([\w-]*)`""",  # `by_${one}`
    r"""["']([\w-]+-)["'] ~()""",  # "talk-" ~ match.talk
    r"""()~ ["'](-[\w-]+)["']""",  # what ~ "-help"
)
"""How names of texts are put together in Python, scripts and templates: the beginning and the end stay the same."""

SAID = re.compile(r'\bt(?:\.(\w+)|\["([\w-]+)"\])')
EVENTS_OF_MATCHES = {event.__name__ for event in EVENTS}
every_file = pytest.mark.parametrize("path", FILES, ids=str)


@cache
def content(path: Path) -> dict[str, dict[str, Any]]:
    return tomllib.loads(text_of(path) or "")


def forms(text: Any) -> list[str]:
    return list(text.values()) if isinstance(text, dict) else [text]


def fields(text: Any) -> set[str]:
    return {name for form in forms(text) for _, name, _, _ in Formatter().parse(form) if name is not None}


@every_file
def test_every_text_is_in_all_languages_and_fills_in_the_same(path: Path) -> None:
    for key, languages in content(path).items():
        assert tuple(languages) == texts.LANGS, key
        english, japanese = languages["en"], languages["ja"]
        if path.stem == "libraries":
            # the fields are what the English pattern finds, of which the translation need not say all
            assert fields(japanese) <= fields(english), key
        else:
            assert fields(english) == fields(japanese), key
        assert not any(JAPANESE.search(form.replace("日本語", "")) for form in forms(english)), key
        for text in (english, japanese):
            assert not isinstance(text, dict) or ("other" in text and text.keys() <= {"zero", "one", "other"}), key


@cache
def used(folder: Path) -> tuple[frozenset[str], tuple[re.Pattern[str], ...]]:
    """The names that stand in a folder's sources, and patterns of those that are put together there."""
    own = [path for path in tracked() if path.parts[0] in AREAS and path.is_relative_to(folder)]
    source = "\n".join(text_of(path) or "" for path in own if path.suffix in {".py", ".j2", ".js"})
    names = {name for pair in re.findall(r"""["']([\w-]+)["']|\b(?:t|say|words)\.(\w+)""", source) for name in pair}
    built = {pair for pattern in BUILT for pair in re.findall(pattern, source) if any(pair)}
    return frozenset(names), tuple(re.compile(f"{re.escape(first)}.+{re.escape(last)}") for first, last in built)


@every_file
def test_every_text_is_used(path: Path) -> None:
    names, built = used(PAGES if path.is_relative_to(PAGES) else Path())
    for key in content(path) if path.stem not in ELSEWHERE else ():
        assert key in names | EVENTS_OF_MATCHES or any(pattern.fullmatch(key) for pattern in built), key


def test_an_option_has_its_texts_under_a_name_that_the_form_asks_for() -> None:
    asked = set()
    for room in Catalogue().rooms.values():
        for field in fields_of(room.game, "en"):
            name = f"{room.game.slug}/{field.name}"
            asked |= {name, f"{name}/help", *(f"{name}={choice}" for choice, _ in field.choices)}
    assert content(PAGES / "words/options.toml").keys() <= asked


def test_a_page_says_only_what_is_written_down_and_nothing_otherwise_than_its_frame() -> None:
    written = {path: content(path).keys() for path in FILES if path.is_relative_to(PAGES)}
    said = {path.name: {*filter(None, sum(SAID.findall(path.read_text()), ()))} for path in sorted(FOLDER.glob("*.j2"))}
    assert [name for name, keys in said.items() if not keys <= {key for keys in written.values() for key in keys}] == []
    frame = said["frame.html.j2"]
    assert {"settings", "menu"} <= frame
    assert [path for path, keys in written.items() if path.stem not in {"frame", "script"} and keys & frame] == []


@pytest.mark.parametrize(
    ("number", "en", "ja"), [(0, "no move yet", "まだ手なし"), (1, "1 move", "1手"), (12, "12 moves", "12手")]
)
def test_a_number_chooses_the_plural_form(number: int, en: str, ja: str) -> None:
    words = texts.read("service.web.pages", "words/rows")
    assert [words[lang]["moves"].format(number=number) for lang in texts.LANGS] == [en, ja]
