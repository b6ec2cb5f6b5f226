"""The matches that wait for bots, and the accounts that opened them: by index, and a page at a time."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from events.store import Statement, Tables

FIRST = ("bot:", "", -1)
"""The place before all decisions of bots."""

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
    """A match in which a bot is asked, and the account that opened it; "" if none of this service did."""

    match: str
    account: str


def owed_in(store: Tables, match_ids: Iterable[str]) -> tuple[Owed, ...]:
    """Return those of the matches in which a bot is asked."""
    lots = (store.find(Statement(OF_MATCH, {"match": match_id}, match_id)) for match_id in match_ids)
    return tuple(Owed(*row) for rows in lots for row in rows)


def owed_after(store: Tables, after: Place, most: int) -> tuple[tuple[Owed, ...], Place | None]:
    """Return the matches of at most `most` further decisions of bots, and where to continue; None at the end."""
    who, match, seat = after
    rows = store.find_everywhere(PAGE, who=who, match=match, seat=seat, most=most)
    page = sorted(rows, key=lambda row: (row[2], row[0], row[3]))[:most]
    owed = tuple(dict.fromkeys(Owed(*row[:2]) for row in page))
    return owed, (page[-1][2], page[-1][0], page[-1][3]) if len(page) == most else None
