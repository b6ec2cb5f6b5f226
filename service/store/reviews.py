"""Reviews of matches, and hints: which are wanted, and what was found out so far. Each decision is stored once."""

from __future__ import annotations

import msgspec

from service.store.statements import Queries, insert, read_sql, reading, statement, statements

SQL = read_sql("reviews")

WANTED, DONE, STOPPED, FAILED = "wanted", "done", "stopped", "failed"


class KeptReview(msgspec.Struct, frozen=True):
    """A review that somebody wanted."""

    state: str
    """WANTED, DONE, STOPPED or FAILED."""
    total: int | None
    """How many decisions there are; None until it has begun."""
    account: str | None
    """How the result came about, as JSON; None until it is done."""


class WantedReview(msgspec.Struct, frozen=True):
    """A seat whose review is wanted."""

    seat: int
    known: int
    """The number of its decisions that were judged."""


class KeptHint(msgspec.Struct, frozen=True):
    """A hint that a player wanted."""

    seat: int
    decision: int
    state: str
    """WANTED, DONE or FAILED."""
    found: str | None
    """What was found out, as JSON; None until it is done."""


class Reviewed(Queries):
    """Reads these tables."""

    def review(self, match_id: str, seat: int) -> KeptReview | None:
        """Return the review of the seat; None if nobody wanted it."""
        return next(map(reading(KeptReview), self._in_match(SQL["review"], match_id, seat=seat)), None)

    def is_wanted_by(self, match_id: str, seat: int, player: str) -> bool:
        """Return whether the player has wanted the review, and has not stopped it since."""
        return bool(self._in_match(SQL["has_wish"], match_id, seat=seat, player=player))

    def found(self, match_id: str, seat: int) -> tuple[str, ...]:
        """Return what was found out about the seat's decisions, each as JSON, in the order of the match."""
        return tuple([str(found) for (found,) in self._in_match(SQL["found"], match_id, seat=seat)])

    def wanted(self, match_id: str) -> tuple[WantedReview, ...]:
        """Return the seats of the match whose reviews are wanted, those first that have waited longest."""
        return tuple(map(reading(WantedReview), self._in_match(SQL["wanted"], match_id)))

    def due(self, most: int) -> tuple[str, ...]:
        """Return matches with hints or reviews that are wanted, for at most so many of each.

        Those with hints come first: a player waits for them. The hint that was wanted last is the first, since its
        decision is still open; of the reviews the one that has waited longest.
        """
        hints, reviews = (self._store.find_everywhere(SQL[name], most=most) for name in ("due_hints", "due"))
        rows = [*sorted(hints, reverse=True)[:most], *sorted(reviews)[:most]]
        return tuple(dict.fromkeys([str(match) for _, match in rows]))

    def of_player(self, player: str, most: int) -> tuple[tuple[str, int], ...]:
        """Return match and seat of at most so many reviews that the player wanted and that are done, newest first."""
        rows = sorted(self._store.find_everywhere(SQL["of_player"], player=player, most=most), reverse=True)[:most]
        return tuple([(str(match), int(seat)) for _, match, seat in rows])

    def hints(self, match_id: str) -> tuple[KeptHint, ...]:
        """Return the hints of a match, in the order of its decisions."""
        return tuple(map(reading(KeptHint), self._in_match(SQL["hints"], match_id)))


want = statements("match seat player at", SQL["want"], SQL["wish"])
"""Note that a player wants a review, which is wanted then if it is not done."""
stop = statements("match seat player", SQL["hold"], SQL["wish_no_more"], SQL["stop"])
"""Note that a player wants a review no more, which is stopped if nobody else wants it. One that is done stays."""
count = statement("match seat total", SQL["count"])
"""Notes how many decisions there are."""
judge = insert("judged", "partition match seat number found", "ON CONFLICT DO NOTHING")
"""Stores what was found out about a decision, unless that is known already."""
end = statement("match seat state account", SQL["end"], account=None)
"""Ends a review that is wanted: it is done, stopped, or failed."""
want_hint = statement("match seat decision at", SQL["want_hint"])
"""Notes that a hint is wanted; nothing if it was before."""
end_hint = statement("match seat decision state found", SQL["end_hint"], found=None)
"""Ends a hint that is wanted: it is done, or failed."""
