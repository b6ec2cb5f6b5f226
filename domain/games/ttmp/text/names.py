"""The names of the pieces: those in moves and events, and those that people read."""

from __future__ import annotations

from domain.game import Lang, Names
from domain.games.ttmp.pack import Pack
from domain.games.ttmp.text.phrases import WORDS


def names(pack: Pack, lang: Lang) -> Names:
    """Return the names of the pack's magic cards, and of its stones by their points."""
    words = WORDS[lang]
    return {
        "card": {card.name: card.ja if lang == "ja" else card.name for card in pack.cards},
        "stone": {str(stone.points): words.stone.format(points=stone.points) for stone in pack.stones},
    }
