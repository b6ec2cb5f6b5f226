"""Wakes requests that wait for a match to move on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Event, Lock

WAITING = 8000
"""Most requests that wait at once: each holds a connection."""


class TooManyWait(Exception):
    """As many wait as may; `most` is how many that is."""

    def __init__(self, most: int) -> None:
        super().__init__(f"{most} requests wait already")
        self.most = most


class Bell:
    """Rings when its match was written to, until it is taken down."""

    def __init__(self, bells: Bells, match_id: str, over: Callable[[], object]) -> None:
        self.match_id = match_id
        self.seen = 0
        """The version of the match that is known to who waits."""
        self._over = over
        self._bells = bells
        self._rung = Event()

    def ring(self) -> None:
        """The match was written to, or nobody may wait any longer."""
        self._rung.set()

    def silence(self) -> None:
        """What has rung so far is known."""
        self._rung.clear()

    def wait(self, seconds: float) -> bool:
        """Until it rings, or for so long: whether it has rung."""
        return self._rung.wait(max(0.0, seconds))

    def take_down(self) -> None:
        """Stop waiting: the bell rings no more, and another may wait in its place. Twice is as good as once."""
        self._bells._take_down(self)
        self._over()


class Bells:
    """One bell for each request that waits. Any thread may use them."""

    def __init__(self, most: int = WAITING) -> None:
        self.most = most
        self._lock = Lock()
        self._hung: dict[str, set[Bell]] = {}
        self._waiting = 0
        self._is_closed = False

    def hang(self, match_id: str, over: Callable[[], object] = lambda: None) -> Bell:
        """A bell that rings when the match is written to. Raises TooManyWait.

        Shape:   `over` is called when it is taken down, and when there is none; once or more often.
        """
        bell = Bell(self, match_id, over)
        with self._lock:
            if self._waiting >= self.most:
                over()
                raise TooManyWait(self.most)
            self._waiting += 1
            self._hung.setdefault(match_id, set()).add(bell)
        if self._is_closed:
            bell.ring()
        return bell

    def ring(self, match_ids: Iterable[str]) -> None:
        """These matches were written to."""
        with self._lock:
            rung = [bell for match_id in match_ids for bell in self._hung.get(match_id, ())]
        for bell in rung:
            bell.ring()

    def close(self) -> None:
        """Nobody waits any longer."""
        self._is_closed = True
        self.ring(self.awaited())

    def ring_behind(self, match_id: str, version: int) -> None:
        """The match is at that version: who waits and knows another one is told."""
        with self._lock:
            behind = [bell for bell in self._hung.get(match_id, ()) if bell.seen != version]
        for bell in behind:
            bell.ring()

    def awaited(self) -> tuple[str, ...]:
        """The matches that somebody waits for."""
        with self._lock:
            return tuple(self._hung)

    @property
    def is_closed(self) -> bool:
        """Whether the process is about to end."""
        return self._is_closed

    @property
    def waiting(self) -> int:
        """How many wait."""
        return self._waiting

    def _take_down(self, bell: Bell) -> None:
        with self._lock:
            bells = self._hung.get(bell.match_id, set())
            if bell in bells:
                self._waiting -= 1
                bells.discard(bell)
                if not bells:
                    del self._hung[bell.match_id]
