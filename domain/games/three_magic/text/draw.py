"""The table as lines of plain text."""

from __future__ import annotations

from collections.abc import Iterator

from domain.game import Lang
from domain.games.three_magic.state import Phase
from domain.games.three_magic.text.phrases import WORDS, face_name, seat_name, sentence
from domain.games.three_magic.text.words import Words
from domain.games.three_magic.view import CardView, PlaceView, TableView


def draw(shown: TableView, lang: Lang) -> str:
    """The table: a head, then for each seat its od, hand, pledges and discards."""
    words = WORDS[lang]
    if not shown.places:
        return words.nothing_dealt
    head = words.table_head.format(
        deal=shown.deal,
        lap=shown.lap,
        laps=shown.laps,
        wall=shown.wall,
        ley_line=shown.ley_line,
        indicators=_cards(words, shown.indicators),
    )
    state = words.phase[shown.phase].format(seat=seat_name(words, shown.turn))
    lines = [head, words.table_state.format(state=state)]
    lines.extend(words.table_claimed.format(card=_card(words, card)) for card in shown.claimed)
    for place in shown.places:
        lines.append("")
        lines.extend(_place(words, shown, place))
    return "\n".join(lines)


def _card(words: Words, card: CardView | None) -> str:
    if card is None:
        return words.hidden_card
    return face_name(words, card.attribute, card.number, card.star)


def _cards(words: Words, cards: tuple[CardView | None, ...]) -> str:
    return words.between_cards.join(_card(words, card) for card in cards)


def _place(words: Words, shown: TableView, place: PlaceView) -> Iterator[str]:
    in_turn = shown.turn == place.seat and shown.phase in (Phase.DRAWN, Phase.DISCARD)
    name = sentence(seat_name(words, place.seat))
    head = [words.place_head.format(seat=name, attribute=words.attribute[place.attribute], od=place.od)]
    if place.laid:
        head.append(words.place_laid.format(od=place.laid))
    if shown.manager == place.seat:
        head.append(words.place_manager)
    if place.in_reach:
        head.append(words.place_reach)
    if place.asked:
        head.append(words.asked)
    yield (words.turn_mark if in_turn else "") + words.comma.join(head)
    yield f"  {words.place_hand}: {_cards(words, place.hand)}"
    if place.drawn:
        yield f"  {words.place_drawn}: {_cards(words, place.drawn)}"
    if place.pledges:
        yield f"  {words.place_pledges}: " + words.comma.join(_cards(words, spell) for spell in place.pledges)
    if place.discards:
        row = (_card(words, lain.card) + (f" {words.reach_mark}" if lain.reach else "") for lain in place.discards)
        yield f"  {words.place_discards}: " + words.between_cards.join(row)
