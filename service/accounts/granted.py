"""What tokens grant, as it was found in the store: every request begins with this question."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from service.store import Grant

MOST = 10_000
"""Tokens that are remembered; past that all are forgotten at once."""


class Granted:
    """Remembers the tokens that were found. Any thread may ask.

    Only the process that writes to the store may remember: another one would not know that a token was revoked.
    """

    def __init__(self, find: Callable[[str], Grant | None], most: int = MOST) -> None:
        """`find`: the store's answer by a token's hash."""
        self._find = find
        self._most = most
        self._lock = Lock()
        self._known: dict[str, Grant] = {}
        self._times_forgotten = 0

    def find(self, hashed: str) -> Grant | None:
        """What the token of that hash stands for, None if it is nobody's: that is not remembered."""
        if (known := self._known.get(hashed)) is not None:
            return known
        before = self._times_forgotten
        found = self._find(hashed)
        if found is not None:
            with self._lock:
                # it may have been revoked since it was found
                if self._times_forgotten == before:
                    if len(self._known) >= self._most:
                        self._known.clear()
                    self._known[hashed] = found
        return found

    def forget(self) -> None:
        """Look every token up again: some of them has been revoked."""
        with self._lock:
            self._times_forgotten += 1
            self._known.clear()
