"""What options, moves and events call the pieces, and what people call them."""

from __future__ import annotations

from domain.game import Lang, Names
from domain.games.terraformers.pack import Pack


def names(pack: Pack, lang: Lang) -> Names:
    """The names of the pack's planet cards, and of the scenarios that it puts together."""
    is_ja = lang == "ja"
    return {
        "card": {card.name: card.ja if is_ja else card.name for card in pack.cards},
        "scenario": {one.name: one.ja if is_ja else one.title for one in pack.scenarios},
    }
