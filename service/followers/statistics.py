"""The follower that counts finished matches: moves, points and firsts, by game, seat, bot and player.

It counts what everybody may see: public matches that were opened here and played to their end. It does not count forks,
since their players may know the cards, nor imported matches, since the service does not know who played them.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from domain.matches import FINISHED, FORKED, OPENED
from events.chain import Stored
from events.store import Reader, Statement
from service.store import PUBLIC, Lobby, results


class _Opening(msgspec.Struct, frozen=True):
    game: str
    seats: int


class _Result(msgspec.Struct, frozen=True):
    points: tuple[int, ...]
    ranking: tuple[int, ...]


class Misplaced(ValueError):
    """The log has not the form of a log, so nothing in it can be counted."""


class Counting:
    """The handler that counts finished matches."""

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
        firsts = result.ranking.count(1)
        statements = [results.count(match, opening.game, opening.seats, event.move)]
        for seat, (points, place) in enumerate(zip(result.points, result.ranking, strict=True)):
            for who in (f"seat:{seat}", whose.get(seat)):
                if who is not None:
                    first_of = firsts if place == 1 else 0
                    statements.append(
                        results.credit(match, who, opening.game, opening.seats, firsts=first_of, points=points)
                    )
        statements += (
            results.enter_past(match, chair.player, entry.created, chair.seat)
            for chair in entry.chairs
            if chair.player is not None
        )
        return statements
