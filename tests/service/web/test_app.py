"""The app, made by several threads at once; how it finds its routes; and how many who wait it answers at once."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, Lock
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask, request
from werkzeug.exceptions import MethodNotAllowed, NotFound
from werkzeug.routing import Rule

from service.wakeups import Bells
from service.web import create_app
from service.web.middleware import FEW, WAITING, Middleware
from service.web.reply import OF_MATCH, Ways
from service.web.waiting import Waiting

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


def test_one_app_is_made_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python 3.11.7 stumbles over two threads that parse source at once, as werkzeug does for every route."""
    alone = Lock()

    def make(_: object) -> Flask:
        assert alone.acquire(blocking=False)
        sleep(0.01)
        alone.release()
        return Flask("made")

    monkeypatch.setattr("service.web.app._made", make)
    with ThreadPoolExecutor(4) as pool:
        assert len({*pool.map(create_app, [None] * 8)}) == 8


def way(ways: Ways, method: str, path: str) -> tuple[str, dict[str, object]]:
    ways.default_method, ways.path_info = method, path
    rule, fields = ways.match(return_rule=True)
    assert isinstance(rule, Rule)
    return rule.endpoint, fields


@pytest.fixture
def ways() -> Ways:
    app = create_app(None)
    with app.test_request_context("/api/games"):
        found = app.create_url_adapter(request)
    assert isinstance(found, Ways)
    return found


def test_where_a_path_leads_is_told_again_as_it_was_found(ways: Ways) -> None:
    for match in ("m_1", "m_2", "m_1"):
        said = way(ways, "POST", f"/api/matches/{match}/moves")
        assert said == ("moves.make_move", {"match_id": match})
        said[1]["match_id"] = "another's"  # what is noted of one request is not told to the next
    assert way(ways, "GET", "/api/matches/m_1/moves") == ("moves.list_moves", {"match_id": "m_1"})
    for _ in range(2):
        with pytest.raises(MethodNotAllowed):
            way(ways, "PUT", "/api/matches/m_1/moves")
        with pytest.raises(NotFound):
            way(ways, "GET", "/api/matches/m_1/nowhere")


def test_what_is_remembered_is_no_match_s_and_as_much_as_there_are_routes(ways: Ways) -> None:
    ways.known.clear()
    for number in range(40):
        for what in ("moves", "events", "orders", "at/3", "nowhere", "seats/1"):
            with suppress(NotFound, MethodNotAllowed):
                way(ways, "GET", f"/api/matches/m_{number}/{what}")
    assert ways.known.keys() == {("GET", "moves"), ("GET", "events"), ("GET", "orders")}
    for path in ("/api/matches//moves", "/api/matches/", "/api/matches/moves/", "/api/matches/m_1/moves/"):
        with pytest.raises(NotFound):
            way(ways, "GET", path)
    assert way(ways, "GET", "/api/matches/moves") == ("matches.get_match", {"match_id": "moves"})


def test_routes_keep_what_the_app_relies_on() -> None:
    app = create_app(None)
    paths = [rule.rule for rule in app.url_map.iter_rules()]
    # else what is known of all matches would be taken for what is asked of a route with a name of its own
    of_match = [path.removeprefix(OF_MATCH) for path in paths if OF_MATCH in path]
    assert len(of_match) > 20
    assert {path.partition("/")[0] for path in of_match} == {"<match_id>"}
    assert set(app.after_request_funcs) == {None}, "answers pass by the app's own functions alone"
    # else who asks for it would be sent there, by a host that is known to nobody here
    assert {path for path in paths if path.endswith("/")} == {"/"}


def test_of_many_whose_time_is_up_few_are_answered_at_once() -> None:
    bells, lock, told = Bells(), Lock(), []
    running = most = 0
    together, full = Barrier(FEW), []

    def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        together.wait(60)
        # all have come and none has gone yet, so whoever comes now has to wait
        full.append(not middleware._late.acquire(blocking=False))
        together.wait(60)
        with lock:
            running -= 1
        start_response("200 OK", [])
        return []

    middleware = Middleware(app, {})

    def start(*answer: Any) -> Any:
        told.append(answer)

    def ask(_: int) -> None:
        middleware.last_answer({WAITING: Waiting(bells.hang("match"), "", monotonic())}, start)

    with ThreadPoolExecutor(4 * FEW) as pool:
        assert len(list(pool.map(ask, range(4 * FEW)))) == len(told)
    assert (most, all(full), bells.waiting) == (FEW, True, 0)
