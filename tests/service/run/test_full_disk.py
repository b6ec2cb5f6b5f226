"""A disk that is full under load: who asks is told so, nothing acknowledged is lost, and with room it goes on."""

from __future__ import annotations

import os
import signal
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import pytest

from service.config import Config
from tests import postgres
from tests.postgres import Server
from tests.service.run.callers import Pair, moved, playing
from tests.service.run.reckoning import reckon
from tests.service.run.uprun import Up, running, small_disk, until, up

pytestmark = pytest.mark.faults

FAILED = "store-failed"


@contextmanager
def no_room(disk: Path) -> Iterator[None]:
    """A file takes all that is left, and what becomes free meanwhile."""
    ballast = disk / "ballast"
    with ballast.open("ab", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            with suppress(OSError):
                while True:
                    file.write(bytes(size))
    try:
        yield
    finally:
        ballast.unlink()


def failed(pairs: list[Pair]) -> int:
    moved(pairs)
    return sum(person.refused.count(FAILED) for pair in pairs for person in pair.people)


def fill_and_go_on(service: Up, config: Config, disk: Path, server: Server | None) -> None:
    with playing(service.url, 3) as pairs:
        service.line("serving", 2)
        until(lambda: moved(pairs) > 30, "they play")
        if server is None:
            # else what SQLite has written ahead is room for many more moves
            with closing(sqlite3.connect(config.database)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with no_room(disk):
            until(lambda: failed(pairs) > 10, "they are told that it can't be stored")
            (first, *_) = running(service.data, "service web")
            os.kill(first, signal.SIGKILL)
            until(lambda: first not in running(service.data, "service web"), "it is gone")
        before = moved(pairs)

        def play_on() -> bool:
            if server is not None:
                server.go_on()  # what ends for want of room may do so only now
            return moved(pairs) > before + 30

        until(play_on, "they play on")
        until(lambda: len(running(service.data, "service web")) == 2, "the one that was killed has come back")
    assert service.process.poll() is None
    reckon(config, pairs)


def test_a_disk_that_is_full_under_the_sqlite_store(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with small_disk(data, 40_000), up(data) as service:
        fill_and_go_on(service, Config(data=data), data, None)


@pytest.mark.soak
def test_a_disk_that_is_full_under_the_postgres_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "data"
    with ExitStack() as stack:
        # whoever runs the server may not look into the tests' own folders
        outside = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        outside.chmod(0o755)
        stack.enter_context(small_disk(disk := outside / "disk", 250_000))
        disk.chmod(0o755)
        monkeypatch.setattr(tempfile, "tempdir", str(disk))
        server = stack.enter_context(postgres.server())
        url = server.database()
        service = stack.enter_context(up(data, said={"FOLDTABLE_STORE": url}))
        fill_and_go_on(service, Config(data=data, store=url), disk, server)
