"""How many matches that are not over one account may have opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from service.accounts import Asker
from service.matches.lobby import Lobby
from service.problems import Conflict


class OpenMatches:
    """Counts them. Any thread may ask; of those that one process opens at once none goes past it."""

    def __init__(self, found: Lobby, most: int) -> None:
        self.most = most
        self._lobby = found
        self._lock = Lock()
        self._opening: Counter[str] = Counter()

    def opened(self, player: str) -> int:
        """How many there are."""
        return self._lobby.opened(player)

    @contextmanager
    def one_more(self, asker: Asker) -> Iterator[None]:
        """Room for one that is opened meanwhile. Raises Conflict."""
        player = asker.player
        with self._lock:
            self._opening[player] += 1
            opening = self._opening[player]
        try:
            # after it was noted: whichever of two counts last knows of both
            if self.opened(player) + opening > self.most:
                raise Conflict("too-many-open", most=self.most)
            yield
        finally:
            with self._lock:
                self._opening[player] -= 1
                if not self._opening[player]:
                    del self._opening[player]
