"""What holds of the sentences of every room as they are written down, also of those that few matches bring about."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from string import Formatter

import msgspec
import pytest

from domain.game import Lang
from tests.laws.rooms import SLUGS, room_of

FIELD = re.compile(r"\{[\w.]*\}")
HALF_WIDTH = set(":;,.()!?")
TABLE = "|"
"""Begins a row of a table in RULES.md, which is written with signs of its own."""
every_room = pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug != "high-card"])

WRONG = {"時機": "タイミング", "箱": "パワーボックス", "(?:に|て|で|人が|カードを)指[すし]": "行う, 選ぶ or プレイする"}
"""Words that no rule book has, each with what stands instead. An indicator does 指す a card (3M-26)."""

Place = tuple[str, ...]


def texts_of(slug: str, lang: Lang) -> dict[Place, tuple[str, ...]]:
    """All sentences of a room in a language by where they stand; several forms of one stand together."""
    package = room_of(slug).game.explain.__module__.rpartition(".")[0]
    found: dict[Place, tuple[str, ...]] = {}
    for module in [module for name, module in sys.modules.items() if name.startswith(f"{package}.")]:
        for name, tables in vars(module).items():
            if isinstance(tables, dict) and tables.keys() == {"en", "ja"}:
                found |= walked(tables[lang], (name,))
    return found


def walked(value: object, at: Place) -> Iterator[tuple[Place, tuple[str, ...]]]:
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from walked(getattr(value, name), (*at, name))
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from walked(part, (*at, str(key)))
    else:
        forms = value if isinstance(value, tuple) else (value,)
        assert all(isinstance(form, str) for form in forms), at
        yield at, tuple(map(str, forms))


def filled(forms: tuple[str, ...]) -> set[str]:
    return {name for form in forms for _, name, _, _ in Formatter().parse(form) if name is not None}


def is_alike(english: tuple[str, ...], japanese: tuple[str, ...]) -> bool:
    """Whether both fill in the same; Japanese may have a bare number where English counts in words."""
    one, other = filled(english), filled(japanese)
    return one == other or (len(one - other) == 1 and other - one == {"number"})


@every_room
def test_both_languages_have_the_same_sentences_in_their_own_words_and_punctuation(slug: str) -> None:
    english, japanese = texts_of(slug, "en"), texts_of(slug, "ja")
    assert english.keys() == japanese.keys()
    assert len(english) > 100
    for at, forms in english.items():
        assert is_alike(forms, japanese[at]), at
        assert not re.search("[\u3000-\u9fff\uff00-\uffef]", "".join(forms)), at
        for form in japanese[at]:
            assert form.startswith(TABLE) or not HALF_WIDTH & set(FIELD.sub("", form)), at
    room = room_of(slug)
    for text in (room.rules("ja"), room.howto("ja"), *(form for forms in japanese.values() for form in forms)):
        for word, instead in WRONG.items():
            assert not re.search(word, text), f"{instead}, not {re.search(word, text)}"
