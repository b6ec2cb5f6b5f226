"""`python -m service up`, run as a process of its own on a folder of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import NamedTemporaryFile
from threading import Event
from time import monotonic
from typing import Any

import httpx2
import pytest

TREE = Path(__file__).parents[3]
INSTALLED = Path(__file__).with_name("installed")
"""It has a module that hides what only research installs."""
DEADLINE = 60.0
"""Seconds until a test gives up; nothing is expected to take a tenth of it."""


def environment() -> dict[str, str]:
    """This process's, without what an operator may have said, and with no more packages than an operator has.

    Stores with matches of the toy room are taken over.
    """
    own = {name: value for name, value in os.environ.items() if not name.startswith("FOLDTABLE_")}
    return {**own, "FOLDTABLE_TAKE_OVER": "1", "PYTHONPATH": str(INSTALLED)}


def command(*args: str | Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run `python -m service` as a process of its own, to its end; `settings`: what the operator says."""
    return ran(sys.executable, "-m", "service", *args, settings=settings)


def ran(
    *words: str | Path, cwd: Path = TREE, settings: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; `settings`: what else stands in its environment."""
    env = environment() | (settings or {})
    return subprocess.run(
        list(map(str, words)), cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=10 * DEADLINE
    )


def limited(most: int, *args: str | Path) -> subprocess.CompletedProcess[str]:
    """Run `python -m service` where no file that it writes may be larger."""
    limit = f"resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))"
    code = f"import resource; {limit}; from service.__main__ import main; main()"
    return ran(sys.executable, "-c", code, *args)


@contextmanager
def handlers_kept() -> Iterator[None]:
    """What this process does when it is told to end stays as it was, whatever a command sets for its own."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def until(is_so: Callable[[], Any], what: str, every: float = 0.05) -> Any:
    """Wait for it: what it answered. `every`: seconds between two looks."""
    end = monotonic() + DEADLINE
    while monotonic() < end:
        if found := is_so():
            return found
        Event().wait(every)
    raise AssertionError(f"still not so: {what}")


def until_over(look: Callable[[], Any]) -> None:
    """Wait until a match is over, as long as it moves on: by the deal it has 500 to 1,700 events. `look`: how it is."""

    def grown(version: int) -> Any:
        now = look()
        return now if now["version"] > version else None

    match = look()
    while match["status"] != "finished":
        match = until(partial(grown, match["version"]), "the match moves on")


def answers(url: str, path: str = "/healthz") -> bool:
    """Whether a web process there answers, and is well."""
    try:
        return httpx2.get(f"{url}{path}", trust_env=False).is_success
    except httpx2.TransportError:
        return False


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


def has_turn(pid: int, store: Path) -> bool:
    """Whether the process holds the lock of whoever writes, as the system tells."""
    turn = Path(f"{store}.turn").stat().st_ino
    held = rf"^\d+: FLOCK +\S+ +WRITE {pid} \S+:{turn} "
    return re.search(held, Path("/proc/locks").read_text(), re.MULTILINE) is not None


def hang(pid: int, store: Path, *, in_turn: bool) -> None:
    """Stop the process, at whatever moment at which it has the turn, or has it not."""

    def stop() -> bool:
        os.kill(pid, signal.SIGSTOP)
        if has_turn(pid, store) == in_turn:
            return True
        os.kill(pid, signal.SIGCONT)
        return False

    until(stop, "it hangs at such a moment", every=0.003)


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
        # those that were killed may still be ending
        umount = ["umount", str(folder)]
        until(lambda: subprocess.run(umount, capture_output=True, check=False).returncode == 0, "nobody uses it")


class Up:
    """The command, while it runs. What it says lies in a file."""

    def __init__(self, data: Path, process: subprocess.Popen[bytes], log: Path) -> None:
        self.data, self.process, self._log = data, process, log
        self.url = self.line(r"played at (http://\S+)/")
        self.line("Ctrl-C stops everything")

    @property
    def said(self) -> str:
        return self._log.read_text()

    def line(self, pattern: str, times: int = 1) -> str:
        """Wait for so many lines like that: the first group of the last one."""

        def found() -> list[re.Match[str]]:
            matches = list(re.finditer(pattern, self.said))
            assert len(matches) >= times or self.process.poll() is None, f"it has ended: {self.said}"
            return matches[times - 1 : times]

        (match,) = until(found, pattern)
        return str(match[1] if match.groups() else match[0])

    @property
    def matches(self) -> list[str]:
        return re.findall(r"^  (m_\w+)  ", self.said, re.MULTILINE)

    def stop(self) -> int:
        """Ctrl-C: the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(DEADLINE)

    def get(self, path: str) -> Any:
        answer = httpx2.get(f"{self.url}{path}", trust_env=False, timeout=DEADLINE)
        answer.raise_for_status()
        return answer.json()

    def version(self, match_id: str) -> int:
        return int(self.get(f"/api/matches/{match_id}")["version"])

    def is_finished(self, match_id: str) -> bool:
        return bool(self.get(f"/api/matches/{match_id}")["status"] == "finished")


@contextmanager
def up(data: Path, *args: str, said: dict[str, str] | None = None) -> Iterator[Up]:
    """Run it, and leave nothing behind. `said`: what the operator says in the environment."""
    command = [sys.executable, "-m", "service", "up", "--port", "0", "--data", str(data), *args]
    with NamedTemporaryFile() as log:
        process = subprocess.Popen(command, cwd=TREE, env=environment() | (said or {}), stdout=log, stderr=log)
        try:
            yield Up(data, process, Path(log.name))
        finally:
            for pid in (process.pid, *processes(data)):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            process.wait()
