"""What is handed over is handled once, in another thread, until the end."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event, get_ident

import pytest

from service.wakeups.commits import Backlog

pytestmark = pytest.mark.sqlite


def test_whatever_many_threads_add_is_handled_once_by_one_other_thread() -> None:
    heard: list[int] = []
    threads: set[int] = set()

    def handle(items: list[int]) -> None:
        heard.extend(items)
        threads.add(get_ident())

    backlog = Backlog("tested", handle)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: backlog.add([number, -number]), range(1, 1000)))
    backlog.close(5, is_finished=True)
    assert sorted(heard) == [number for number in range(-999, 1000) if number]
    assert len(threads) == 1
    assert get_ident() not in threads
    backlog.add([1])
    assert len(heard) == 1998, "it was closed"


@pytest.mark.parametrize("is_finished", [True, False])
def test_what_waits_when_it_is_closed_is_handled_or_dropped(is_finished: bool) -> None:
    heard: list[str] = []
    begun, goes_on = Event(), Event()

    def handle(items: list[str]) -> None:
        heard.extend(items)
        begun.set()
        goes_on.wait(10)

    backlog = Backlog("tested", handle)
    backlog.add(["first"])
    assert begun.wait(10)
    backlog.add(["second"])
    backlog.close(0, is_finished=is_finished)
    goes_on.set()
    backlog.close(10, is_finished=is_finished)
    assert heard == (["first", "second"] if is_finished else ["first"])


def test_what_is_left_over_is_handled_without_anything_new() -> None:
    left, is_done = [3, 2, 1], Event()

    def handle(items: list[str]) -> bool:
        left.pop()
        if not left:
            is_done.set()
        return bool(left)

    backlog = Backlog("tested", handle)
    backlog.add(["one"])
    assert is_done.wait(10)
    backlog.close(10)
    assert not left
