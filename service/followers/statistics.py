"""The follower that counts finished matches: moves, points and firsts, by game, seat, bot and player.

Counted is what everybody may look at: public matches that were opened here and played to their end. Forks are not, for
who plays one may know its cards; nor are matches that were brought in, of which nobody here knows who played.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from domain.matches import FINISHED, FORKED, OPENED
from events.envelope import Stored
from events.store import Reader, Statement, partition_of
from service.store import PUBLIC, Lobby, history, statistics


class _Opening(msgspec.Struct, frozen=True):
    game: str
    seats: int


class _Result(msgspec.Struct, frozen=True):
    points: tuple[int, ...]
    ranking: tuple[int, ...]


class Misplaced(ValueError):
    """The log is not as logs are, so nothing can be counted of it."""


class Counting:
    """See `Handler`."""

    name = "statistics"

    def __init__(self, log: Reader) -> None:
        self._log = log
        self._lobby = Lobby(log)

    def effect(self, event: Stored) -> Iterable[Statement]:
        """See `Handler.effect`."""
        if event.type != FINISHED:
            return ()
        match = event.stream
        entry = self._lobby.find(match)
        if entry is None or entry.creator is None or entry.visibility != PUBLIC:
            return ()
        first, *more = self._log.read(match, 0, 2)
        if first.type != OPENED:
            raise Misplaced(f"{match} begins with {first.type}")
        if more[0].type == FORKED:
            return ()
        opening = msgspec.json.decode(first.public, type=_Opening)
        result = msgspec.json.decode(event.public, type=_Result)
        if not len(result.points) == len(result.ranking) == opening.seats:
            raise Misplaced(f"{match} ends with the points of {len(result.points)} of {opening.seats} seats")
        whose = {chair.seat: chair.who for chair in entry.chairs if not chair.is_free}
        partition, firsts = partition_of(match, self._log.partitions), result.ranking.count(1)
        told = [statistics.count(partition, opening.game, opening.seats, event.move)]
        for seat, (points, place) in enumerate(zip(result.points, result.ranking, strict=True)):
            for who in (f"seat:{seat}", whose.get(seat)):
                if who is not None:
                    first_of = firsts if place == 1 else 0
                    told.append(
                        statistics.credit(partition, who, opening.game, opening.seats, firsts=first_of, points=points)
                    )
        told += (
            history.enter(partition, chair.player, entry.created, match, chair.seat)
            for chair in entry.chairs
            if chair.player is not None
        )
        return told
