"""What compose.yaml's `split` starts, as processes on this machine, by its very commands and environment."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml

from service.run.redis_server import RedisServer
from tests.ports import free_port
from tests.service.run.redisrun import running
from tests.service.run.uprun import DEADLINE, TREE, answers, environment, until, until_over

pytestmark = [pytest.mark.faults, pytest.mark.postgres]

SERVICES: dict[str, Any] = yaml.safe_load((TREE / "compose.yaml").read_text())["services"]
PARTS = ("web", "worker", "think", "follow", "deliver")
PASSWORD = "abc123"


MAIL = ("FOLDTABLE_MAIL_DOMAIN", "FOLDTABLE_MAIL_FROM", "FOLDTABLE_PUBLIC_URL", "FOLDTABLE_SMTP")
"""Said to all of them, and empty where there is no mail."""


@contextmanager
def started(part: str, number: int, said: dict[str, str], places: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """One of the part's processes; `places`: what stands here for the names and folders of the containers."""
    found = SERVICES[part]
    assert found["deploy"]["replicas"] == 2
    assert {"FOLDTABLE_DATA", "FOLDTABLE_LOG", "FOLDTABLE_METRICS", *MAIL, *said} == set(found["environment"])
    command = [places.get(word, word) for word in found["command"]]
    assert command[:3] == [sys.executable, "-m", "service"]
    env = environment() | said | {"FOLDTABLE_DATA": places["/data"], "FOLDTABLE_LOG": "info"}
    process = subprocess.Popen(command, cwd=TREE, env=env | {"FOLDTABLE_METRICS": f"127.0.0.1:{free_port()}"})
    try:
        yield process
        assert process.poll() is None, f"{part} {number} has ended"
    finally:
        process.terminate()
        process.wait(DEADLINE)


@pytest.mark.parametrize("replicas", [1, pytest.param(2, marks=pytest.mark.soak)])
def test_bots_finish_a_match_and_it_is_counted(postgres_url: str, tmp_path: Path, replicas: int) -> None:
    server = RedisServer(tmp_path)
    said = {"FOLDTABLE_STORE": postgres_url, "FOLDTABLE_REDIS": server.url.replace("unix://", f"unix://:{PASSWORD}@")}
    ports = [free_port() for _ in range(replicas)]
    with ExitStack() as stack:
        stack.enter_context(running(server, "--requirepass", PASSWORD, is_there=server.socket.exists))
        for number, port in enumerate(ports):
            places = {"python": sys.executable, "/data": str(tmp_path / "data"), "0.0.0.0": "127.0.0.1"}
            places |= {"8000": str(port), "http://web:8000": f"http://127.0.0.1:{port}"}
            for part in PARTS:
                process = stack.enter_context(started(part, number, said, places))
                assert process.poll() is None
        clients = [
            stack.enter_context(httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=DEADLINE)) for port in ports
        ]
        one, other = clients[0], clients[-1]
        for client in (one, other):
            until(partial(answers, str(client.base_url).rstrip("/"), "/readyz"), "it is ready")
        ann = one.post("/api/players", json={"name": "Ann"}).json()["token"]
        headers = {"Authorization": f"Bearer {ann}"}
        wanted = {"game": "three-magic", "seats": [{"bot": "greedy"}] * 3, "options": {"laps": 1}}
        ids = [client.post("/api/matches", json=wanted, headers=headers).json()["id"] for client in (one, other)]
        for client, match in zip((other, one), ids, strict=True):
            until_over(partial(look, client, match))
        until(lambda: counted(other) == counted(one) == 2, "both are counted")
        assert one.get("/api/keys").json() == other.get("/api/keys").json()


def look(client: httpx2.Client, match: str) -> Any:
    return client.get(f"/api/matches/{match}").json()


def counted(client: httpx2.Client) -> int:
    found = re.search(r'"matches":(\d+)', client.get("/api/games/three-magic/statistics").text)
    return int(found[1]) if found else 0
