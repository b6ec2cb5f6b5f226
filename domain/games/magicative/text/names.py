"""The names of the pieces: those in moves and events, and those that people read."""

from __future__ import annotations

from domain.game import Lang, Names
from domain.games.magicative.components import KINDS, SCHOOLS, Artefact
from domain.games.magicative.pack import Pack
from domain.games.magicative.text.phrases import WORDS, card_name


def names(pack: Pack, lang: Lang) -> Names:
    """Return the names of cards, schools and artefacts, which every pack has."""
    words = WORDS[lang]
    return {
        "card": {str(card): card_name(words, card) for card in KINDS},
        "school": {school.value: words.school[school] for school in SCHOOLS},
        "artefact": {artefact.value: words.artefact[artefact] for artefact in Artefact},
    }
