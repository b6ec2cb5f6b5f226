"""What a request comes to is told to all who wait for it, whenever they ask."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from events.writer import Pending


def test_all_who_wait_are_told_and_so_is_who_asks_later() -> None:
    found: Pending[str] = Pending()
    ready = Barrier(9)

    def wait(_: int) -> str:
        ready.wait()
        return found.result()

    with ThreadPoolExecutor(8) as threads:
        waiting = [threads.submit(wait, number) for number in range(8)]
        ready.wait()
        assert not any(one.done() for one in waiting)
        found.set("done")
        assert [one.result() for one in waiting] == ["done"] * 8
    assert (found.exception(), found.result()) == (None, "done")


def test_what_was_raised_is_raised_to_each_who_waits() -> None:
    found: Pending[str] = Pending()
    error = LookupError("nothing there")
    with ThreadPoolExecutor(3) as threads:
        waiting = [threads.submit(found.result) for _ in range(3)]
        found.set("", error)
        assert [one.exception() for one in waiting] == [error] * 3
    assert found.exception() is error
    with pytest.raises(LookupError, match="nothing there"):
        found.result()
