"""A service on a real store, SQLite's and PostgreSQL's, with the games of the house and the toy room.

Every test that has its service built here can run on both stores. On PostgreSQL `make test-postgres` runs the folders
of `STORED`, and `make soak` all others.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import redis
import structlog
from argon2 import PasswordHasher
from freezegun import freeze_time
from freezegun.api import FrozenDateTimeFactory

from service.accounts import passwords
from service.config import Config
from service.jobs.queue import connect
from service.run.redis_server import RedisServer
from service.wiring import Service, open_store
from tests.service import documented
from tests.service.house import House, build
from tests.service.run.redisrun import running
from tests.service.streams.reading import wait_for_all

if TYPE_CHECKING:
    from tests.postgres import Server

# Where rich is installed structlog draws tracebacks with it, which takes a tenth of a second each.
structlog.configure([structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)])

MOMENT = "2026-03-01T12:00:00Z"
"""When it begins."""

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
NOBODYS = QUICK.hash("nobody's")

STORED = {"store", "matches", "followers", "wakeups"}
"""Folders that ask a store themselves for most of what is asked of it. The others repeat on PostgreSQL what they do on
SQLite, through these.
"""
READ = {"test_films", "test_other_rules", "test_said_to_readers"}
"""What is in these folders and reads events alone, in ways that others there read them in too."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Have a test that has a store run on both kinds."""
    if "store_url" not in metafunc.fixturenames:
        return
    marks = [pytest.mark.postgres]
    path = metafunc.definition.path
    if path.parent.name not in STORED or path.stem in READ:
        marks.append(pytest.mark.soak)
    on_postgres = pytest.param("postgres", marks=marks)
    is_sqlite = metafunc.definition.get_closest_marker("sqlite")
    metafunc.parametrize("store_url", ["sqlite"] if is_sqlite else ["sqlite", on_postgres], indirect=True)


@pytest.fixture(scope="session")
def postgres_tables(postgres_server: Server, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The URL of a database that has all tables and no rows: a copy of it costs less than making each table anew."""
    url = postgres_server.database()
    open_store(Config(data=tmp_path_factory.mktemp("tables"), store=url)).close()
    return url


@pytest.fixture
def store_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of an empty store of the kind; "" is the data folder's."""
    if request.param != "postgres":
        yield ""
        return
    server: Server = request.getfixturevalue("postgres_server")
    url = server.database(request.getfixturevalue("postgres_tables"))
    yield url
    server.drop(url)


@pytest.fixture
def config(tmp_path: Path, store_url: str) -> Config:
    # bots take no time to think: jobs/test_hesitation.py says when they do
    return Config(data=tmp_path / "data", bot_pause=0.0, store=store_url)


@pytest.fixture
def service(config: Config) -> Iterator[Service]:
    found = build(config)
    yield found
    found.bells.close()
    wait_for_all()
    found.close()


@pytest.fixture
def frozen() -> Iterator[FrozenDateTimeFactory]:
    """A clock that stands still until the test moves it on."""
    with freeze_time("2026-03-01T12:00:00Z") as time:
        assert isinstance(time, FrozenDateTimeFactory)
        yield time


@pytest.fixture(autouse=True)
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """What argon2 takes in earnest is seen by `web/test_many_at_once.py`."""
    monkeypatch.setattr(passwords, "_hasher", QUICK)
    monkeypatch.setattr(passwords, "NOBODYS", NOBODYS)


@pytest.fixture(autouse=True)
def every_answer_is_documented() -> Iterator[None]:
    """Fails a test in which the app answered something that the document does not tell of."""
    yield
    found, documented.faults[:] = [*documented.faults], []
    assert not found, "\n".join(found)


@pytest.fixture
def house(service: Service) -> House:
    """The service with its web, and people who come in."""
    return House(service)


@pytest.fixture
def first(tmp_path: Path) -> Iterator[House]:
    """Where what is told twice begins."""
    config = Config(data=tmp_path / "first", bot_pause=0.0, sign_up="invitation")
    with freeze_time(MOMENT), House(build(config)) as house:
        yield house


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """One Redis for all tests of a process."""
    found = RedisServer(tmp_path_factory.mktemp("redis"))
    with running(found):
        yield found
    found.clear()


@pytest.fixture
def connection(server: RedisServer) -> Iterator[redis.Redis]:
    """To it; each test finds it empty."""
    with connect(server.url) as found:
        found.flushall()
        yield found
