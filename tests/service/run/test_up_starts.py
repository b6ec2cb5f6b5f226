"""How `up` starts: whom it takes for its own, how long it waits, and what a disk without room makes of it."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from service.config import Config
from service.run import up as ups
from service.run.up import Supervisor
from tests.ports import free_port
from tests.service.run.uprun import DEADLINE, TREE, environment, processes

pytestmark = pytest.mark.faults


def start(data: Path, *args: str, command: str = "up", most: int | None = None) -> subprocess.Popen[str]:
    """The command, as a process. `most`: no file that it writes may be larger."""

    def limit() -> None:
        if most is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return subprocess.Popen(
        [sys.executable, "-m", "service", command, "--data", str(data), *args],
        cwd=TREE,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=limit,  # noqa: PLW1509  # there is one thread
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Its exit code, and all that it said."""
    said, _ = process.communicate(timeout=DEADLINE)
    return process.returncode, said


@contextmanager
def nothing_stays(data: Path) -> Iterator[None]:
    try:
        yield
    finally:
        for pid in processes(data):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def test_of_two_that_are_started_together_on_one_port_one_serves(tmp_path: Path) -> None:
    port = str(free_port())
    with nothing_stays(tmp_path):
        both = [start(tmp_path / name, "--port", port) for name in ("a", "b")]
        serving = []
        for process in both:
            assert process.stdout is not None
            first = process.stdout.readline()
            while '"event":' in first:
                first = process.stdout.readline()
            if "is played at" in first:
                serving.append(process)
            else:
                code, more = ended(process)
                assert (code, more) == (1, "")
                assert first == f"error: 127.0.0.1, port {port}: Address already in use\n"
        assert len(serving) == 1
        serving[0].send_signal(signal.SIGINT)
        assert ended(serving[0])[0] == 0


def test_whoever_calls_while_the_web_process_is_started_again_is_answered(tmp_path: Path) -> None:
    """The socket is held by `up`: it never goes, and nobody else can take it meanwhile."""
    with nothing_stays(tmp_path):
        process = start(tmp_path, "--port", "0")
        assert process.stdout is not None
        url = ""
        for line in process.stdout:
            if found := re.search(r"played at (http://\S+)/", line):
                url = found.group(1)
            if "Ctrl-C" in line:
                break
        for pid, command in processes(tmp_path).items():
            if "service web" in command:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        done = subprocess.run(
            ["curl", "-s", "--max-time", str(DEADLINE), f"{url}/healthz"], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout) == (0, '{"status":"ok"}')
        process.send_signal(signal.SIGINT)
        assert ended(process)[0] == 0


def test_a_web_process_that_takes_its_time_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ups, "NEWS", 0.0)
    monkeypatch.setattr(ups, "START", 0.0, raising=False)
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        if "Ctrl-C" in line:
            os.kill(os.getpid(), signal.SIGINT)

    try:
        with nothing_stays(tmp_path / "data"):
            Supervisor(Config(data=tmp_path / "data", port=0)).run(say)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert any("is played at" in line for line in said)
    told = capfd.readouterr()
    assert "waiting until web answers" in told.out + told.err


def refuses(process: subprocess.Popen[str], folder: Path) -> None:
    code, said = ended(process)
    assert code == 1, said
    errors = [line for line in said.splitlines() if '"event":' not in line]
    assert len(errors) == 1, said
    assert errors[0].startswith(f"error: {folder}"), said


@pytest.mark.parametrize(
    "kilobytes",
    # room for nothing, for the folder, for the store's file and for the store: a size of each every day
    [240, *(pytest.param(size, marks=pytest.mark.soak) for size in (4, 16, 64, 128, 200, 1000))],
)
@pytest.mark.parametrize("command", ["up", "web"])
def test_a_start_with_almost_no_disk_is_one_line(tmp_path: Path, command: str, kilobytes: int) -> None:
    folder = tmp_path / "data"
    with small_disk(folder, kilobytes), nothing_stays(folder):
        refuses(start(folder, "--port", "0", command=command), folder)
        assert processes(folder) == {}


@pytest.mark.parametrize(
    "most", [4096, *(pytest.param(most, marks=pytest.mark.soak) for most in (0, 16, 100, 20_000, 60_000))]
)
def test_a_start_where_no_file_may_grow_is_one_line(tmp_path: Path, most: int) -> None:
    with nothing_stays(tmp_path):
        refuses(start(tmp_path / "data", "--port", "0", command="web", most=most), tmp_path / "data")
