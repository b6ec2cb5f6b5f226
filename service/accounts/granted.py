"""What tokens grant, as it was found in the store: every request begins with this question."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
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
        with open(self._path, "ab", opener=partial(os.open, mode=0o600)) as file:
            file.write(b".")


class Granted:
    """Remembers the tokens that were found, until any process has revoked one. Any thread may ask."""

    def __init__(
        self,
        find: Callable[[Sequence[str]], dict[str, Grant]],
        revocations: Callable[[], int | None],
        most: int = MOST,
    ) -> None:
        """`find`: the store's answer by tokens' hashes; `revocations`: how often a token was revoked so far, None where
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
        if now == self._as_of and (known := self._known.get(hashed)) is not None:
            return known
        return self._ask([hashed], now).get(hashed)

    def find_all(self, hashed: Sequence[str]) -> dict[str, Grant]:
        """What the tokens of these hashes stand for; those that are nobody's are left out."""
        now = self._revocations()
        known = self._known if now == self._as_of else {}
        found = {one: grant for one in hashed if (grant := known.get(one)) is not None}
        missing = [one for one in hashed if one not in found]
        return {**found, **self._ask(missing, now)} if missing else found

    def _ask(self, hashed: Sequence[str], now: int | None) -> dict[str, Grant]:
        """Ask the store, and remember what it says as of so many revocations."""
        if now is None:
            return self._find(hashed)
        if now != self._as_of:
            with self._lock:
                self._known = {}
                self._as_of = now
        found = self._find(hashed)
        with self._lock:
            # one may have been revoked since it was found
            if self._as_of == now:
                if len(self._known) + len(found) > self._most:
                    self._known = {}
                self._known.update(found)
        return found
