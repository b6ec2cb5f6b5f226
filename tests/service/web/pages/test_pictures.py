"""Pictures are drawn beside the process that serves, and once for all who ask: nobody else waits for them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest

from service.run.up import TREE
from tests.ports import free_port
from tests.service.web.pages.gated import COUNTED, OPEN

pytestmark = pytest.mark.faults

CALLERS = 50


@pytest.fixture
def gated(tmp_path: Path) -> Iterator[str]:
    """The address of a service that draws when it is let."""
    port = free_port()
    command = [sys.executable, "-m", "tests.service.web.pages.gated", "serve", str(tmp_path), str(port)]
    server = subprocess.Popen(command, cwd=TREE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert server.stdout is not None
        assert any("serving" in line for line in server.stdout)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.communicate()
    assert server.returncode == 0


@pytest.mark.soak
def test_fifty_who_want_one_new_picture_have_it_drawn_once_and_others_are_served_meanwhile(
    gated: str, tmp_path: Path
) -> None:
    counted = tmp_path / COUNTED
    with httpx2.Client(base_url=gated, trust_env=False) as client, ThreadPoolExecutor(CALLERS) as threads:
        token = client.post("/api/players", json={"name": "Ann"}).json()["token"]
        wanted = {"game": "three-magic", "seats": [{"bot": "greedy"}] * 3}
        opened = client.post("/api/matches", json=wanted, headers={"Authorization": f"Bearer {token}"}).json()
        path = f"/matches/{opened['id']}/picture.png"
        asked = [threads.submit(httpx2.get, f"{gated}{path}", timeout=30, trust_env=False) for _ in range(CALLERS)]
        while not counted.exists():
            assert client.get("/healthz").status_code == 200
        assert client.get(f"/matches/{opened['id']}").status_code == 200, "while it is drawn"
        assert not any(one.done() for one in asked)
        (tmp_path / OPEN).touch()
        found = [one.result() for one in asked]
        assert {one.status_code for one in found} == {200}
        assert len({one.content for one in found}) == 1
        assert found[0].content.startswith(b"\x89PNG")
        assert counted.read_text() == "one\n"
        assert client.get(f"{path}?lang=ja").status_code == 200
        assert counted.read_text() == "one\none\n"
