"""What a doctor finds, and how it is told: an area, how bad it is, what is so, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

import msgspec


class Severity(StrEnum):
    """How bad it is."""

    GOOD = "good"
    WARNING = "warning"
    """The service works, and may not for long, or not as somebody thinks."""
    FAULT = "fault"


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at."""

    area: str
    level: Severity
    what: str
    """What is so, in a sentence. It tells no secret."""
    do: str = ""
    """What to do about it."""


class Examined(msgspec.Struct, frozen=True):
    """All that was looked at; `ok`: nothing is wrong, though there may be warnings."""

    ok: bool
    findings: tuple[Finding, ...]


def good(area: str, what: str) -> Finding:
    """Nothing is to be done."""
    return Finding(area, Severity.GOOD, what)


def warning(area: str, what: str, do: str) -> Finding:
    """It works as yet."""
    return Finding(area, Severity.WARNING, what, do)


def fault(area: str, what: str, do: str) -> Finding:
    """It does not work, or tells others what they may not know."""
    return Finding(area, Severity.FAULT, what, do)


def summed(findings: Iterable[Finding]) -> Examined:
    """Whether the findings are good, and they themselves."""
    found = tuple(findings)
    return Examined(ok=all(one.level is not Severity.FAULT for one in found), findings=found)


def words(examined: Examined) -> Iterable[str]:
    """The findings for people, what is to be done on a line of its own."""
    for one in examined.findings:
        yield f"{one.level:8} {one.area:14} {one.what}"
        if one.do:
            yield f"{'':8} {'':14} -> {one.do}"
    counts = [sum(one.level is level for one in examined.findings) for level in (Severity.FAULT, Severity.WARNING)]
    yield f"{counts[0]} faults, {counts[1]} warnings"
