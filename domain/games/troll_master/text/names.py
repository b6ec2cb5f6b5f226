"""The names of the pieces: those in options, moves and events, and those that people read."""

from __future__ import annotations

from domain.game import Lang, Names
from domain.games.troll_master.components import MAGICS
from domain.games.troll_master.pack import Pack
from domain.games.troll_master.text.phrases import WORDS


def names(pack: Pack, lang: Lang) -> Names:
    """Return the names of magic cards, of the pack's familiars, and of the black cat, which options cannot name."""
    is_ja, cat = lang == "ja", pack.black_cat
    return {
        "magic": {magic.value: WORDS[lang].magic[magic] for magic in MAGICS},
        "familiar": {card.name: card.ja if is_ja else card.name for card in pack.familiars},
        "black cat": {cat.name: cat.ja if is_ja else cat.name},
    }
