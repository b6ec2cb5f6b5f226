"""Events and moves in words, told without the table; what is hidden in an event is told as hidden.

Each class has a sentence in each language, which is filled with the fields' own names.
"""

from __future__ import annotations

from typing import Any

from domain.game import Lang, Seat
from domain.games.troll_master.abilities import Printed
from domain.games.troll_master.components import Kind, Magic, Magics, Name
from domain.games.troll_master.events import (
    CardDrawn,
    CardsDealt,
    MatchEnded,
    PointsCounted,
    Shuffled,
    TrollMasterEvent,
)
from domain.games.troll_master.moves import TrollMasterMove
from domain.games.troll_master.text.phrases import (
    WORDS,
    ability_text,
    card_name,
    magic_name,
    magic_names,
    seat_name,
    sentence,
)
from domain.games.troll_master.text.words import Words

SEAT_FIELDS = frozenset({"seat", "start", "first", "attacker", "defender"})


def describe(told: TrollMasterEvent | TrollMasterMove, lang: Lang) -> str:
    """The event or the move in words."""
    words = WORDS[lang]
    text = words.told[type(told)]
    fields = {name: _word(words, lang, name, getattr(told, name)) for name in told.__struct_fields__}
    match told:
        case Shuffled(cards=cards):
            fields["cards"] = str(len(cards))
        case CardDrawn(card=None):
            text = words.drawn_unseen
        case CardsDealt(hands=hands):
            fields["hands"] = _hands(words, hands)
        case PointsCounted(points=points):
            fields["points"] = _by_seat(words, points)
        case MatchEnded(points=points, mana=mana, ranking=ranking):
            fields["result"] = _result(words, points, mana, ranking)
        case _:
            pass
    return sentence(text.format(**fields))


def _word(words: Words, lang: Lang, field: str, value: Any) -> str:
    """A field as it stands in a sentence."""
    match value:
        case Magic():
            return magic_name(words, value)
        case Kind():
            return words.kind[value]
        case Name():
            return card_name(value, lang)
        case Printed():
            return ability_text(words, value)  # type: ignore[arg-type]  # Ability is the union of its subclasses
        case int() if field in SEAT_FIELDS:
            return seat_name(words, value)
        case (Name(), *_):
            return words.comma.join(card_name(name, lang) for name in value)
        case (Magic(), *_):
            return magic_names(words, value)
        case _:
            return str(value)


def _hands(words: Words, hands: tuple[Magics | None, ...]) -> str:
    """What the reader knows of the cards that were dealt."""
    return "".join(
        words.hand.format(seat=sentence(seat_name(words, seat)), cards=magic_names(words, hand))
        for seat, hand in enumerate(hands)
        if hand
    )


def _by_seat(words: Words, points: tuple[int, ...]) -> str:
    return words.comma.join(
        words.counted.format(seat=seat_name(words, seat), points=count) for seat, count in enumerate(points)
    )


def _result(words: Words, points: tuple[int, ...], mana: tuple[int, ...], ranking: tuple[int, ...]) -> str:
    def place(seat: Seat) -> str:
        return words.result.format(
            rank=ranking[seat], seat=seat_name(words, seat), points=points[seat], mana=mana[seat]
        )

    return words.comma.join(map(place, sorted(range(len(ranking)), key=lambda seat: ranking[seat])))
