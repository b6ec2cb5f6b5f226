"""Requests that wait are answered without holding up the others."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Lock
from time import monotonic
from typing import TYPE_CHECKING, Any

from service.wakeups import Bells
from service.web.middleware import FEW, WAITING, Middleware
from service.web.waiting import Waiting

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


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
