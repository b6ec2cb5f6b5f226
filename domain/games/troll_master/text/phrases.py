"""Words for seats, cards, names, amounts and abilities."""

from __future__ import annotations

from collections.abc import Sequence

from domain.game import Lang, Seat
from domain.games.troll_master.abilities import (
    Ability,
    Chain,
    ChargeAnother,
    MorePoints,
    cost_of,
    fires_on_success,
)
from domain.games.troll_master.components import CARD_MANA, Kind, Magic, Name
from domain.games.troll_master.text.en import EN
from domain.games.troll_master.text.ja import JA
from domain.games.troll_master.text.words import Words

WORDS = {"en": EN, "ja": JA}


def seat_name(words: Words, seat: Seat) -> str:
    """Return the name of a seat, counted from 0."""
    return words.seat.format(number=seat)


def magic_names(words: Words, cards: Sequence[Magic | None]) -> str:
    """Return magic cards in their order; only their number if the reader may not see one of them."""
    if cards and None in cards:
        return amount(words, "face down", len(cards))
    return words.comma.join(words.magic[card] for card in cards if card) or words.nothing


def card_name(name: Name, lang: Lang) -> str:
    """Return a familiar's name as the pack prints it in that language."""
    return name.ja if lang == "ja" else name.en


def amount(words: Words, what: str, number: int, **more: object) -> str:
    """Return so many of something: no mana, 1 chip, 3 flasks."""
    return words.amounts[what][min(max(number, 0), 2)].format(n=number, **more)


def listed(words: Words, said: Sequence[str], last: str | None = None) -> str:
    """Return a list with its own word before the last item: "a, b and c"."""
    *before, end = said
    return (words.last if last is None else last).join([words.comma.join(before), end]) if before else end


def does(words: Words, kind: Kind, value: int) -> str:
    """Return the effect of an action: "brew 4 mana"."""
    return amount(words, kind.value, value)


def needs(words: Words, icon: Magic, cost: int, found: int) -> str:
    """Return the cost of an action in magic cards, and in mana for those that are missing. Rule: TM-21, TM-22."""
    text = words.all_there if found >= cost else words.missing
    mana = amount(words, "mana", (cost - found) * CARD_MANA)
    return text.format(cards=amount(words, icon.value, cost), missing=cost - found, mana=mana)


def effect(words: Words, ability: Ability, *, is_short: bool = False) -> str:
    """Return the effect of an ability, without its timing and cost; in fewer words for labels (`is_short`)."""
    if isinstance(ability, MorePoints):
        text = (words.points_of if ability.every > 1 else words.points_of_each)[ability.of]
    elif is_short and type(ability) in words.in_short:
        text = words.in_short[type(ability)]
    else:
        text = words.ability[type(ability)]
    fields: dict[str, object] = {"number": 0}
    for name in ability.__struct_fields__:
        value = getattr(ability, name)
        if name in ("mana", "chips", "points"):
            fields |= {name: amount(words, name, value), "number": value}
        else:
            fields[name] = value
    if isinstance(ability, Chain):
        fields["to"] = words.kind[ability.to]
    if isinstance(ability, ChargeAnother):
        fields["familiar"] = card_name(ability.familiar, words.lang)
    return text.format(**fields)


def ability_text(words: Words, ability: Ability, *, is_short: bool = False) -> str:
    """Return the effect of an ability after its cost, without its timing."""
    done = effect(words, ability, is_short=is_short)
    if fires_on_success(ability):
        done = words.on_success.format(ability=done)
    if cost := cost_of(ability):
        return words.paid.format(charges=amount(words, "charge", cost), ability=done)
    return done


def abilities_text(words: Words, abilities: Sequence[Ability]) -> str:
    """Return all abilities of a card, each with its timing and its cost; "" if it has none."""
    return words.gap.join(
        words.timed.format(timing=words.timing[ability.at], ability=ability_text(words, ability))
        for ability in abilities
    )


def abilities_in_short(words: Words, abilities: Sequence[Ability]) -> str:
    """Return all abilities of a card, those of the same timing together, without a full stop; "" if it has none."""
    timed: dict[str, list[str]] = {}
    for ability in abilities:
        timed.setdefault(words.timing[ability.at], []).append(ability_text(words, ability, is_short=True))
    return words.gap.join(
        words.timed.format(timing=timing, ability=words.label["can also"].join(texts))
        for timing, texts in timed.items()
    ).rstrip(".。")


def won(words: Words, points: Sequence[int], mana: Sequence[int], ranking: Sequence[int]) -> str:
    """Return who has won, with how many points, and what decided between equal points. Rule: TM-33."""
    first = [seat for seat, rank in enumerate(ranking) if rank == 1]
    as_good = [seat for seat, count in enumerate(points) if count == points[first[0]] and seat not in first]
    text = words.shares if len(first) > 1 else words.wins_by_mana if as_good else words.wins
    return text.format(
        seats=listed(words, [seat_name(words, seat) for seat in first]),
        points=amount(words, "points", points[first[0]]),
        others=listed(words, [seat_name(words, seat) for seat in as_good]) if as_good else "",
        mana=amount(words, "mana", mana[first[0]]),
    )


def sentence(text: str) -> str:
    """Return the text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
