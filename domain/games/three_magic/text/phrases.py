"""Words for seats, cards, spells, and the result."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from domain import texts
from domain.game import Seat
from domain.games.three_magic.components import Card, attribute_of, has_star, number_of
from domain.telling import figure
from domain.texts import Words, listed, seat_name

NAMES = texts.read("domain.games.three_magic.text", "names")
WORDS = texts.later("domain.games.three_magic.text", "names", "words")


def seat_names(words: Words, seats: Iterable[Seat]) -> str:
    """Return `seat 0, seat 1 and seat 2`: seats that do the same."""
    return listed(words, [seat_name(words, seat) for seat in seats])


def faces_waited_for(words: Words, faces: Iterable[int]) -> str:
    """Return `fire 1, fire 4 or wood 2`: cards of which one would do, whatever their stars."""
    return listed(words, [card_name(words, face * 2) for face in faces], "or")


@lru_cache(maxsize=256)
def card_name(words: Words, card: Card | None) -> str:
    """Return `fire 3★`, `火3★`, or the sign of a face-down card."""
    if card is None:
        return words["hidden-card"]
    attribute, star = words[f"attribute-{attribute_of(card)}"], words["star"] * has_star(card)
    return words["card"].format(attribute=attribute, number=number_of(card), star=star)


def card_names(words: Words, cards: Iterable[Card | None]) -> str:
    """Return cards in their order."""
    return words["between-cards"].join(card_name(words, card) for card in cards)


def spell_name(words: Words, spell: Iterable[Card]) -> str:
    """Return `fire 1-2★-3`, `火1・2★・3`: cards of one attribute in their order."""
    first, *others = spell
    numbers = (str(number_of(card)) + words["star"] * has_star(card) for card in others)
    return words["between-numbers"].join((card_name(words, first), *numbers))


def spell_names(words: Words, spells: Iterable[Iterable[Card]]) -> str:
    """Return spells in their order."""
    return words["comma"].join(spell_name(words, spell) for spell in spells)


def result(words: Words, od: tuple[int, ...], ranking: tuple[int, ...]) -> str:
    """Return who won or shared the first place, and what the others have, in the order of the ranking."""
    winners = [seat for seat, rank in enumerate(ranking) if rank == 1]
    others = sorted((seat for seat, rank in enumerate(ranking) if rank > 1), key=lambda seat: ranking[seat])
    first = words["wins"] if len(winners) == 1 else words["share"]
    parts = [first.format(seats=seat_names(words, winners), od=figure(od[winners[0]]))]
    parts += (words["has"].format(seat=seat_name(words, seat), od=figure(od[seat])) for seat in others)
    return words["comma"].join(parts)
