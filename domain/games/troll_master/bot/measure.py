"""The figures of a match from which the pack's balance is judged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.game import Measure, Seat, Value
from domain.games.troll_master import events
from domain.games.troll_master.components import Name


class Tally(Value, frozen=True):
    """The figures of one match, finished or not."""

    rounds: int
    """The rounds that were played to their end."""
    laid_out: tuple[str, ...]
    acquired: tuple[tuple[str, tuple[Seat, ...]], ...]
    """For each familiar laid out: the seats that ever acquired it, in seat order."""
    winners: tuple[Seat, ...]
    """The seats that share the first place; none before the end."""
    first: Seat | None = None
    """The start player of the first round. Rule: TM-4."""


def tally(told: Iterable[Any]) -> Tally:
    """Return the figures of a match's events; other events than this room's are ignored."""
    rounds = 0
    acquired: dict[str, set[Seat]] = {}
    winners: tuple[Seat, ...] = ()
    first: Seat | None = None
    for event in told:
        match event:
            case events.FamiliarsLaidOut(familiars=familiars):
                acquired = {name.en: set() for name in familiars}
            case (
                events.FamiliarSummoned(seat=seat, familiar=Name(en=name))
                | events.FamiliarTrained(seat=seat, familiar=Name(en=name))
            ):
                acquired[name].add(seat)
            case events.RoundStarted(round=1, start=start):
                first = start
            case events.PointsCounted(round=number):
                rounds = number
            case events.MatchEnded(ranking=ranking):
                winners = tuple(seat for seat, place in enumerate(ranking) if place == 1)
            case _:
                pass
    return Tally(
        rounds=rounds,
        laid_out=tuple(acquired),
        acquired=tuple((name, tuple(sorted(seats))) for name, seats in acquired.items()),
        winners=winners,
        first=first,
    )


def measure(told: Iterable[Any]) -> Measure:
    """Return how many rounds a match had, who began, and which seats acquired each familiar laid out."""
    found = tally(told)
    return Measure(rounds=found.rounds, uses=found.acquired, first=found.first)
