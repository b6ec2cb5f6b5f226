"""What a choice brings about, as a row of phrases told to the seat that makes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domain.game import Seat
from domain.games.terraformers import events
from domain.games.terraformers.events import TerraformersEvent
from domain.games.terraformers.text.phrases import counted, in_a_row, seat_name
from domain.games.terraformers.text.words import Words


def outcome(words: Words, told: Iterable[TerraformersEvent], seat: Seat) -> str:
    """What these events change for the seat and for others, in their order; empty when they change nothing."""
    return words.label.join.join(_phrases(words, told, seat))


def _phrases(words: Words, told: Iterable[TerraformersEvent], seat: Seat) -> Iterator[str]:
    """Tips that a card puts on several boxes are one phrase, which comes last."""
    label = words.label
    boxes: dict[int, list[str]] = {}
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
                text = label.own_box if other == seat else label.other_box
                boxes.setdefault(tips, []).append(text.format(seat=seat_name(words, other), box=words.box[box]))
            case _:
                pass
    for tips, row in boxes.items():
        yield label.added.format(tips=counted(words.tips, tips), boxes=in_a_row(words, row))
