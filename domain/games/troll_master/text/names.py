"""What options, moves and events call the pieces, and what people call them."""

from __future__ import annotations

from domain.game import Lang, Names
from domain.games.troll_master.components import MAGICS
from domain.games.troll_master.pack import Pack
from domain.games.troll_master.text.phrases import WORDS


def names(pack: Pack, lang: Lang) -> Names:
    """The names of magic cards, and of the pack's familiars; the black cat is none that options can name."""
    is_ja, cat = lang == "ja", pack.black_cat
    return {
        "magic": {magic.value: WORDS[lang].magic[magic] for magic in MAGICS},
        "familiar": {card.name: card.ja if is_ja else card.name for card in pack.familiars},
        "black cat": {cat.name: cat.ja if is_ja else cat.name},
    }
