"""Wakes those who wait with a token that is no longer valid: at once if it was revoked here, else within a second."""

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
    """Return the name by which the bells of a token hang, given the token's hash; no match has it."""
    return f"{PREFIX}{hashed}"


class WaitingTokens:
    """Checks the tokens of all who wait."""

    def __init__(self, bells: Bells, lost: Callable[[Collection[str]], set[str]], every: float = EVERY) -> None:
        """Start to check. `lost` takes hashes of tokens, and returns those that are no longer valid."""
        self._bells = bells
        self._lost = lost
        self._every = every
        self._soon = Event()
        self._is_closed = False
        self._thread = Thread(target=self._work, name="tokens", daemon=True)
        self._thread.start()

    def look_soon(self) -> None:
        """Check soon, because a token was revoked. It does not wait for anything."""
        self._soon.set()

    def close(self) -> None:
        """Stop checking."""
        self._is_closed = True
        self._soon.set()
        self._thread.join(CLOSING)

    def _work(self) -> None:
        while not self._is_closed:
            self._soon.wait(self._every)
            self._soon.clear()
            try:
                self.look()
            except Exception as error:  # requests that need the store answer with the error
                logger.warning("tokens can't be checked", kind=type(error).__name__)

    def look(self) -> None:
        """Wake those whose tokens are no longer valid."""
        waiting = [name.removeprefix(PREFIX) for name in self._bells.awaited() if name.startswith(PREFIX)]
        if waiting and (lost := self._lost(waiting)):
            self._bells.ring(map(token_name, lost))
