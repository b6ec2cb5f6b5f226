"""Versions of the service's tables: a store is carried to the next one once and whole, and one of before is refused."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from events import stores
from events.queries import StoreOlder
from events.store import Statement, StoreError, StoreMissing, StoreNewer
from service import clock
from service.config import Config
from service.run.doctor import report, store
from service.store import open_effects, schema
from service.store.schema import Step, tables
from tests.postgres import Server
from tests.service.house import House, build
from tests.service.store import later

ROOT = Path(__file__).parents[3]

APPLIED = Statement("SELECT count(*) FROM outages")
VERSION = Statement("SELECT version FROM service")


@pytest.fixture
def lived_in(house: House) -> Config:
    """A store with two people and their match, which nobody has open."""
    house.table("magicative")
    house.service.close()
    return house.service.config


@pytest.fixture
def another_url(lived_in: Config, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """An empty store of the same kind."""
    if not lived_in.store:
        yield f"sqlite:{tmp_path / 'another.db'}"
        return
    server: Server = request.getfixturevalue("postgres_server")
    url = server.database()
    yield url
    server.drop(url)


def test_tables_are_not_declared_otherwise_without_another_version() -> None:
    """Stores that are there have these. Who changes the declaration adds a step, and notes here what it is then."""
    declared = [msgspec.structs.astuple(table) for table in tables.TABLES]
    said = f"{declared}{tables.INDEXES}{tables.ON_SQLITE}{tables.ON_POSTGRES}"
    assert (len(schema.STEPS), hashlib.sha256(said.encode()).hexdigest()[:16]) == (1, "76b9602e1ec1f83d")


def test_two_processes_at_once_carry_a_store_to_the_next_version_once(lived_in: Config) -> None:
    command = [sys.executable, "-m", "tests.service.store.later", lived_in.store_url]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": ROOT}
    with ExitStack() as left:
        both = [left.enter_context(subprocess.Popen(command, **pipes)) for _ in range(2)]
        assert [one.stdout.readline() for one in both if one.stdout] == ["ready\n", "ready\n"]
        for one in both:
            assert one.stdin is not None
            one.stdin.write("\n")
            one.stdin.flush()
        assert [one.communicate()[0] for one in both] == ["done\n", "done\n"]
    with later.released(), closing(later.opened(lived_in.store_url)) as opened:
        assert opened.find(APPLIED) == [(1,)]
        assert opened.find_everywhere("SELECT mood FROM matches WHERE partition = :partition") == [("calm",)]
        assert opened.find(Statement("SELECT count(*) FROM tokens JOIN players ON players.id = player")) == [(2,)]


def test_a_store_that_was_carried_to_a_version_has_the_tables_of_a_new_one(lived_in: Config, another_url: str) -> None:
    with (
        later.released(),
        closing(later.opened(lived_in.store_url)) as carried,
        later.declared(),
        closing(later.opened(another_url)) as new,
    ):
        assert later.tables_of(carried) == later.tables_of(new)
        assert carried.find(VERSION) == new.find(VERSION)
        assert (carried.find(APPLIED), new.find(APPLIED)) == ([(1,)], [(0,)]), "a new one needs no step"


def test_a_step_that_fails_in_the_middle_leaves_the_store_as_it_was(lived_in: Config) -> None:
    def failing(step: Any) -> Any:
        def fail(target: Any) -> None:
            step(target)
            target.execute("INSERT INTO nowhere VALUES (1)")

        return fail

    with closing(later.opened(lived_in.store_url)) as before:
        had, version = later.tables_of(before), before.find(VERSION)
    with later.released(Step(*map(failing, later.STEP))), pytest.raises(StoreError, match="nowhere"):
        later.opened(lived_in.store_url)
    with closing(later.opened(lived_in.store_url)) as after:
        assert (later.tables_of(after), after.find(VERSION), after.find(APPLIED)) == (had, version, [(0,)])
    build(lived_in).close()
    with later.released(), closing(later.opened(lived_in.store_url)) as mended:
        assert mended.find(APPLIED) == [(1,)]


def test_followers_wait_until_a_web_process_has_carried_the_store(lived_in: Config) -> None:
    with later.released():
        with pytest.raises(StoreMissing, match="holds no tables of this service yet"):
            open_effects(lived_in.store_url)
        later.opened(lived_in.store_url).close()
        open_effects(lived_in.store_url).close()


def test_a_doctor_says_that_the_next_start_brings_the_tables_up_to_date(lived_in: Config) -> None:
    def warned() -> list[str]:
        found = store.examine(lived_in, clock.now, is_all=False)
        return [one.do for one in found if one.level is report.Severity.WARNING]

    assert warned() == []
    with later.released():
        assert warned() == [store.UP_TO_DATE]


def test_a_store_of_a_later_release_is_refused(lived_in: Config) -> None:
    with later.released():
        later.opened(lived_in.store_url).close()
    with pytest.raises(StoreNewer, match=r"was written by a later release: service schema \d+, known is \d+$"):
        build(lived_in)


def test_a_store_of_before_the_first_release_is_refused_in_a_line_that_says_what_to_do(lived_in: Config) -> None:
    with closing(later.opened(lived_in.store_url)) as opened:
        opened.write([Statement(f"UPDATE service SET version = version - {1 + len(schema.STEPS)}")])
        had, version = later.tables_of(opened), opened.find(VERSION)
    for opening in (build, lambda config: open_effects(config.store_url)):
        with pytest.raises(StoreOlder) as refused:
            opening(lived_in)
        said = str(refused.value)
        assert "was written before the first release (service schema 1" in said
        assert "1 running match can't go on here; bring it up to date" in said
        assert "\n" not in said
    (found,) = store.examine(lived_in, clock.now, is_all=False)
    assert (found.level, found.do) == (report.Severity.FAULT, StoreOlder.INSTEAD)
    with pytest.raises(StoreOlder):
        later.opened(lived_in.store_url)
    with closing(stores.open_to_read(lived_in.store_url)) as left:
        assert (later.tables_of(left), left.find(VERSION)) == (had, version)
