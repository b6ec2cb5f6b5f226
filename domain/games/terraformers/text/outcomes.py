"""The results of a choice, as a row of phrases for the seat that makes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domain.game import Seat
from domain.games.terraformers import events
from domain.games.terraformers.components import Box
from domain.games.terraformers.events import TerraformersEvent
from domain.games.terraformers.text.describe import counted
from domain.texts import Words, listed, seat_name


def outcome(words: Words, told: Iterable[TerraformersEvent], seat: Seat) -> str:
    """Return what these events change for the seat and for others, in their order; "" if they change nothing."""
    return words["label-join"].join(_phrases(words, told, seat))


def _phrases(words: Words, told: Iterable[TerraformersEvent], seat: Seat) -> Iterator[str]:
    """Yield a phrase for each event. Tips that a card puts on boxes are one phrase, which comes last."""
    boxes: dict[int, dict[Box, tuple[Seat, ...]]] = {}
    for event in told:
        match event:
            case events.CardScored(seat=other, points=points):
                text = words["label-gain" if other == seat else "label-other-loses"]  # TF-42
                yield text.format(seat=seat_name(words, other), points=counted(words["points"], abs(points)))
            case events.TipsTaken(tips=tips):
                yield words["label-take"].format(tips=counted(words["tips"], tips))
            case events.TipsPaid(tips=tips):
                yield words["label-pay"].format(tips=counted(words["tips"], tips))
            case events.LevelRaised(level=level, to=to):
                yield words["label-raised"].format(level=words[f"level-{level}"], to=to)
            case events.StarsMarked(stars=stars, total=total):
                yield words["label-stars"].format(stars=counted(words["stars"], stars), total=total)
            case events.TipsForced(seat=other, box=box, tips=tips):
                placed = counted(words["tips"], tips)
                yield words["label-forced"].format(seat=seat_name(words, other), tips=placed, box=words[f"box-{box}"])
            case events.TipsAdded(seat=other, box=box, tips=tips):
                whose = boxes.setdefault(tips, {})
                whose[box] = (*whose.get(box, ()), other)
            case _:
                pass
    for tips, whose in boxes.items():
        text = words["label-added" if sum(map(len, whose.values())) == 1 else "label-added-each"]
        yield text.format(tips=counted(words["tips"], tips), boxes=_boxes(words, whose, seat))


def _boxes(words: Words, whose: dict[Box, tuple[Seat, ...]], seat: Seat) -> str:
    """Return boxes, each kind with its seats; kinds with the same seats are together."""
    alike: dict[tuple[Seat, ...], list[str]] = {}
    for box, seats in whose.items():
        alike.setdefault(seats, []).append(words["box-in-row"].format(box=words[f"box-{box}"]))
    return words["comma"].join(_boxes_of(words, listed(words, row), seats, seat) for seats, row in alike.items())


def _boxes_of(words: Words, boxes: str, seats: tuple[Seat, ...], seat: Seat) -> str:
    """Return the same boxes of one seat, or of several."""
    if seats == (seat,):
        return words["label-own-boxes"].format(boxes=boxes)
    if len(seats) == 1:
        return words["label-other-boxes"].format(seat=seat_name(words, seats[0]), boxes=boxes)
    each = [words["label-yourself"] if other == seat else seat_name(words, other) for other in seats]
    return words["label-boxes-of"].format(seats=listed(words, each), boxes=boxes)
