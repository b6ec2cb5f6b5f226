"""The table as lines of plain text."""

from __future__ import annotations

from collections.abc import Iterator

from domain.game import Lang
from domain.games.troll_master.printed import Face
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
from domain.games.troll_master.view import ActionView, OwnedView, PlaceView, TableView


def draw(shown: TableView, lang: Lang) -> str:
    """The table: where the round stands, the magic cards, the row, the supply, then each seat's place."""
    words = WORDS[lang]
    return "\n".join(_lines(words, shown, lang))


def _lines(words: Words, shown: TableView, lang: Lang) -> Iterator[str]:
    yield sentence(words.head.format(round=shown.round, step=_step(words, shown)))
    yield words.piles.format(
        open=magic_names(words, shown.open),
        deck=shown.deck,
        discards=shown.discards,
        top=magic_name(words, shown.top[0]) if shown.top else words.no_top,
    )
    if shown.action:
        yield words.doing.format(action=shown.action, price=shown.price, bonus=shown.bonus, strength=shown.strength)
    yield ""
    yield words.row
    for action in shown.row:
        yield "  " + _action(words, action)
    yield ""
    yield words.supply
    for pile in shown.supply:
        yield "  " + words.pile.format(left=pile.left, card=_card(words, pile.card, lang))
    for place in shown.places:
        yield ""
        yield from _place(words, shown, place, lang)


def _step(words: Words, shown: TableView) -> str:
    step = words.step[shown.step]
    return words.turn.format(seat=seat_name(words, shown.turn[0]), step=step) if shown.turn else step


def _action(words: Words, action: ActionView) -> str:
    text = words.action.format(
        number=action.number,
        does=words.kind_short[action.kind].format(value=action.value),
        cost=action.cost,
        icon=words.magic[action.icon],
    )
    return text + "".join(words.pawn.format(seat=seat_name(words, seat)) for seat in action.pawns)


def _card(words: Words, card: Face, lang: Lang) -> str:
    abilities = "".join(
        words.timed.format(timing=words.timing[ability.at], ability=ability_text(words, ability))
        for ability in card.abilities
    )
    return words.card.format(
        name=card_name(card.name, lang),
        cost=card.cost,
        power=card.power,
        ribbons=card.ribbons,
        charges=card.charges,
        points=card.points,
        abilities=abilities,
    )


def _place(words: Words, shown: TableView, place: PlaceView, lang: Lang) -> Iterator[str]:
    marks = [
        mark
        for mark, stands in (
            (words.start, shown.start == place.seat),
            (words.broom, shown.broom == place.seat),
            (words.out, place.is_out),
            (words.passed, place.has_passed and not place.is_out),
        )
        if stands
    ]
    name = sentence(seat_name(words, place.seat))
    line = words.place.format(seat=name, points=place.points, chips=place.chips, mana=place.mana)
    yield words.comma.join([line, *marks])
    if place.hand:
        yield "  " + words.hand_line.format(cards=magic_names(words, place.hand))
    owned = words.comma.join(_owned(words, familiar, lang) for familiar in place.familiars)
    yield "  " + words.familiars.format(familiars=owned)


def _owned(words: Words, owned: OwnedView, lang: Lang) -> str:
    text = words.owned.format(name=card_name(owned.card.name, lang), charges=owned.charges, ribbons=owned.card.ribbons)
    if not owned.covered:
        return text
    covered = words.comma.join(card_name(name, lang) for name in owned.covered)
    return text + words.covered.format(names=covered)
