"""Which process follows which partition: followers of one name share the partitions, and each partition has one holder.

Claims only keep two processes from doing the same work. The position in its transaction is what keeps an effect from
happening twice. So a claim may be taken from a process that hangs: if it wakes up, its next commit is refused.
"""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

BEAT = 1.0
"""Seconds between two signs of life."""

HANGS = 8.0
"""Seconds without a sign of life after which a process counts as hanging; also one that is busy with one effect."""

K = TypeVar("K")
S = TypeVar("S")


class Claims(Protocol):
    """The partitions that one process follows under one name."""

    def beat(self) -> frozenset[int]:
        """Give a sign of life, and look for those of others. Returns the partitions that this process still holds.

        Raises:  OSError, StoreError if the signs of others can't be read.
        """
        ...

    def members(self) -> int:
        """Return how many processes, with this one, shared the partitions at the last beat."""
        ...

    def take(self, partition: int) -> bool:
        """Take the partition if it is free or its holder hangs. Returns whether this process holds it now."""
        ...

    def give_back(self, partition: int) -> None:
        """Leave the partition to others."""
        ...

    def close(self) -> None:
        """Leave everything to others."""
        ...


class Pulse(Generic[K, S]):
    """Notices which processes give no sign of life any more, by this process's clock. Any change counts as a sign."""

    def __init__(self) -> None:
        self._seen: dict[K, tuple[S, float]] = {}

    def see(self, signs: dict[K, S], moment: float) -> frozenset[K]:
        """Note all signs that there are at a monotonic moment. Returns the processes that hang."""
        before = self._seen
        self._seen = {
            who: before[who] if who in before and before[who][0] == sign else (sign, moment)
            for who, sign in signs.items()
        }
        return frozenset(who for who, (_, since) in self._seen.items() if moment - since >= HANGS)


def share(partitions: int, members: int) -> int:
    """Return the most partitions that one of so many processes must hold so that all are held."""
    return -(-partitions // max(1, members))
