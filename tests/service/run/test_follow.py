"""`service follow`: any number of processes, what they say of themselves, and what is tried again."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import CompletedProcess
from threading import Event

import pytest
from click.exceptions import Exit
from structlog.testing import capture_logs

from service.config import Config
from service.run.follow import NOT_MADE, beside, wait_for_store
from service.store import SetAside, effects, open_effects
from tests.service.house import build
from tests.service.run.backups import refused, service

pytestmark = pytest.mark.faults


def follow(data: Path, *args: str) -> CompletedProcess[str]:
    return service("follow", "--data", data, *args)


def test_what_is_set_aside_is_told_and_marked_to_be_tried_again(tmp_path: Path) -> None:
    data = tmp_path / "data"
    build(Config(data=data)).close()
    store = open_effects(f"sqlite:{data / 'foldtable.db'}")
    for match in ("m_a", "m_b"):
        one = SetAside(0, "statistics", match, 3, match, 4, "Broken: so", "2024-03-01T12:00:00.000Z")
        store.commit([], [[effects.set_aside(one)]])
    told = follow(data, "--status")
    assert "statistics: m_a, at version 4 of m_a, 2024-03-01T12:00:00.000Z\n    Broken: so\n" in told.stdout
    wrong = follow(data, "--retry", "m_c")
    assert (wrong.returncode, wrong.stdout, wrong.stderr) == (2, "", "error: m_c is not set aside\n")
    assert follow(data, "--retry", "m_b").stdout.startswith("1 to be tried again")
    assert [(one.match, one.again) for one in store.aside(0)] == [("m_a", False), ("m_b", True)]
    told = follow(data, "--retry", "--status")
    assert told.stdout.startswith("2 to be tried again")
    assert told.stdout.count("to be tried again\n") == 2
    store.close()


def test_a_status_of_no_store_is_said_in_one_line(tmp_path: Path) -> None:
    refused("does not exist", "follow", "--data", tmp_path, "--status")
    sqlite3.connect(tmp_path / "foldtable.db").close()
    assert follow(tmp_path, "--retry").returncode == 1


def test_it_says_that_it_waits_until_a_web_process_has_made_the_store(tmp_path: Path) -> None:
    config, stop = Config(data=tmp_path / "data"), Event()
    with capture_logs() as logs, ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(wait_for_store, config, stop)
        with pytest.raises(TimeoutError):
            waiting.result(0.7)
        said = [line["event"] for line in logs]
        build(config).close()
        store = waiting.result()
    assert store is not None
    store.close()
    assert said == [NOT_MADE], "once"
    stop.set()
    assert wait_for_store(Config(data=tmp_path / "none"), stop) is None


def test_a_thread_that_ends_by_an_error_is_logged_at_once_and_ends_the_others() -> None:
    stop = Event()

    def run() -> None:
        with beside({"broken": lambda: 1 / 0, "other": stop.wait}, stop):
            assert stop.wait(60)
            assert [line["thread"] for line in logs] == ["broken"], "also if the other one hangs"

    with capture_logs() as logs, pytest.raises(Exit):
        run()
