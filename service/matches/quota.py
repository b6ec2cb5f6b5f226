"""The limit of unfinished matches that one account has opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from service.accounts import Asker
from service.matches.lobby import Lobby
from service.problems import Conflict


class OpenMatches:
    """Counts an account's unfinished matches. Any thread may use it; one process alone never exceeds the limit."""

    def __init__(self, lobby: Lobby, most: int) -> None:
        self.most = most
        self._lobby = lobby
        self._lock = Lock()
        self._opening: Counter[str] = Counter()

    def opened(self, player: str) -> int:
        """Return how many unfinished matches the player has opened."""
        return self._lobby.opened(player)

    @contextmanager
    def one_more(self, asker: Asker) -> Iterator[None]:
        """Return a context in which the asker opens one more match. Raises Conflict if it would be too many."""
        player = asker.player
        with self._lock:
            self._opening[player] += 1
            opening = self._opening[player]
        try:
            # noted first and counted then, so that of two threads the one that counts last sees both
            if self.opened(player) + opening > self.most:
                raise Conflict("too-many-open", most=self.most)
            yield
        finally:
            with self._lock:
                self._opening[player] -= 1
                if not self._opening[player]:
                    del self._opening[player]
