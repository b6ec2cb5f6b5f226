"""The doctor knows every variable that is read, and no other."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from service import config
from service.run.doctor.report import KNOWN, PREFIX, unknown_settings

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


def literals() -> Iterator[str]:
    """Every text of the code that is a variable's whole name."""
    for package in PACKAGES:
        for path in (TREE / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                text = node.value if isinstance(node, ast.Constant) else None
                if isinstance(text, str) and re.fullmatch(f"{PREFIX}[A-Z_]*[A-Z]", text):
                    yield text


def test_the_doctor_knows_every_variable_that_is_read_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked()
    monkeypatch.setattr(os, "environ", asked)
    config.read()
    monkeypatch.undo()
    read = {name for name in asked.names if name.startswith(PREFIX)}
    assert len(read) > 20
    assert len(set(literals())) > 3
    assert read | set(literals()) == KNOWN


def test_what_is_misspelled_is_told() -> None:
    assert list(unknown_settings(KNOWN)) == []
    (found,) = unknown_settings([f"{PREFIX}WORKERTOKEN"])
    assert "is no setting" in found.what
