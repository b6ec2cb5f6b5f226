"""What a match tells about the pack's balance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from domain.game import Measure, Seat, Value
from domain.games.magicative.abilities import Group
from domain.games.magicative.components import Artefact
from domain.games.magicative.events import (
    ArtefactUsed,
    Awakened,
    CardsSwapped,
    DeckReshuffled,
    FormulaFixed,
    MatchDrawn,
    MatchEnded,
    SpecialCompleted,
    StartDrawn,
    TurnStarted,
)


class Tally(Value, frozen=True):
    """One match, finished or not."""

    start: Seat | None
    """Who had the first turn."""
    turns: int
    winner: tuple[Seat, ...]
    """Nobody in a draw, and before the end."""
    is_drawn: bool
    """No card could be drawn."""
    formulas: int
    with_innocents: int
    specials: tuple[tuple[Seat, Group], ...]
    """Who completed which, in their order."""
    artefacts: tuple[tuple[Seat, Artefact], ...]
    """Who used which, in their order."""
    awakenings: tuple[Seat, ...]
    """Who awakened, each time."""
    swaps: int
    reshuffles: int


COUNTED = frozenset(
    {
        StartDrawn,
        TurnStarted,
        FormulaFixed,
        SpecialCompleted,
        Awakened,
        ArtefactUsed,
        CardsSwapped,
        DeckReshuffled,
        MatchDrawn,
        MatchEnded,
    }
)
"""Most events are of none of these."""


def tally(events: Iterable[Any]) -> Tally:
    """Read a match's events, of which those of other rooms and of the match itself are passed over."""
    start: Seat | None = None
    with_innocents = 0
    winner: tuple[Seat, ...] = ()
    kinds: Counter[type[Any]] = Counter()
    specials: list[tuple[Seat, Group]] = []
    artefacts: list[tuple[Seat, Artefact]] = []
    awakenings: list[Seat] = []
    for event in events:
        kind = type(event)
        if kind not in COUNTED:
            continue
        kinds[kind] += 1
        match event:
            case StartDrawn(seat=seat):
                start = seat
            case FormulaFixed(cards=cards):
                with_innocents += 0 in cards
            case SpecialCompleted(seat=seat, special=special):
                specials.append((seat, special))
            case ArtefactUsed(seat=seat, artefact=artefact):
                artefacts.append((seat, artefact))
            case Awakened(seat=seat):
                awakenings.append(seat)
            case MatchEnded(winner=seat):
                winner = (seat,)
    return Tally(
        start=start,
        turns=kinds[TurnStarted],
        winner=winner,
        is_drawn=kinds[MatchDrawn] > 0,
        formulas=kinds[FormulaFixed],
        with_innocents=with_innocents,
        specials=tuple(specials),
        artefacts=tuple(artefacts),
        awakenings=tuple(awakenings),
        swaps=kinds[CardsSwapped],
        reshuffles=kinds[DeckReshuffled],
    )


def measure(events: Iterable[Any]) -> Measure:
    """Turns that were begun, and the seats that completed each special, used each artefact, awakened."""
    found = tally(events)
    uses: dict[str, set[Seat]] = {}
    for seat, special in found.specials:
        uses.setdefault(_name(special), set()).add(seat)
    for seat, artefact in found.artefacts:
        uses.setdefault(artefact.value, set()).add(seat)
    if found.awakenings:
        uses["awakening"] = set(found.awakenings)
    return Measure(
        rounds=found.turns,
        uses=tuple((name, tuple(sorted(seats))) for name, seats in sorted(uses.items())),
        first=found.start,
    )


def _name(special: Group) -> str:
    """`equal-runs 2`."""
    fields = (str(getattr(special, name)) for name in special.__struct_fields__)
    return " ".join((str(special.__struct_config__.tag), *fields))
