"""Calls those who wait by a token that holds no longer: at once where it was revoked here, else within a second."""

from __future__ import annotations

from collections.abc import Callable, Collection
from threading import Event, Thread

import structlog

from service.wakeups.waiting import Bells

EVERY = 0.5
"""Seconds between two looks."""

CLOSING = 5.0
"""Seconds that the last look may take."""

PREFIX = "token:"

logger = structlog.get_logger(__name__)


def token_name(hashed: str) -> str:
    """The name by which the bells of those hang who ask by the token of that hash; no match has it."""
    return f"{PREFIX}{hashed}"


class WaitingTokens:
    """Looks after the tokens of all who wait."""

    def __init__(self, bells: Bells, lost: Callable[[Collection[str]], set[str]], every: float = EVERY) -> None:
        """`lost`: those of these tokens, by their hashes, that hold no longer."""
        self._bells = bells
        self._lost = lost
        self._every = every
        self._soon = Event()
        self._is_closed = False
        self._thread = Thread(target=self._work, name="tokens", daemon=True)
        self._thread.start()

    def look_soon(self) -> None:
        """A token was revoked. It waits for nothing."""
        self._soon.set()

    def close(self) -> None:
        """Look no more."""
        self._is_closed = True
        self._soon.set()
        self._thread.join(CLOSING)

    def _work(self) -> None:
        while not self._is_closed:
            self._soon.wait(self._every)
            self._soon.clear()
            try:
                self.look()
            except Exception as error:  # whatever is wrong with the store is told to those who ask it
                logger.warning("it can't be seen which tokens hold", kind=type(error).__name__)

    def look(self) -> None:
        """Call those whose tokens hold no longer."""
        waiting = [name.removeprefix(PREFIX) for name in self._bells.awaited() if name.startswith(PREFIX)]
        if waiting and (lost := self._lost(waiting)):
            self._bells.ring(map(token_name, lost))
