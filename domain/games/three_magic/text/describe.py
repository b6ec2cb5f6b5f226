"""Events and moves in words, without the table. If an event hides cards, the sentence says so.

Each class has a sentence in each language, which is filled with its fields by their names.

The words for seats, cards, spells and the result come first: labels, refusals and scenes use them too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from domain import texts
from domain.game import Lang
from domain.games.three_magic import events, moves
from domain.games.three_magic.components import (
    Call,
    Card,
    Line,
    Spell,
    attribute_of,
    combination,
    has_star,
    is_sequence,
    named_by,
    number_of,
    set_of,
)
from domain.games.three_magic.rules.claims import spells_of
from domain.texts import Words, figure, listed, seat_name, seat_names, sentence

NAMES = texts.read("domain.games.three_magic.text", "names")
WORDS = texts.later("domain.games.three_magic.text", "names", "words")


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


SEATS = frozenset({"seat", "manager", "discarder", "payer", "winner", "to"})
PLACES = frozenset({"at", "first", "second"})
"""Fields with positions in a hand, which people count from 1."""


def describe(told: events.ThreeMagicEvent | moves.ThreeMagicMove, lang: Lang) -> str:
    """Return the event or the move in words."""
    words = WORDS[lang]
    fields = {name: _word(words, name, getattr(told, name)) for name in told.__struct_fields__}
    match told:
        case events.AttributesDrawn(attributes=attributes):
            fields["seats"] = words["comma"].join(
                words["holds"].format(seat=seat_name(words, seat), attribute=words[f"attribute-{attribute}"])
                for seat, attribute in enumerate(attributes)
            )
        case events.Shuffled(cards=cards) | events.HandDealt(cards=cards):
            fields["count"] = str(len(cards))
        case events.IndicatorTurned(card=card):
            fields["catalyst"] = card_name(words, named_by(card) * 2)
        case events.TsumoDeclared(hand=hand) | events.RonDeclared(hand=hand):
            fields["hand"] = spell_names(words, spells_of(hand))
        case events.Measured():
            fields["parts"] = words["comma"].join(_parts(words, told))
        case events.MatchEnded(points=points, ranking=ranking):
            fields["result"] = result(words, points, ranking)
        case _:
            pass
    return sentence(_text(words, told).format(**fields))


def _text(words: Words, told: events.ThreeMagicEvent | moves.ThreeMagicMove) -> str:
    """Return the sentence, which may differ if something is hidden, or declared with the move."""
    text = words[type(told).__name__]
    match told:
        case events.HandDealt(cards=cards) if None in cards:
            return words["HandDealt-unseen"]
        case events.CardDrawn(card=None):
            return words["CardDrawn-unseen"]
        case events.CardDiscarded(reach=True) | moves.Discard(reach=True):
            return words[f"{type(told).__name__}-reach"]
        case events.ClaimsOpened(asked=asked) if any(asked):
            seats = words["comma"].join(seat_name(words, seat) for seat, is_asked in enumerate(asked) if is_asked)
            return text + words["who-is-asked"].format(seats=seats)
        case events.Measured(total=0):
            return words["Measured-nothing"]
        case events.DealDrawn(ready=True):
            return words["DealDrawn-ready"]
        case _:
            return text


def _word(words: Words, field: str, value: Any) -> str:
    """Return a field in words."""
    match value:
        case int() if field in SEATS:
            return seat_name(words, value)
        case int() if field in PLACES:
            return str(value + 1)
        case int() | None if field == "card":
            return card_name(words, value)
        case Call():
            return words[f"call-{value}"]
        case tuple() if field == "spell":
            return spell_name(words, value)
        case tuple() if field in {"cards", "hand"}:
            return card_names(words, value)
        case _:
            return str(value)


def _parts(words: Words, measured: events.Measured) -> Iterator[str]:
    """Yield the parts of a win's score that are not 0, and for how many spells they are. Rule: 3M-23 to 3M-26."""
    spells = measured.spells
    if measured.attribute:
        count = sum(attribute_of(spell[0]) is measured.counted for spell in spells)
        alike, attribute = words["spells"].format(number=count), words[f"attribute-{measured.counted}"]
        yield words["attribute-scores"].format(od=measured.attribute, attribute=attribute, count=alike)
    for line in measured.line:
        alike = words["spells"].format(number=_alike(spells, line))
        yield words[f"line-{line}"].format(od=measured.number, count=alike)
    if measured.star:
        count = sum(all(map(has_star, spell)) for spell in spells)
        yield words["star-scores"].format(od=measured.star, count=words["spells"].format(number=count))
    if measured.catalyst:
        yield words["catalyst-scores"].format(od=measured.catalyst)


def _alike(spells: tuple[Spell, ...], line: Line) -> int:
    """Return how many spells have the combination that the line repeats. Rule: 3M-24."""
    codes = [code for spell in spells if is_sequence(code := combination(spell)) == (line is not Line.EQUAL)]
    alike = [set_of(code) for code in codes] if line is Line.MIXED else codes
    return max(map(alike.count, alike))
