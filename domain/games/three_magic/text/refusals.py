"""Refusals in words."""

from __future__ import annotations

from domain.game import Lang, Refusal
from domain.games.three_magic.text.describe import WORDS
from domain.refusals import phrase

REFUSALS: dict[Lang, dict[str, str]] = {lang: words.refusals for lang, words in WORDS.items()}


def explain(refusal: Refusal, lang: Lang) -> str:
    """Return the refusal as one sentence, for the seat whose move is refused."""
    if (step := refusal.fields.get("step")) is not None:
        return phrase(REFUSALS[lang], refusal, step=WORDS[lang].steps[str(step)])
    return phrase(REFUSALS[lang], refusal)
