"""What was decided about a match."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.matches import Match
from domain.play import Told
from events.store import Write
from service.store import Chair, Statement


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What was decided about a match. Without events it only demands that the match's log still ends where it did."""

    told: tuple[Told, ...] = ()
    """For the match's log."""
    after: Match[Any] | None = None
    """The match with these events, and the sealed answers that are known, on top; None where nobody is asked anew."""
    private: tuple[Write, ...] = ()
    """For private logs: an answer, and where the others must end for it to be the last one, or not."""
    chairs: tuple[Chair, ...] | None = None
    """Who sits where then; None: as before."""
    beside: tuple[Statement, ...] = ()
    """For the service's own tables, in the same transaction."""
