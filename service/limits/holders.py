"""Who holds how much of a limited resource: connections, or bytes of requests that have not arrived completely.

Nobody is refused as long as there is enough. When there is not enough, the holder that holds most loses the thing that
it has held longest. So one holder can't shut out the others.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Holders(Generic[T]):
    """The things that are held, by holder. Only one thread may use it."""

    def __init__(self) -> None:
        self._held: dict[T, tuple[Hashable, int]] = {}
        self._of: dict[Hashable, dict[T, None]] = {}
        """The things of each holder, oldest first."""
        self._sums: dict[Hashable, int] = {}
        self.total = 0

    def hold(self, holder: Hashable, thing: T, size: int = 1) -> None:
        """Note that the holder holds the thing, and its size. A thing of size 0 is not held."""
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
        """Note that the thing is not held any more. A second call does nothing."""
        if (held := self._held.pop(thing, None)) is None:
            return
        holder, size = held
        self.total -= size
        self._sums[holder] -= size
        del self._of[holder][thing]
        if not self._of[holder]:
            del self._of[holder], self._sums[holder]

    def relieve(self, most: int) -> list[T]:
        """Let go of the oldest things of the holder that holds most, until at most `most` is held. Returns them."""
        gone: list[T] = []
        while self.total > max(0, most):
            holder = max(self._sums, key=self._sums.__getitem__)
            # take half of it before searching for the largest holder again: there may be many holders
            half = self._sums[holder] // 2
            while self.total > most and self._sums.get(holder, 0) > half:
                gone.append(next(iter(self._of[holder])))
                self.let_go(gone[-1])
        return gone
