"""`python -m service up`, run as a process of its own on a folder of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Any

import httpx2
import pytest

TREE = Path(__file__).parents[3]
DEADLINE = 60.0
"""Seconds until a test gives up; nothing is expected to take a tenth of it."""


def environment() -> dict[str, str]:
    """This process's, without what an operator may have said; stores with matches of the toy room are taken over."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("FOLDTABLE_")}
    return {**own, "FOLDTABLE_TAKE_OVER": "1"}


def command(*args: str | Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run `python -m service` as a process of its own, to its end; `settings`: what the operator says."""
    return ran(sys.executable, "-m", "service", *args, **settings)


def ran(*words: str | Path, cwd: Path = TREE, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    env = environment() | settings
    return subprocess.run(
        list(map(str, words)), cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=DEADLINE
    )


def limited(most: int, *args: str | Path) -> subprocess.CompletedProcess[str]:
    """Run `python -m service` where no file that it writes may be larger."""
    limit = f"resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))"
    code = f"import resource; {limit}; from service.__main__ import main; main()"
    return ran(sys.executable, "-c", code, *args)


def until(is_so: Callable[[], Any], what: str, every: float = 0.05) -> Any:
    """Wait for it: what it answered. `every`: seconds between two looks."""
    end = monotonic() + DEADLINE
    while monotonic() < end:
        if found := is_so():
            return found
        Event().wait(every)
    raise AssertionError(f"still not so: {what}")


def processes(data: Path) -> dict[int, str]:
    """Command lines by process id, of all that belongs to the service on that folder."""
    found = {}
    mark = os.fsencode(data)
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                command, env = (entry / "cmdline").read_bytes(), (entry / "environ").read_bytes()
                is_zombie = (entry / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
            except OSError:
                continue
            if not is_zombie and (mark in command or mark in env):
                found[int(entry.name)] = command.replace(b"\0", b" ").decode()
    return found


def running(data: Path, part: str) -> list[int]:
    """Process ids of one part: `service web`, `valkey-server`, ..., the oldest first."""
    return sorted(pid for pid, command in processes(data).items() if part in command)


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[None]:
    """A disk of its own for the folder, of that size."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k,mode=700", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("no disk can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


class Up:
    """The command, while it runs."""

    def __init__(self, data: Path, *args: str, said: dict[str, str]) -> None:
        self.data = data
        self.said: list[str] = []
        self._lines: SimpleQueue[str] = SimpleQueue()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "service", "up", "--port", "0", "--data", str(data), *args],
            cwd=TREE,
            env={**environment(), **said},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()
        self.url = self.line(r"played at (http://\S+)/")
        self.line("Ctrl-C stops everything")

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def line(self, pattern: str) -> str:
        """Wait for a line like that: its first group."""
        end = monotonic() + DEADLINE
        while monotonic() < end:
            try:
                said = self._lines.get(timeout=0.2)
            except Empty:
                assert self.process.poll() is None, f"it has ended: {self.said}"
                continue
            self.said.append(said)
            if found := re.search(pattern, said):
                return found.group(1) if found.groups() else found.group()
        raise AssertionError(f"never said {pattern}: {self.said}")

    @property
    def matches(self) -> list[str]:
        """Ids of the matches that it has listed."""
        return re.findall(r"^  (m_\w+)  ", "".join(self.said), re.MULTILINE)

    def close(self) -> None:
        """Release the pipe, once all of it has ended."""
        self.process.wait()
        self._reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def everything(self) -> str:
        """All that it has said, once all of it has ended."""
        self.process.wait()
        self._reader.join()
        while not self._lines.empty():
            self.said.append(self._lines.get())
        return "".join(self.said)

    def stop(self) -> int:
        """Ctrl-C: the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(DEADLINE)

    def get(self, path: str) -> Any:
        """An answer's JSON."""
        answer = httpx2.get(f"{self.url}{path}", trust_env=False, timeout=DEADLINE)
        answer.raise_for_status()
        return answer.json()

    def version(self, match_id: str) -> int:
        """Of the match's last event."""
        version: int = self.get(f"/api/matches/{match_id}")["version"]
        return version

    def is_finished(self, match_id: str) -> bool:
        """Whether it has been played to its end."""
        status: str = self.get(f"/api/matches/{match_id}")["status"]
        return status == "finished"


@contextmanager
def up(data: Path, *args: str, said: dict[str, str] | None = None) -> Iterator[Up]:
    """Run it, and leave nothing behind. `said`: what the operator says in the environment."""
    found = None
    try:
        found = Up(data, *args, said=said or {})
        yield found
    finally:
        if found is not None:
            found.process.kill()
        for pid in processes(data):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if found is not None:
            found.close()
