"""Checks the settings in the environment."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from environs import EnvError

from service import config
from service.config import Config
from service.limits import VARIABLES
from service.run.doctor.report import Finding, fault, good, warning

AREA = "configuration"
PREFIX = "FOLDTABLE_"
BESIDE = {"URL", "LOG", "HEARTBEAT"}
"""Variables that are read without the other settings; `up` sets the last one for its processes."""

KNOWN = frozenset(f"{PREFIX}{name}" for name in {*config.VARIABLES, *VARIABLES, *BESIDE})


def read(data: Path | None, redis: str | None) -> tuple[Config, Finding]:
    """Return the settings, and the finding about them. If they can't be read, only the options are in the settings."""
    try:
        return config.read(data=data, redis=redis), good(AREA, "all settings can be read")
    except EnvError as error:
        # the error names the variable and, if it must be a number, its value; no secret is a number
        finding = fault(AREA, " ".join(str(error).split()), "set the variable to what it must be, or unset it")
    default = Config()
    folder = data or Path(os.environ.get(f"{PREFIX}DATA") or default.data)
    return replace(default, data=folder, redis=redis or ""), finding


def unknown(names: Iterable[str]) -> Iterator[Finding]:
    """Find variables that are no settings, as misspelled ones."""
    for name in sorted(names):
        if name.startswith(PREFIX) and name not in KNOWN:
            known = ", ".join(sorted(KNOWN))
            yield warning(AREA, f"{name!a} is no setting, and has no effect", f"known are {known}")
