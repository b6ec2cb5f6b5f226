"""The web process: it serves, it ends when told to, and what stands in its way is one line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

import httpx2
import pytest

from tests.ports import free_port

pytestmark = [pytest.mark.sqlite, pytest.mark.faults]

ROOT = Path(__file__).parents[3]


def command(data: Path, port: int) -> list[str]:
    return [sys.executable, "-m", "service", "web", "--data", str(data), "--port", str(port)]


@contextmanager
def serving(data: Path, **said: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A web process that answers, and its address. `said`: what the operator says in the environment."""
    port = free_port()
    process = subprocess.Popen(
        command(data, port), cwd=ROOT, env={**os.environ, **said}, stderr=subprocess.PIPE, text=True
    )
    url, end = f"http://127.0.0.1:{port}", monotonic() + 60
    try:
        while monotonic() < end:
            try:
                if httpx2.get(f"{url}/readyz", trust_env=False).is_success:
                    break
            except httpx2.TransportError:
                sleep(0.05)
        else:
            raise AssertionError("it does not answer")
        yield process, url
    finally:
        process.kill()
        process.communicate()


def refused(data: Path, port: int | None = None, *more: str) -> str:
    """What the process says before it exits with 1."""
    asked = [*command(data, free_port() if port is None else port), *more]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done
    assert done.stderr.startswith("error: ")
    return done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.soak)])
def test_it_serves_until_it_is_told_to_end(tmp_path: Path, number: signal.Signals) -> None:
    with serving(tmp_path) as (process, url), httpx2.Client(base_url=url, trust_env=False) as client:
        token = client.post("/api/players", json={"name": "Ann"}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        seats = [None, {"bot": "random"}, {"bot": "random"}]
        match = client.post("/api/matches", json={"game": "three-magic", "seats": seats}).json()["id"]
        assert client.post(f"/api/matches/{match}/seats").json()["status"] == "playing"
        assert (tmp_path / "worker-token").stat().st_mode & 0o777 == 0o600
        assert "Address already in use" in refused(tmp_path / "other", int(url.rpartition(":")[2]))
        process.send_signal(number)
        assert process.wait(60) == 0
        assert process.stderr is not None
        said = process.stderr.read()
        assert '"event":"serving"' in said
        assert token not in said
        assert "Traceback" not in said


def test_a_store_or_host_that_can_not_be_used_is_one_line(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    (damaged / "foldtable.db").write_bytes(b"no database " * 1000)
    assert "foldtable.db" in refused(damaged)
    (tmp_path / "file").write_text("")
    assert "can't be made or written to" in refused(tmp_path / "file")
    whole = tmp_path / "whole"
    assert "256.0.0.1" in refused(whole, 0, "--host", "256.0.0.1")
    if os.geteuid() != 0:  # root may write everywhere
        with serving(whole):
            pass
        (whole / "foldtable.db").chmod(0o400)
        assert "read only" in refused(whole)
