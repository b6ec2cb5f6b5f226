"""The results of a choice, as a row of phrases for the seat that makes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domain.game import Seat
from domain.games.terraformers import events
from domain.games.terraformers.components import Box
from domain.games.terraformers.events import TerraformersEvent
from domain.games.terraformers.text.phrases import counted, in_a_row, seat_name
from domain.games.terraformers.text.words import Words


def outcome(words: Words, told: Iterable[TerraformersEvent], seat: Seat) -> str:
    """Return what these events change for the seat and for others, in their order; "" if they change nothing."""
    return words.label.join.join(_phrases(words, told, seat))


def _phrases(words: Words, told: Iterable[TerraformersEvent], seat: Seat) -> Iterator[str]:
    """Yield a phrase for each event. Tips that a card puts on boxes are one phrase, which comes last."""
    label = words.label
    boxes: dict[int, dict[Box, tuple[Seat, ...]]] = {}
    for event in told:
        match event:
            case events.CardScored(seat=other, points=points):
                text = label.gain if other == seat else label.other_loses  # TF-42
                yield text.format(seat=seat_name(words, other), points=counted(words.points, abs(points)))
            case events.TipsTaken(tips=tips):
                yield label.take.format(tips=counted(words.tips, tips))
            case events.TipsPaid(tips=tips):
                yield label.pay.format(tips=counted(words.tips, tips))
            case events.LevelRaised(level=level, to=to):
                yield label.raised.format(level=words.level[level], to=to)
            case events.StarsMarked(stars=stars, total=total):
                yield label.stars.format(stars=counted(words.stars, stars), total=total)
            case events.TipsForced(seat=other, box=box, tips=tips):
                placed = counted(words.tips, tips)
                yield label.forced.format(seat=seat_name(words, other), tips=placed, box=words.box[box])
            case events.TipsAdded(seat=other, box=box, tips=tips):
                whose = boxes.setdefault(tips, {})
                whose[box] = (*whose.get(box, ()), other)
            case _:
                pass
    for tips, whose in boxes.items():
        text = label.added if sum(map(len, whose.values())) == 1 else label.added_each
        yield text.format(tips=counted(words.tips, tips), boxes=_boxes(words, whose, seat))


def _boxes(words: Words, whose: dict[Box, tuple[Seat, ...]], seat: Seat) -> str:
    """Return boxes, each kind with its seats; kinds with the same seats are together."""
    alike: dict[tuple[Seat, ...], list[str]] = {}
    for box, seats in whose.items():
        alike.setdefault(seats, []).append(words.box_in_row.format(box=words.box[box]))
    return words.comma.join(_boxes_of(words, in_a_row(words, row), seats, seat) for seats, row in alike.items())


def _boxes_of(words: Words, boxes: str, seats: tuple[Seat, ...], seat: Seat) -> str:
    """Return the same boxes of one seat, or of several."""
    label = words.label
    if seats == (seat,):
        return label.own_boxes.format(boxes=boxes)
    if len(seats) == 1:
        return label.other_boxes.format(seat=seat_name(words, seats[0]), boxes=boxes)
    each = [label.yourself if other == seat else seat_name(words, other) for other in seats]
    return label.boxes_of.format(seats=in_a_row(words, each), boxes=boxes)
