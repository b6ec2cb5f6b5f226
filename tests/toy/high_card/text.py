"""Events, moves and refusals in words."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from domain import texts
from domain.game import Lang, Refusal, Seat
from domain.refusals import phrase
from domain.secrecy import without
from tests.toy.high_card.moves import HighCardMove, SetAside
from tests.toy.high_card.state import Table

WORDS = texts.read("tests.toy.high_card", "words")
REFUSALS = texts.read("tests.toy.high_card", "refusals")
UNKNOWN = "?"


def describe(told: Any, lang: Lang) -> str:
    """An event or a move in one sentence."""
    name = type(told).__name__
    return WORDS[lang][name].format_map({key: _word(key, value, lang) for key, value in asdict(told).items()})


def _word(key: str, value: Any, lang: Lang) -> str:
    if value is None:
        return UNKNOWN
    if isinstance(value, tuple):
        seats = key == "winners"
        return " ".join(_word("seat" if seats else key, one, lang) for one in value)
    return str(value)


def label(seen: Table, seat: Seat, move: HighCardMove, lang: Lang) -> str:
    """What a legal move comes to here, in one line for the seat that may choose it."""
    place, pack, words = seen.places[seat], seen.pack, WORDS[lang]
    if not isinstance(move, SetAside):
        price = {"price": pack.raise_, "chips": place.chips, "bonus": pack.bonus}
        return words[f"label-{type(move).__name__}"].format(rank=place.hand[0], **price)
    left = without(place.hand, move.card)
    return words["label-pair" if left[0] == left[1] else "label-SetAside"].format(card=move.card, rank=left[0])


def explain(refusal: Refusal, lang: Lang) -> str:
    """A refusal in words."""
    return phrase(REFUSALS[lang], refusal)
