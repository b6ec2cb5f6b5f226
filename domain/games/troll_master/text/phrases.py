"""Words for pieces: seats, cards, names, abilities."""

from __future__ import annotations

from domain.game import Lang, Seat
from domain.games.troll_master.abilities import (
    Ability,
    Chain,
    ChargeAnother,
    GainChips,
    GainMana,
    MorePoints,
    cost_of,
    fires_on_success,
)
from domain.games.troll_master.components import Magic, Name
from domain.games.troll_master.text.en import EN
from domain.games.troll_master.text.ja import JA
from domain.games.troll_master.text.words import Words

WORDS = {"en": EN, "ja": JA}


def seat_name(words: Words, seat: Seat) -> str:
    """Seats are told from 0."""
    return words.seat.format(number=seat)


def magic_name(words: Words, card: Magic | None) -> str:
    """A magic card, which may be hidden from the reader."""
    return words.hidden if card is None else words.magic[card]


def magic_names(words: Words, cards: tuple[Magic | None, ...]) -> str:
    """Several of them, in their order."""
    return words.comma.join(magic_name(words, card) for card in cards) or words.nothing


def card_name(name: Name, lang: Lang) -> str:
    """As the pack prints it."""
    return name.ja if lang == "ja" else name.en


def ability_text(words: Words, ability: Ability) -> str:
    """What it does, after its cost, without its timing."""
    if isinstance(ability, MorePoints):
        text = (words.points_of if ability.every > 1 else words.points_of_each)[ability.of]
    else:
        text = words.ability[type(ability)]
    fields = {name: getattr(ability, name) for name in ability.__struct_fields__}
    if isinstance(ability, Chain):
        fields["to"] = words.kind[ability.to]
    if isinstance(ability, ChargeAnother):
        fields["familiar"] = card_name(ability.familiar, words.lang)
    done = text.format(**fields)
    if isinstance(ability, GainMana | GainChips) and fires_on_success(ability):
        done = words.on_success.format(ability=done)
    return words.paid.format(cost=cost, ability=done) if (cost := cost_of(ability)) else done


def sentence(text: str) -> str:
    """With a capital at its beginning."""
    return text[:1].upper() + text[1:]
