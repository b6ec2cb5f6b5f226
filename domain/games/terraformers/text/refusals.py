"""Refusals in words, addressed to the seat."""

from __future__ import annotations

from domain import texts
from domain.game import Lang, Refusal
from domain.games.terraformers.text.describe import PACKAGE, WORDS, counted
from domain.refusals import joined, phrase

REFUSALS = texts.read(PACKAGE, "refusals")
"""By code, or by clause and code."""


def explain(refusal: Refusal, lang: Lang) -> str:
    """Return the refusal as a sentence. It has each card in both languages, of which this takes one."""
    words, fields = WORDS[lang], refusal.fields
    told = joined(refusal, lang)
    if isinstance(card := fields.get("card"), tuple):
        told["card"] = str(card[lang == "ja"])
    if "box" in fields:
        told["box"] = words[f"box-{fields['box']}"]
    for field in ("price", "tips", "least"):
        if field in fields:
            told[field] = counted(words["tips"], int(str(fields[field])))
    return phrase(REFUSALS[lang], refusal, **told)
