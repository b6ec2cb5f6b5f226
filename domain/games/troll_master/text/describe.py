"""Events and moves in words, without the table. If an event hides a card, the sentence says so.

Each class has a sentence in each language, which is filled with its fields by their names.

The words for seats, cards, names, amounts and abilities come first: labels, refusals and scenes use them too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain import texts
from domain.game import Lang
from domain.games.troll_master import events, moves
from domain.games.troll_master.abilities import (
    Ability,
    Chain,
    ChargeAnother,
    MorePoints,
    PrintedAbility,
    cost_of,
    fires_on_success,
)
from domain.games.troll_master.components import CARD_MANA, ICON, Kind, Magic, Magics, Name
from domain.texts import Words, listed, seat_name, seat_names, sentence

NAMES = texts.read("domain.games.troll_master.text", "names")
WORDS = texts.later("domain.games.troll_master.text", "names", "words")


def magic_names(words: Words, cards: Sequence[Magic | None]) -> str:
    """Return magic cards in their order; only their number if the reader may not see one of them."""
    if cards and None in cards:
        return amount(words, "face-down", len(cards))
    return words["comma"].join(words[f"magic-{card}"] for card in cards if card) or words["nothing"]


def card_name(words: Words, name: Name) -> str:
    """Return a familiar's name as the pack prints it in that language."""
    return name.ja if words.lang == "ja" else name.en


def amount(words: Words, what: str, number: int, **more: object) -> str:
    """Return so many of something: no mana, 1 chip, 3 flasks."""
    return words[f"count-{what}"].format(number=number, **more)


def does(words: Words, kind: Kind, value: int) -> str:
    """Return the effect of an action: "brew 4 mana"."""
    return amount(words, kind.value, value)


def needs(words: Words, icon: Magic, cost: int, found: int) -> str:
    """Return the cost of an action in magic cards, and in mana for those that are missing. Rule: TM-21, TM-22."""
    text = words["all-there"] if found >= cost else words["missing"]
    mana = amount(words, "mana", (cost - found) * CARD_MANA)
    return text.format(cards=amount(words, icon.value, cost), missing=cost - found, mana=mana)


def effect(words: Words, ability: Ability, *, is_short: bool = False) -> str:
    """Return the effect of an ability, without its timing and cost; in fewer words for labels (`is_short`)."""
    if isinstance(ability, MorePoints):
        text = words[f"points-of-{ability.of}" if ability.every > 1 else f"points-of-each-{ability.of}"]
    else:
        name = f"ability-{type(ability).__name__}"
        text = words[f"{name}-short" if is_short and f"{name}-short" in words else name]
    fields: dict[str, object] = {"number": 0}
    for name in ability.__struct_fields__:
        value = getattr(ability, name)
        if name in ("mana", "chips", "points"):
            fields |= {name: amount(words, name, value), "number": value}
        else:
            fields[name] = value
    if isinstance(ability, Chain):
        fields["to"] = words[f"kind-{ability.to}"]
    if isinstance(ability, ChargeAnother):
        fields["familiar"] = card_name(words, ability.familiar)
    return text.format(**fields)


def ability_text(words: Words, ability: Ability, *, is_short: bool = False) -> str:
    """Return the effect of an ability after its cost, without its timing."""
    done = effect(words, ability, is_short=is_short)
    if fires_on_success(ability):
        done = words["on-success"].format(ability=done)
    if cost := cost_of(ability):
        return words["paid"].format(charges=amount(words, "charge", cost), ability=done)
    return done


def abilities_text(words: Words, abilities: Sequence[Ability]) -> str:
    """Return all abilities of a card, each with its timing and its cost; "" if it has none."""
    return words["gap"].join(
        words["timed"].format(timing=words[f"timing-{ability.at}"], ability=ability_text(words, ability))
        for ability in abilities
    )


def abilities_in_short(words: Words, abilities: Sequence[Ability]) -> str:
    """Return all abilities of a card, those of the same timing together, without a full stop; "" if it has none."""
    timed: dict[str, list[str]] = {}
    for ability in abilities:
        timed.setdefault(words[f"timing-{ability.at}"], []).append(ability_text(words, ability, is_short=True))
    effects = ((timing, words["label-can-also"].join(alike)) for timing, alike in timed.items())
    text = words["gap"].join(words["timed"].format(timing=timing, ability=ability) for timing, ability in effects)
    return text.rstrip(".。")


def won(words: Words, points: Sequence[int], mana: Sequence[int], ranking: Sequence[int]) -> str:
    """Return who has won, with how many points, and what decided between equal points. Rule: TM-33."""
    first = [seat for seat, rank in enumerate(ranking) if rank == 1]
    as_good = [seat for seat, count in enumerate(points) if count == points[first[0]] and seat not in first]
    text = words["shares"] if len(first) > 1 else words["wins-by-mana"] if as_good else words["wins"]
    return text.format(
        seats=seat_names(words, first),
        points=amount(words, "points", points[first[0]]),
        others=seat_names(words, as_good) if as_good else "",
        mana=amount(words, "mana", mana[first[0]]),
    )


SEAT_FIELDS = frozenset({"seat", "start", "first", "attacker", "defender"})


def describe(told: events.TrollMasterEvent | moves.TrollMasterMove, lang: Lang) -> str:
    """Return the event or the move as a sentence in the third person."""
    words = WORDS[lang]
    text = words[type(told).__name__]
    fields: dict[str, object] = {name: _word(words, name, getattr(told, name)) for name in told.__struct_fields__}
    match told:
        case events.Shuffled(cards=cards):
            fields["cards"] = amount(words, "magic-cards", len(cards))
        case events.CardDrawn(card=None):
            text = words["CardDrawn-unseen"]
        case events.CardsDealt(count=count, hands=hands):
            fields |= {"number": count, "hands": _hands(words, hands)}
        case events.CardsCleared(count=count):
            fields["number"] = count
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
