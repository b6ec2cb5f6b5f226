"""Who holds what of a thing that there is only so much of: connections, or bytes of requests that are not whole.

Nobody is refused as long as there is enough. When there is not, whoever holds most loses what they have held longest,
so that one holder shuts out nobody else.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Holders(Generic[T]):
    """Counts. One thread may use it."""

    def __init__(self) -> None:
        self._held: dict[T, tuple[Hashable, int]] = {}
        self._of: dict[Hashable, dict[T, None]] = {}
        """By holder, what they hold, oldest first."""
        self._sums: dict[Hashable, int] = {}
        self.total = 0

    def hold(self, holder: Hashable, thing: T, size: int = 1) -> None:
        """The holder's thing is so large from now on; 0 is not held at all."""
        before, old = self._held.get(thing, (holder, 0))
        if before != holder or size == 0:
            self.let_go(thing)
            old = 0
        if size == 0:
            return
        self._held[thing] = holder, size
        self._of.setdefault(holder, {})[thing] = None
        self._sums[holder] = self._sums.get(holder, 0) + size - old
        self.total += size - old

    def let_go(self, thing: T) -> None:
        """It is not held any more. Twice is as good as once."""
        if (held := self._held.pop(thing, None)) is None:
            return
        holder, size = held
        self.total -= size
        self._sums[holder] -= size
        del self._of[holder][thing]
        if not self._of[holder]:
            del self._of[holder], self._sums[holder]

    def relieve(self, most: int) -> list[T]:
        """Let go of what whoever holds most has held longest, until no more than `most` is held. Returns it."""
        gone: list[T] = []
        while self.total > max(0, most):
            holder = max(self._sums, key=self._sums.__getitem__)
            # half of it before others are looked at: there may be many to look at
            half = self._sums[holder] // 2
            while self.total > most and self._sums.get(holder, 0) > half:
                gone.append(next(iter(self._of[holder])))
                self.let_go(gone[-1])
        return gone
