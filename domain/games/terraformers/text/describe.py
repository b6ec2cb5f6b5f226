"""Events and moves in words, without the table.

Each class has a sentence in each language, which is filled with its fields by their names.

The words for cards and numbers come first: labels, refusals and scenes use them too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from domain import texts
from domain.game import Lang, Seat, Spoken
from domain.games.terraformers import events
from domain.games.terraformers.components import Box, Name
from domain.games.terraformers.events import TerraformersEvent
from domain.games.terraformers.moves import TerraformersMove
from domain.texts import Words, seat_name, sentence

PACKAGE = "domain.games.terraformers.text"
NAMES = texts.read(PACKAGE, "names")
WORDS = texts.later(PACKAGE, "names", "words")
BRIEF = texts.later(PACKAGE, "names", "words", "brief")
"""The words of a card's print, as short as labels need them."""


def card_name(words: Words, card: Name) -> str:
    """Return the card's name in the language."""
    return card.ja if words.lang == "ja" else card.name


def in_language(words: Words, text: Spoken) -> str:
    """Return a name or a text of a view in the language."""
    return text.ja if words.lang == "ja" else text.en


def counted(text: str, number: int) -> str:
    """Return so many of a thing: `1 tip`, `2 tips`, `−1 point`, with a minus sign and no hyphen."""
    return text.format(number=number).replace("-", "−")


def out_of_hand(words: Words, tips: int, hand: int) -> str:
    """Return so many tips of those in hand: `2 tips`, `all your 2 tips`, `your last tip`."""
    return counted(words["label-all-tips" if tips == hand else "tips"], tips)


def or_more(words: Words, tips: int, hand: int) -> str:
    """Return that it takes so many tips at least: `2 tips or more`, or what `out_of_hand` says if there are no more."""
    least = out_of_hand(words, tips, hand)
    return least if tips == hand else words["label-or-more"].format(tips=least)


def _counted(what: str) -> Callable[[Words, int], str]:
    return lambda words, number: counted(words[what], number)


def _seats(words: Words, seats: Iterable[Seat]) -> str:
    """Return a seat, or none."""
    return "".join(seat_name(words, seat) for seat in seats)


FIELDS: dict[str, Callable[[Words, Any], str]] = {
    **dict.fromkeys(("seat", "first", "other"), seat_name),
    **dict.fromkeys(("against", "holder", "loser"), _seats),
    **dict.fromkeys(("card", "copied"), card_name),
    "cards": lambda words, cards: words["comma"].join(card_name(words, card) for card in cards),
    "box": lambda words, box: words[f"box-{box}"],
    "level": lambda words, level: words[f"level-{level}"],
    "place": lambda words, place: words[f"ordinal-{place}"],
    "boxes": _counted("check-boxes"),
    **{name: _counted(name) for name in ("tips", "points", "stars")},
}
"""The fields that are no mere numbers, with the function that returns their words."""


def describe(told: TerraformersEvent | TerraformersMove, lang: Lang) -> str:
    """Return the event or the move in words."""
    words = WORDS[lang]
    fields = _more(words, told)
    for name in told.__struct_fields__:
        if name not in fields:
            say, value = FIELDS.get(name), getattr(told, name)
            fields[name] = value if say is None else say(words, value)
    return sentence(words[_key(told)].format(**fields))


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


def _more(words: Words, told: TerraformersEvent | TerraformersMove) -> dict[str, Any]:
    """Return the words that a sentence needs besides the fields, or in place of them."""
    match told:
        case events.TipsDealt(tips=dealt):
            counts = ((seat_name(words, seat), counted(words["tips"], tips)) for seat, tips in enumerate(dealt))
            each = (words["dealt"].format(seat=seat, tips=tips) for seat, tips in counts)
            return {"tips": words["comma"].join(each)}
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
