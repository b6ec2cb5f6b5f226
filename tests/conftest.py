"""What tests share: a PostgreSQL and a browser that run, what went wrong on a page, and what services had to say."""

from __future__ import annotations

import gc
import os
import shutil
import signal
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import freezegun.api
import pytest
from hypothesis import HealthCheck, settings

from tests import logs

if TYPE_CHECKING:
    from playwright.sync_api import Browser as Chromium

    from tests.postgres import Server


MEMORY = Path("/dev/shm")
ROOM = 4 << 30
"""How many bytes must be free there for the tests' files."""

YOUNG = 50_000
"""How many new objects are looked at for circles at a time: looking often costs a twentieth of all tests' time."""

TIMELESS = ("domain", "hypothesis", "markdown_it", "numpy", "psycopg", "pygments", "rich")
"""Packages that ask for no time, or for none that is frozen: freezegun need not look through their modules."""


def pytest_configure(config: pytest.Config) -> None:
    """Have tests find what they need, however they are started.

    Hypothesis draws the same examples each time, except under soak, and a slow machine is no failure.

    Temporary files are in memory where there is room: tests make thousands of stores, each waiting for its disk.
    """
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    gc.set_threshold(YOUNG, 20, 20)
    # a process that a test kills would be killed in the middle of a line
    os.environ.pop("PYTHONUNBUFFERED", None)
    # a job in the background is started with it ignored, and what tests start would not hear it either
    signal.signal(signal.SIGINT, signal.default_int_handler)
    is_soak = "soak" in config.option.markexpr.replace("not soak", "")
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
    settings.register_profile("house", deadline=None, derandomize=not is_soak, suppress_health_check=slow)
    settings.load_profile("house")
    freezegun.configure(extend_ignore_list=list(TIMELESS))
    # it looks at all names of each module each time; how many there are tells as much here
    freezegun.api._get_module_attributes_hash = lambda module: f"{id(module)} {len(vars(module))}"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave files out that have no test of a run's first mark. To read them all takes longer than some of these runs.

    Fixtures give their tests the mark `postgres`, so that these files' text does not show it.
    """
    mark, parts = str(config.option.markexpr).partition(" ")[0], collection_path.relative_to(config.rootpath).parts
    is_named = mark in {"browser", "faults", "postgres"} and collection_path.name.startswith("test_")
    may_have = mark == "postgres" and not {"service", "events"}.isdisjoint(parts)
    sign = mark if mark == "postgres" else f"mark.{mark}"
    return True if is_named and not may_have and sign not in collection_path.read_text() else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that ask for a PostgreSQL: only `make test-postgres` and `make soak` start one."""
    for item in items:
        if "postgres_server" in getattr(item, "fixturenames", ()):
            item.add_marker("postgres")


def pytest_collection_finish() -> None:
    """Look no more for circles among what stays until the end."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """A PostgreSQL of this process's own. Where it can't be started the tests that want it fail."""
    from tests import postgres  # imported here: most tests need no driver

    with postgres.server() as running:
        yield running


@pytest.fixture
def postgres_url(postgres_server: Server) -> Iterator[str]:
    """An empty database."""
    url = postgres_server.database()
    yield url
    postgres_server.drop(url)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """One process of chromium for all tests of this one."""
    from tests.browser import CHROMIUM, WHY, launched

    if CHROMIUM is None:
        pytest.skip(WHY)
    with launched() as running:
        yield running


@pytest.fixture(autouse=True)
def nothing_goes_wrong_on_any_page(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fails a test in a browser whose pages complained, threw, or asked in vain, unless it forgave that or took it."""
    logs.forget()
    yield
    if request.node.get_closest_marker("browser"):
        from tests.browser import wrong

        found = wrong()
        assert not found, "\n".join(found)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show with a test that fails what the services said last that it had started."""
    report = yield
    if report.failed:
        report.sections += logs.ends()
    return report
