"""Events and moves in words, told without the table; what is hidden in an event is told as hidden.

Each class has a sentence in each language, which is filled with the fields' own names.
"""

from __future__ import annotations

from typing import Any

from domain.game import Lang
from domain.games.magicative.abilities import Pattern
from domain.games.magicative.components import AWAKENING, Artefact, School
from domain.games.magicative.events import (
    AptitudesShuffled,
    Awakened,
    DeckReshuffled,
    DeckShuffled,
    FormulaFixed,
    MagicativeEvent,
    MatchDrawn,
    MatchEnded,
)
from domain.games.magicative.moves import Awaken, Fix, MagicativeMove
from domain.games.magicative.text.phrases import (
    WORDS,
    card_name,
    card_names,
    number_names,
    seat_name,
    sentence,
    special_name,
)
from domain.games.magicative.text.words import Words

SEATS = frozenset({"seat", "other", "winner"})
CARDS = frozenset({"card", "given", "taken"})


def describe(told: MagicativeEvent | MagicativeMove, lang: Lang) -> str:
    """The event or the move in words."""
    words = WORDS[lang]
    text = words.told[type(told)]
    fields = {name: _word(words, name, getattr(told, name)) for name in told.__struct_fields__}
    match told:
        case Fix(innocents=(_, *_)):
            text += words.with_innocents.format(numbers=fields["innocents"])
        case AptitudesShuffled(numbers=lying) | DeckShuffled(cards=lying) | DeckReshuffled(cards=lying):
            fields["count"] = str(len(lying))
        case FormulaFixed(chips=chips):
            fields["chips"] = words.with_chips.format(chips=chips) if chips else ""
        case Awaken() | Awakened():
            fields["count"] = str(AWAKENING)
        case MatchDrawn() | MatchEnded():
            fields["result"] = _result(words, told)
        case _:
            pass
    return sentence(text.format(**fields))


def _word(words: Words, field: str, value: Any) -> str:
    """A field as it stands in a sentence."""
    if field in SEATS:
        return seat_name(words, value)
    if field in CARDS:
        return card_name(words, value)
    match value:
        case None:
            return words.hidden
        case School():
            return words.school[value]
        case Artefact():
            return words.artefact[value]
        case Pattern():
            return special_name(words, value)  # type: ignore[arg-type]  # Group is the union of its subclasses
        case tuple():
            return card_names(words, value) if field == "cards" else number_names(value)
        case _:
            return str(value)


def _result(words: Words, ended: MatchDrawn | MatchEnded) -> str:
    """The first place first."""
    order = sorted(range(len(ended.ranking)), key=ended.ranking.__getitem__)
    return words.comma.join(
        words.result.format(rank=ended.ranking[seat], seat=seat_name(words, seat), points=ended.points[seat])
        for seat in order
    )
