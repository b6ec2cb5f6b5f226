from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from events.memory import MemoryRecorder
from events.postgres import PostgresRecorder
from events.sqlite import SqliteRecorder
from events.store import Recorder


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a store may be made."""
    return tmp_path / "store.db"


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[SqliteRecorder]:
    """An empty store on SQLite."""
    recorder = SqliteRecorder(tmp_path / "store.db")
    yield recorder
    recorder.close()


ON_POSTGRES = pytest.param("postgres", marks=pytest.mark.postgres)


@pytest.fixture(params=["sqlite", ON_POSTGRES])
def url(request: pytest.FixtureRequest, path: Path) -> str:
    """Where a store of each kind may be made."""
    return f"sqlite:{path}" if request.param == "sqlite" else str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def postgres_store(postgres_url: str) -> Iterator[PostgresRecorder]:
    """An empty store on PostgreSQL."""
    recorder = PostgresRecorder(postgres_url)
    yield recorder
    recorder.close()


@pytest.fixture(params=["memory", "memory-16", "sqlite", ON_POSTGRES])
def recorder(request: pytest.FixtureRequest) -> Recorder:
    """An empty store of each kind, with one partition or with several."""
    if request.param == "memory":
        return MemoryRecorder()
    if request.param == "memory-16":
        return MemoryRecorder(partitions=16)
    found: Recorder = request.getfixturevalue("sqlite" if request.param == "sqlite" else "postgres_store")
    return found
