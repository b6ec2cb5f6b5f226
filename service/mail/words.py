"""The sentences of mails, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping

from domain import texts
from domain.game import Lang

TEXTS = texts.read("service.mail", "words")
COMMA: Mapping[Lang, str] = {"en": ", ", "ja": "、"}


def word(code: str, lang: Lang, **fields: object) -> str:
    """Return the sentence in that language, with its fields filled in."""
    return TEXTS[lang][code].format(**fields)
