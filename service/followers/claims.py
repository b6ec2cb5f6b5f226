"""Who follows which partition: followers of one name share the partitions, and each of those has one holder.

A claim spares work that two would do; what keeps an effect from happening twice is the position in its transaction. So
a claim may be taken from a process that hangs: if that one wakes up, its next commit is refused.
"""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

BEAT = 1.0
"""Seconds between two signs of life."""

HANGS = 8.0
"""Seconds without a sign of life after which a process counts as hanging. An effect that takes longer does too."""

K = TypeVar("K")
S = TypeVar("S")


class Claims(Protocol):
    """The partitions that one process follows under one name."""

    def beat(self) -> frozenset[int]:
        """Give a sign of life, and look for those of others: the partitions that are ours still.

        Raises:  OSError, StoreError when there is no looking.
        """
        ...

    def members(self) -> int:
        """How many processes share the partitions, this one among them, as the last beat saw it."""
        ...

    def take(self, partition: int) -> bool:
        """Whether the partition is ours now: it was free, or its holder hangs."""
        ...

    def give_back(self, partition: int) -> None:
        """Leave it to others."""
        ...

    def close(self) -> None:
        """Leave everything to others."""
        ...


class Pulse(Generic[K, S]):
    """Notices who gives no sign of life any more, by our own clock alone: a sign is anything that changes."""

    def __init__(self) -> None:
        self._seen: dict[K, tuple[S, float]] = {}

    def see(self, signs: dict[K, S], moment: float) -> frozenset[K]:
        """All the signs that there are at a monotonic moment: of those that were seen before, which hang."""
        before = self._seen
        self._seen = {
            who: before[who] if who in before and before[who][0] == sign else (sign, moment)
            for who, sign in signs.items()
        }
        return frozenset(who for who, (_, since) in self._seen.items() if moment - since >= HANGS)


def share(partitions: int, members: int) -> int:
    """How many partitions one of so many holds at most, so that all are held."""
    return -(-partitions // max(1, members))
