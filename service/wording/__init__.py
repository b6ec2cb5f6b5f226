"""Problems in words: a code and its fields as one sentence in the asker's language; and a match's clock in words.

Refusals of a game's rules have their own words (`domain/refusals.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from domain import texts
from domain.game import Lang
from domain.happenings import ClockSet
from service.clock import DAY, HOUR, MINUTE, WEEK

TEXTS = texts.read("service.wording", "problems")
"""The sentences by language and code, with the code's fields in braces."""

TITLES = {
    lang: {int(status): title for status, title in titles.items()}
    for lang, titles in texts.read("service.wording", "titles").items()
}
"""The titles of problems by language and status."""

FIELDS = texts.read("service.wording", "fields")
"""What we say instead of marshmallow's own sentences, which are the keys: patterns."""

LIBRARIES = texts.read("service.wording", "libraries")
"""The error sentences of msgspec, and of our own checks: patterns by language."""

CLOCKS = texts.read("service.wording", "clocks")
"""The words for the clock of a match, and for spans of time."""

SPANS = ((WEEK, "weeks"), (DAY, "days"), (HOUR, "hours"), (MINUTE, "minutes"))

COMMA: dict[Lang, str] = {"en": ", ", "ja": "、"}

_PLACE = re.compile(r"(.*) - at `(.*)`", re.DOTALL)


def say(code: str, lang: Lang, fields: Mapping[str, Any]) -> str:
    """Return the problem as one sentence."""
    return TEXTS[lang][code].format(**{name: _word(name, value, lang) for name, value in fields.items()})


def _word(name: str, value: Any, lang: Lang) -> Any:
    """Return a field as text: a tuple as a list of words, a library's `reason` as its sentence."""
    if name == "reason":
        return translated(value, lang)
    return COMMA[lang].join(map(str, value)) if isinstance(value, tuple) else value


def clock(terms: ClockSet | None, lang: Lang) -> str:
    """Return a match's clock in words; None is none."""
    words = CLOCKS[lang]
    if terms is None:
        return words["no-clock"].format()
    text = words["clock"].format(allowance=_span(terms.allowance, lang))
    return text + words["bank"].format(bank=_span(terms.bank, lang)) if terms.bank else text


def _span(milliseconds: int, lang: Lang) -> str:
    for size, unit in SPANS:
        if milliseconds >= size and not milliseconds % size:
            return CLOCKS[lang][unit].format(number=milliseconds // size)
    return CLOCKS[lang]["seconds"].format(number=round(milliseconds / 1000))


def translated(errors: Any, lang: Lang) -> Any:
    """Return the errors by field, however deep, in the language."""
    match errors:
        case str():
            return in_our_words(errors, lang)
        case dict():
            return {name: translated(inner, lang) for name, inner in errors.items()}
        case list():
            return [translated(inner, lang) for inner in errors]
    return errors


def _pattern(english: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.*?)", re.escape(english)), re.DOTALL)


_known = [(_pattern(theirs), {lang: FIELDS[lang][theirs] for lang in texts.LANGS}) for theirs in FIELDS["en"]]
_known += [
    (_pattern(said), {lang: LIBRARIES[lang][key] for lang in texts.LANGS}) for key, said in LIBRARIES["en"].items()
]


def in_our_words(sentence: str, lang: Lang) -> str:
    """Return a library's sentence in our words, by the first pattern that fits; unchanged if there is none."""
    if (placed := _PLACE.fullmatch(sentence)) is not None:
        said = in_our_words(placed[1], lang)
        return f"{said}（`{placed[2]}`）" if lang == "ja" else f"{said} - at `{placed[2]}`"
    for pattern, words in _known:
        if (match := pattern.fullmatch(sentence)) is not None:
            return words[lang].format(**match.groupdict())
    return sentence
