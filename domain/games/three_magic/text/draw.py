"""The table as lines of plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domain.game import Lang, rank
from domain.games.three_magic.components import Card, named_by
from domain.games.three_magic.state import Phase
from domain.games.three_magic.text.phrases import WORDS, card_name, card_names, result, seat_name, sentence, spell_names
from domain.games.three_magic.text.words import Words
from domain.games.three_magic.view import CardView, PlaceView, TableView


def draw(shown: TableView, lang: Lang) -> str:
    """The table: a head, what it waits for, then for each seat its od, hand, pledges and discards."""
    words = WORDS[lang]
    if not shown.places:
        return words.table.nothing_dealt
    head = words.table.head.format(
        deal=shown.deal, lap=shown.lap, laps=shown.laps, wall=shown.wall, ley_line=shown.ley_line
    )
    lines = [head, _indicators(words, shown), _state(words, shown)]
    for place in shown.places:
        lines.append("")
        lines.extend(_place(words, shown, place))
    return "\n".join(lines)


def _cards(shown: Iterable[CardView]) -> tuple[Card, ...]:
    return tuple(card.card for card in shown)


def _held(shown: Iterable[CardView | None]) -> tuple[Card | None, ...]:
    return tuple(None if card is None else card.card for card in shown)


def _indicators(words: Words, shown: TableView) -> str:
    """The first one counts for everybody, the others for a winner in reach only. Rule: 3M-21."""
    named = [_indicator(words, card) for card in _cards(shown.indicators)]
    first, others = words.comma.join(named[:1]), named[1:]
    text = words.table.indicators.format(cards=first)
    return text + words.table.in_reach_only.format(cards=words.comma.join(others)) if others else text


def _indicator(words: Words, card: Card) -> str:
    catalyst = card_name(words, named_by(card) * 2)
    return words.table.indicator.format(card=card_name(words, card), catalyst=catalyst)


def _state(words: Words, shown: TableView) -> str:
    od = tuple(place.od for place in shown.places)
    text = words.table.phase[shown.step]
    seats = shown.discarder or shown.turn
    if shown.step is Phase.DRAWN and shown.places[seats[0]].in_reach:
        text = words.table.drawn_in_reach
    return sentence(
        text.format(
            seat="".join(seat_name(words, seat) for seat in seats),
            card=card_names(words, _cards(shown.claimed)),
            result=sentence(result(words, od, rank(od))),
        )
    )


def _place(words: Words, shown: TableView, place: PlaceView) -> Iterator[str]:
    table = words.table
    in_turn = place.seat in shown.turn and not shown.discarder
    name = sentence(seat_name(words, place.seat))
    head = [table.place.format(seat=name, attribute=words.attribute[place.attribute], od=place.od)]
    if place.laid:
        head.append(table.laid.format(od=place.laid))
    if shown.manager == place.seat:
        head.append(table.manager)
    if place.in_reach:
        head.append(table.in_reach)
    if place.asked:
        head.append(table.asked)
    yield (table.turn_mark if in_turn else "") + words.comma.join(head)
    yield table.hand.format(cards=card_names(words, _held(place.hand)))
    if place.drawn:
        yield table.drawn.format(cards=card_names(words, _held(place.drawn)))
    if place.pledges:
        yield table.pledges.format(cards=spell_names(words, map(_cards, place.pledges)))
    if place.discards:
        names = (card_names(words, _cards([lain.card])) + table.reach_mark * lain.reach for lain in place.discards)
        yield table.discards.format(cards=words.between_cards.join(names))
