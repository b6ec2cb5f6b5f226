"""What labels of Three Magic claim, and when it is so. See `tests/laws/claims.py`."""

from __future__ import annotations

import re
from typing import Any

from domain.games.three_magic import events
from tests.laws.claims import Claims, IsSo, Moment


def among(kind: Any) -> IsSo:
    """The event tells of so many od; one who is outranked gets nothing, and is told so."""

    def is_so(moment: Moment, found: re.Match[str]) -> bool:
        told = moment.said(kind)
        if not told and not moment.said(events.RonDeclared | events.TsumoDeclared):
            return "unless" in moment.label
        return int(found[1]) in [event.od for event in told]

    return is_so


def is_inserted(moment: Moment, found: re.Match[str]) -> bool:
    (drawn,) = moment.before.deal.drawn
    hand = moment.after.deal.places[moment.seat].hand
    return bool(moment.said(events.CardInserted)[0].at == int(found[1]) - 1 and hand[int(found[1]) - 1] == drawn)


def is_pledged(moment: Moment, found: re.Match[str]) -> bool:
    """Unless another's claim stands."""
    made = moment.said(events.Pledged | events.RonDeclared)[0]
    if made.seat != moment.seat:
        return True
    return (made.first, made.second, made.od) == (int(found[1]) - 1, int(found[2]) - 1, int(found[3]))


CLAIMS = Claims(
    names=r"(?:fire|water|wood) \d★?(?:-\d★?)*",
    made=(
        (r"as card (\d+)", is_inserted),
        (r"\(card (\d+)\)", lambda m, found: m.said(events.CardDiscarded)[0].at == int(found[1]) - 1),
        (r"\(cards (\d+), (\d+)\) with .*? for (\d+) od", is_pledged),
        (r"declare reach for (\d+) od", among(events.ReachDeclared)),
        (r": (\d+) od (?:each )?from", among(events.OdPaid)),
        (r"(\d+) od laid before the players", among(events.LaidTaken)),
        (r"(\d+) od of the ley line", among(events.LeyLineCollected)),
    ),
)
