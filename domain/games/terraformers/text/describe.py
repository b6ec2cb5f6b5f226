"""Events, moves and chapters in words, without the table.

Each class has a sentence in each language, which is filled with its fields by their names.
"""

from __future__ import annotations

from typing import Any

from domain.game import Lang
from domain.games.terraformers import events
from domain.games.terraformers.components import Box, Level, Name
from domain.games.terraformers.events import RoundStarted, TerraformersEvent
from domain.games.terraformers.moves import TerraformersMove
from domain.games.terraformers.text.phrases import WORDS, card_name, counted
from domain.texts import Words, seat_name, sentence

SEATS = frozenset({"seat", "first", "other"})
MAYBE_SEATS = frozenset({"against", "holder", "loser"})
COUNTED = {"tips": "tips", "boxes": "check-boxes", "stars": "stars", "points": "points"}
"""By the name of a field that counts something: its words."""


def describe(told: TerraformersEvent | TerraformersMove, lang: Lang) -> str:
    """Return the event or the move in words."""
    words = WORDS[lang]
    fields = {name: _word(words, name, getattr(told, name)) for name in told.__struct_fields__}
    return sentence(words[_key(told)].format(**{**fields, **_more(words, told)}))


def _key(told: TerraformersEvent | TerraformersMove) -> str:
    """Return the key of the sentence; some classes have several."""
    name = type(told).__name__
    match told:
        case events.CardChosen(against=(_,)):
            return f"{name}-against"
        case events.SpeciesChosen(seat=seat, holder=(holder,)):
            return f"{name}-own" if holder == seat else f"{name}-from"
        case events.SpeciesAcquired(loser=(_,)):
            return f"{name}-from"
        case events.BoxUsed(box=Box.WAR):
            return f"{name}-war"
        case events.CardScored(points=points) if points < 0:
            return f"{name}-loss"
        case events.OxygenResolved(succeeds=False):
            return f"{name}-fails"
        case events.OxygenResolved(city=city, green=green, power=power) if green + power < city:
            return f"{name}-anyway"
        case events.MatchEnded() if _tied(told):
            return f"{name}-tied"
        case _:
            return name


def _word(words: Words, field: str, value: Any) -> str:
    """Return a field in words."""
    match value:
        case Name():
            return card_name(words, value)
        case Box():
            return words[f"box-{value}"]
        case Level():
            return words[f"level-{value}"]
        case int() if field in SEATS:
            return seat_name(words, value)
        case int() if field in COUNTED:
            return counted(words[COUNTED[field]], value)
        case int() if field == "place":
            return words[f"ordinal-{value}"]
        case tuple() if field in MAYBE_SEATS:
            return "".join(seat_name(words, seat) for seat in value)
        case (Name(), *_):
            return words["comma"].join(card_name(words, card) for card in value)
        case _:
            return str(value)


def _more(words: Words, told: TerraformersEvent | TerraformersMove) -> dict[str, str]:
    """Return the words that a sentence needs besides the fields, or in place of them."""
    match told:
        case events.TipsDealt(tips=dealt):
            counts = ((seat_name(words, seat), counted(words["tips"], tips)) for seat, tips in enumerate(dealt))
            each = (words["dealt"].format(seat=seat, tips=tips) for seat, tips in counts)
            return {"seats": words["comma"].join(each)}
        case events.CardScored(points=points) | events.OxygenResolved(points=points):
            return {"points": counted(words["points"], abs(points))}
        case events.WarResolved(order=order, powers=powers):
            ranked = zip(order, powers, strict=True)
            each = (words["war-power"].format(seat=seat_name(words, seat), power=power) for seat, power in ranked)
            return {"powers": words["comma"].join(each)}
        case events.MatchEnded(points=points, ranking=ranking):
            first = ranking.index(1)
            others = words["and"].join(seat_name(words, seat) for seat in _tied(told))
            return {
                "seat": seat_name(words, first),
                "points": counted(words["points"], points[first]),
                "others": others,
            }
        case _:
            return {}


def _tied(ended: events.MatchEnded) -> list[int]:
    """Return the seats with as many points as the winner, who is nearer to the marker. Rule: TF-26."""
    first = ended.ranking.index(1)
    return [seat for seat, points in enumerate(ended.points) if points == ended.points[first] and seat != first]


def chapter(event: Any, lang: Lang) -> str | None:
    """Return the name of the chapter that begins with the event; None if none does."""
    return WORDS[lang]["chapter"].format(round=event.round) if isinstance(event, RoundStarted) else None
