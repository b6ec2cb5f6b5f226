"""Every room is complete: its clauses are cited, its events are written down, its texts are there.

And how each game is played is told for who has two minutes: true to the clauses, with examples that come about.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections import Counter
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from domain import secrecy
from domain.catalogue import Catalogue, Room
from domain.game import Event, Game, Move, Value, classes, fold
from domain.scene import pieces_of
from service.web.pages import examples
from tests.cards import LISTING, cards_of, lister_of, stale
from tests.conventions.tree import python_files, text_of
from tests.laws.rooms import SLUGS, known_of, room_of

CLAUSE = re.compile(r"^- (\w+-\d+) ", re.MULTILINE)
CITED = re.compile(r"\b([0-9A-Z]+)-(\d+)(?: to (?:\1-)?(\d+))?")
NAMELESS = re.compile(r"^\|(?: |.* \| ) *\|.*\n\|---", re.MULTILINE)
ROLES = {
    "components": ("Options",),
    "pack": ("Pack", "parse_pack"),
    "moves": ("Move",),
    "events": ("Event",),
    "state": ("initial",),
    "evolve": ("evolve",),
    "view": ("view", "View"),
    "rules": ("to_act", "legal", "decide", "forced", "secret", "close", "standing"),
    "rules.setup": ("check_options", "setup"),
    "bot.default": ("default",),
    "bot.imagine": ("imagine",),
    "bot.evaluate": ("evaluate",),
    "bot.measure": ("measure",),
    "text.describe": ("describe",),
    "text.labels": ("label",),
    "scene.table": ("scene",),
    "scene.touches": ("touches", "meant"),
    "scene.pack": ("showcase",),
    "text.refusals": ("explain",),
}
"""By file of a room, what of the `Game` stands there; in `rules`, anywhere. A small room has one file for a folder."""
ABILITIES = {"effects", "primitives", "specials"}
"""Other words for `abilities`, which is what cards do."""
every_room = pytest.mark.parametrize("slug", SLUGS)


def clauses_of(room: Room, lang: str = "en") -> list[str]:
    return CLAUSE.findall(room.rules(lang))


@cache
def folder_of(room: Room) -> Path:
    """Where the room lies, relative to the root."""
    rules = next(path for path in python_files() if room.game.decide.__module__ == ".".join(module_of(path)))
    return Path(*rules.parts[: rules.parts.index(room.game.slug.replace("-", "_")) + 1])


def module_of(path: Path) -> tuple[str, ...]:
    parts = path.with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def sources_of(folder: Path) -> list[str]:
    return [text_of(path) or "" for path in python_files() if path.is_relative_to(folder)]


@every_room
def test_every_clause_is_cited_by_the_rooms_code_and_named_by_a_test(slug: str) -> None:
    room = room_of(slug)
    cited = {
        f"{prefix}-{number}"
        for text in sources_of(folder_of(room))
        for prefix, first, last in CITED.findall(text)
        for number in range(int(first), int(last or first) + 1)
    }
    tests = "\n".join(sources_of(Path("tests/games") / folder_of(room).name)).lower()
    for clause in clauses_of(room):
        assert clause in cited
        assert re.search(rf"def test_(?:\w+_)?{clause.lower().replace('-', '_')}_", tests), clause


@every_room
def test_clauses_are_numbered_without_gaps_and_alike_in_every_language(slug: str) -> None:
    clauses = clauses_of(room_of(slug))
    prefix = clauses[0].rpartition("-")[0]
    assert clauses == [f"{prefix}-{number}" for number in range(1, len(clauses) + 1)]
    assert clauses_of(room_of(slug), "ja") == clauses


TAGS = re.compile(r"\[[RHP]\]")
HOUSES = {
    "TF-1": ("a list of exactly eight", "カードの一覧"),
    "TF-14": ("Power that is left", "余ったパワー"),
    "TF-17": ("where it lies before it moves", "移る前の位置"),
    "TF-40": ("if there is any", "あれば取る"),
    "TM-36": ("or in one turn of planning", "計画では一つの手番"),
    "TM-47": ("can be used after acquiring", "獲得した後にも使える"),
    "TT-7": ("any number of them", "何枚でも"),
    "TT-8": ("the player's choice", "どれかは選ぶ"),
    "TT-23": ("from whom they choose", "引く者が選び"),
    "3M-29": ("are printed in the pack", "パックに記す"),
}
"""By clause, what the house rules there and no rule book says, in both languages."""


def rules_of(room: Room, lang: str) -> dict[str, str]:
    """By clause, what RULES.md says."""
    parts = CLAUSE.split(room.rules(lang))[1:]
    return {clause: text.partition("\n")[0] for clause, text in zip(parts[::2], parts[1::2], strict=True)}


@every_room
def test_a_clause_says_alike_in_every_language_whose_it_is(slug: str) -> None:
    english, japanese = (rules_of(room_of(slug), lang) for lang in ("en", "ja"))
    assert [TAGS.findall(text) for text in english.values()] == [TAGS.findall(text) for text in japanese.values()]
    for clause in HOUSES.keys() & english.keys():
        for rules, words in zip((english, japanese), HOUSES[clause], strict=True):
            before, found, _ = rules[clause].partition(words)
            assert found, (clause, words)
            assert TAGS.findall(before)[-1] == "[H]", (clause, words)


@every_room
def test_moves_events_and_options_are_of_the_houses_kinds_and_what_they_hide_can_be_unknown(slug: str) -> None:
    room = room_of(slug)
    game, events = room.game, classes(room.game.Event)
    assert set(game.title) == {"en", "ja"}
    assert "house" in room.packs
    assert set(game.evolve.by_class) == set(events)
    for cls in classes(game.Move):
        assert issubclass(cls, Move)
        assert all(isinstance(mark, secrecy.Hidden) for _, mark in secrecy.marks(cls))
    for cls in events:
        assert issubclass(cls, Event)
        assert cls.__doc__
    for cls in (*events, *classes(game.Move)):
        for name, _ in secrecy.marks(cls):
            kind = str(cls.__annotations__[name])
            assert "None" in kind or "Lying" in kind, f"{cls.__name__}.{name}: {kind}"
    assert issubclass(game.Options, Value)
    assert game.Options() == game.Options(), "every option has a default"
    assert known_of(slug).tells <= {cls.__name__ for cls in events}
    assert "## Tells" in room.rules()


def refusals_of(slug: str) -> list[tuple[str, str, set[str]]]:
    """Every refusal that the room's code makes by a code written there: clause ("" if computed), code, fields."""
    found = []
    for text in sources_of(folder_of(room_of(slug))):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal":
                clause, code = (arg.value if isinstance(arg, ast.Constant) else "" for arg in node.args)
                found.append((str(clause), str(code), {one.arg for one in node.keywords if one.arg}))
    return found


@every_room
def test_every_refusal_has_a_sentence_in_every_language_for_the_fields_that_it_has(slug: str) -> None:
    tables = importlib.import_module(room_of(slug).game.explain.__module__).REFUSALS
    made = refusals_of(slug)
    assert tables["en"].keys() == tables["ja"].keys()
    assert all(text.endswith(end) for lang, end in (("en", "."), ("ja", "。")) for text in tables[lang].values())
    used = set()
    for clause, code, fields in made:
        names = [name for name in (f"{clause} {code}", code) if name in tables["en"]][:1]
        if not clause:
            names = [name for name in tables["en"] if name.split()[-1] == code]
        assert names, f"{clause} {code} is not said"
        used |= set(names)
        for name in names:
            for table in tables.values():
                wanted = {part for _, part, _, _ in Formatter().parse(table[name]) if part}
                assert wanted <= fields, f"{name} has no {wanted - fields}"
    assert used == tables["en"].keys(), "some sentence is never said"


@pytest.mark.parametrize("slug", LISTING)
def test_the_rules_list_the_cards_of_the_house_pack_as_they_are(slug: str) -> None:
    assert not [path for path, _ in stale((slug,))], f"python -m tests.cards --write {slug}"
    for lang in ("en", "ja"):
        assert not CLAUSE.search(cards_of(slug, lang)), "a card reads as a clause"
        assert not NAMELESS.search(cards_of(slug, lang)), "a column has no name"


def misplaced(slug: str) -> list[str]:
    """What of the room's `Game` stands in a file of another name than the same has in every room."""
    game, folder = room_of(slug).game, folder_of(room_of(slug))
    found = []
    for role, names in ROLES.items():
        whole = role.partition(".")[0]
        places = {role, whole} if folder / f"{whole}.py" in python_files() else {role}
        for name, part in [(one, part) for one in names for part in classes(getattr(game, one))]:
            file = part.__module__.removeprefix(".".join((*folder.parts, "")))
            is_there = file in places or (role == "rules" and file.startswith("rules."))
            if part.__module__ != Game.__module__ and not is_there:
                found.append(f"{name} is {part.__name__} of {file}, where other rooms have it in {role}")
    return found


@every_room
def test_the_same_role_has_one_file_name_in_every_room(slug: str) -> None:
    assert not (found := misplaced(slug)), "\n".join(found)
    files = {path.stem for path in python_files() if path.parent == folder_of(room_of(slug))}
    assert not (others := files & ABILITIES), f"what cards do is in {others}, where other rooms have it in abilities"
    if listing := lister_of(slug):
        assert listing.__module__.endswith(".text.cards"), f"{listing.__module__} lists the cards, not text.cards"


FIGURE = re.compile(r"^ *```figure (\S+)\n(.*?)\n *```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"(?<![0-9A-Za-z-])[0-9A-Z]+-[0-9]+")
STEP = re.compile(r"^(\d+)\. \*\*", re.MULTILINE)
NUMBERED = re.compile(r"(.+[/-])\d+")
"""The id of one of several zones in a row, as a formula has it."""
MOST = 500
"""So many words are read in two minutes."""
every_howto = pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug != "high-card"])


@every_howto
def test_a_game_is_explained_in_both_languages_step_by_step(slug: str) -> None:
    english, japanese = (room_of(slug).howto(lang) for lang in ("en", "ja"))
    assert english.startswith("# ")
    assert re.search("[\u3040-\u30ff]", japanese), "there is no HOWTO.ja.md"
    for text in (english, japanese):
        pitch, length = text.split("\n\n")[1:3]
        assert 10 < len(pitch) < 120
        assert re.fullmatch(r"about \d+ minutes in one sitting|続けて遊べば約\d+分", length)
        steps = [int(step) for step in STEP.findall(text)]
        assert steps == list(range(1, len(steps) + 1))
        assert 5 <= len(steps) <= 8
    assert len(FIGURE.sub("", english).split()) <= MOST


@every_howto
def test_it_names_clauses_that_there_are_and_shows_each_example_once_in_every_language(slug: str) -> None:
    room = room_of(slug)
    english, japanese = (set(NAMED.findall(room.howto(lang))) for lang in ("en", "ja"))
    assert english
    assert english == japanese
    assert english <= set(clauses_of(room))
    for lang in ("en", "ja"):
        figures = FIGURE.findall(room.howto(lang))
        assert Counter(name for name, _ in figures) == Counter(room.examples().keys())
        assert all(caption.strip() for _, caption in figures)


@every_howto
def test_every_example_comes_about_and_shows_what_its_eyes_may_see_and_no_more(slug: str) -> None:
    room = room_of(slug)
    for name, example in room.examples().items():
        for lang in ("en", "ja"):
            figure = examples.figure_of(room, name, lang)
            assert list(pieces_of(figure.scene)), name
            assert figure.text
            assert bool(figure.scene.line) is not bool(example.zones), name
            shown = [zone for zone in figure.scene.zones if zone.pieces]
            assert not example.zones or len(shown) == len(example.zones), f"{name}: something is not there, or empty"
        hands = [zone for zone in figure.scene.zones if zone.id.endswith("/hand") and zone.seat]
        foreign = [] if slug == "terraformers" else [zone for zone in hands if zone.seat != (figure.seat,)]
        assert [piece.id for zone in foreign for piece in zone.pieces if piece.face != "down"] == [], name


def test_examples_are_of_the_rooms_own_pack_where_others_are_offered() -> None:
    room = Catalogue().rooms["terraformers"]
    room.offer_only(())
    assert examples.figure_of(room, "planet", "en").scene.zones


@every_howto
def test_an_example_is_the_same_every_time(slug: str) -> None:
    room = room_of(slug)
    name = next(iter(room.examples()))
    first = examples.figure_of(room, name, "en")
    examples.figure_of.cache_clear()
    examples.moment_of.cache_clear()
    again = examples.figure_of(room, name, "en")
    assert again is not first
    assert again == first


@every_howto
def test_an_example_that_shows_one_of_a_numbered_row_shows_all_of_it(slug: str) -> None:
    room = room_of(slug)
    for name, example in room.examples().items():
        moment = examples.moment_of(room, name)
        table = fold(room.game, moment.table, moment.events)
        lying = {zone.id for zone in room.game.scene(room.game.view(table, moment.seat), "en").zones}
        wanted = {zone.format(seat=moment.seat) for zone in example.zones}
        rows = tuple(found[1] for zone in wanted if (found := NUMBERED.fullmatch(zone)))
        assert {zone for zone in lying if zone.startswith(rows) and NUMBERED.fullmatch(zone)} <= wanted, name


def test_troll_masters_table_is_shown_in_planning_with_all_pawns_on_the_row() -> None:
    scene = examples.figure_of(room_of("troll-master"), "table", "en").scene
    (row,) = (zone for zone in scene.zones if zone.id == "row")
    assert "reveal a card" in scene.line
    assert len([lying for action in row.pieces for lying in action.on]) == 3
