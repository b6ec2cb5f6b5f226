"""Events, moves and chapters in words, without the table. If an event hides cards, the sentence says so.

Each class has a sentence in each language, which is filled with its fields by their names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from domain.game import Lang
from domain.games.three_magic import events, moves
from domain.games.three_magic.components import (
    Call,
    Line,
    Spell,
    attribute_of,
    combination,
    has_star,
    is_sequence,
    named_by,
    set_of,
)
from domain.games.three_magic.events import DealStarted
from domain.games.three_magic.rules.claims import spells_of
from domain.games.three_magic.text.phrases import WORDS, card_name, card_names, result, spell_name, spell_names
from domain.texts import Words, seat_name, sentence

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


def chapter(event: Any, lang: Lang) -> str | None:
    """Return the name of the chapter that begins with the event; None if none does."""
    if not isinstance(event, DealStarted):
        return None
    return WORDS[lang]["chapter"].format(lap=event.lap, deal=event.deal)
