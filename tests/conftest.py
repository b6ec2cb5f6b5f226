"""What tests of the log and of the service share: a PostgreSQL that runs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests import postgres
from tests.postgres import Server


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """A PostgreSQL of this process's own. Where it can't be started the tests that want it fail."""
    with postgres.server() as running:
        yield running


@pytest.fixture
def postgres_url(postgres_server: Server) -> Iterator[str]:
    """An empty database."""
    url = postgres_server.database()
    yield url
    postgres_server.drop(url)
