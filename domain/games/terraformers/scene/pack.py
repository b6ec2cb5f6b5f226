"""The print of the pack, laid out to be looked at: the planet cards of each kind."""

from __future__ import annotations

from domain.game import Lang
from domain.games.terraformers.components import Kind as CardKind
from domain.games.terraformers.pack import Card, Pack
from domain.games.terraformers.scene.palette import FAMILY
from domain.games.terraformers.text.cards import card_text
from domain.games.terraformers.text.describe import WORDS
from domain.scene import Fact, Kind, Piece, Zone, ZoneKind, emblem
from domain.texts import Words


def showcase(pack: Pack, lang: Lang) -> tuple[Zone, ...]:
    """Return a row of species, and one of box cards. Rule: TF-1."""
    words = WORDS[lang]
    return tuple(
        Zone(
            f"printed/{kind.value}",
            ZoneKind.OFFER,
            words[f"showcase-{kind}"],
            tuple(_card(words, at, card) for at, card in enumerate(pack.cards) if card.kind is kind),
        )
        for kind in CardKind
    )


def _card(words: Words, at: int, card: Card) -> Piece:
    return Piece(
        f"printed/{card.kind.value}/{at}",
        Kind.CARD,
        str(card.cost),
        card.ja if words.lang == "ja" else card.name,
        text=card_text(card.kind, card.effects, words.lang),
        tone=f"card-{card.kind.value}",
        facts=(Fact(words["table-cost"], str(card.cost)),),
        emblem=emblem(FAMILY[card.kind], card.name),
    )
