"""Refusals in words."""

from __future__ import annotations

from domain import texts
from domain.game import Lang, Refusal
from domain.games.ttmp.text.describe import WORDS
from domain.refusals import phrase
from domain.texts import seat_name

REFUSALS = texts.read("domain.games.ttmp.text", "refusals")
"""By language, and by `clause code` or `code` alone."""


def explain(refusal: Refusal, lang: Lang) -> str:
    """Return the refusal as one sentence."""
    words = WORDS[lang]
    fields = {}
    for name, value in refusal.fields.items():
        if name == "step":
            fields[name] = words[f"step-{value}"]
        elif name == "seat" and isinstance(value, int):
            fields[name] = seat_name(words, value)
        elif name == "card" and isinstance(value, tuple):
            fields[name] = str(value[lang == "ja"])
        else:
            assert isinstance(value, tuple), f"there are no words for {name}"
            fields[name] = words["comma"].join(map(str, value))
    return phrase(REFUSALS[lang], refusal, **fields)
