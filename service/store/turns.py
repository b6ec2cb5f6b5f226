"""The matches that wait for bots, with the accounts that opened them; and the seats that have standing orders.

Private logs hold the orders; the table has the decision up to which they were judged.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from events.store import Statement, Tables
from service.store.statements import THE_MATCH, THE_SEAT, Queries, insert, read_sql, statement

FIRST = ("bot:", "", -1)
"""The place before all decisions of bots."""

SQL = read_sql("turns")

Place = tuple[str, str, int]
"""Who, match and seat of a decision: where a page ended."""


class Owed(msgspec.Struct, frozen=True):
    """A match in which a bot is asked, and the account that opened it; "" if none of this service did."""

    match: str
    account: str


def owed_in(store: Tables, match_ids: Iterable[str]) -> tuple[Owed, ...]:
    """Return those of the matches in which a bot is asked."""
    lots = (store.find(Statement(SQL["of_match"], {"match": match_id}, match_id)) for match_id in match_ids)
    return tuple(Owed(*row[:2]) for rows in lots for row in rows)


def owed_after(store: Tables, after: Place, most: int) -> tuple[tuple[Owed, ...], Place | None]:
    """Return the matches of at most `most` further decisions of bots, and where to continue; None at the end."""
    who, match, seat = after
    rows = store.find_everywhere(SQL["page"], who=who, match=match, seat=seat, most=most)
    page = sorted(rows, key=lambda row: (row[2], row[0], row[3]))[:most]
    owed = tuple(dict.fromkeys(Owed(*row[:2]) for row in page))
    return owed, (page[-1][2], page[-1][0], page[-1][3]) if len(page) == most else None


class Ordered(Queries):
    """Reads the table."""

    def asked(self, match_id: str) -> tuple[int, ...]:
        """Return the seats of the match with a decision for which their orders were not judged."""
        rows = self._in_match(SQL["asked_in_match"], match_id)
        return tuple(sorted(int(seat) for (seat,) in rows))

    def due(self, after: str, most: int) -> tuple[str, ...]:
        """Return the next matches after that id that have such seats."""
        rows = self._store.find_everywhere(SQL["due"], after=after, most=most)
        return tuple(sorted(str(match) for (match,) in rows)[:most])


begin_orders = insert(
    "orders", "partition match seat judged", "ON CONFLICT (partition, match, seat) DO UPDATE SET judged = 0", judged=0
)
"""Notes that the seat has orders, to be judged for every open decision."""
end_orders = statement("match seat", f"DELETE FROM orders WHERE {THE_SEAT}")
"""Notes that the seat has no orders."""
end_all_orders = statement("match", f"DELETE FROM orders WHERE {THE_MATCH}")
"""Deletes the rows of a match that is over."""
note_judged = statement(
    "match seat decision", f"UPDATE orders SET judged = :decision WHERE {THE_SEAT} AND judged < :decision"
)
"""Notes that the seat's orders play nothing for that decision; no row if known."""
