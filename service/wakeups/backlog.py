"""Work that a separate thread does, so that the threads that hand it over do not wait."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Condition, Thread
from time import sleep
from typing import Generic, TypeVar

T = TypeVar("T")


class Backlog(Generic[T]):
    """Calls one function with the items that were added since its last call. Any thread may add some."""

    def __init__(
        self, name: str, handle: Callable[[list[T]], bool | None], pause: Callable[[], float] = lambda: 0.0
    ) -> None:
        """Start nothing yet: the thread of this name starts with the first item.

        Shape:   `handle` returns True if it is to be called again though nothing was added. It may not raise.
                 `pause` returns the seconds to wait before each call, in which more items may come.
        """
        self._handle = handle
        self._pause = pause
        self._news = Condition()
        self._items: list[T] = []
        self._is_closed = False
        self._thread = Thread(target=self._work, name=name, daemon=True)

    def add(self, items: Iterable[T]) -> None:
        """Hand over items, which are handled soon. After `close` they are dropped."""
        with self._news:
            if self._is_closed:
                return
            self._items += items
            if self._thread.ident is None:
                self._thread.start()
            self._news.notify()

    def close(self, seconds: float, *, is_finished: bool = False) -> None:
        """Wait at most so long for the thread to end. What was added is handled first only if `is_finished`."""
        with self._news:
            self._is_closed = True
            if not is_finished:
                self._items.clear()
            self._news.notify()
        if self._thread.ident is not None:
            self._thread.join(seconds)

    def _work(self) -> None:
        has_more = False
        while self._is_due(has_more):
            if pause := self._pause():
                sleep(pause)
            with self._news:
                items, self._items = self._items, []
            has_more = bool(self._handle(items))

    def _is_due(self, has_more: bool) -> bool:
        """Wait until there is something to handle. Returns False when nothing is left to be handled."""
        with self._news:
            while not (self._items or has_more or self._is_closed):
                self._news.wait()
            return bool(self._items) or (has_more and not self._is_closed)
