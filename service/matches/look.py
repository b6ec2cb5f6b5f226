"""A match as an asker may see it now."""

from __future__ import annotations

from typing import Any

import msgspec

from domain import matches
from domain.game import Lang
from domain.matches import Match, Status
from replays.log import Log, Viewer
from service.ids import digest
from service.store import Entry, Terms, people


class Look(msgspec.Struct, frozen=True):
    """A match as an asker may see it now."""

    entry: Entry
    log: Log
    seat: int | None
    """Where they sit, or the seat of the bot that they play; None for no seat."""
    reader: int | None
    """The seat whose secrets they may read, once the match has started.

    A seat that can still be left reads none, since a fork's cards are there before anybody sits down.
    """
    viewer: Viewer
    state: Match[Any]
    """What they know, with their own sealed answer added."""
    terms: Terms | None = None
    """The terms that the log does not hold; None if there is no clock, or they were not needed."""

    @property
    def decision(self) -> int | None:
        """Their open decision; None also if the rules are not the match's own and could only guess."""
        if self.seat is None or not self.is_playable:
            return None
        return matches.decision_of(self.log.game, self.state, self.seat) or None

    @property
    def is_playable(self) -> bool:
        """Whether the rules are the match's own version."""
        return self.log.has_own_rules

    def etag(self, lang: Lang) -> str:
        """Return a tag that changes whenever the answer does: it covers everything in the answer that can change."""
        seat = "" if self.seat is None else self.seat
        agreed = "-".join(map(str, self.agreed))
        rules = "" if self.is_playable else "other"
        pausing = "-".join(map(str, self.pausing))
        known = f"{self.state.version}.{agreed}.{pausing}.{self._kept}.{rules}.{self._gone}.{self.entry.rematch or ''}"
        return f"{seat}.{self.decision or ''}.{known}.{lang}"

    @property
    def _gone(self) -> str:
        """The seats whose players were erased, so that their names are not shown any more."""
        return "-".join(str(chair.seat) for chair in self.entry.chairs if chair.player_kind == people.ERASED)

    @property
    def _kept(self) -> str:
        """A digest of whom seats are reserved for, while that can change."""
        kept = [chair.reserved or "" for chair in self.entry.chairs]
        return digest(" ".join(kept))[:16] if self.entry.status == Status.OPEN and any(kept) else ""

    @property
    def agreed(self) -> list[int]:
        """The seats that agree to break the match off."""
        return [chair.seat for chair in self.entry.chairs if chair.agreed]

    @property
    def pausing(self) -> list[int]:
        """The seats that wish the match paused, or resumed if it is paused."""
        return [chair.seat for chair in self.entry.chairs if chair.pausing]
