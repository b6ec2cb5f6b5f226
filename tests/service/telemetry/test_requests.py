"""What processes log, never a secret; every request has an id, which its lines tell, and is counted by its route."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, MutableMapping
from itertools import pairwise
from pathlib import Path
from secrets import token_hex
from threading import Thread
from typing import Any

import pytest
import structlog
from prometheus_client.exposition import generate_latest

from events.store import StoreError
from service.signing import fresh_token
from service.telemetry import logs, metrics
from service.telemetry.logs import BLOT, blot, where
from service.web import create_app
from service.web.middleware import request_id
from tests.service.house import House
from tests.service.run.backups import service
from tests.service.run.uprun import TREE, environment, ran, until
from tests.typed import at_a_terminal

SAYS = """
import logging, sys
from service.telemetry import logs
logs.configure("worker", {level!r})
import structlog
logger = structlog.get_logger("service.somewhere")
logger.debug("quiet")
logger.info("hello", seat=3, path=__import__("pathlib").Path("/a b"))
logger.info("found", seat=3, path=__import__("pathlib").Path("/\\udcff"))
logging.getLogger("library").warning("from %s", "redis://:hunter2@elsewhere")
logging.getLogger("library").info("not of interest")
try:
    raise ValueError("the hand is fire 3")
except ValueError:
    logging.getLogger("library").exception("failed")
    logger.error("failed too", exc_info=True)
"""


def said(level: str = "info") -> list[dict[str, Any]]:
    """What a process logs that is not at a terminal."""
    done = ran(sys.executable, "-c", SAYS.format(level=level))
    assert (done.returncode, done.stdout) == (0, "")
    return [json.loads(line) for line in done.stderr.splitlines()]


def test_where_the_log_is_full_a_process_goes_on_and_its_lines_are_dropped() -> None:
    says = [sys.executable, "-c", SAYS.format(level="debug") + "print('went on')"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(says, cwd=TREE, env=environment(), stdout=subprocess.PIPE, stderr=full, check=False)
    assert done.stdout == b"went on\n"


def test_lines_are_json_with_time_level_and_who_says_it_libraries_too() -> None:
    hello, found, library, failed, too = said()
    assert list(hello)[:5] == ["timestamp", "level", "event", "process", "pid"]
    assert hello["event"] == "hello"
    assert (hello["process"], hello["seat"], hello["path"]) == ("worker", 3, "/a b")
    assert (found["seat"], found["path"]) == (3, "/\udcff"), "its name is not UTF-8"
    from_library = library["event"], library["level"], library["logger"]
    assert from_library == ("from redis://***@elsewhere", "warning", "library")
    for line in (failed, too):
        assert line["kind"] == "ValueError"
        assert line["where"], "the place"
        assert "fire 3" not in json.dumps(line), "never an exception's words"
    assert [line["event"] for line in said("debug")][:2] == ["quiet", "hello"]
    assert [line["event"] for line in said("error")] == ["failed", "failed too"]


def test_at_a_terminal_lines_are_for_people() -> None:
    text, _ = at_a_terminal([sys.executable, "-c", SAYS.format(level="info")], "stderr", env=environment())
    assert b"event=hello" in text
    assert b'"event"' not in text


@pytest.mark.parametrize(
    "secret",
    [
        "Authorization: Bearer hunter-hunter-hunter",
        f"bearer {'ab' * 32}",
        "aB3-_" * 8 + "xyz",
        pytest.param(fresh_token(), id="a token of the service"),
        pytest.param(token_hex(32), id="hexadecimal digits"),
        "redis://:hunter2@host:6379/0 is away",
        "postgresql://foldtable:hunter2@host/foldtable",
    ],
)
def test_what_looks_like_a_secret_is_blotted_out(secret: str) -> None:
    hidden = secret.rpartition(" ")[2] if "://" not in secret else "hunter2"
    for value in (secret, f"it was {secret}, and no other", [secret], ValueError(secret), {"a": secret}):
        told = blot(None, "", {"event": "x", "error": value})["error"]
        assert hidden not in str(told)
        assert BLOT in str(told)


def test_no_row_of_postgresql_is_told_and_what_is_no_secret_stays_as_it_is() -> None:
    error = StoreError('null value in column\nDETAIL:  Failing row contains (m_1, {"fire": 3}).\nCONTEXT: x')
    assert blot(None, "", {"event": "x", "error": error})["error"] == f"null value in column\nDETAIL: {BLOT}"
    fields = {"match": "m_dt4p3xi2fk2p4qmy", "seconds": 0.25, "where": ["a.py:3 f"], "path": Path("/data")}
    assert blot(None, "", dict(fields)) == fields
    assert where(None, "", {"event": "x", "exc_info": None}) == {"event": "x"}


def test_a_level_that_is_none_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDTABLE_LOG", "loud")
    done = service("follow")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("error: FOLDTABLE_LOG is one of debug, info, warning, error, not 'loud'")


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
