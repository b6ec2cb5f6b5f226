"""The names of seats, cards and spells in sentences, and how a match ended."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from domain.game import Lang, Seat
from domain.games.three_magic.components import Card, attribute_of, has_star, number_of
from domain.games.three_magic.text.en import EN
from domain.games.three_magic.text.ja import JA
from domain.games.three_magic.text.words import Words
from domain.telling import figure

WORDS: dict[Lang, Words] = {"en": EN, "ja": JA}


@lru_cache(maxsize=256)
def seat_name(words: Words, seat: Seat) -> str:
    """Return `seat 0`, `席0`: counted from 0, as in the data."""
    return words.seat.format(number=seat)


def seat_names(words: Words, seats: Iterable[Seat]) -> str:
    """Return `seat 0, seat 1 and seat 2`: seats that do the same."""
    *names, last = (seat_name(words, seat) for seat in seats)
    return words.and_.join((words.comma.join(names), last)) if names else last


def faces_waited_for(words: Words, faces: Iterable[int]) -> str:
    """Return `fire 1, fire 4 or wood 2`: cards of which one would do, whatever their stars."""
    *names, last = (card_name(words, face * 2) for face in faces)
    return words.or_.join((words.comma.join(names), last)) if names else last


def spell_count(words: Words, count: int) -> str:
    """Return `1 spell`, `2 spells`."""
    return words.spells[count != 1].format(count=count)


@lru_cache(maxsize=256)
def card_name(words: Words, card: Card | None) -> str:
    """Return `fire 3★`, `火3★`, or the sign of a face-down card."""
    if card is None:
        return words.hidden_card
    attribute = words.attribute[attribute_of(card)]
    return words.card.format(attribute=attribute, number=number_of(card), star=words.star if has_star(card) else "")


def card_names(words: Words, cards: Iterable[Card | None]) -> str:
    """Return cards in their order."""
    return words.between_cards.join(card_name(words, card) for card in cards)


def spell_name(words: Words, spell: Iterable[Card]) -> str:
    """Return `fire 1-2★-3`, `火1・2★・3`: cards of one attribute in their order."""
    first, *others = spell
    numbers = (f"{number_of(card)}{words.star if has_star(card) else ''}" for card in others)
    return words.between_numbers.join((card_name(words, first), *numbers))


def spell_names(words: Words, spells: Iterable[Iterable[Card]]) -> str:
    """Return spells in their order."""
    return words.comma.join(spell_name(words, spell) for spell in spells)


def result(words: Words, od: tuple[int, ...], ranking: tuple[int, ...]) -> str:
    """Return who won or shared the first place, and what the others have, in the order of the ranking."""
    winners = [seat for seat, rank in enumerate(ranking) if rank == 1]
    others = sorted((seat for seat, rank in enumerate(ranking) if rank > 1), key=lambda seat: ranking[seat])
    first = words.wins if len(winners) == 1 else words.share
    parts = [first.format(seats=seat_names(words, winners), od=figure(od[winners[0]]))]
    parts += (words.has.format(seat=seat_name(words, seat), od=figure(od[seat])) for seat in others)
    return words.comma.join(parts)


def sentence(text: str) -> str:
    """Return the text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
