"""The web process: it serves, it ends when told to, and what stands in its way is one line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from tests.ports import free_port
from tests.service.run.test_up import refused
from tests.service.run.uprun import TREE, answers, until

pytestmark = [pytest.mark.sqlite, pytest.mark.faults]


@contextmanager
def serving(data: Path, **said: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A web process that answers, and its address. `said`: what the operator says in the environment."""
    port = free_port()
    command = [sys.executable, "-m", "service", "web", "--data", str(data), "--port", str(port)]
    process = subprocess.Popen(command, cwd=TREE, env={**os.environ, **said}, stderr=subprocess.PIPE, text=True)
    url = f"http://127.0.0.1:{port}"
    try:
        until(lambda: answers(url, "/readyz"), "it answers")
        yield process, url
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.soak)])
def test_it_serves_until_it_is_told_to_end(tmp_path: Path, number: signal.Signals) -> None:
    with serving(tmp_path) as (process, url), httpx2.Client(base_url=url, trust_env=False) as client:
        token = client.post("/api/players", json={"name": "Ann"}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        seats = [None, {"bot": "random"}, {"bot": "random"}]
        match = client.post("/api/matches", json={"game": "three-magic", "seats": seats}).json()["id"]
        assert client.post(f"/api/matches/{match}/seats").json()["status"] == "playing"
        assert (tmp_path / "worker-token").stat().st_mode & 0o777 == 0o600
        port = url.rpartition(":")[2]
        refused("Address already in use", "web", "--data", tmp_path / "other", "--port", port)
        process.send_signal(number)
        assert process.wait(60) == 0
        assert process.stderr is not None
        said = process.stderr.read()
        assert '"event":"serving"' in said
        assert token not in said
        assert "Traceback" not in said


def test_a_store_or_host_that_can_not_be_used_is_one_line(tmp_path: Path) -> None:
    damaged, file, whole = (tmp_path / name for name in ("damaged", "file", "whole"))
    damaged.mkdir()
    (damaged / "foldtable.db").write_bytes(b"no database " * 1000)
    file.write_text("")
    refused("foldtable.db", "web", "--port", "0", "--data", damaged)
    refused("can't be made or written to", "web", "--port", "0", "--data", file)
    refused("256.0.0.1", "web", "--port", "0", "--data", whole, "--host", "256.0.0.1")
    if os.geteuid() != 0:  # root may write everywhere
        with serving(whole):
            pass
        (whole / "foldtable.db").chmod(0o400)
        refused("read only", "web", "--port", "0", "--data", whole)
