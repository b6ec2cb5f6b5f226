"""Starts everything with one command: the embedded Redis and all processes of the service, which it watches and
restarts.

Each process has its own session, so Ctrl-C reaches only this one, which stops the others in order. If this process dies
in any way, the kernel sends a signal to the others.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import BinaryIO

import httpx2
import structlog
from click import ClickException
from click.exceptions import Exit

from events.files import lock_now
from service import folder
from service.config import OTHERS, Config
from service.heartbeat import PIPE, endings
from service.run import demo
from service.run.redis_server import RedisServer
from service.sockets import listen

TREE = Path(__file__).parent.parent.parent
TICK = 0.1
"""The seconds between two looks at the processes."""

NEWS = 10.0
"""The seconds between two log lines while a process is not ready."""

REDIS_START = 30.0
"""The seconds within which Redis must answer; it has no data to load."""

STOP = 8.0
"""The seconds in which a process must end before it is killed."""

FIRST_WAIT, LONGEST_WAIT = 0.2, 10.0
"""The seconds before a process that died is started again: at first, doubled each time, at most."""

STEADY = 30.0
"""The seconds after which the next wait is the first one again."""

HUNG = 10.0
"""The seconds without a sign of life after which a process that gave signs before is killed and started again."""

ASKED = ("web", "redis")
"""The names of the processes that others ask, in the order in which they end."""

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)

logger = structlog.get_logger(__name__)


def _die_with(parent: int) -> Callable[[], None]:
    """Return a function for a new child process: it has the kernel end the child when the parent dies."""

    def ask() -> None:
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)  # the parent has died already

    return ask


class PulsePipe:
    """A pipe through which a process gives signs of life."""

    def __init__(self) -> None:
        self._ours, self.theirs = os.pipe()
        for end in (self._ours, self.theirs):
            os.set_blocking(end, False)
        self._heard: float | None = None

    def silence(self) -> float:
        """Return the seconds since the last sign; 0 if there was none yet."""
        now = monotonic()
        with suppress(BlockingIOError):
            if os.read(self._ours, 1 << 16):
                self._heard = now
        return 0.0 if self._heard is None else now - self._heard

    def beat(self) -> None:
        """Count a sign of life."""
        self._heard = monotonic()

    def close(self) -> None:
        """Close both ends."""
        os.close(self._ours)
        os.close(self.theirs)


class Child:
    """A process that is kept running."""

    def __init__(self, name: str, command: list[str], env: dict[str, str], fds: tuple[int, ...]) -> None:
        """`fds`: our open files that it inherits, with the same numbers."""
        self.name = name
        self._command = command
        self._env = env
        self._fds = fds
        self._process: subprocess.Popen[bytes] | None = None
        self._started = self._due = self._asked = 0.0
        self._wait = FIRST_WAIT
        self._pulse: PulsePipe | None = None
        self.answers: Callable[[], bool] | None = None
        """Returns whether it works, for a process that gives no signs of life itself."""

    def start(self) -> None:
        """Start the process. Call this on the main thread: the kernel sends a signal when the starting thread ends."""
        self._started = monotonic()
        if self._pulse:
            self._pulse.close()
        self._pulse = PulsePipe()
        self._process = subprocess.Popen(
            self._command,
            env={**self._env, PIPE: str(self._pulse.theirs)},
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=(*self._fds, self._pulse.theirs),
            umask=OTHERS,
            preexec_fn=_die_with(os.getpid()),  # noqa: PLW1509  # there is one thread
        )

    @property
    def code(self) -> int | None:
        """The process's exit code; None while it runs."""
        return self._process.poll() if self._process else None

    def watch(self) -> None:
        """Start it again if it has died, each time a little later, and kill it if it hangs."""
        if self._process is None:
            if monotonic() >= self._due:
                self.start()
            return
        code = self._process.poll()
        if code is None:
            self._kill_if_hung()
            return
        self._sweep_up()
        if monotonic() - self._started > STEADY:
            self._wait = FIRST_WAIT
        logger.warning(f"{self.name} has ended; starting it again", code=code, seconds=self._wait)
        self._process, self._due = None, monotonic() + self._wait
        self._wait = min(LONGEST_WAIT, 2 * self._wait)

    def _kill_if_hung(self) -> None:
        assert self._process is not None
        assert self._pulse is not None
        if self.answers and monotonic() >= self._asked + HUNG / 5:
            self._asked = monotonic()
            if self.answers():
                self._pulse.beat()
        if self._pulse.silence() > HUNG:
            logger.warning(f"{self.name} gives no sign of life; ending it", seconds=HUNG)
            self._sweep_up()
            self._process.wait()

    def tell_to_end(self) -> None:
        """Tell it to end, if it runs. Call this once: RQ takes a second signal for an order to drop its job."""
        if self._process is not None:
            self._process.terminate()

    def end(self, patience: Callable[[], float]) -> None:
        """Wait until it has ended; end it by force if that takes too long."""
        if self._process is None:
            return
        end = monotonic() + STOP
        while self._process.poll() is None and monotonic() < min(end, patience()):
            Event().wait(TICK / 2)
        self._sweep_up()
        self._process.wait()
        self._process = None
        if self._pulse:
            self._pulse.close()
            self._pulse = None

    def _sweep_up(self) -> None:
        """Kill the process, and all processes that it has started."""
        assert self._process is not None
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)


class Supervisor:
    """Starts the processes in order, keeps them running, and ends them so that none misses another one."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._children: list[Child] = []
        self._stop = Event()
        self._patience = float("inf")
        self._redis: RedisServer | None = None

    def run(self, say: Callable[[str], None]) -> None:
        """Run everything until a signal comes. Raises ClickException."""
        if self.config.mail_lacks:
            logger.warning(f"no mail is sent without {' and '.join(self.config.mail_lacks)}")
        for number in endings():
            signal.signal(number, self._on_signal)
        with _lock(self.config), self._listen() as listener:
            try:
                self._start_all(listener.fileno())
                # beside: it may be told to wait
                url, data = self.config.own_url, self.config.data
                Thread(target=demo.show, args=(url, data, say, self._stop), name="demo").start()
                while not self._stop.wait(TICK):
                    for child in self._children:
                        child.watch()
            finally:
                self._stop.set()
                self._end_all()
                if self._redis is not None:
                    self._redis.clear()

    def _start_all(self, fd: int) -> None:
        """Start the processes; those of the web serve on this open socket. Raises ClickException."""
        if not self.config.redis:
            self._start_redis()
        for started in range(self.config.web):
            web = self._start("web", _service("web", "--fd", str(fd)), (fd,))
            if not started:
                # it examines the store, after which the others start fast
                self._wait_for_web(web)
        has_mail = self.config.smtp and self.config.mail_from
        for name in ("follow", "worker", "think", "deliver", *(["mail"] if has_mail else [])):
            self._start(name, _service(name))

    def _end_all(self) -> None:
        """End the processes that ask others, then those that are asked. Those of one kind end at the same time."""
        others = [child for child in self._children if child.name not in ASKED]
        for together in (others, *([child for child in self._children if child.name == name] for name in ASKED)):
            for child in together:
                child.tell_to_end()
            for child in together:
                child.end(lambda: self._patience)

    def _on_signal(self, number: int, frame: object) -> None:
        """Stop everything in order at the first signal, at once at the second."""
        self._patience = monotonic() if self._stop.is_set() else float("inf")
        self._stop.set()

    def _listen(self) -> socket.socket:
        """Return the socket of the web processes; while it is open here, no other program can take the port."""
        try:
            listener = listen(self.config)
        except OSError as error:
            raise ClickException(f"{self.config.host}, port {self.config.port}: {error.strerror}") from error
        self.config = replace(self.config, port=listener.getsockname()[1])
        return listener

    def _start(self, name: str, command: list[str], fds: tuple[int, ...] = ()) -> Child:
        child = Child(name, command, self._env(), fds)
        self._children.append(child)
        child.start()
        return child

    def _env(self) -> dict[str, str]:
        config = self.config
        path = os.pathsep.join(filter(None, (str(TREE), os.environ.get("PYTHONPATH"))))
        return {
            **os.environ,
            "PYTHONPATH": path,
            "FOLDTABLE_DATA": str(config.data.absolute()),
            "FOLDTABLE_HOST": config.host,
            "FOLDTABLE_PORT": str(config.port),
            "FOLDTABLE_REDIS": self._redis.url if self._redis else config.redis,
            "FOLDTABLE_URL": config.own_url,
        }

    def _start_redis(self) -> None:
        self._redis = server = RedisServer(self.config.data)
        child = self._start("redis", server.command)
        if not self._wait_for(child, server.answers, REDIS_START):
            raise ClickException(f"redis does not start; see {server.folder / 'redis.log'}")
        child.answers = server.answers

    def _wait_for_web(self, child: Child) -> None:
        """Wait until the web process serves: it may take any time to examine the store. Raises ClickException, Exit."""

        def answers() -> bool:
            try:
                return httpx2.get(f"{self.config.own_url}/healthz", timeout=1, trust_env=False).is_success
            except httpx2.TransportError:
                return False

        if not self._wait_for(child, answers):
            code = child.code or 1
            if code > 0:
                # it has ended by itself, and has printed why
                raise Exit(code)
            raise ClickException(f"the web process was ended by signal {-code}")

    def _wait_for(self, child: Child, answers: Callable[[], bool], patience: float = float("inf")) -> bool:
        """Wait until the process answers. Returns False if it ends or is too slow; True also after a signal to stop."""
        begun = said = monotonic()
        while not self._stop.wait(TICK / 2):
            if child.code is not None or monotonic() > begun + patience:
                return False
            if monotonic() > said + NEWS:
                said = monotonic()
                logger.info(f"waiting until {child.name} answers", seconds=round(said - begun))
            if answers():
                return True
        return True


def _service(command: str, *args: str) -> list[str]:
    return [sys.executable, "-m", "service", command, *args]


def _lock(config: Config) -> BinaryIO:
    """Lock the folder: a second `up` would take the Redis of the first one. Raises ClickException, StoreUnusable."""
    try:
        folder.shut(config.data)
        return lock_now(config.data / "up.lock")
    except BlockingIOError as error:
        raise ClickException(f"{config.data} is in use: a service is running on it already") from error
    except OSError as error:
        raise ClickException(f"{config.data} can't be written in: {error.strerror}") from error
