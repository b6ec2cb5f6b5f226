"""Wakes requests that wait for a match to move on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Event, Lock

WAITING = 16
"""Most requests that wait at once: each holds a thread of the web server."""


class Bells:
    """One bell for each request that waits, rung when its match was written to."""

    def __init__(self, most: int = WAITING) -> None:
        self._most = most
        self._lock = Lock()
        self._hung: dict[str, set[Event]] = {}
        self._waiting = 0
        self._is_closed = False

    @contextmanager
    def hung(self, match_id: str) -> Iterator[Event | None]:
        """A bell that rings when the match is written to; None when too many wait already."""
        bell = self._hang(match_id)
        try:
            yield bell
        finally:
            if bell is not None:
                self._take_down(match_id, bell)

    def ring(self, match_ids: Iterable[str]) -> None:
        """These matches were written to."""
        with self._lock:
            for match_id in match_ids:
                for bell in self._hung.get(match_id, ()):
                    bell.set()

    def close(self) -> None:
        """Nobody waits any longer."""
        self._is_closed = True
        self.ring(tuple(self._hung))

    @property
    def is_closed(self) -> bool:
        """Whether the process is about to end."""
        return self._is_closed

    def _hang(self, match_id: str) -> Event | None:
        with self._lock:
            if self._waiting >= self._most or self._is_closed:
                return None
            self._waiting += 1
            bell = Event()
            self._hung.setdefault(match_id, set()).add(bell)
            return bell

    def _take_down(self, match_id: str, bell: Event) -> None:
        with self._lock:
            self._waiting -= 1
            bells = self._hung[match_id]
            bells.discard(bell)
            if not bells:
                del self._hung[match_id]
