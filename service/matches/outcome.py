"""The outcome of a decision about a match."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.matches import Match
from domain.play import Told
from events.store import Write
from service.store import Chair, Statement


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be stored for a match. Without events it only demands that the match's log still ends where it did."""

    told: tuple[Told, ...] = ()
    """Events for the match's log."""
    after: Match[Any] | None = None
    """The match after these events, with the known sealed answers added; None if nobody is asked anew."""
    private: tuple[Write, ...] = ()
    """For private logs: an answer, and where the other logs must end for it to be the last answer, or not."""
    chairs: tuple[Chair, ...] | None = None
    """Who sits where then; None if that does not change."""
    beside: tuple[Statement, ...] = ()
    """Statements on the service's own tables, for the same transaction."""
