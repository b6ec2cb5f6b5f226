"""Refusals in words, addressed to the seat that is refused."""

from __future__ import annotations

from collections.abc import Callable

from domain import texts
from domain.game import Field, Lang, Refusal
from domain.games.magicative.components import KINDS
from domain.games.magicative.text.describe import WORDS, card_name
from domain.refusals import phrase
from domain.texts import Words, seat_name, sentence

REFUSALS = texts.read("domain.games.magicative.text", "refusals")
"""By language and code, or clause and code."""


def explain(refusal: Refusal, lang: Lang) -> str:
    """Return the refusal as a sentence."""
    words = WORDS[lang]
    fields = {name: say(words, value) for name, value in refusal.fields.items() if (say := SAY.get(name)) is not None}
    places = PLACES.get(refusal.code, ())
    fields |= {name: str(at + 1) for name, at in refusal.fields.items() if name in places and isinstance(at, int)}
    if (step := refusal.fields.get("step")) is not None:
        fields["step"] = words[f"wanted-{step}"]
    return sentence(phrase(REFUSALS[lang], refusal, **fields))


def _card(words: Words, card: Field) -> str:
    """Return the card's name; if it is no card, the value as it was given."""
    return card_name(words, card) if isinstance(card, int) and card in KINDS else str(card)


def _numbers(words: Words, numbers: Field) -> str:
    return "-".join(map(str, numbers)) if isinstance(numbers, tuple) else str(numbers)


PLACES = {"not-another": ("at", "least", "most"), "no-aptitude": ("at",), "shown": ("at",)}
"""By code: the fields that are places from 0, which people count from 1."""

SAY: dict[str, Callable[[Words, Field], str]] = {
    "card": _card,
    "numbers": _numbers,
    "innocents": _numbers,
    "school": lambda words, school: words[f"school-{school}"],
    "artefact": lambda words, artefact: words[f"artefact-{artefact}"],
    "seat": lambda words, seat: seat_name(words, seat) if isinstance(seat, int) else str(seat),
}
"""The fields that are names, with the function that returns their words."""
