"""The app, made by several threads at once."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event, Thread
from time import sleep

from service.web import create_app


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
