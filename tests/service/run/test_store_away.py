"""A PostgreSQL server that is stopped, killed or full under a service: every request is told 503 soon, later served.

Nothing here ends a request but the service: no client gives up, and a server that is stopped never answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import pytest

from events import stores
from events.postgres import PostgresRecorder
from service.config import Config
from tests import postgres
from tests.events.gates import until
from tests.postgres import Server
from tests.service.house import Answer, House, build

pytestmark = pytest.mark.postgres


@pytest.fixture
def server() -> Iterator[Server]:
    with postgres.server(max_connections="16", superuser_reserved_connections="0") as found:
        yield found


@pytest.fixture
def house(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """Whoever waits for a connection until none comes waits for longer than any test takes."""
    monkeypatch.setattr(stores, "PostgresRecorder", partial(PostgresRecorder, wait=3600.0))
    service = build(Config(data=tmp_path / "data", store=server.database(), sign_up="open"))
    yield House(service)
    service.close()


def ask(house: House, match: str) -> tuple[Callable[[], Answer], ...]:
    """What people ask: whether it works, the lobby, a match, a move, and to sign up."""
    send, own = house.send, {"headers": house.stranger.headers}
    return (
        lambda: send("GET", "/readyz"),
        lambda: send("GET", "/api/matches", **own),
        lambda: send("GET", "/lobby"),
        lambda: send("GET", f"/api/matches/{match}"),
        lambda: send("POST", "/api/players", json={"name": "Eve"}),
    )


WAYS = (Server.stopped, Server.killed, Server.full)


@pytest.mark.parametrize("away", WAYS, ids=("stopped", "killed", "full"))
def test_with_its_postgres_away_everybody_is_told_soon_and_served_when_it_is_back(
    house: House, server: Server, away: Callable[[Server], AbstractContextManager[None]]
) -> None:
    house.service.health.every = 0.0
    match = house.player().open()
    assert [one().status_code for one in ask(house, match)] == [200, 200, 200, 200, 201]
    with away(server), ThreadPoolExecutor(20) as threads:
        found = [one.result() for one in [threads.submit(one) for one in ask(house, match) * 4]]
        found += [one() for one in ask(house, match)]
        assert {answer.status_code for answer in found} == {503}
        assert all(answer.headers["Retry-After"] for answer in found)
        assert house.send("GET", "/healthz").status_code == 200
    until(lambda: house.send("GET", "/readyz").status_code == 200)
    until(lambda: {one().status_code for one in ask(house, match)} == {200, 201})
