"""Which matches wait for their bots, and by whom these matches were opened: by index, and a page at a time."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from events.store import Statement, Tables

FIRST = ("bot:", "", -1)
"""Before this place every decision of a bot stands."""

OF_MATCH = """
SELECT decisions.match, coalesce(matches.creator, '') FROM decisions
LEFT JOIN matches ON matches.partition = decisions.partition AND matches.id = decisions.match
WHERE decisions.partition = :partition AND decisions.match = :match
    AND decisions.who >= 'bot:' AND decisions.who < 'bot;' LIMIT 1
"""
PAGE = """
SELECT decisions.match, coalesce(matches.creator, ''), decisions.who, decisions.seat FROM decisions
LEFT JOIN matches ON matches.partition = decisions.partition AND matches.id = decisions.match
WHERE decisions.partition = :partition AND decisions.who >= 'bot:' AND decisions.who < 'bot;'
    AND (decisions.who, decisions.match, decisions.seat) > (:who, :match, :seat)
ORDER BY decisions.who, decisions.match, decisions.seat LIMIT :most
"""

Place = tuple[str, str, int]
"""Who, match and seat of a decision: where a page ended."""


class Owed(msgspec.Struct, frozen=True):
    """A match in which a bot is asked, and the account that opened it; "" where nobody of ours did."""

    match: str
    account: str


def owed_in(store: Tables, match_ids: Iterable[str]) -> tuple[Owed, ...]:
    """Those of the matches in which a bot is asked."""
    found = (store.find(Statement(OF_MATCH, {"match": match_id}, match_id)) for match_id in match_ids)
    return tuple(Owed(*row) for rows in found for row in rows)


def owed_after(store: Tables, after: Place, most: int) -> tuple[tuple[Owed, ...], Place | None]:
    """The matches of the next open decisions of bots, so many at most, and where to go on; None at the end."""
    who, match, seat = after
    rows = store.find_everywhere(PAGE, who=who, match=match, seat=seat, most=most)
    page = sorted(rows, key=lambda row: (row[2], row[0], row[3]))[:most]
    found = tuple(dict.fromkeys(Owed(*row[:2]) for row in page))
    return found, (page[-1][2], page[-1][0], page[-1][3]) if len(page) == most else None
