"""Problems in words: a code and its fields as one sentence in the asker's language.

Refusals of a game's rules have their own words (`domain/refusals.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.game import Lang
from service.wording import en, ja
from service.wording.libraries import in_japanese

TEXTS: dict[Lang, Mapping[str, str]] = {"en": en.TEXTS, "ja": ja.TEXTS}
"""The sentences by language and code, with the code's fields in braces."""

TITLES: dict[Lang, Mapping[int, str]] = {"en": en.TITLES, "ja": ja.TITLES}
"""The titles of problems by language and status."""

COMMA: dict[Lang, str] = {"en": ", ", "ja": "、"}


def say(code: str, lang: Lang, fields: Mapping[str, Any]) -> str:
    """Return the problem as one sentence."""
    return TEXTS[lang][code].format(**{name: _word(name, value, lang) for name, value in fields.items()})


def _word(name: str, value: Any, lang: Lang) -> Any:
    """Return a field as text: a tuple as a list of words, a library's `reason` as its sentence."""
    if name == "reason":
        return said_by(value, lang)
    return COMMA[lang].join(map(str, value)) if isinstance(value, tuple) else value


def said_by(sentence: str, lang: Lang) -> str:
    """Return a library's sentence in the language, if there is a translation."""
    return in_japanese(sentence) if lang == "ja" else sentence


def translated(errors: Any, lang: Lang) -> Any:
    """Return the errors by field, however deep, in the language."""
    match errors:
        case str():
            return said_by(errors, lang)
        case dict():
            return {name: translated(inner, lang) for name, inner in errors.items()}
        case list():
            return [translated(inner, lang) for inner in errors]
    return errors
