"""How many are under way at the same time, by whom: here counted exactly, of other processes as they last told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from threading import Lock

from service.limits.settings import Room

PART = 16
"""Of whom not even this part of a room is taken here, others are not told: what that costs them is less than a room for
all of sixteen processes, and there are few of whom they are told, however many there are.
"""


def key(room: Room, whom: str) -> str:
    """What processes call it among themselves."""
    return f"{room.id} {whom}"


class Places:
    """Counts. Any thread may use them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._taken: dict[str, tuple[Room, int]] = {}
        self._elsewhere: Mapping[str, int] = {}

    def take(self, wanted: Iterable[tuple[Room, str]]) -> Room | Callable[[], None]:
        """A place in each of the rooms: what gives them back, once; or the room that is full, and none is taken.

        Shape:   each as the room, and who is counted.
        """
        named = [(room, key(room, whom)) for room, whom in wanted]
        with self._lock:
            for room, name in named:
                if self._count(name) + self._elsewhere.get(name, 0) >= room.most:
                    return room
            for room, name in named:
                self._taken[name] = room, self._count(name) + 1
        is_held = True

        def give_back() -> None:
            nonlocal is_held
            with self._lock:
                if not is_held:
                    return
                is_held = False
                for room, name in named:
                    if (left := self._count(name) - 1) > 0:
                        self._taken[name] = room, left
                    else:
                        del self._taken[name]

        return give_back

    def used(self, room: Room, whom: str) -> int:
        """How many of them are under way, here and elsewhere."""
        name = key(room, whom)
        with self._lock:
            return self._count(name) + self._elsewhere.get(name, 0)

    def shares(self) -> dict[str, int]:
        """What others are to be told."""
        with self._lock:
            return {name: count for name, (room, count) in self._taken.items() if count * PART >= room.most}

    def hear(self, others: Iterable[Mapping[str, int]]) -> None:
        """What each of the others tells, and nothing else."""
        total: Counter[str] = Counter()
        for one in others:
            total.update(one)
        with self._lock:
            self._elsewhere = total

    def _count(self, name: str) -> int:
        return self._taken[name][1] if name in self._taken else 0
