"""The follower that counts finished matches: moves, points and firsts, by game, seat, bot and player.

It counts what everybody may see: public matches that were opened here and played to their end. It does not count forks,
since their players may know the cards, nor imported matches, since the service does not know who played them.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from domain.matches import FINISHED, FORKED
from events.chain import Stored
from events.codec import Unreadable
from events.store import Reader, Statement
from replays.log import heading_of
from service.store import PUBLIC, Lobby, results


class _Result(msgspec.Struct, frozen=True):
    points: tuple[int, ...]
    ranking: tuple[int, ...]


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
        first, second = self._log.read(match, 0, 2)
        if second.type == FORKED:
            return ()
        opening = heading_of(match, first.public)
        result = msgspec.json.decode(event.public, type=_Result)
        if not len(result.points) == len(result.ranking) == opening.seats == len(entry.chairs):
            raise Unreadable(f"{match} ends with the points of {len(result.points)} of {opening.seats} seats")
        firsts = result.ranking.count(1)
        statements = [results.count(match, opening.game, opening.seats, event.move)]
        for chair, points, place in zip(entry.chairs, result.points, result.ranking, strict=True):
            for who in (f"seat:{chair.seat}", *(() if chair.is_free else (entry.played_by(chair),))):
                # who has given a seat up does not win with it, but the seat may
                has_quit = chair.resigned and not who.startswith("seat:")
                first_of = firsts if place == 1 and not has_quit else 0
                statements.append(
                    results.credit(match, who, opening.game, opening.seats, firsts=first_of, points=points)
                )
            if chair.player is not None:
                statements.append(results.enter_past(match, chair.player, entry.created, chair.seat))
        return statements
