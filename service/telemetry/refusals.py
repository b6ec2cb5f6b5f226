"""Refused moves, held back until their match is over.

A refusal is told to the seat that was refused and to nobody else: that somebody tried to win by a rule which says no
tells the others about a hand. With one match on the server a counter by clause would be told so. Once the match is over
all of it is open to everybody.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from threading import Lock

HELD = 4096
"""Most matches whose refusals are held; of the oldest beyond it is forgotten which clauses they were."""

LOOKS = 64
"""Matches that are looked at each time whether they are over: it bounds what one reading costs."""

OTHER = "other"
"""The clause of refusals whose match's end was not waited for."""


class Refusals:
    """Counts refusals, and tells them when their match is over. Any thread may use it."""

    def __init__(self, tell: Callable[[str, str, int], object], most: int = HELD) -> None:
        """`tell` is told game, clause, and how many."""
        self._tell = tell
        self._most = most
        self._lock = Lock()
        self._held: OrderedDict[str, Counter[tuple[str, str]]] = OrderedDict()

    def note(self, match: str, game: str, clause: str) -> None:
        """A move of the match was refused."""
        with self._lock:
            self._held.setdefault(match, Counter())[game, clause] += 1
            gone = self._held.popitem(last=False)[1] if len(self._held) > self._most else Counter()
        for (one, _), times in gone.items():
            self._tell(one, OTHER, times)

    def release(self, is_over: Callable[[str], bool]) -> None:
        """Tell those of matches that are over; the next ones in turn are looked at each time."""
        with self._lock:
            looked = list(self._held)[:LOOKS]
            for match in looked:
                self._held.move_to_end(match)
        for match in looked:
            if not is_over(match):
                continue
            with self._lock:
                told = self._held.pop(match, Counter())
            for (game, clause), times in told.items():
                self._tell(game, clause, times)
