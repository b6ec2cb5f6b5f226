"""The seats that have standing orders, and the decision up to which these were judged. Private logs hold the orders."""

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
    """Reads the table."""

    def __init__(self, store: Tables) -> None:
        self._store = store

    def asked(self, match_id: str) -> tuple[int, ...]:
        """Return the seats of the match with a decision for which their orders were not judged."""
        rows = self._store.find(Statement(IN_MATCH, {"match": match_id}, match_id))
        return tuple(sorted(int(seat) for (seat,) in rows))

    def due(self, after: str, most: int) -> tuple[str, ...]:
        """Return the next matches after that id that have such seats."""
        rows = self._store.find_everywhere(DUE, after=after, most=most)
        return tuple(sorted(str(match) for (match,) in rows)[:most])


def stand(match_id: str, seat: int) -> Statement:
    """Return the statement that notes that the seat has orders, to be judged for every open decision."""
    return Statement(STAND, {"match": match_id, "seat": seat}, match_id)


def end(match_id: str, seat: int) -> Statement:
    """Return the statement that notes that the seat has no orders."""
    return Statement(END, {"match": match_id, "seat": seat}, match_id)


def end_all(match_id: str) -> Statement:
    """Return the statement that deletes the rows of a match that is over."""
    return Statement(END_ALL, {"match": match_id}, match_id)


def judged(match_id: str, seat: int, decision: int) -> Statement:
    """Return the statement that notes that the seat's orders play nothing for that decision; no row if known."""
    return Statement(JUDGED, {"match": match_id, "seat": seat, "decision": decision}, match_id)
