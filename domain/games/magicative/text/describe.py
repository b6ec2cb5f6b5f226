"""Events and moves in words, without the table. If an event hides cards, the sentence says that they are hidden.

Each class has a sentence in each language, which is filled with its fields by their names.

The words for seats, cards, formulas, specials and points come first: labels, refusals and scenes use them too.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from domain import texts
from domain.game import Lang
from domain.games.magicative import events, moves
from domain.games.magicative.abilities import Group, Pattern
from domain.games.magicative.components import (
    AWAKENING,
    INNOCENT,
    Artefact,
    Card,
    Lying,
    School,
    card_of,
    number_of,
    school_of,
)
from domain.games.magicative.events import MagicativeEvent
from domain.games.magicative.moves import MagicativeMove
from domain.texts import Words, seat_name, sentence

NAMES = texts.read("domain.games.magicative.text", "names")
WORDS = texts.later("domain.games.magicative.text", "names", "words")


def card_name(words: Words, card: Card | None) -> str:
    """Return a card in a sentence; it may be hidden from the reader."""
    if card is None:
        return words["hidden"]
    return words["an-innocent"] if card == INNOCENT else card_alone(words, card)


@lru_cache(maxsize=256)
def card_alone(words: Words, card: Card) -> str:
    """Return a card by its name, outside of a sentence."""
    if card == INNOCENT:
        return words["innocent"]
    return words["card"].format(school=words[f"school-{school_of(card)}"], number=number_of(card))


def aptitude_name(words: Words, school: School, number: int, names: tuple[int, ...]) -> str:
    """Return an aptitude card, with the numbers that it names if there are several. Rule: MG-2."""
    name = words["card"].format(school=words[f"school-{school}"], number=number)
    return words["naming"].format(card=name, first=names[0], last=names[-1]) if len(names) > 1 else name


def card_names(words: Words, cards: Lying) -> str:
    """Return several cards in their order, with the number of those that are hidden from the reader."""
    known = [card_alone(words, card) for card in cards if card is not None]
    if hidden := len(cards) - len(known):
        known.append(counted(words["unseen"], hidden))
    return words["between-cards"].join(known) or words["nothing"]


def one_of(words: Words, names: list[str]) -> str:
    """Return things of which one is chosen, at least one: `magic, alchemy or astrology`."""
    *others, last = names
    return words["either-more"].join(others) + words["either"] + last if others else last


def counted(text: str, count: int) -> str:
    """Return so many of something: `1 point`, `−2 points`, with a minus sign and no hyphen."""
    return text.format(number=count).replace("-", "−")


def number_names(numbers: tuple[int, ...]) -> str:
    """Return `2-3-4`."""
    return "-".join(map(str, numbers))


def wild_names(words: Words, wild: Iterable[tuple[Card, int]]) -> str:
    """Return the cards of a formula that count as other numbers, each with its number; "" if there are none."""
    names = words["between-wild"].join(
        words["stands-for"].format(card=card_name(words, card), number=number) for card, number in wild
    )
    return words["wild"].format(wild=names) if names else ""


def special_name(words: Words, group: Group) -> str:
    """Return the pattern of a special's formulas."""
    fields = {name: getattr(group, name) for name in group.__struct_fields__}
    return words[f"special-{type(group).__name__}"].format(**fields)


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
