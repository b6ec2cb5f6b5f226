"""The doctor's findings: each has an area, a severity, what was found, and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

import msgspec


class Severity(StrEnum):
    """How bad a finding is."""

    GOOD = "good"
    WARNING = "warning"
    """The service works, but perhaps not for long, or not as the operator thinks."""
    FAULT = "fault"


class Finding(msgspec.Struct, frozen=True):
    """The result of one check."""

    area: str
    level: Severity
    what: str
    """What was found, in a sentence without secrets."""
    do: str = ""
    """What to do about it."""


class Examined(msgspec.Struct, frozen=True):
    """All findings; `ok`: there are no faults, but there may be warnings."""

    ok: bool
    findings: tuple[Finding, ...]


def good(area: str, what: str) -> Finding:
    """Return a finding that needs nothing to be done."""
    return Finding(area, Severity.GOOD, what)


def warning(area: str, what: str, do: str) -> Finding:
    """Return a finding of something that still works."""
    return Finding(area, Severity.WARNING, what, do)


def fault(area: str, what: str, do: str) -> Finding:
    """Return a finding of something that does not work, or that shows secrets to others."""
    return Finding(area, Severity.FAULT, what, do)


def summed(findings: Iterable[Finding]) -> Examined:
    """Return the findings, and whether there is no fault among them."""
    checked = tuple(findings)
    return Examined(ok=all(each.level is not Severity.FAULT for each in checked), findings=checked)


def words(examined: Examined) -> Iterable[str]:
    """Yield the lines of the findings for people; what to do has a line of its own."""
    for finding in examined.findings:
        yield f"{finding.level:8} {finding.area:14} {finding.what}"
        if finding.do:
            yield f"{'':8} {'':14} -> {finding.do}"
    counts = [sum(each.level is level for each in examined.findings) for level in (Severity.FAULT, Severity.WARNING)]
    yield f"{counts[0]} faults, {counts[1]} warnings"
