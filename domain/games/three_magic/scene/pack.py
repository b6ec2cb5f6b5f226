"""The print of the pack, laid out to be looked at: the sixty cards by their attributes."""

from __future__ import annotations

from collections import Counter

from domain.game import Lang
from domain.games.three_magic.components import ATTRIBUTES, DECK, Attribute, Card, attribute_of, has_star, number_of
from domain.games.three_magic.pack import Pack
from domain.games.three_magic.text.describe import WORDS, card_name
from domain.scene import Kind, Piece, Zone, ZoneKind
from domain.texts import Words, sentence


def showcase(pack: Pack, lang: Lang) -> tuple[Zone, ...]:
    """Return a row for each attribute. Every pack has these cards. Rule: 3M-1."""
    words = WORDS[lang]
    return tuple(_row(words, attribute) for attribute in ATTRIBUTES)


def _row(words: Words, attribute: Attribute) -> Zone:
    at = f"printed/{attribute.value}"
    copies = Counter(card for card in DECK if attribute_of(card) is attribute)
    pieces = tuple(_card(words, f"{at}/{card}", card, count) for card, count in sorted(copies.items()))
    return Zone(at, ZoneKind.ROW, sentence(words[f"attribute-{attribute}"]), pieces)


def _card(words: Words, at: str, card: Card, count: int) -> Piece:
    label = str(number_of(card)) + words["star"] * has_star(card)
    return Piece(at, Kind.CARD, label, card_name(words, card), tone=attribute_of(card).value, count=count)
