"""Problems in words: a code and its fields as one sentence, in the language of whoever asks.

What the rules of a game refuse they say themselves (`domain/refusals.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.game import Lang
from service.wording import en, ja
from service.wording.libraries import in_japanese

TEXTS: dict[Lang, Mapping[str, str]] = {"en": en.TEXTS, "ja": ja.TEXTS}
"""By language and code: the sentence, with the fields that belong to the code in braces."""

TITLES: dict[Lang, Mapping[int, str]] = {"en": en.TITLES, "ja": ja.TITLES}
"""By language and status: of which kind a problem is."""

COMMA: dict[Lang, str] = {"en": ", ", "ja": "、"}


def say(code: str, lang: Lang, fields: Mapping[str, Any]) -> str:
    """The problem as one sentence."""
    return TEXTS[lang][code].format(**{name: _word(name, value, lang) for name, value in fields.items()})


def _word(name: str, value: Any, lang: Lang) -> Any:
    """A field as a word; of several things a row of words; the reason that a library gives as its sentence."""
    if name == "reason":
        return said_by(value, lang)
    return COMMA[lang].join(map(str, value)) if isinstance(value, tuple) else value


def said_by(library: str, lang: Lang) -> str:
    """What a library says of what was sent, in that language where its sentence is known."""
    return in_japanese(library) if lang == "ja" else library


def translated(errors: Any, lang: Lang) -> Any:
    """What is wrong by field, however deep, in that language."""
    match errors:
        case str():
            return said_by(errors, lang)
        case dict():
            return {name: translated(inner, lang) for name, inner in errors.items()}
        case list():
            return [translated(inner, lang) for inner in errors]
    return errors
