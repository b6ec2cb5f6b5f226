"""The table as lines of plain text."""

from __future__ import annotations

from collections.abc import Iterator

from domain.game import Lang
from domain.games.ttmp.text.phrases import WORDS, card_name, card_names, dice_names, seat_name, sentence, stone_names
from domain.games.ttmp.text.words import Words
from domain.games.ttmp.view import PlaceView, TableView


def draw(shown: TableView, lang: Lang) -> str:
    """The table: a head, dice and decks, then for each seat what lies before it."""
    words = WORDS[lang]
    modes = words.comma.join(words.mode[mode] for mode in shown.modes) or words.standard
    turn = words.comma.join(seat_name(words, seat) for seat in shown.seat) or words.nobody
    lines = [
        words.head.format(modes=modes, round=shown.round, turn=shown.turn, start=seat_name(words, shown.start)),
        words.turn.format(seat=sentence(turn), step=words.step[shown.step]),
        words.dice.format(dice=dice_names(words, shown.dice), action=words.action[shown.action]),
        words.decks.format(stones=shown.stones, first=shown.decks[0].cards, second=shown.decks[1].cards),
    ]
    for level, deck in enumerate(shown.decks, 1):
        if deck.discards:
            cards = words.comma.join(card_name(card, lang) for card in deck.discards)
            lines.append(words.discards.format(level=level, cards=cards))
    for place in shown.places:
        lines.append("")
        lines.extend(_place(words, lang, place))
    return "\n".join(lines)


def _place(words: Words, lang: Lang, place: PlaceView) -> Iterator[str]:
    yield words.place.format(seat=sentence(seat_name(words, place.seat)), out=words.out if place.is_out else "")
    yield words.stones.format(stones=stone_names(words, place.stones))
    yield words.hand.format(cards=card_names(words, lang, place.hand))
    if any(place.stock):
        yield words.stock.format(cards=card_names(words, lang, place.stock))
