"""The clock with which a match is opened, and its presets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from domain import clocks
from domain.happenings import ClockSet
from service.clock import DAY, HOUR, MINUTE, format_duration
from service.shapes import Duration
from service.store import Terms, Timetable

Resignation = Literal["bot", "rules", "end"]
BOT: Resignation = "bot"
RULES: Resignation = "rules"
END: Resignation = "end"
"""Who plays a seat that was given up: a bot, or the rules by their default; or, with two seats, the match ends."""
RESIGNATIONS = (BOT, RULES, END)

STAND_IN = "greedy"
"""The bot that plays for others if none was named."""

LEAST, MOST = 1000, 366 * DAY
"""The least and the most milliseconds for a decision."""

MOST_DEFAULTS = 100


class TimeControl(msgspec.Struct, frozen=True, kw_only=True):
    """A clock: times in milliseconds, and what happens to a seat whose player is gone."""

    allowance: int
    """For a decision."""
    claims: int
    """For an answer under seal."""
    bank: int = 0
    """Further time of each seat for all its decisions together."""
    defaults: int = 2
    """The number of moves by the clock in a row after which a bot plays for the seat; 0 for never."""
    bot: str = STAND_IN
    resignation: Resignation = END
    """With more than two seats nobody else has won by it, so a bot plays on instead of `end`."""
    preset: str | None = None

    @property
    def told(self) -> ClockSet:
        """The part that the log holds."""
        return ClockSet(allowance=self.allowance, claims=self.claims, bank=self.bank, defaults=self.defaults)

    def kept(self, seats: int) -> Terms:
        """Return the part that the log does not hold, for a match of so many seats."""
        return Terms(self.preset, self.bot, ended_by(seats) if self.resignation == END else self.resignation)


def ended_by(seats: int) -> Resignation:
    """Return what a resignation does if nothing else was agreed."""
    return END if seats == clocks.CONCEDED else BOT


def untimed(seats: int) -> Terms | None:
    """Return the terms of a match without a clock; None for the general ones."""
    return Terms(None, STAND_IN, END) if ended_by(seats) == END else None


PRESETS: Mapping[str, TimeControl] = {
    clock.preset or "": clock
    for clock in (
        TimeControl(preset="five-minutes", allowance=5 * MINUTE, claims=MINUTE, bank=15 * MINUTE, defaults=3),
        TimeControl(preset="hour", allowance=HOUR, claims=20 * MINUTE, bank=6 * HOUR, defaults=3),
        TimeControl(preset="day", allowance=DAY, claims=8 * HOUR, bank=3 * DAY),
        TimeControl(preset="three-days", allowance=3 * DAY, claims=DAY, bank=7 * DAY),
        TimeControl(preset="week", allowance=7 * DAY, claims=2 * DAY, bank=14 * DAY),
    )
}
"""The clocks with a name, by name."""


GENERAL = Terms(None, STAND_IN, BOT)
"""What holds for a match that was imported, or was opened without a clock by an earlier release or for more seats."""


def of(times: Timetable, match_id: str) -> Terms:
    """Return the terms with which the match was opened; the general ones if none were kept."""
    return times.terms(match_id) or GENERAL


class Clock(Struct, frozen=True):
    """A clock, in the form in which a match is opened with one."""

    preset: str | None
    allowance: Duration
    """The time for a decision, as an ISO 8601 duration."""
    claims: Duration
    """The time for an answer under seal, which never costs time of the bank, as an ISO 8601 duration."""
    bank: Duration
    """The further time of each seat for all its decisions together, as an ISO 8601 duration."""
    defaults: int
    bot: str
    resignation: str


def described(clock: TimeControl) -> Clock:
    """Return a clock in the form in which one is requested."""
    times = {name: format_duration(getattr(clock, name)) for name in ("allowance", "claims", "bank")}
    return Clock(**{**asdict(clock), **times})
