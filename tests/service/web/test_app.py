"""The app, made by several threads at once; its paths; and how many who wait it answers at once."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Lock
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask

from service.wakeups import Bells
from service.web import create_app
from service.web.middleware import FEW, WAITING, Middleware
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


def test_no_path_but_the_first_page_s_ends_with_a_slash() -> None:
    # else who asks for it would be sent there, by a host that is known to nobody here
    paths = {rule.rule for rule in create_app(None).url_map.iter_rules()}
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
