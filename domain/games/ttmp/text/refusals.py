"""Refusals in words."""

from __future__ import annotations

from domain import texts
from domain.game import Lang, Refusal
from domain.games.ttmp.text.describe import WORDS
from domain.refusals import joined, phrase
from domain.texts import seat_name

REFUSALS = texts.read("domain.games.ttmp.text", "refusals")
"""By language, and by `clause code` or `code` alone."""


def explain(refusal: Refusal, lang: Lang) -> str:
    """Return the refusal as one sentence."""
    words, fields = WORDS[lang], refusal.fields
    told = joined(refusal, lang)
    if "step" in fields:
        told["step"] = words[f"step-{fields['step']}"]
    if isinstance(seat := fields.get("seat"), int):
        told["seat"] = seat_name(words, seat)
    if isinstance(card := fields.get("card"), tuple):
        told["card"] = str(card[lang == "ja"])
    return phrase(REFUSALS[lang], refusal, **told)
