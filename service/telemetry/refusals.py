"""Refused moves, which are not counted until their match is over.

Only the seat that was refused learns of a refusal: that somebody tried to win against a rule reveals something of a
hand. With one match on the server, a counter by clause would reveal that. Once the match is over, all cards are open.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from threading import Lock

HELD = 4096
"""The most matches whose refusals are held. Beyond it, those of the oldest match are counted without their clauses."""

LOOKS = 64
"""The most matches that are checked at one reading: it bounds the cost of a reading."""

OTHER = "other"
"""The clause of refusals that were counted before their match was over."""


class Refusals:
    """The refusals of matches that are not over. Any thread may use it."""

    def __init__(self, tell: Callable[[str, str, int], object], most: int = HELD) -> None:
        """`tell` counts refusals: it takes the game, the clause, and how many they are."""
        self._tell = tell
        self._most = most
        self._lock = Lock()
        self._held: OrderedDict[str, Counter[tuple[str, str]]] = OrderedDict()

    def note(self, match: str, game: str, clause: str) -> None:
        """Hold a refusal of the match."""
        with self._lock:
            self._held.setdefault(match, Counter())[game, clause] += 1
            gone = self._held.popitem(last=False)[1] if len(self._held) > self._most else Counter()
        for (gone_game, _), times in gone.items():
            self._tell(gone_game, OTHER, times)

    def release(self, is_over: Callable[[str], bool]) -> None:
        """Count the refusals of matches that are over. Each call checks the next LOOKS matches in turn."""
        with self._lock:
            looked = list(self._held)[:LOOKS]
            for match in looked:
                self._held.move_to_end(match)
        for match in looked:
            if not is_over(match):
                continue
            with self._lock:
                refused = self._held.pop(match, Counter())
            for (game, clause), times in refused.items():
                self._tell(game, clause, times)
