"""What everybody may look at of a player's past: their finished matches, and against whom they were played.

Entered are the matches that statistics count: public ones that were opened here and played to their end, no forks.
"""

from __future__ import annotations

import msgspec

from events.store import Row, Statement, Tables
from service.store.lobby import NEWEST

LATELY = 200
"""Of how many matches, the newest ones, it is reckoned against whom they were."""

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
    """A finished match of a player's."""

    match: str
    created: str
    seat: int
    """Theirs."""
    ended: bytes
    """What the log says of how it ended."""


class Rival(msgspec.Struct, frozen=True):
    """Somebody whom a player met in matches: a player or a bot of the house."""

    player: str | None
    bot: str | None
    name: str | None
    kind: str | None
    matches: int
    """How many of the newest ones."""


class History:
    """Reads it."""

    def __init__(self, store: Tables) -> None:
        self._store = store

    def page(self, player: str, limit: int, after: tuple[str, str] = NEWEST) -> tuple[Past, ...]:
        """The player's matches, the newest first."""
        rows = self._store.find_everywhere(PAGE, player=player, moment=after[0], after=after[1], limit=limit)
        found = sorted((Past(*(*row[:3], bytes(row[3]))) for row in rows), key=lambda one: (one.created, one.match))
        return tuple(found[::-1][:limit])

    def rivals(self, player: str, most: int) -> tuple[Rival, ...]:
        """Against whom the player's newest matches were, so many at most: whom they met most often first."""
        rows = self._store.find_everywhere(AGAINST, player=player, limit=LATELY)
        newest = set(sorted({row[:2] for row in rows}, reverse=True)[:LATELY])
        met: dict[Row, int] = {}
        for row in rows:
            if row[:2] in newest:
                met[row[2:]] = met.get(row[2:], 0) + 1
        often = sorted(met.items(), key=lambda one: (-one[1], one[0][0] or "", one[0][1] or ""))
        return tuple(Rival(*(*who, times)) for who, times in often[:most])


def enter(partition: int, player: str, created: str, match: str, seat: int) -> Statement:
    """A match of the player's has ended."""
    row = {"partition": partition, "player": player, "created": created, "match": match, "seat": seat}
    return Statement(ENTER, row)
