"""The app, made by several threads at once, and how it finds its routes."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Event, Thread
from time import sleep

import pytest
from flask import Blueprint, Response, after_this_request, request
from werkzeug.exceptions import MethodNotAllowed, NotFound
from werkzeug.routing import Rule

from service.web import create_app
from service.web.reply import OF_MATCH, Ways


class Litter:
    """Rubbish that takes its time to go: Python turns to another thread meanwhile, wherever it came upon it."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        for _ in range(200):
            pass


@contextmanager
def restless() -> Iterator[None]:
    """Threads take turns as often as they can, and there is always rubbish to be taken out."""
    interval, thresholds, over = sys.getswitchinterval(), gc.get_threshold(), Event()

    def litter() -> None:
        while not over.is_set():
            Litter()
            sleep(0)  # the others' turn

    littering = Thread(target=litter)
    gc.freeze()  # nothing of what was here before is looked at
    sys.setswitchinterval(1e-6)
    gc.set_threshold(20, 5, 5)
    littering.start()
    try:
        yield
    finally:
        over.set()
        littering.join()
        gc.set_threshold(*thresholds)
        sys.setswitchinterval(interval)
        gc.unfreeze()


def test_apps_are_made_by_several_threads_at_once() -> None:
    """Python 3.11.7 stumbles over two threads that parse source at once, as werkzeug does for every route."""

    def rules(_: int) -> int:
        return sum(1 for _ in create_app(None).url_map.iter_rules())

    with restless(), ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(rules, range(12)))
    assert len(set(counts)) == 1


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


def test_no_route_has_a_name_of_its_own_where_a_match_s_id_stands() -> None:
    """Else what is known of all matches would be taken for what is asked of that."""
    paths = [
        rule.rule.removeprefix(OF_MATCH) for rule in create_app(None).url_map.iter_rules() if OF_MATCH in rule.rule
    ]
    assert len(paths) > 20
    assert {path.partition("/")[0] for path in paths} == {"<match_id>"}


def test_no_blueprint_has_something_of_its_own_to_do_with_answers() -> None:
    """Answers pass by the app's own functions alone."""
    assert set(create_app(None).after_request_funcs) == {None}


def test_no_path_leads_to_the_same_with_a_slash_more() -> None:
    """Who asks for it would be sent there, by a host that is known to nobody here."""
    paths = {one.rule for one in create_app(None).url_map.iter_rules()}
    assert {path for path in paths if path.endswith("/")} == {"/"}


def test_what_flask_promises_to_be_run_after_a_request_is_run() -> None:
    app, hooked = create_app(None), Blueprint("hooked", __name__)

    @hooked.after_request
    def of_blueprint(response: Response) -> Response:
        response.headers["X-Blueprint"] = "was here"
        return response

    @hooked.get("/hooked")
    def asked() -> str:
        @after_this_request
        def of_request(response: Response) -> Response:
            response.headers["X-Request"] = "was here"
            return response

        return "asked"

    app.register_blueprint(hooked)
    headers = app.test_client().get("/hooked").headers
    assert headers["X-Blueprint"] == headers["X-Request"] == "was here"
