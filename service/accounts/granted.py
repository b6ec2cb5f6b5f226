"""A cache of what tokens grant, since every request asks for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from threading import Lock

from service.store import Grant

MOST = 10_000
"""The most tokens that are kept; when there are more, all are dropped."""


class Revocations:
    """Counts how often any process revoked tokens, as the length of a file beside the store."""

    def __init__(self, path: Path | None) -> None:
        """`path`: None if processes on other machines use the store, which would not see the file."""
        self._path = path

    def count(self) -> int | None:
        """Return the count; None if there is no file to count in. Raises OSError."""
        if self._path is None:
            return None
        try:
            return os.stat(self._path).st_size
        except FileNotFoundError:
            return 0

    def add(self) -> None:
        """Count one more. To be called once the store has the revocation. Raises OSError."""
        if self._path is None:
            return
        with open(self._path, "ab", opener=partial(os.open, mode=0o600)) as file:
            file.write(b".")


class Granted:
    """Keeps the tokens that were found until any process revokes one. Any thread may use it."""

    def __init__(
        self,
        find: Callable[[Sequence[str]], dict[str, Grant]],
        revocations: Callable[[], int | None],
        most: int = MOST,
    ) -> None:
        """Cache the answers of `find`, which asks the store by tokens' hashes.

        `revocations` returns how often tokens were revoked; if it returns None, nothing is kept.
        """
        self._find = find
        self._revocations = revocations
        self._most = most
        self._lock = Lock()
        self._known: dict[str, Grant] = {}
        self._as_of = 0

    def forget(self, hashed: str) -> None:
        """Drop the token with this hash, so that it is looked up anew."""
        with self._lock:
            self._known.pop(hashed, None)

    def find(self, hashed: str) -> Grant | None:
        """Return what the token with this hash grants; None, which is not kept, if nobody has such a token."""
        # counted before the store is asked, so that a revocation from here on is noticed next time
        now = self._revocations()
        if now == self._as_of and (known := self._known.get(hashed)) is not None:
            return known
        return self._ask([hashed], now).get(hashed)

    def find_all(self, hashed: Sequence[str]) -> dict[str, Grant]:
        """Return what the tokens with these hashes grant, without those that nobody has."""
        now = self._revocations()
        known = self._known if now == self._as_of else {}
        grants = {each: grant for each in hashed if (grant := known.get(each)) is not None}
        missing = [each for each in hashed if each not in grants]
        return {**grants, **self._ask(missing, now)} if missing else grants

    def _ask(self, hashed: Sequence[str], now: int | None) -> dict[str, Grant]:
        """Ask the store, and keep its answer. `now`: the count of revocations before."""
        if now is None:
            return self._find(hashed)
        if now != self._as_of:
            with self._lock:
                self._known = {}
                self._as_of = now
        grants = self._find(hashed)
        with self._lock:
            # if not, a token may have been revoked since it was found
            if self._as_of == now:
                if len(self._known) + len(grants) > self._most:
                    self._known = {}
                self._known.update(grants)
        return grants
