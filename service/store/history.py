"""The public part of a player's past: their finished matches, and whom they played against.

It has the matches that statistics count: public ones that were opened here and played to their end, no forks.
"""

from __future__ import annotations

import msgspec

from events.store import Row, Statement, Tables
from service.store.lobby import NEWEST

LATELY = 200
"""The number of a player's newest matches in which rivals are counted."""

ENTER = (
    "INSERT INTO history (partition, player, created, match, seat)"
    " VALUES (:partition, :player, :created, :match, :seat) ON CONFLICT DO NOTHING"
)
PAGE = """
SELECT history.match, history.created, history.seat, (
    SELECT events.public FROM events WHERE events.partition = history.partition AND events.stream = history.match
        AND events.type = 'match/Finished' ORDER BY events.version DESC LIMIT 1
) FROM history WHERE history.partition = :partition AND history.player = :player
    AND (history.created, history.match) < (:moment, :after)
ORDER BY history.created DESC, history.match DESC LIMIT :limit
"""
AGAINST = """
WITH page AS (
    SELECT partition, created, match, seat FROM history WHERE partition = :partition AND player = :player
    ORDER BY created DESC, match DESC LIMIT :limit
)
SELECT page.created, page.match, others.player, others.bot, players.name, players.kind
FROM page JOIN seats AS others ON others.partition = :partition AND others.match = page.match
    AND others.seat <> page.seat
LEFT JOIN players ON players.id = others.player
"""


class Past(msgspec.Struct, frozen=True):
    """A finished match of a player."""

    match: str
    created: str
    seat: int
    """The player's."""
    ended: bytes
    """The log's last event, as public bytes."""


class Rival(msgspec.Struct, frozen=True):
    """A player or a bot of the house that a player has met in matches."""

    player: str | None
    bot: str | None
    name: str | None
    kind: str | None
    matches: int
    """In how many of the newest matches."""


class History:
    """Reads these tables."""

    def __init__(self, store: Tables) -> None:
        self._store = store

    def page(self, player: str, limit: int, after: tuple[str, str] = NEWEST) -> tuple[Past, ...]:
        """Return the player's matches, newest first."""
        rows = self._store.find_everywhere(PAGE, player=player, moment=after[0], after=after[1], limit=limit)
        matches = sorted(
            (Past(*(*row[:3], bytes(row[3]))) for row in rows), key=lambda past: (past.created, past.match)
        )
        return tuple(matches[::-1][:limit])

    def rivals(self, player: str, most: int) -> tuple[Rival, ...]:
        """Return at most `most` rivals of the player's newest matches, those met most often first."""
        rows = self._store.find_everywhere(AGAINST, player=player, limit=LATELY)
        newest = set(sorted({row[:2] for row in rows}, reverse=True)[:LATELY])
        met: dict[Row, int] = {}
        for row in rows:
            if row[:2] in newest:
                met[row[2:]] = met.get(row[2:], 0) + 1
        often = sorted(met.items(), key=lambda entry: (-entry[1], entry[0][0] or "", entry[0][1] or ""))
        return tuple(Rival(*(*who, times)) for who, times in often[:most])


def enter(partition: int, player: str, created: str, match: str, seat: int) -> Statement:
    """Return the statement that enters a finished match of the player."""
    row = {"partition": partition, "player": player, "created": created, "match": match, "seat": seat}
    return Statement(ENTER, row)
