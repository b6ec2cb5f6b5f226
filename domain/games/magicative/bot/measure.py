"""The figures of a match from which the pack's balance is judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from domain.game import Measure, Seat, Value
from domain.games.magicative import events
from domain.games.magicative.abilities import Group
from domain.games.magicative.components import Artefact


class Tally(Value, frozen=True):
    """The figures of one match, finished or not."""

    start: Seat | None
    """The seat that had the first turn."""
    turns: int
    winner: tuple[Seat, ...]
    """The winner; none in a draw, and before the end."""
    is_drawn: bool
    """Whether no card could be drawn."""
    formulas: int
    with_innocents: int
    specials: tuple[tuple[Seat, Group], ...]
    """The seats and the specials that they completed, in their order."""
    artefacts: tuple[tuple[Seat, Artefact], ...]
    """The seats and the artefacts that they used, in their order."""
    awakenings: tuple[Seat, ...]
    """The seat of each awakening."""
    swaps: int
    reshuffles: int


COUNTED = frozenset(
    {
        events.StartDrawn,
        events.TurnStarted,
        events.FormulaFixed,
        events.SpecialCompleted,
        events.Awakened,
        events.ArtefactUsed,
        events.CardsSwapped,
        events.DeckReshuffled,
        events.MatchDrawn,
        events.MatchEnded,
    }
)
"""The events that count; most events are others."""


def tally(told: Iterable[Any]) -> Tally:
    """Return the figures of a match's events; other events than this room's are ignored."""
    start: Seat | None = None
    with_innocents = 0
    winner: tuple[Seat, ...] = ()
    kinds: Counter[type[Any]] = Counter()
    specials: list[tuple[Seat, Group]] = []
    artefacts: list[tuple[Seat, Artefact]] = []
    awakenings: list[Seat] = []
    for event in told:
        kind = type(event)
        if kind not in COUNTED:
            continue
        kinds[kind] += 1
        match event:
            case events.StartDrawn(seat=seat):
                start = seat
            case events.FormulaFixed(cards=cards):
                with_innocents += 0 in cards
            case events.SpecialCompleted(seat=seat, special=special):
                specials.append((seat, special))
            case events.ArtefactUsed(seat=seat, artefact=artefact):
                artefacts.append((seat, artefact))
            case events.Awakened(seat=seat):
                awakenings.append(seat)
            case events.MatchEnded(winner=seat):
                winner = (seat,)
    return Tally(
        start=start,
        turns=kinds[events.TurnStarted],
        winner=winner,
        is_drawn=kinds[events.MatchDrawn] > 0,
        formulas=kinds[events.FormulaFixed],
        with_innocents=with_innocents,
        specials=tuple(specials),
        artefacts=tuple(artefacts),
        awakenings=tuple(awakenings),
        swaps=kinds[events.CardsSwapped],
        reshuffles=kinds[events.DeckReshuffled],
    )


def measure(told: Iterable[Any]) -> Measure:
    """Return how many turns were begun, and which seats completed each special, used each artefact, awakened."""
    found = tally(told)
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
    """Return `equal-runs 2`."""
    fields = (str(getattr(special, name)) for name in special.__struct_fields__)
    return " ".join((str(special.__struct_config__.tag), *fields))
