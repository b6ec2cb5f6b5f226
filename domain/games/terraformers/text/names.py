"""The names of the pieces: those in options, moves and events, and those that people read."""

from __future__ import annotations

from domain.game import Lang, Names
from domain.games.terraformers.pack import Pack


def names(pack: Pack, lang: Lang) -> Names:
    """Return the names of the pack's planet cards, and of its scenarios."""
    is_ja = lang == "ja"
    return {
        "card": {card.name: card.ja if is_ja else card.name for card in pack.cards},
        "scenario": {scenario.name: scenario.ja if is_ja else scenario.title for scenario in pack.scenarios},
    }
