from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from events.memory import MemoryRecorder
from events.sqlite import SqliteRecorder
from events.store import Recorder


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a store may be made."""
    return tmp_path / "store.db"


@pytest.fixture
def sqlite(path: Path) -> Iterator[SqliteRecorder]:
    """An empty store on SQLite."""
    recorder = SqliteRecorder(path)
    yield recorder
    recorder.close()


@pytest.fixture(params=["memory", "sqlite"])
def recorder(request: pytest.FixtureRequest) -> Recorder:
    """An empty store of each kind."""
    if request.param == "memory":
        return MemoryRecorder()
    found: SqliteRecorder = request.getfixturevalue("sqlite")
    return found
