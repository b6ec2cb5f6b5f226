"""The limit of matches that one account has opened and that are not over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from service.accounts import Asker
from service.matches.lobby import Lobby
from service.problems import Conflict


class OpenMatches:
    """Counts these matches. Any thread may use it; one process never lets an account exceed the limit."""

    def __init__(self, found: Lobby, most: int) -> None:
        self.most = most
        self._lobby = found
        self._lock = Lock()
        self._opening: Counter[str] = Counter()

    def opened(self, player: str) -> int:
        """Return how many there are."""
        return self._lobby.opened(player)

    @contextmanager
    def one_more(self, asker: Asker) -> Iterator[None]:
        """Keep room for one more, which is opened meanwhile. Raises Conflict."""
        player = asker.player
        with self._lock:
            self._opening[player] += 1
            opening = self._opening[player]
        try:
            # counted after it was noted, so that of two threads the one that counts last knows of both
            if self.opened(player) + opening > self.most:
                raise Conflict("too-many-open", most=self.most)
            yield
        finally:
            with self._lock:
                self._opening[player] -= 1
                if not self._opening[player]:
                    del self._opening[player]
