"""The places of requests that wait and of streams: counted in this process, and shared with the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from threading import Lock

from service.limits.settings import Room

PART = 16
"""A caller that holds less than one in PART of a room's places here is not sent to the other processes. So sixteen
processes together overlook less than one room of places, and the list that is sent stays short, however many callers
there are.
"""


def place_name(room: Room, whom: str) -> str:
    """Return the name under which the processes exchange the count."""
    return f"{room.id} {whom}"


class Places:
    """The places that are taken. Any thread may use them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._taken: dict[str, tuple[Room, int]] = {}
        self._elsewhere: Mapping[str, int] = {}

    def take(self, wanted: Iterable[tuple[Room, str]]) -> Room | Callable[[], None]:
        """Take a place in each of the rooms, or in none if one is full: each room with who is counted in it.

        Returns the function that gives the places back (a second call does nothing), or the room that is full.
        """
        named = [(room, place_name(room, whom)) for room, whom in wanted]
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
        """Return how many places of the room are taken, here and in the other processes."""
        name = place_name(room, whom)
        with self._lock:
            return self._count(name) + self._elsewhere.get(name, 0)

    def shares(self) -> dict[str, int]:
        """Return the counts that the other processes must know."""
        with self._lock:
            return {name: count for name, (room, count) in self._taken.items() if count * PART >= room.most}

    def hear(self, others: Iterable[Mapping[str, int]]) -> None:
        """Replace what was known of the other processes by the counts of each."""
        total: Counter[str] = Counter()
        for counts in others:
            total.update(counts)
        with self._lock:
            self._elsewhere = total

    def _count(self, name: str) -> int:
        return self._taken[name][1] if name in self._taken else 0
