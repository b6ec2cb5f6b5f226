"""What the operator has said in the environment."""

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
"""Variables that are read where there is no configuration: `up` says the last one to what it starts."""

KNOWN = frozenset(f"{PREFIX}{name}" for name in {*config.VARIABLES, *VARIABLES, *BESIDE})


def read(data: Path | None, redis: str | None) -> tuple[Config, Finding]:
    """The settings, and what is to be said of them; of those that can't be read only what was said by options."""
    try:
        return config.read(data=data, redis=redis), good(AREA, "all settings can be read")
    except EnvError as error:
        # it names the variable and, of a number, its value; no secret is a number
        told = fault(AREA, " ".join(str(error).split()), "set the variable to what it must be, or unset it")
    found = Config()
    return replace(found, data=data or Path(os.environ.get(f"{PREFIX}DATA") or found.data), redis=redis or ""), told


def unknown(names: Iterable[str]) -> Iterator[Finding]:
    """What was said of variables that there are not, as when one is misspelled."""
    for name in sorted(names):
        if name.startswith(PREFIX) and name not in KNOWN:
            known = ", ".join(sorted(KNOWN))
            yield warning(AREA, f"{name!a} is no setting, and says nothing", f"known are {known}")
