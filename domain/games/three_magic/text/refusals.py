"""Refusals in words."""

from __future__ import annotations

from domain import texts
from domain.game import Lang, Refusal
from domain.games.three_magic.text.describe import WORDS
from domain.refusals import phrase

REFUSALS = texts.read("domain.games.three_magic.text", "refusals")


def explain(refusal: Refusal, lang: Lang) -> str:
    """Return the refusal as one sentence, for the seat whose move is refused."""
    if (step := refusal.fields.get("step")) is not None:
        return phrase(REFUSALS[lang], refusal, step=WORDS[lang][f"wanted-{step}"])
    return phrase(REFUSALS[lang], refusal)
