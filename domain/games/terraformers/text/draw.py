"""The table as lines of plain text."""

from __future__ import annotations

from collections.abc import Iterator

from domain.game import Lang
from domain.games.terraformers.components import BOXES
from domain.games.terraformers.state import Phase
from domain.games.terraformers.text.phrases import WORDS, counted, seat_name, sentence, spoken
from domain.games.terraformers.text.words import Words
from domain.games.terraformers.view import CardView, PlaceView, TableView


def draw(shown: TableView, lang: Lang) -> str:
    """The table as lines of plain text: whose turn it is, the planet cards, each seat's sheet."""
    words = WORDS[lang]
    if not shown.planet:
        return words.nothing_laid
    marker = seat_name(words, shown.marker)
    lines = [
        words.table_head.format(round=shown.round, rounds=shown.rounds, marker=marker),
        words.table_state.format(state=_state(words, shown)),
        "",
        *(_card(words, card) for card in shown.planet),
    ]
    for sheet in shown.places:
        lines.append("")
        lines.extend(_sheet(words, shown, sheet))
    return "\n".join(lines)


def _state(words: Words, shown: TableView) -> str:
    """Who has to do what; at the end who has won: of equal points whoever is nearer to the marker. Rule: TF-26."""
    seats, points = shown.turn, ""
    if shown.step is Phase.OVER:
        clockwise = shown.places[shown.marker :] + shown.places[: shown.marker]
        best = max(clockwise, key=lambda sheet: sheet.points)
        seats, points = (best.seat,), counted(words.points, best.points)
    names = "".join(seat_name(words, seat) for seat in seats)
    return words.phase[shown.step].format(seat=names, chosen=_chosen(words, shown), points=points)


def _chosen(words: Words, shown: TableView) -> str:
    """What tips are to be placed on; nothing while none are."""
    text = words.chosen_against if shown.against else words.chosen_card
    other = "".join(seat_name(words, seat) for seat in shown.against)
    boxes = (words.chosen_box.format(box=words.box[box]) for box in shown.box)
    return "".join((*boxes, *(text.format(card=spoken(words, card), other=other) for card in shown.card)))


def _card(words: Words, shown: CardView) -> str:
    more = words.card_tips.format(tips=counted(words.tips, shown.tips)) if shown.tips else ""
    more += "".join(words.card_held.format(seat=seat_name(words, seat)) for seat in shown.holder)
    more += "".join(words.card_copies.format(card=spoken(words, copied)) for copied in shown.copies)
    name, kind = spoken(words, shown.name), words.kind[shown.kind]
    text = spoken(words, shown.text)
    return words.card_line.format(card=name, kind=kind, cost=shown.cost, more=more, text=text)


def _sheet(words: Words, shown: TableView, sheet: PlaceView) -> Iterator[str]:
    points, stars = counted(words.points, sheet.points), counted(words.stars, sheet.stars)
    hand = counted(words.tips, sheet.hand)
    name = sentence(seat_name(words, sheet.seat))
    head = [words.sheet_head.format(seat=name, points=points, stars=stars, tips=hand)]
    if shown.marker == sheet.seat:
        head.append(words.sheet_marker)
    if sheet.has_passed:
        head.append(words.sheet_passed)
    yield (words.turn_mark if sheet.seat in shown.turn else "") + words.comma.join(head)
    levels = (
        (words.sheet_level if column.prices else words.sheet_full).format(
            level=words.level[column.level], value=column.value, price=(*column.prices, 0)[0]
        )
        for column in sheet.levels
    )
    yield "  " + words.sheet_levels.format(levels=words.comma.join(levels), base=sheet.base)
    tips = ((words.box[box], getattr(sheet.boxes, box.value)) for box in BOXES)
    if boxes := words.comma.join(words.sheet_box.format(box=box, tips=lying) for box, lying in tips if lying):
        yield "  " + words.sheet_boxes.format(boxes=boxes)
    for species in sheet.species:
        yield "  " + words.sheet_species.format(card=spoken(words, species))
