"""All that the service is made of, each a process of its own, any of which may be killed and is started again."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event, Lock, Thread

from service.config import Config
from service.run.redis_server import RedisServer
from service.sockets import listen
from tests.postgres import Server
from tests.service.run.uprun import TREE, answers, environment, until

OFTEN = 0.05
"""Seconds between two looks at the processes."""


class Part:
    """A process that is started again whenever it has ended."""

    def __init__(self, name: str, command: list[str], env: dict[str, str], said: Path, fds: tuple[int, ...]) -> None:
        self.name = name
        self._command, self._env, self._said, self._fds = command, env, said, fds
        self._lock = Lock()
        self._is_wanted = True
        self._process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        with self._said.open("ab") as said:
            return subprocess.Popen(
                self._command, cwd=TREE, env=self._env, pass_fds=self._fds, stdout=said, stderr=said
            )

    def watch(self) -> None:
        with self._lock:
            if self._is_wanted and self._process.poll() is not None:
                self._process = self._start()

    def kill(self) -> None:
        """End it where it stands; it is started again."""
        with self._lock:
            self._process.kill()
            self._process.wait()

    def leave(self) -> None:
        """End it where it stands; it is not started again until it is to `come_back`."""
        self._is_wanted = False
        self.kill()

    def come_back(self) -> None:
        self._is_wanted = True


class Crew:
    """Web processes on one socket, workers, followers, Redis, and the store's server where it has one."""

    def __init__(self, data: Path, store: str, server: Server | None, stack: ExitStack, **said: str) -> None:
        """`store`: its URL, "" is the data folder's. `said`: what the operator says in the environment."""
        self.data = data
        self.server = server
        self.config = Config(data=data, store=store)
        redis = RedisServer(data)
        listener = stack.enter_context(listen(Config(port=0)))
        self.port = int(listener.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self._env = environment() | {
            "FOLDTABLE_DATA": str(data),
            "FOLDTABLE_REDIS": redis.url,
            "FOLDTABLE_STORE": store,
            "FOLDTABLE_BOT_PAUSE": "0",
            "FOLDTABLE_LOG": "warning",
            **said,
        }
        self.parts: list[Part] = []
        stack.callback(redis.clear)
        stack.callback(self._leave)
        self._add("redis", redis.command)
        until(redis.answers, "redis answers")
        listening = listener.fileno()
        for name, more in (("web", ["--fd", str(listening)]), ("worker", ["--url", self.url]), ("follow", [])):
            for _ in range(2):
                self._add(name, [sys.executable, "-m", "service", name, *more], (listening,) if name == "web" else ())
            if name == "web":
                until(self.answers, "a web process answers")
        self._stop = Event()
        self._watcher = Thread(target=self._watch)
        self._watcher.start()
        stack.callback(self._watcher.join)
        stack.callback(self._stop.set)

    def _add(self, name: str, command: list[str], fds: tuple[int, ...] = ()) -> None:
        self.parts.append(Part(name, command, self._env, self.data / f"said-by-{name}", fds))

    def _watch(self) -> None:
        while not self._stop.wait(OFTEN):
            for part in self.parts:
                part.watch()

    def _leave(self) -> None:
        for part in reversed(self.parts):
            part.leave()

    def answers(self) -> bool:
        return answers(self.url)

    @property
    def kinds(self) -> list[str]:
        """Of processes, the store's server among them."""
        return sorted({part.name for part in self.parts} | ({"postgres"} if self.server else set()))

    def of(self, kind: str) -> list[Part]:
        return [part for part in self.parts if part.name == kind]

    def said(self) -> str:
        """All that its processes have said, for whoever looks for what went wrong."""
        return "".join(f"{path.name}: {path.read_text()}\n" for path in sorted(self.data.glob("said-by-*")))


@contextmanager
def crew(data: Path, store: str = "", server: Server | None = None, **said: str) -> Iterator[Crew]:
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.chmod(data, 0o700)
    with ExitStack() as stack:
        yield Crew(data, store, server, stack, **said)
