"""Which seats have standing orders, and up to which decision these were asked. What they say stands in private logs."""

from __future__ import annotations

from events.store import Statement, Tables

STAND = (
    "INSERT INTO orders (partition, match, seat, judged) VALUES (:partition, :match, :seat, 0)"
    " ON CONFLICT (partition, match, seat) DO UPDATE SET judged = 0"
)
END = "DELETE FROM orders WHERE partition = :partition AND match = :match AND seat = :seat"
END_ALL = "DELETE FROM orders WHERE partition = :partition AND match = :match"
JUDGED = (
    "UPDATE orders SET judged = :decision WHERE partition = :partition AND match = :match AND seat = :seat"
    " AND judged < :decision"
)
ASKED = """
FROM orders JOIN decisions ON decisions.partition = orders.partition AND decisions.match = orders.match
    AND decisions.seat = orders.seat AND decisions.since > orders.judged
    AND decisions.who >= 'player:' AND decisions.who < 'player;'
"""
IN_MATCH = f"SELECT orders.seat {ASKED} WHERE orders.partition = :partition AND orders.match = :match"
DUE = f"""
SELECT DISTINCT orders.match {ASKED} WHERE orders.partition = :partition AND orders.match > :after
ORDER BY orders.match LIMIT :most
"""


class Ordered:
    """Reads them."""

    def __init__(self, store: Tables) -> None:
        self._store = store

    def asked(self, match_id: str) -> tuple[int, ...]:
        """The seats of the match that are asked something that their orders have not been asked."""
        rows = self._store.find(Statement(IN_MATCH, {"match": match_id}, match_id))
        return tuple(sorted(int(seat) for (seat,) in rows))

    def due(self, after: str, most: int) -> tuple[str, ...]:
        """The next matches with such seats, after that one."""
        rows = self._store.find_everywhere(DUE, after=after, most=most)
        return tuple(sorted(str(match) for (match,) in rows)[:most])


def stand(match_id: str, seat: int) -> Statement:
    """The seat has orders, which are asked of whatever is open."""
    return Statement(STAND, {"match": match_id, "seat": seat}, match_id)


def end(match_id: str, seat: int) -> Statement:
    """The seat has no orders any more."""
    return Statement(END, {"match": match_id, "seat": seat}, match_id)


def end_all(match_id: str) -> Statement:
    """The match is over: no seat has orders."""
    return Statement(END_ALL, {"match": match_id}, match_id)


def judged(match_id: str, seat: int, decision: int) -> Statement:
    """The seat's orders say nothing of that decision: one row, none if that was known."""
    return Statement(JUDGED, {"match": match_id, "seat": seat, "decision": decision}, match_id)
