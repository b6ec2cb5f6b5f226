"""Texts as data: a TOML file for each area, with every sentence in all languages side by side.

[moves]
en = {zero = "no move yet", one = "1 move", other = "{number} moves"}
ja = "{number}手"
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, get_args
from unicodedata import bidirectional

from domain.game import Lang, Seat, Spoken
from domain.you import to_you

LANGS: tuple[Lang, ...] = ("en", "ja")

LEFTWARD = frozenset({"R", "AL", "AN"})
"""The directions of letters that run from right to left."""

SEAT = re.compile(r"\b[Ss]eat (\d+)\b|席(\d+)")
"""Matches a seat in texts: "seat 1", "Seat 1's", "席1"."""


class Words(dict[str, str]):
    """The sentences of a language by key, with fields in braces. They never change, so what they give may be cached."""

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __init__(self, lang: Lang, sentences: Mapping[str, str]) -> None:
        super().__init__(sentences)
        self.lang = lang


Texts = Mapping[Lang, Words]


class Counted(str):
    """A sentence with plural forms; its field `number` chooses one: `zero` and `one` if there are such, or `other`."""

    forms: Mapping[str, str]
    _by_number: Mapping[object, str]
    """The forms for numbers that have one of their own; 1 and −1 have the same."""

    def __new__(cls, forms: Mapping[str, str]) -> Counted:
        made = super().__new__(cls, forms["other"])
        made.forms = forms
        names = {0: "zero", 1: "one", -1: "one"}
        made._by_number = {number: forms[name] for number, name in names.items() if name in forms}
        return made

    def format(self, *args: object, **fields: object) -> str:
        """Return the form for the number, with the fields filled in."""
        return self._by_number.get(fields["number"], self.forms["other"]).format(*args, **fields)


def read(package: str, *names: str) -> dict[Lang, Words]:
    """Return the texts of these files of a package, without ".toml"; of two with the same key, that of the later file.

    Raises:  KeyError if a language lacks a text.
    """
    return {
        lang: Words(lang, {key: text for name in names for key, text in _file(package, name)[lang].items()})
        for lang in LANGS
    }


class _Later(dict[Lang, Words]):
    """Texts that are read when a language is first asked for. Before that there seem to be none."""

    def __init__(self, package: str, names: tuple[str, ...]) -> None:
        super().__init__()
        self._files = (package, *names)

    def __missing__(self, lang: Lang) -> Words:
        texts = read(*self._files)
        self.update(texts)
        return texts[lang]


def later(package: str, *names: str) -> dict[Lang, Words]:
    """Return what `read` returns, but read it when a language is first asked for: the words of a room are many."""
    return _Later(package, names)


@cache
def _file(package: str, name: str) -> dict[Lang, dict[str, str]]:
    content = tomllib.loads(files(package).joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    return {lang: {key: _text(languages[lang]) for key, languages in content.items()} for lang in LANGS}


def _text(value: Any) -> str:
    return Counted(value) if isinstance(value, dict) else str(value)


def kinds_in(words: Texts, moves: Any) -> Callable[[Lang], Mapping[str, str]]:
    """Return the function that returns what a room's moves are called in a language, by their class; `moves`: all."""

    def kinds(lang: Lang) -> Mapping[str, str]:
        return {move.__name__: words[lang][f"kind-{move.__name__}"] for move in get_args(moves)}

    return kinds


def spoken(words: Texts, key: str) -> Spoken:
    """Return a sentence in all languages."""
    return Spoken(*(words[lang][key] for lang in LANGS))


@lru_cache(maxsize=256)
def seat_name(words: Words, seat: Seat) -> str:
    """Return a seat, counted from 0 as in the data, in a form that a name can replace."""
    return words["seat"].format(number=seat)


def seat_names(words: Words, seats: Iterable[Seat]) -> str:
    """Return several seats, at least one, as a list: `seat 0, seat 1 and seat 2`."""
    return listed(words, [seat_name(words, seat) for seat in seats])


def listed(words: Words, names: Sequence[str], last: str = "and") -> str:
    """Return names as a list, at least one: with commas between them, and before the last one the word `last`."""
    *others, end = names
    return words["comma"].join(others) + words[last] + end if others else end


def sentence(text: str) -> str:
    """Return the text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def figure(number: int) -> str:
    """Return the number as texts write it: with a minus sign, not a hyphen, below 0."""
    return str(number).replace("-", "−")


def apart(name: str) -> str:
    """Return a name to put into a sentence: one that runs from right to left does not turn what is beside it."""
    is_turned = not name.isascii() and not LEFTWARD.isdisjoint(map(bidirectional, name))
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}" if is_turned else name


def named(text: str, names: Sequence[str], you: Seat | None = None) -> str:
    """Return the text with names in the place of the seats' numbers; "" keeps the number. `you`: the reader's seat."""
    if "eat " not in text and "席" not in text:
        return text  # the expressions are slow, and most texts name no seat
    if you is not None:
        text = to_you(text, you)  # before there are names, which may contain anything

    def name(match: re.Match[str]) -> str:
        seat = int(match[1] or match[2])
        return apart(names[seat] if seat < len(names) else "") or match[0]

    return SEAT.sub(name, text)
