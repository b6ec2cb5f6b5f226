"""Every request has an id, which its answer and its log lines tell, and is counted by its route, never by its path."""

from __future__ import annotations

import re
from collections.abc import Iterator, MutableMapping
from itertools import pairwise
from threading import Thread
from typing import Any

import pytest
import structlog
from prometheus_client.exposition import generate_latest

from service.telemetry import logs, metrics
from service.web import create_app
from service.web.middleware import request_id
from tests.service.house import House
from tests.service.run.uprun import until

OWN = re.compile(r"[0-9a-f]{16}")


def samples(name: str) -> list[Any]:
    return [one for family in metrics.REGISTRY.collect() for one in family.samples if one.name == name]


def counted() -> dict[tuple[str, ...], float]:
    """Requests by route, method and status."""
    counts = samples("foldtable_requests_total")
    return {tuple(one.labels[name] for name in ("route", "method", "status")): one.value for one in counts}


def more(before: dict[tuple[str, ...], float]) -> dict[tuple[str, ...], float]:
    return {key: value - before.get(key, 0) for key, value in counted().items() if value != before.get(key, 0)}


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, object]]]:
    """Lines as they are logged, each request among them."""
    lines: list[dict[str, object]] = []

    def keep(logger: object, name: str, fields: MutableMapping[str, Any]) -> str:
        lines.append(dict(fields))
        raise structlog.DropEvent

    before = structlog.get_config()
    monkeypatch.setattr("service.telemetry.logs.tells_requests", True)
    structlog.configure(processors=[structlog.processors.add_log_level, logs._about, keep])
    yield lines
    structlog.configure(**before)


def test_a_sane_id_is_taken_and_any_other_request_has_its_own(house: House) -> None:
    for said in ("abc", "0af7651916cd43dd8448eb211c80319c", "a.b-c_d:e", "x" * 64):
        assert house.send("GET", "/api/games", headers={"X-Request-ID": said}).headers["X-Request-ID"] == said
    for said in ("", " ", "x" * 65, "a b", "<script>", "a\tb", "ü", '{"level":"error"}'):
        assert OWN.fullmatch(request_id(said))
    answers = [
        *(house.send("GET", path) for path in ("/healthz", "/api/games", "/nowhere") * 20),
        house.send("POST", "/api/players", data=b"{", headers={"Content-Type": "application/json"}),
        house.send("GET", "/api/me", headers={"Authorization": "Bearer nobody"}),
        house.send("PATCH", "/api/games"),
    ]
    ids = [answer.headers["X-Request-ID"] for answer in answers]
    assert all(map(OWN.fullmatch, ids))
    assert len(set(ids)) == 63
    steps = {int(after, 16) - int(before, 16) for before, after in pairwise(ids)}
    assert min(map(abs, steps)) > 1 << 32, "drawn, not counted"


def test_requests_are_counted_by_the_templates_of_the_document_and_never_by_paths(house: House) -> None:
    ann = house.player()
    match = ann.open()
    before = counted()
    ann.look(match)
    ann.get(f"/matches/{match}/at/1")
    house.stranger.get("/matches/m_nobody")
    house.send("GET", "/api/games", headers={"Authorization": "Bearer nobody"})
    for number in range(5):
        house.send("GET", f"/api/{number}/nowhere")
        house.send(f"X{number}", "/api/games")
    assert more(before) == {
        ("/api/matches/{match_id}", "GET", "200"): 1,
        ("/api/matches/{match_id}/at/{version}", "GET", "200"): 1,
        ("/api/matches/{match_id}", "GET", "404"): 1,
        ("/api/games", "GET", "401"): 1,
        ("none", "GET", "404"): 5,
        ("none", "other", "405"): 5,
    }
    paths = set(house.stranger.get("/openapi.json").json["paths"])
    assert {route for route, _, _ in more(before)} - paths <= {"none", "/api/openapi.json"}


def timed(route: str) -> float:
    """How many requests by that route were timed."""
    return sum(float(one.value) for one in samples("foldtable_request_seconds_count") if one.labels["route"] == route)


def test_who_waits_is_one_waiter_one_request_and_no_slow_one(house: House) -> None:
    ann = house.player()
    match, route = ann.open(), "/api/matches/{match_id}"
    before, quick, waited = counted(), timed(route), []
    thread = Thread(target=lambda: waited.append(house.stranger.look(match, wait=20)["version"]))
    thread.start()
    until(lambda: "foldtable_waiters 1.0" in generate_latest(metrics.REGISTRY).decode(), "somebody waits")
    assert more(before) == {}
    ann.sit(match)
    thread.join()
    assert len(waited) == 1
    assert more(before)[route, "GET", "200"] == 1
    assert timed(route) == quick
    assert "foldtable_waiters 0.0" in generate_latest(metrics.REGISTRY).decode()


def test_lines_of_a_request_name_it_and_its_match(house: House, told: list[dict[str, object]]) -> None:
    match = house.player().open()

    def broken(match_id: str) -> str:
        raise RuntimeError("never told")

    app = create_app(house.service)
    app.add_url_rule("/broken/<string:match_id>", view_func=broken)
    told.clear()
    app.test_client().get(f"/broken/{match}?token=hush", headers={"X-Request-ID": "mine"})
    fault, answered = told
    for line in (fault, answered):
        expected = ("mine", "GET", "/broken/{match_id}", match)
        assert tuple(line[name] for name in ("request", "method", "route", "match")) == expected
    assert (fault["event"], fault["level"], fault["kind"]) == ("unforeseen", "error", "RuntimeError")
    assert (answered["event"], answered["level"], answered["status"]) == ("answered", "debug", 500)
    assert "hush" not in str(told)
    assert "never told" not in str(told)


def test_a_path_that_is_no_match_is_not_told(house: House, told: list[dict[str, object]]) -> None:
    token = house.player().token
    told.clear()
    for path in (f"/api/matches/{token}", f"/{token}", f"/api/matches/{token}/moves"):
        house.send("GET", path)
    assert len(told) == 3
    assert token
    assert token not in str(told)
    assert not any("match" in line for line in told)
