"""Events and moves in words, without the table. If an event hides cards, the sentence says that they are hidden.

Each class has a sentence in each language, which is filled with its fields by their names.
"""

from __future__ import annotations

from typing import Any

from domain.game import Lang
from domain.games.magicative import events, moves
from domain.games.magicative.abilities import Pattern
from domain.games.magicative.components import AWAKENING, Artefact, School, card_of
from domain.games.magicative.events import MagicativeEvent
from domain.games.magicative.moves import MagicativeMove
from domain.games.magicative.text.phrases import (
    WORDS,
    card_name,
    card_names,
    counted,
    number_names,
    special_name,
    wild_names,
)
from domain.texts import Words, seat_name, sentence

SEATS = frozenset({"seat", "other", "winner"})
CARDS = frozenset({"card", "given", "taken"})


def describe(told: MagicativeEvent | MagicativeMove, lang: Lang) -> str:
    """Return the event or the move in words."""
    words = WORDS[lang]
    text = words[type(told).__name__]
    fields = {name: _word(words, name, getattr(told, name)) for name in told.__struct_fields__}
    match told:
        case moves.Fix(innocents=(_, *_)):
            text += words["with-innocents"].format(numbers=fields["innocents"])
        case moves.Awaken() | events.Awakened():
            fields["count"] = str(AWAKENING)
        case events.AptitudesShuffled(numbers=lying) | events.DeckShuffled(cards=lying):
            fields["count"] = str(len(lying))
        case events.DeckReshuffled(cards=lying):
            fields["count"] = str(len(lying))
        case events.SwapBegun(seat=seat, other=other) | events.CardsSwapped(seat=seat, other=other) if seat == other:
            text = words[f"{type(told).__name__}-own"]
        case events.AptitudeTaken(number=None):
            text = words["AptitudeTaken-unseen"]
        case events.FormulaFixed():
            fields |= _of_formula(words, told)
        case events.PastPut(left=left):
            fields["left"] = words["more-to-put"].format(left=left) if left else ""
        case events.MatchEnded(winner=winner, points=points):
            fields["points"] = counted(words["points"], points[winner])
        case _:
            pass
    return sentence(text.format(**fields))


def _word(words: Words, field: str, value: Any) -> str:
    """Return a field in words."""
    if field in SEATS:
        return seat_name(words, value)
    if field in CARDS:
        return card_name(words, value)
    match value:
        case School():
            return words[f"school-{value}"]
        case Artefact():
            return words[f"artefact-{value}"]
        case Pattern():
            return special_name(words, value)  # type: ignore[arg-type]  # Group is the union of its subclasses
        case tuple():
            return card_names(words, value) if field == "cards" else number_names(value)
        case int() if field in ("points", "total"):
            return counted(words["points"], value)
        case int() if field == "chips":
            return counted(words["chips"], value)
        case int() if field == "at":
            return str(value + 1)
        case _:
            return str(value)


def _of_formula(words: Words, fixed: events.FormulaFixed) -> dict[str, str]:
    """Return the cards that count as other numbers, and the chips that version 1 of the rules gave at once."""
    pairs = zip(fixed.cards, fixed.numbers, strict=True)
    wild = [(card, number) for card, number in pairs if card != card_of(fixed.school, number)]
    chips, total = counted(words["chips"], fixed.chips), counted(words["points"], fixed.total)
    return {
        "wild": wild_names(words, wild),
        "chips": words["with-chips"].format(chips=chips, total=total) if fixed.chips else "",
    }
