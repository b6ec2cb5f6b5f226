"""The doctor knows every variable that is read, and no other."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from service import config
from service.run.doctor.report import KNOWN, PREFIX

TREE = Path(__file__).parents[3]
PACKAGES = ("domain", "events", "replays", "bots", "service")


class Asked(dict[str, str]):
    """An environment that notes what it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def __missing__(self, name: str) -> str:
        self.names.add(name)
        raise KeyError(name)


def literals() -> set[str]:
    """Every text of the code that is a variable's whole name."""
    paths = (path for package in PACKAGES for path in (TREE / package).rglob("*.py"))
    return {name for path in paths for name in re.findall(rf'"({PREFIX}[A-Z_]*[A-Z])"', path.read_text())}


def test_the_doctor_knows_every_variable_that_is_read_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked()
    monkeypatch.setattr(os, "environ", asked)
    config.read()
    monkeypatch.undo()
    read = {name for name in asked.names if name.startswith(PREFIX)}
    assert len(read) > 20
    assert len(literals()) > 3
    assert read | literals() == KNOWN
