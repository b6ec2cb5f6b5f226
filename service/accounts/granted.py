"""What tokens grant, as it was found in the store: every request begins with this question."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from service.store import Grant

MOST = 10_000
"""Tokens that are remembered; past that all are forgotten at once."""


class Revocations:
    """How often a token was revoked, by any process: the length of a file beside the store."""

    def __init__(self, path: Path | None) -> None:
        """`path` is None where processes on other machines share the store, and no file."""
        self._path = path

    def count(self) -> int | None:
        """How often so far; None where nobody could say. Raises OSError."""
        if self._path is None:
            return None
        try:
            return os.stat(self._path).st_size
        except FileNotFoundError:
            return 0

    def add(self) -> None:
        """One more, as soon as the store has it. Raises OSError."""
        if self._path is None:
            return
        file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, b".")
        finally:
            os.close(file)


class Granted:
    """Remembers the tokens that were found, until any process has revoked one. Any thread may ask."""

    def __init__(
        self, find: Callable[[str], Grant | None], revocations: Callable[[], int | None], most: int = MOST
    ) -> None:
        """`find`: the store's answer by a token's hash; `revocations`: how often a token was revoked so far, None where
        nobody could say: then nothing is remembered.
        """
        self._find = find
        self._revocations = revocations
        self._most = most
        self._lock = Lock()
        self._known: dict[str, Grant] = {}
        self._as_of = 0

    def forget(self, hashed: str) -> None:
        """Have the token of that hash looked up anew."""
        with self._lock:
            self._known.pop(hashed, None)

    def find(self, hashed: str) -> Grant | None:
        """What the token of that hash stands for, None if it is nobody's: that is not remembered."""
        # before the store is asked: what is revoked from here on counts as later
        now = self._revocations()
        if now is None:
            return self._find(hashed)
        if now != self._as_of:
            with self._lock:
                self._known.clear()
                self._as_of = now
        elif (known := self._known.get(hashed)) is not None:
            return known
        found = self._find(hashed)
        if found is not None:
            with self._lock:
                # one may have been revoked since it was found
                if self._as_of == now:
                    if len(self._known) >= self._most:
                        self._known.clear()
                    self._known[hashed] = found
        return found
