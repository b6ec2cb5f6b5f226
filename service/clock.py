"""Times and durations, as the log and the answers tell them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta

from events.chain import now, stamp

__all__ = ["Now", "between", "later", "now", "stamp"]

Now = Callable[[], datetime]
"""Returns the time in UTC."""

SECOND, MINUTE, HOUR, DAY, WEEK = 1000, 60_000, 3_600_000, 86_400_000, 604_800_000

UNITS = {"W": WEEK, "D": DAY, "H": HOUR, "M": MINUTE, "S": SECOND}

_WEEKS, _DAYS, _HOURS, _MINUTES = [rf"\d{{1,6}}{unit}" for unit in "WDHM"]
_SECONDS = r"\d{1,6}(?:\.\d{1,3})?S"
_TIME = f"T(?:{_HOURS}(?:{_MINUTES})?(?:{_SECONDS})?|{_MINUTES}(?:{_SECONDS})?|{_SECONDS})"
DURATION = f"^P(?:{_WEEKS}|{_DAYS}(?:{_TIME})?|{_TIME})$"
"""Weeks, or days and time, and at least one of them. Months and years have no fixed length.

It is also for the contract: the format `duration` of JSON schema has no fractions. Some readers know no look-ahead.
"""

_SAID, _PART = re.compile(DURATION, re.ASCII), re.compile(r"(\d+)(?:\.(\d+))?([WDHMS])", re.ASCII)


def later(moment: str, milliseconds: int) -> str:
    """Return the moment that is so many milliseconds later."""
    return stamp(datetime.fromisoformat(moment) + timedelta(milliseconds=milliseconds))


def between(moment: str, later: str) -> int:
    """Return the whole milliseconds from the moment to the later one; 0 if that is earlier."""
    length = datetime.fromisoformat(later) - datetime.fromisoformat(moment)
    return max(0, length // timedelta(milliseconds=1))


def parse_duration(text: str) -> int:
    """Return the milliseconds of `P3D`, `PT1H30M`, `P1W`. Raises ValueError for any other text."""
    if _SAID.fullmatch(text) is None:
        raise ValueError("Write a duration like P3D, PT12H or P1DT30M.")
    parts = _PART.findall(text)
    # only seconds have a fraction
    return sum([int(whole) * UNITS[unit] + int(rest.ljust(3, "0")) for whole, rest, unit in parts])


def format_duration(milliseconds: int) -> str:
    """Return the duration in days and time, as `parse_duration` reads it."""
    days, rest = divmod(milliseconds, DAY)
    hours, rest = divmod(rest, HOUR)
    minutes, rest = divmod(rest, MINUTE)
    seconds, rest = divmod(rest, SECOND)
    point = f".{rest:03}".rstrip("0") if rest else ""
    parts = [f"{hours}H" if hours else "", f"{minutes}M" if minutes else ""]
    parts.append(f"{seconds}{point}S" if seconds or point else "")
    time = "".join(parts)
    return f"P{f'{days}D' if days else ''}{f'T{time}' if time else ''}" if days or time else "PT0S"
