"""What is answered about time: each a struct."""

from __future__ import annotations

from msgspec import Struct

from service.clocks import firing
from service.matches import timing


class Clocks(Struct, frozen=True):
    """Those that have a name; after how many days a pause breaks a match off, and how many of vacation a year has."""

    clocks: list[timing.Clock]
    """The clocks that have a name."""
    pause_days: int
    """After how many days a match that stays paused is broken off."""
    vacation_days: int
    """How many days of vacation a player has in a year."""


class DueDone(Struct, frozen=True):
    """In the order in which they were asked for."""

    matches: list[firing.Looked]
