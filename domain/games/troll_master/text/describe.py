"""Events, moves and chapters in words, without the table. If an event hides a card, the sentence says so.

Each class has a sentence in each language, which is filled with its fields by their names.
"""

from __future__ import annotations

from typing import Any

from domain.game import Lang
from domain.games.troll_master import events, moves
from domain.games.troll_master.abilities import PrintedAbility, cost_of
from domain.games.troll_master.components import ICON, Kind, Magic, Magics, Name
from domain.games.troll_master.events import RoundStarted
from domain.games.troll_master.text.phrases import (
    WORDS,
    amount,
    card_name,
    does,
    effect,
    magic_names,
    needs,
    won,
)
from domain.texts import Words, listed, seat_name, sentence

SEAT_FIELDS = frozenset({"seat", "start", "first", "attacker", "defender"})


def describe(told: events.TrollMasterEvent | moves.TrollMasterMove, lang: Lang) -> str:
    """Return the event or the move as a sentence in the third person."""
    words = WORDS[lang]
    text = words[type(told).__name__]
    fields = {name: _word(words, name, getattr(told, name)) for name in told.__struct_fields__}
    match told:
        case events.Shuffled(cards=cards):
            fields["cards"] = amount(words, "magic-cards", len(cards))
        case events.CardDrawn(card=None):
            text = words["CardDrawn-unseen"]
        case events.CardsDealt(hands=hands):
            fields["hands"] = _hands(words, hands)
        case events.ActionReached(kind=kind, cost=cost, found=found):
            fields["needs"] = needs(words, ICON[kind], cost, found)
        case events.AbilityUsed(ability=ability) | moves.Use(ability=ability):
            fields["cost"] = amount(words, "for-charges", cost_of(ability))
        case events.PointsCounted(points=points):
            fields["points"] = _by_seat(words, points)
        case events.MatchEnded(points=points, mana=mana, ranking=ranking):
            fields["result"] = won(words, points, mana, ranking)
        case _:
            fields |= _begun(words, told)
    return sentence(text.format(**fields))


def _begun(words: Words, told: events.TrollMasterEvent | moves.TrollMasterMove) -> dict[str, str]:
    """Return the effect of an action that is begun, by the name of its place in the sentence."""
    match told:
        case events.SummonBegun(reduction=value):
            return {"does": does(words, Kind.SUMMON, value)}
        case events.BrewBegun(mana=value):
            return {"does": does(words, Kind.BREW, value)}
        case events.AttackBegun(power=value):
            return {"does": does(words, Kind.ATTACK, value)}
        case events.DivinationBegun(chips=value):
            return {"does": does(words, Kind.DIVINATION, value)}
        case _:
            return {}


def _word(words: Words, field: str, value: Any) -> str:
    """Return a field in words."""
    match value:
        case Magic():
            return words[f"magic-{value}"]
        case Kind():
            return words[f"kind-{value}"]
        case Name():
            return card_name(words, value)
        case PrintedAbility():
            return effect(words, value)  # type: ignore[arg-type]  # Ability is the union of its subclasses
        case int() if field in SEAT_FIELDS:
            return seat_name(words, value)
        case int() if f"count-{field}" in words:
            return amount(words, field, value)
        case (Name(), *_):
            return listed(words, [card_name(words, name) for name in value])
        case (Magic() | None, *_):
            return magic_names(words, value)
        case _:
            return str(value)


def _hands(words: Words, hands: tuple[Magics | None, ...]) -> str:
    """Return what the reader knows of the cards that were dealt."""
    return "".join(
        words["hand"].format(seat=sentence(seat_name(words, seat)), cards=magic_names(words, hand))
        for seat, hand in enumerate(hands)
        if hand
    )


def _by_seat(words: Words, points: tuple[int, ...]) -> str:
    counts = ((seat_name(words, seat), amount(words, "points", count)) for seat, count in enumerate(points))
    return listed(words, [words["counted"].format(seat=seat, points=count) for seat, count in counts])


def chapter(event: Any, lang: Lang) -> str | None:
    """Return the name of the chapter that begins with the event; None if none does."""
    return WORDS[lang]["chapter"].format(round=event.round) if isinstance(event, RoundStarted) else None
