"""By which clock a match is played, as whoever opens it wants it: one that has a name, or times of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from domain.happenings import ClockSet
from service.durations import DAY, HOUR, MINUTE
from service.store import Terms, Timetable

BOT, RULES = "bot", "rules"
"""Who plays a seat that was given up: a bot, or nobody but the rules by their default."""

STAND_IN = "greedy"
"""The bot that plays for others where none was named."""

LEAST, MOST = 1000, 366 * DAY
"""Milliseconds that a decision's time has."""

MOST_DEFAULTS = 100

Resignation = Literal["bot", "rules"]


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """A clock: times in milliseconds, and what becomes of a seat whose player is gone."""

    allowance: int
    """For a decision."""
    claims: int
    """For an answer under seal."""
    bank: int = 0
    """What each seat has beside, for all its decisions together."""
    defaults: int = 2
    """After so many moves by the clock in a row a bot plays for the seat; 0: never."""
    bot: str = STAND_IN
    resignation: Resignation = "bot"
    preset: str | None = None

    @property
    def told(self) -> ClockSet:
        """What the log says of it."""
        return ClockSet(allowance=self.allowance, claims=self.claims, bank=self.bank, defaults=self.defaults)

    @property
    def kept(self) -> Terms:
        """What the log does not say."""
        return Terms(self.preset, self.bot, self.resignation)


PRESETS: Mapping[str, Clock] = {
    clock.preset or "": clock
    for clock in (
        Clock(preset="five-minutes", allowance=5 * MINUTE, claims=MINUTE, bank=15 * MINUTE, defaults=3),
        Clock(preset="hour", allowance=HOUR, claims=20 * MINUTE, bank=6 * HOUR, defaults=3),
        Clock(preset="day", allowance=DAY, claims=8 * HOUR, bank=3 * DAY),
        Clock(preset="three-days", allowance=3 * DAY, claims=DAY, bank=7 * DAY),
        Clock(preset="week", allowance=7 * DAY, claims=2 * DAY, bank=14 * DAY),
    )
}
"""Those that have a name."""


def of(times: Timetable, match_id: str) -> Terms:
    """What the match was opened with; where it has no clock, what is so everywhere."""
    return times.terms(match_id) or Terms(None, STAND_IN, BOT)
