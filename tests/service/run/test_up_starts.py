"""How `up` starts: who is answered meanwhile, how long it waits, and what a disk without room makes of it."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from threading import Event

import httpx2
import pytest

from service.config import Config
from service.run import demo
from service.run import up as ups
from service.run.up import Supervisor
from tests.service.run.uprun import DEADLINE, command, handlers_kept, limited, processes, small_disk, until

pytestmark = pytest.mark.faults


def test_a_web_process_that_takes_its_time_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ups, "NEWS", 0.0)
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        if "Ctrl-C" in line:
            os.kill(os.getpid(), signal.SIGINT)

    with handlers_kept():
        Supervisor(Config(data=tmp_path / "data", port=0)).run(say)
    assert any("is played at" in line for line in said)
    assert processes(tmp_path) == {}
    told = capfd.readouterr()
    assert "waiting until web answers" in told.out + told.err


def test_it_ends_when_told_to_whatever_the_demo_waits_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[bool] = []

    def show(url: str, data: Path, say: Callable[[str], None], stop: Event) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        ended.append(stop.wait(DEADLINE))

    monkeypatch.setattr(demo, "show", show)
    with handlers_kept():
        Supervisor(Config(data=tmp_path / "data", port=0)).run(print)
    until(lambda: ended == [True], "the demo ends, too")
    assert processes(tmp_path) == {}


def test_a_demo_that_is_told_to_come_back_in_an_hour_ends_with_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    stop, asked = Event(), list[str]()

    def refuse(transport: httpx2.HTTPTransport, request: httpx2.Request) -> httpx2.Response:
        asked.append(request.url.path)
        stop.set()
        return httpx2.Response(429, headers={"Retry-After": "3600"})

    monkeypatch.setattr(httpx2.HTTPTransport, "handle_request", refuse)
    assert demo.Patient(stop).handle_request(httpx2.Request("POST", "http://house/api/matches")).status_code == 429
    assert len(asked) == 2


def refuses(done: subprocess.CompletedProcess[str], folder: Path) -> None:
    (error,) = [line for line in (done.stdout + done.stderr).splitlines() if '"event":' not in line]
    assert error.startswith(f"error: {folder}")
    assert done.returncode == 1
    assert processes(folder) == {}


@pytest.mark.parametrize(
    "kilobytes",
    # room for nothing, for the folder, for the store's file and for the store: a size of each every day
    [240, *(pytest.param(size, marks=pytest.mark.soak) for size in (4, 16, 64, 128, 200, 1000))],
)
@pytest.mark.parametrize("word", ["up", pytest.param("web", marks=pytest.mark.soak)])
def test_a_start_with_almost_no_disk_is_one_line(tmp_path: Path, word: str, kilobytes: int) -> None:
    folder = tmp_path / "data"
    with small_disk(folder, kilobytes):
        refuses(command(word, "--port", "0", "--data", folder), folder)


@pytest.mark.parametrize(
    "most", [4096, *(pytest.param(most, marks=pytest.mark.soak) for most in (0, 16, 100, 20_000, 60_000))]
)
def test_a_start_where_no_file_may_grow_is_one_line(tmp_path: Path, most: int) -> None:
    refuses(limited(most, "web", "--port", "0", "--data", tmp_path / "data"), tmp_path / "data")
