"""However many connections and bytes one address holds, the others are served; and so are those behind a proxy."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from service.web.door import HELD
from tests.service.run.uprun import TREE, until
from tests.service.web.test_many_at_once import told

pytestmark = [pytest.mark.sqlite, pytest.mark.faults]

HOLDER, OTHER = "127.0.0.2", "127.0.0.3"
ASK = b"GET /api/limits HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"
PART = b"POST /api/players HTTP/1.1\r\nHost: here\r\nContent-Length: 65000\r\n\r\n" + b"a" * 64_900
FILES = 1500
"""Files that the web process may open, so that few connections are the most."""


class Street:
    """Callers of web processes that share a port, from any address of this machine."""

    def __init__(self, address: tuple[str, int], processes: int, stack: ExitStack) -> None:
        self._address = address
        self._stack = stack
        self.processes = processes

    def call(self, peer: str, said: bytes = b"") -> socket.socket:
        caller = socket.create_connection(self._address, timeout=30, source_address=(peer, 0))
        self._stack.callback(caller.close)
        caller.sendall(said)
        return caller

    def status(self, peer: str) -> bytes:
        with self.call(peer, ASK) as caller:
            return b"".join(iter(lambda: caller.recv(1 << 16), b""))[:12]

    def are_all_served(self, peer: str) -> bool:
        """Whether whoever asks is served, whichever process takes them in."""
        return all(self.status(peer) == b"HTTP/1.1 200" for _ in range(20 * self.processes))


@contextmanager
def street(data: Path, processes: int = 1, **said: str) -> Iterator[Street]:
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener, ExitStack() as stack:
        command = [sys.executable, "-m", "service", "web", "--data", str(data), "--fd", str(listener.fileno())]
        env = {**os.environ, "FOLDTABLE_PATIENCE": "600", **said}
        for _ in range(processes):
            process = subprocess.Popen(
                ["prlimit", f"--nofile={FILES}", *command],
                cwd=TREE,
                env=env,
                pass_fds=(listener.fileno(),),
                stderr=subprocess.DEVNULL,
            )
            stack.callback(process.wait)
            stack.callback(process.kill)
        found = Street(listener.getsockname(), processes, stack)
        until(lambda: found.are_all_served(OTHER), "they serve")
        yield found


@pytest.mark.parametrize("processes", [pytest.param(1, marks=pytest.mark.soak), 2])
def test_who_holds_more_connections_or_bytes_than_there_are_shuts_out_nobody(tmp_path: Path, processes: int) -> None:
    with street(tmp_path, processes) as here:
        friend = here.call(OTHER, ASK[:-2])
        silent = [here.call(HOLDER) for _ in range(processes * FILES)]
        assert here.are_all_served(OTHER)
        assert len(told(silent)) > processes * 200, "the oldest of whoever holds most are hung up on"
        friend.sendall(ASK[-2:])
        assert friend.recv(12) == b"HTTP/1.1 200", "somebody who holds little is not"
        for caller in silent:
            caller.close()
        friend = here.call(OTHER, PART)
        holding = [here.call(HOLDER, PART) for _ in range(int(processes * 1.2 * HELD / len(PART)))]
        until(lambda: bool(told(holding)), "some are refused")
        assert here.are_all_served(OTHER)
        assert told(holding)[0].recv(12) == b"HTTP/1.1 503"
        assert told([friend]) == []
        assert here.are_all_served(HOLDER), "the newest of whoever holds most are served too"


def test_a_trusted_proxy_is_as_many_clients_as_it_asks_for(tmp_path: Path) -> None:
    def forwarded(said: bytes, whom: str) -> bytes:
        return said.replace(b"Host: here\r\n", b"Host: here\r\nX-Forwarded-For: %s\r\n" % whom.encode())

    with street(tmp_path, FOLDTABLE_PROXIES="127.0.0.1") as here:
        friend = here.call("127.0.0.1", forwarded(PART, OTHER))
        holding = [here.call("127.0.0.1", forwarded(PART, HOLDER)) for _ in range(int(1.2 * HELD / len(PART)))]
        until(lambda: bool(told(holding)), "some are refused")
        assert told([friend]) == []
        friend.sendall(b"a" * 100)
        assert friend.recv(12) == b"HTTP/1.1 415", "it was read to its end: there is no JSON"
        assert here.are_all_served("127.0.0.1")
