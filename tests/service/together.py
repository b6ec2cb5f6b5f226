"""Several who act at the same moment, and somebody who acts in the middle of what another does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from typing import Any, TypeVar

import pytest

T = TypeVar("T")


def at_once(*actions: Callable[[], T]) -> list[T]:
    """All of them, by a thread each, begun together."""
    barrier = Barrier(len(actions))

    def begin(action: Callable[[], T]) -> T:
        barrier.wait()
        return action()

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(begin, actions))


@contextmanager
def meanwhile(deed: Callable[[], object], owner: Any, *names: str, after: bool = False) -> Iterator[None]:
    """Do the deed once, when one of the owner's functions of these names is called: just before it, or `after` it.

    Fails if none of them is called.
    """
    waiting = [deed]

    def act() -> None:
        if waiting:
            waiting.pop()()

    def around(function: Callable[..., T]) -> Callable[..., T]:
        def called(*args: Any, **more: Any) -> T:
            if not after:
                act()
            found = function(*args, **more)
            if after:
                act()
            return found

        return called

    with pytest.MonkeyPatch.context() as patch:
        for name in names:
            patch.setattr(owner, name, around(getattr(owner, name)))
        yield
    assert not waiting, f"nobody called {names}"
