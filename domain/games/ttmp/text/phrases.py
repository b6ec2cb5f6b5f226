"""Words for pieces: seats, cards, stones, dice."""

from __future__ import annotations

from collections.abc import Iterable

from domain.game import Lang, Seat
from domain.games.ttmp.components import Card, Levels, LyingStones
from domain.games.ttmp.text.en import EN
from domain.games.ttmp.text.ja import JA
from domain.games.ttmp.text.words import Words

WORDS: dict[Lang, Words] = {"en": EN, "ja": JA}


def seat_name(words: Words, seat: Seat) -> str:
    """Counted from 0, as in the data."""
    return words.seat.format(number=seat)


def card_name(card: Card, lang: Lang) -> str:
    """As it is printed."""
    return card.ja if lang == "ja" else card.en


def card_names(words: Words, lang: Lang, levels: Levels) -> str:
    """Magic cards by level; of unknown ones their backs."""
    names = (
        words.hidden.format(level=level) if card is None else card_name(card, lang)
        for level, cards in enumerate(levels, 1)
        for card in cards
    )
    return words.comma.join(names) or words.none


def stone_names(words: Words, stones: LyingStones) -> str:
    """Stones by their points, as far as they are known."""
    names = (words.hidden_stone if stone is None else words.stone.format(points=stone) for stone in stones)
    return words.comma.join(names) or words.none


def dice_names(words: Words, dice: Iterable[int]) -> str:
    """Faces one after the other."""
    return " ".join(map(str, dice)) or words.none


def sentence(text: str) -> str:
    """With a capital at its beginning."""
    return text[:1].upper() + text[1:]
