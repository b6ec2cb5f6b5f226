"""The sentences of refusals that any match may raise; a game's own texts have the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain import texts
from domain.game import Game, Lang, Refusal

TEXTS = texts.read("domain", "refusals")
"""By language and code: the refusals without a clause of a game's rules."""


def say(game: Game[Any, Any, Any], refusal: Refusal, lang: Lang) -> str:
    """Return the refusal as a sentence: from the game's texts if it has a clause, else from those here."""
    return game.explain(refusal, lang) if refusal.clause else plain(refusal, lang, game.title[lang])


def plain(refusal: Refusal, lang: Lang, title: str = "") -> str:
    """Return a refusal without a clause as a sentence; `title` is the game's, for refused seats."""
    text = TEXTS[lang][refusal.code]
    return text.format(title=title, **joined(refusal, lang))


def joined(refusal: Refusal, lang: Lang) -> dict[str, str]:
    """Return the refusal's fields as texts; rows of names or numbers with commas between."""
    comma = "、" if lang == "ja" else ", "
    return {
        name: comma.join(map(str, value)) if isinstance(value, tuple) else str(value)
        for name, value in refusal.fields.items()
    }


def phrase(texts: Mapping[str, str], refusal: Refusal, **words: str) -> str:
    """Return the sentence of a room's table for the refusal, with its fields filled in.

    Shape:   `texts` is by `clause code`, or by `code` alone if a code has one sentence under every clause; `words`
             replace fields (the name of a card in the reader's language).
    """
    text = texts.get(f"{refusal.clause} {refusal.code}") or texts[refusal.code]
    return text.format(**{**refusal.fields, **words})
