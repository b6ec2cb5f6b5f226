"""The answers about clocks."""

from __future__ import annotations

from msgspec import Struct

from service.clocks import firing
from service.matches import terms


class Clocks(Struct, frozen=True):
    """The clocks with a name, and the limits of pauses and vacations."""

    clocks: list[terms.Clock]
    """The clocks with a name."""
    pause_days: int
    """The number of days after which a match that stays paused is broken off."""
    vacation_days: int
    """The days of vacation that everybody has in a year."""


class DueDone(Struct, frozen=True):
    """The matches, in the order of the request."""

    matches: list[firing.Looked]
