"""Stores of both kinds to follow, and the follower that counts beside a service."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from service.followers import Counting, Follower, claims_of
from service.store import Effects, open_effects
from service.wiring import Service
from tests.service.followers.stands import Stand


@pytest.fixture
def postgres_stand(postgres_url: str) -> Iterator[Stand]:
    with closing(Stand(postgres_url)) as stand:
        yield stand


@pytest.fixture
def sqlite_stand(tmp_path: Path) -> Iterator[Stand]:
    with closing(Stand(f"sqlite:{tmp_path / 'foldtable.db'}")) as stand:
        yield stand


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def stand(request: pytest.FixtureRequest) -> Stand:
    """A store with nothing in it."""
    found: Stand = request.getfixturevalue(f"{request.param}_stand")
    return found


@pytest.fixture
def effects(service: Service) -> Iterator[Effects]:
    with closing(open_effects(service.config.store_url)) as effects:
        yield effects


@pytest.fixture
def follower(service: Service, effects: Effects) -> Iterator[Follower]:
    """Beside the service's own store, which it writes to as another process would."""
    found = Follower(Counting(effects.log), effects, claims_of(service.config.store_url, Counting.name))
    yield found
    found.leave()
