"""What holds of the texts of the house, each file of which has its languages side by side."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from jinja2 import Environment, nodes

from domain import texts
from domain.catalogue import Catalogue
from service.web.pages.opening import fields_of
from service.web.pages.page import FOLDER
from tests.conventions.tree import text_of, tracked

AREAS = ("domain", "replays", "bots", "service", "tests/toy")
OURS = [path for path in tracked() if any(path.is_relative_to(area) for area in AREAS)]
OTHERS = {"packs", "schema"}
"""Folders whose files hold no texts."""
DATA = {"examples", "lesson", "search"}
"""Files of rooms that are no texts by key: of a lesson, what is said in it, see LESSONS; numbers of a search."""
FILES = [path for path in OURS if path.suffix == ".toml" and OTHERS.isdisjoint(path.parts) and path.stem not in DATA]
GAMES = Path("domain/games")
ROOMS = [path for path in FILES if path.is_relative_to(GAMES)]
LESSONS = [path for path in OURS if path.is_relative_to(GAMES) and path.name == "lesson.toml"]
PAGES = Path("service/web/pages")
ELSEWHERE = {"problems", "titles", "fields", "libraries", "options"}
"""Files whose keys are no names: other tests compare them with the codes, statuses and sentences that there are."""

HALF_WIDTH = set(":;,.()!?")
FIELD = re.compile(r"\{\w*\}")
TABLE = "|"
"""Begins a row of a table in RULES.md, which is written with signs of its own."""
WRONG = {"時機": "タイミング", "箱": "パワーボックス", "(?:に|て|で|人が|カードを)指[すし]": "行う, 選ぶ or プレイする"}
"""Words that no rule book has, each with what stands instead. An indicator does 指す a card (3M-26)."""
OTHERWISE = {
    "マッチ": "対局",
    "全て": "すべて",
    "いま(?![すせま]|し[たてょ])": "今",
    "だれ": "誰",
    "ところです": "番",
}
"""Other words for what the texts call by one, each with that one."""
JAPANESE = re.compile("[\u3000-\u9fff\uff00-\uffef]")
BUILT = (
    r"""(?<!\w)f["']([\w-]*)\{[^"']*\}([\w-]*)["']""",  # f"subject-{kind}"
    r"""`([\w-]*)\$\{[^`]*\}([\w-]*)`""",  # `by_${one}`
    r"""["']([\w-]+-)["'] ~()""",  # "talk-" ~ match.talk
    r"""()~ ["'](-[\w-]+)["']""",  # what ~ "-help"
)
"""How names of texts are put together in Python, scripts and templates: the beginning and the end stay the same."""

SAID = re.compile(r'\bt(?:\.(\w+)|\["([\w-]+)"\])')
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


def home_of(path: Path) -> Path:
    """The folder whose sources use the texts of the file: a room, all pages, or the whole tree but for the rooms."""
    if path.is_relative_to(PAGES):
        return PAGES
    return path.parents[1] if path in ROOMS else path.parent if "toy" in path.parts else Path()


@cache
def used(home: Path) -> tuple[frozenset[str], tuple[re.Pattern[str], ...]]:
    """The names that stand in a folder's sources, those of classes too, and patterns of those put together there."""
    own = [path for path in OURS if path.is_relative_to(home) and (home.parts or not path.is_relative_to(GAMES))]
    own += [Path("domain/texts.py")]
    source = "\n".join(text_of(path) or "" for path in own if path.suffix in {".py", ".j2", ".js"})
    names = {name for pair in re.findall(r"""["']([\w-]+)["']|\b(?:t|say|words)\.(\w+)""", source) for name in pair}
    names |= {*re.findall(r"^class (\w+)\(", source, re.MULTILINE)}
    built = {pair for pattern in BUILT for pair in re.findall(pattern, source) if any(pair)}
    return frozenset(names), tuple(re.compile(f"{re.escape(first)}.+{re.escape(last)}") for first, last in built)


@every_file
def test_every_text_is_used(path: Path) -> None:
    home = home_of(path)
    names, built = used(home)
    is_elsewhere = path.stem in ELSEWHERE or (path.stem == "refusals" and home.parts)  # see test_rooms.py
    for key in content(path) if not is_elsewhere else ():
        assert key in names or any(pattern.fullmatch(key) for pattern in built), key


def test_what_labels_say_in_fewer_words_cards_say_too() -> None:
    text = GAMES / "terraformers/text"
    assert content(text / "brief.toml").keys() <= content(text / "words.toml").keys()


@pytest.mark.parametrize("path", ROOMS, ids=str)
def test_japanese_of_a_room_has_its_own_punctuation(path: Path) -> None:
    for key, languages in content(path).items():
        for form in forms(languages["ja"]):
            assert form.startswith(TABLE) or not HALF_WIDTH & set(FIELD.sub("", form)), key


@pytest.mark.parametrize("path", LESSONS, ids=str)
def test_a_lesson_is_in_both_languages_each_with_its_own_punctuation(path: Path) -> None:
    english, japanese = (re.findall(rf'\b{lang} = "([^"]*)"', text_of(path) or "") for lang in texts.LANGS)
    assert len(english) > 10
    assert [text for text in english if JAPANESE.search(text)] == []
    assert [
        text for text in japanese if HALF_WIDTH & set(text) or not ({text} & {*english} or JAPANESE.search(text))
    ] == []


def test_a_thing_has_one_word_in_japanese_and_in_a_room_that_of_the_rule_books() -> None:
    prose = [path for path in OURS if path.is_relative_to(GAMES) and path.name.endswith(".ja.md")]
    for path in (*FILES, *LESSONS, *prose):
        for word, instead in (OTHERWISE | WRONG if path.is_relative_to(GAMES) else OTHERWISE).items():
            found = re.search(word, text_of(path) or "")
            assert not found, f"{path}: {instead}, not {found}"


def test_an_option_has_its_texts_under_a_name_that_the_form_asks_for() -> None:
    needed, helps = set(), set()
    for room in Catalogue().rooms.values():
        for field in fields_of(room.game, "en"):
            name = f"{room.game.slug}/{field.name}"
            needed |= {name, *(f"{name}={choice}" for choice, _ in field.choices)}
            helps.add(f"{name}/help")
    said = content(PAGES / "words/options.toml").keys()
    assert said - helps == needed, "the texts of options.toml: those of each option and choice, and no other"


def test_a_page_says_only_what_is_written_down_and_nothing_otherwise_than_its_frame() -> None:
    written = {path: content(path).keys() for path in FILES if path.is_relative_to(PAGES)}
    said = {path.name: {*filter(None, sum(SAID.findall(path.read_text()), ()))} for path in sorted(FOLDER.glob("*.j2"))}
    assert [name for name, keys in said.items() if not keys <= {key for keys in written.values() for key in keys}] == []
    for path in FOLDER.glob("*.j2"):
        taken = {name for name in re.findall(r"\bt\.(\w+)", path.read_text()) if hasattr(texts.Words("en", {}), name)}
        assert not taken, f"{path.name}: a text of this name is read as t[...], for t has something else of that name"
    frame = said["frame.html.j2"]
    assert {"settings", "menu"} <= frame
    assert [path for path, keys in written.items() if path.stem not in {"frame", "script"} and keys & frame] == []


def test_a_page_fills_in_blocks_that_its_frame_shows() -> None:
    """Another block at the top of a page would be shown nowhere; a part that htmx asks for stands in one of these."""
    sources = {path.name: path.read_text() for path in FOLDER.glob("*.j2")}
    framed = 0
    for name, source in sources.items():
        if (frame := re.search(r'{% extends "(.+?)" %}', source)) is None:
            continue
        framed += 1
        shown = {*re.findall(r"{% block (\w+) %}|\bself\.(\w+)\(", sources[frame[1]])}
        filled = {one.name for one in Environment().parse(source).body if isinstance(one, nodes.Block)}
        assert filled <= {block for pair in shown for block in pair}, name
    assert framed > 20


def test_a_colon_between_two_texts_is_that_of_the_readers_language() -> None:
    """Japanese has one of its own, without a space; the contract is in English alone."""
    pages = [path for path in FOLDER.glob("*.j2") if not path.name.startswith("docs")]
    scripts = [*(PAGES / "static").glob("*.js")]
    lines = [(path.name, line) for path in (*pages, *scripts) for line in path.read_text().splitlines()]
    found = [one for one in lines if re.search(r"\}\}(</\w+>)?: |\}:( \$\{|`)", one[1]) and "label" not in one[1]]
    assert found == []


@pytest.mark.parametrize(
    ("number", "en", "ja"), [(0, "no move yet", "まだ手なし"), (1, "1 move", "1手"), (12, "12 moves", "12手")]
)
def test_a_number_chooses_the_plural_form(number: int, en: str, ja: str) -> None:
    words = texts.read("service.web.pages", "words/rows")
    assert [words[lang]["moves"].format(number=number) for lang in texts.LANGS] == [en, ja]
