"""What rooms say, in one table a room: a position, a move or an event there, and its sentence in each language.

`tests/games/<room>/sentences.toml` has a section a position. The section's name says what its sentences show, with the
clause. `at` is the position, as an expression of the room's `table.py`; `seat` is who reads, 0 unless it is named. Each
other key is a move or an event, and its value the sentence in English and in Japanese: the label of a move that is
legal there, the refusal of one that is not. Without a position it is how the log tells it. A pack stands for the list
of its cards. `table` is the whole table as it is told to the seat; `seat = "spectator"` is who has none. A refusal
stands there with its clause, code and fields. Keys such as `line`, `touches`, `zone <id>` and `touch <id>` ask for what
lies on the table and for what touches do: see `drawn.py`.

    python -m tests.sentences            prints the sections that differ
    python -m tests.sentences --write    writes the sentences again: read the difference before it is committed
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import tomllib
from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from domain import telling
from domain.chance import Simulation
from domain.game import Event, Game, Move, Refusal
from domain.secrecy import redact
from tests.cards import lister_of
from tests.drawn import LANGS, WHOLE, drawn, is_drawn
from tests.laws.rooms import SLUGS, room_of
from tests.written import compare

GAMES = Path(__file__).parent / "games"
WIDTH = 120
ROOMS = tuple(slug for slug in SLUGS if room_of(slug).game.decide.__module__.startswith("domain.games."))
"""The rooms of the house; the toy has no sentences worth a table."""
MODULES = ("components", "abilities", "moves", "events", "state")
"""The modules of a room whose names stand in expressions, beside those of its tests' `table.py`."""
TABLE, SPECTATOR = "table", "spectator"
RESERVED = {"at", "seat"}
Sections = dict[str, dict[str, Any]]


def path_of(slug: str) -> Path:
    return GAMES / slug.replace("-", "_") / "sentences.toml"


def sections_of(slug: str) -> Sections:
    assert path_of(slug).is_file(), f"{slug} is to have a table of what it says: see docs/adding-a-game.md"
    return tomllib.loads(path_of(slug).read_text(encoding="utf-8"))


@lru_cache
def names_of(slug: str) -> dict[str, Any]:
    """Return the names that expressions in a room's table may use."""
    name = slug.replace("-", "_")
    home = room_of(slug).game.decide.__module__.partition(f".{name}")[0]
    found: dict[str, Any] = {}
    for module in (*(f"{home}.{name}.{one}" for one in MODULES), f"tests.games.{name}.table"):
        if importlib.util.find_spec(module):
            found |= vars(importlib.import_module(module))
    return found | {"redact": redact, "Refusal": Refusal, "unplayable": partial(unplayable, slug)}


def unplayable(slug: str, options: Any, seats: int = 3, pack: Any = None) -> Refusal:
    """Return the refusal of options that cannot be played, with the house pack unless another is named."""
    try:
        room_of(slug).game.check_options(options, seats, pack or room_of(slug).packs["house"].pack)
    except Refusal as refusal:
        return refusal
    raise AssertionError(f"{options} can be played")


def sentence(game: Game[Any, Any, Any], table: Any, seat: Any, told: Any, lang: str) -> str:
    """Return what is said of a move at a position (its label, or why it is refused), of what a log tells, or a pack."""
    if told == TABLE:
        return telling.tell(game.scene(game.view(table, seat), lang), lang)
    if isinstance(told, game.Pack):
        lister = lister_of(game.slug)
        assert lister
        return lister(told, lang)
    if isinstance(told, Refusal):
        return game.explain(told, lang)
    if table is None or isinstance(told, Event):
        return game.describe(told, lang)
    if told in game.legal(table, seat):
        return game.label(table, seat, told, lang)
    return game.explain(refusal_of(game, table, seat, told), lang)


def refusal_of(game: Game[Any, Any, Any], table: Any, seat: Any, move: Any) -> Refusal:
    try:
        game.decide(table, seat, move, Simulation(1))
    except Refusal as refusal:
        return refusal
    raise AssertionError(f"{move} is not listed and not refused")


def lines(game: Game[Any, Any, Any], table: Any, seat: Any, told: Any) -> list[str]:
    """Return what stands in a row: the sentence in each language, and behind a refusal how programs read it."""
    if isinstance(told, str) and is_drawn(told):
        return drawn(game, table, seat, told)
    spoken = [sentence(game, table, seat, told, lang) for lang in LANGS]
    if isinstance(told, Refusal):
        refusal = told
    elif table is None or not isinstance(told, Move) or told in game.legal(table, seat):
        return spoken
    else:
        refusal = refusal_of(game, table, seat, told)
    fields = ", ".join(f"{name}={value!r}".replace("'", "`") for name, value in refusal.fields.items())
    return [*spoken, f"{refusal.clause} {refusal.code}{fields and f': {fields}'}"]


@lru_cache
def rows(slug: str) -> tuple[tuple[str, str, Any, Any, Any, list[str]], ...]:
    """Return each row: section, key, position or None, seat, move or event, and the lines as they are written."""
    names, found = names_of(slug), []
    for section, entries in sections_of(slug).items():
        at = eval(entries["at"], names) if "at" in entries else None
        table, seat = getattr(at, "table", at), entries.get("seat", 0)
        for key, written in entries.items():
            if key not in RESERVED:
                told = key if key == TABLE or is_drawn(key) else eval(key, names)
                found.append((section, key, table, None if seat == SPECTATOR else seat, told, written))
    return tuple(found)


def said(slug: str) -> Iterator[tuple[str, str, Any, list[str], list[str]]]:
    """Yield each row: section, key, move or event, the lines as they are written, and those that come now."""
    game = room_of(slug).game
    for section, key, table, seat, told, written in rows(slug):
        yield section, key, told, written, lines(game, table, seat, told)


def formatted(sections: Sections, now: dict[tuple[str, str], list[str]]) -> str:
    """Return a room's table as TOML, with the sentences as they are now."""
    parts = []
    for section, entries in sections.items():
        lines = [f"[{json.dumps(section, ensure_ascii=False)}]"]
        for key, written in entries.items():
            value = written if key in RESERVED else now[section, key]
            lines.append(entry(key if key in {*RESERVED, *WHOLE, TABLE} else quoted(key), value))
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def entry(name: str, value: Any) -> str:
    """Return a key and its value: sentences stand in a line each where one line does not hold both."""
    if not isinstance(value, list):
        return f"{name} = {quoted(value)}"
    if any("\n" in one for one in value):
        return f"{name} = [\n" + "".join(f'"""\n{one}""",\n' for one in value) + "]"
    literals = [json.dumps(one, ensure_ascii=False) for one in value]
    line = f"{name} = [{', '.join(literals)}]"
    return line if len(line) <= WIDTH else f"{name} = [\n" + "".join(f"    {one},\n" for one in literals) + "]"


def quoted(text: Any) -> str:
    """Return a TOML literal; an expression stands between single quotes where it holds none itself."""
    is_literal = isinstance(text, str) and '"' in text and "'" not in text
    return f"'{text}'" if is_literal else json.dumps(text, ensure_ascii=False)


def current(slug: str) -> tuple[Path, str]:
    """Return where the sentences of a room lie, and its table with the sentences as they are now."""
    now = {(section, key): found for section, key, _, _, found in said(slug)}
    return path_of(slug), formatted(sections_of(slug), now)


if __name__ == "__main__":
    compare("the sentences of games", partial(map, current), ROOMS)
