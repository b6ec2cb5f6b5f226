"""Stores of both kinds to follow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.followers.stands import Stand


@pytest.fixture
def postgres_stand(postgres_url: str) -> Iterator[Stand]:
    found = Stand(postgres_url)
    yield found
    found.close()


@pytest.fixture
def sqlite_stand(tmp_path: Path) -> Iterator[Stand]:
    found = Stand(f"sqlite:{tmp_path / 'foldtable.db'}")
    yield found
    found.close()


@pytest.fixture(params=["sqlite", "postgres"])
def stand(request: pytest.FixtureRequest) -> Stand:
    """A store with nothing in it."""
    found: Stand = request.getfixturevalue(f"{request.param}_stand")
    return found
