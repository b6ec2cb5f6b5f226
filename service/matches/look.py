"""A match as somebody may see it now."""

from __future__ import annotations

from typing import Any

import msgspec

from domain import matches
from domain.game import Lang
from domain.matches import Match, Status
from replays.log import Log, Viewer
from service.ids import digest
from service.store import Entry, Terms


class Look(msgspec.Struct, frozen=True):
    """A match as somebody may see it now."""

    entry: Entry
    log: Log
    seat: int | None
    """Where they sit, or whose place they take; None is beside the table."""
    reader: int | None
    """Whose secrets they are told: the seat's, once the match has started. A seat that can be left is told none: a
    fork's cards lie there before anybody sits down."""
    viewer: Viewer
    state: Match[Any]
    """What they know, their own sealed answer on top."""
    terms: Terms | None = None
    """What the match was opened with beside what its log says; None: it has no clock, or nobody asked."""

    @property
    def decision(self) -> int | None:
        """Their open decision; none where the rules at hand could only guess."""
        if self.seat is None or not self.is_playable:
            return None
        return matches.decision_of(self.log.game, self.state, self.seat) or None

    @property
    def is_playable(self) -> bool:
        """Whether the rules at hand are the match's own."""
        return self.log.has_own_rules

    def etag(self, lang: Lang) -> str:
        """Changes whenever the answer does: nothing else is in it that could."""
        seat = "" if self.seat is None else self.seat
        agreed = "-".join(map(str, self.agreed))
        rules = "" if self.is_playable else "other"
        pausing = "-".join(map(str, self.pausing))
        known = f"{self.state.version}.{agreed}.{pausing}.{self._kept}.{rules}"
        return f"{seat}.{self.decision or ''}.{known}.{lang}"

    @property
    def _kept(self) -> str:
        """Stands for whom seats are kept for, as long as that changes."""
        kept = [chair.reserved or "" for chair in self.entry.chairs]
        return digest(" ".join(kept))[:16] if self.entry.status == Status.OPEN and any(kept) else ""

    @property
    def agreed(self) -> list[int]:
        """The seats that agree to break the match off."""
        return [chair.seat for chair in self.entry.chairs if chair.agreed]

    @property
    def pausing(self) -> list[int]:
        """The seats that wish the match paused, or resumed if it is."""
        return [chair.seat for chair in self.entry.chairs if chair.pausing]
