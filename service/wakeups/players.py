"""Wakes those who wait as a player. A separate thread looks up whom a written stream concerns, so that nobody waits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import monotonic

import structlog

from events.store import match_of
from service.store import Entry
from service.wakeups.backlog import Backlog
from service.wakeups.waiting import Bell, Bells

KEPT = 5.0
"""Seconds for which the players of a match are remembered. The event that brings a new player in wakes that player."""

MOST = 10_000
"""The most matches whose players are remembered; when there are more, all are forgotten at once."""

CLOSING = 5.0
"""Seconds that the last look may take."""

logger = structlog.get_logger(__name__)


def name_of(player: str) -> str:
    """Return the name by which a player's bells hang; no match has it."""
    return f"player:{player}"


class Players:
    """Wakes, when streams have grown, at once those who wait for a match, and soon those who wait as a player."""

    def __init__(self, bells: Bells, find: Callable[[str], Entry | None] = lambda match_id: None) -> None:
        """`find` returns a match with its seats."""
        self.find = find
        self.bells = bells
        self._backlog: Backlog[str] = Backlog("players", self._call_all)
        self._is_awaited = False
        """Whether anybody has waited as a player; until then nothing is looked up."""
        self._known: dict[str, tuple[float, tuple[tuple[str, ...], ...]]] = {}
        """By match: until when this is used, and by seat the players whom its news concern."""

    def hang(self, player: str, over: Callable[[], object] = lambda: None) -> Bell:
        """Return a bell that rings when something is written that may concern the player. Raises TooManyWait."""
        bell = self.bells.hang(name_of(player), over=over)
        self._is_awaited = True
        return bell

    def tell(self, streams: Iterable[str]) -> None:
        """Wake those whom these streams concern, which have grown. It does not wait for anything."""
        streams = tuple(streams)
        self.bells.ring(streams)
        if self._is_awaited:
            self._backlog.add(streams)

    def close(self) -> None:
        """Stop waking those who wait as a player."""
        self._backlog.close(CLOSING)

    def _call_all(self, streams: list[str]) -> None:
        for stream in sorted(set(streams)):
            try:
                self._call(stream)
            except Exception as error:  # requests that need the store answer with the error
                logger.warning("the players of a match can't be looked up", error=str(error))

    def _call(self, stream: str) -> None:
        match_id = match_of(stream)
        by_seat = self._concerned(match_id)
        if stream != match_id:
            # a seat's private stream wakes nobody else
            number = stream.rpartition(":")[2]
            by_seat = by_seat[int(number) : int(number) + 1] if number.isdecimal() else ()
        for player in {player for players in by_seat for player in players}:
            self.bells.ring([name_of(player)], match_id)

    def _concerned(self, match_id: str) -> tuple[tuple[str, ...], ...]:
        now = monotonic()
        until, known = self._known.get(match_id, (0.0, ()))
        if now < until:
            return known
        entry = self.find(match_id)
        chairs = entry.chairs if entry is not None else ()
        now_there = tuple(tuple(filter(None, (chair.player, chair.reserved))) for chair in chairs)
        if len(self._known) >= MOST:
            self._known.clear()
        # before the start players come and go
        is_settled = entry is not None and entry.status != "open"
        self._known[match_id] = (now + KEPT if is_settled else 0.0), now_there
        if len(known) != len(now_there):
            return now_there
        # with those who were there before: a player for whom a seat was kept learns that it is not kept any more
        return tuple(before + here for before, here in zip(known, now_there, strict=True))
