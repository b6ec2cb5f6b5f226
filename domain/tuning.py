"""How a searcher looks ahead in a game: numbers of its room, found by matches of bots (see the room's BALANCE.md)."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Annotated

import msgspec
from msgspec import Meta

from domain.game import Value


class Tuning(Value, frozen=True):
    """The numbers. Those of a game without a file of its own are the defaults."""

    candidates: Annotated[int, Meta(ge=1, le=1000)] = 4
    """The moves that are played on: those that look best one move ahead."""
    depth: Annotated[int, Meta(ge=0, le=1000)] = 16
    """The moves of all seats for which a world is played on before the position is evaluated."""
    doubt: Annotated[float, Meta(ge=0, le=1)] = 0.0
    """How often a seat takes the second-best move on the way. Where nothing is hidden and nothing left to chance, all
    worlds would be the same without it."""
    trust: Annotated[float, Meta(ge=0.0001, le=1)] = 0.05
    """By how much a look one move ahead is usually off, in shares of the first place: the more, the sooner is a search
    believed that contradicts it."""
    scale: tuple[tuple[int, float, float], ...] = ()
    """By number of seats: the difference of evaluations, in the game's own unit, that makes a seat e times as likely to
    be first as another one; at the start of a match and at its end."""

    def scale_of(self, seats: int, progress: float) -> float:
        """Return the scale for a match that has come so far, from 0 to 1. Between start and end it changes evenly."""
        for number, start, end in self.scale:
            if number == seats:
                return float(start ** (1 - progress) * end**progress)
        return 1.0


def read(package: str) -> Tuning:
    """Return the numbers in the package's `search.toml`."""
    text = (files(package) / "search.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Tuning)
