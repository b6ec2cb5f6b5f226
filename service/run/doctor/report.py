"""The doctor's findings: each has an area, a severity, what was found, and what to do."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

import msgspec
from environs import EnvError

from service import config
from service.config import Config


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


def words(examined: Examined) -> Iterable[str]:
    """Yield the lines of the findings for people; what to do has a line of its own."""
    for finding in examined.findings:
        yield f"{finding.level:8} {finding.area:14} {finding.what}"
        if finding.do:
            yield f"{'':8} {'':14} -> {finding.do}"
    levels = [finding.level for finding in examined.findings]
    yield f"{levels.count(Severity.FAULT)} faults, {levels.count(Severity.WARNING)} warnings"


CONFIGURATION = "configuration"


def read_settings(data: Path | None, redis: str | None) -> tuple[Config, Finding]:
    """Return the settings, and the finding about them. If they can't be read, only the options are in the settings."""
    try:
        return config.read(data=data, redis=redis), good(CONFIGURATION, "all settings can be read")
    except EnvError as error:
        # the error names the variable and, if it must be a number, its value; no secret is a number
        finding = fault(CONFIGURATION, " ".join(str(error).split()), "set the variable to what it must be, or unset it")
    default = Config()
    folder = data or Path(os.environ.get(f"{config.PREFIX}DATA") or default.data)
    return replace(default, data=folder, redis=redis or ""), finding


def unknown_settings(names: Iterable[str]) -> Iterator[Finding]:
    """Find variables that are no settings, as misspelled ones."""
    for name, do in config.unknown(names):
        yield warning(CONFIGURATION, f"{name!a} is no setting, and has no effect", do)
