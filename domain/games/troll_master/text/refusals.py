"""Refusals in words. Actions are counted from 1, as they are on the row."""

from __future__ import annotations

from domain import texts
from domain.game import Lang, Refusal
from domain.games.troll_master.text.describe import WORDS, amount
from domain.refusals import joined, phrase
from domain.texts import listed

REFUSALS = texts.read("domain.games.troll_master.text", "refusals")
"""By language, then by clause and code; by the code alone if the sentence is the same for every clause."""


def explain(refusal: Refusal, lang: Lang) -> str:
    """Return the refusal as one sentence, with a familiar's name in that language if it is known."""
    words, fields = WORDS[lang], joined(refusal, lang)
    for field, value in refusal.fields.items():
        match field:
            case "cost" | "charges" | "ribbons":
                fields[field] = amount(words, "charge", int(str(value)))
            case "wanted" if isinstance(value, tuple):
                fields[field] = listed(words, [str(number) for number in value], "or")
            case "card" | "icon":
                fields[field] = words[f"magic-{value}"]
            case "kind":
                fields[field] = words[f"kind-{value}"]
            case "step":
                fields[field] = words[f"step-{value}"]
            case "ja" if lang == "ja":
                fields["familiar"] = str(value)
            case _:
                pass
    return phrase(REFUSALS[lang], refusal, **fields)
