"""Taking and leaving seats before the start. Both are events, so how often a player may sit down is limited."""

from __future__ import annotations

import msgspec

from domain import play
from domain.play import Told
from service.deeds import PLAY, Asker, Deed
from service.limits import DEEDS, SITTINGS
from service.matches.change import Changes, Outcome
from service.matches.lobby import Lobby, check_open_to, seat_of
from service.matches.states import Position
from service.problems import Conflict, Forbidden, unknown_seat
from service.store import Entry, Once, Statement, lobby

A_PLAYER = 5
"""The most times that one player may sit down in a match."""

A_SEAT = 10
"""The most times, for each seat, that players may sit down in a match; its opener and invited players always may."""


class Seats:
    """The use cases. They raise Problems, the domain's Refusals and the store's errors."""

    def __init__(self, changes: Changes, found: Lobby) -> None:
        self._changes = changes
        self._lobby = found
        self.front = changes.front

    @Deed("takeSeat", (PLAY,), limits=(SITTINGS,))
    def take(
        self, asker: Asker, match_id: str, wanted: int | None, nonce: str = "", *, once: Once | None = None
    ) -> int:
        """Sit down on the wanted seat, or on the first free one; the last player to sit down starts the match.

        Returns the version after it.
        """
        self._lobby.entry(match_id, asker)
        return self._sit(asker, match_id, wanted, nonce, once)

    @Deed("acceptInvitation", (PLAY,), limits=(SITTINGS,))
    def accept(self, asker: Asker, match_id: str, nonce: str = "", *, once: Once | None = None) -> int:
        """Sit down on the seat that is kept for the asker. Returns the version after it. Raises Conflict for none."""
        entry = self._lobby.entry(match_id, asker)
        kept = next((chair.seat for chair in entry.chairs if chair.reserved == asker.player), None)
        if kept is None and self.front.answer(once) is None:
            raise Conflict("not-invited")
        return self._sit(asker, match_id, kept, nonce, once)

    def _sit(self, asker: Asker, match_id: str, wanted: int | None, nonce: str, once: Once | None) -> int:
        def decide(position: Position) -> Outcome:
            log, entry, truth = position.log, position.entry, position.truth
            check_open_to(entry, asker)
            if (seated := seat_of(entry, asker)) is not None:
                raise Conflict("already-seated", seat=seated)
            log.need_own_rules()
            seat = free_seat(entry, asker, wanted, truth.taken)
            check_sittings(entry, asker, self._lobby.sittings(match_id))
            entries = play.take_seat(log.game, truth, seat, nonce)
            return seated_as(position, entries, seat, asker.player, lobby.note_sitting(match_id, asker.player))

        return self._changes.change_once(match_id, decide, once)

    @Deed("leaveSeat", (PLAY,), limits=(DEEDS,))
    def leave(self, asker: Asker, match_id: str, *, once: Once | None = None) -> int:
        """Leave the asker's seat before the match starts. Returns the version after it."""

        def decide(position: Position) -> Outcome:
            check_open_to(position.entry, asker)
            seat = seat_of(position.entry, asker)
            if seat is None:
                raise Conflict("not-seated")
            position.log.need_own_rules()
            return seated_as(position, play.leave_seat(position.truth, seat), seat, None)

        return self._changes.change_once(match_id, decide, once)


def seated_as(
    position: Position, entries: tuple[Told, ...], seat: int, player: str | None, *beside: Statement
) -> Outcome:
    """Return the outcome of these events, after which the player sits on the seat, or (None) nobody does."""
    chairs = tuple(
        msgspec.structs.replace(chair, player=player) if chair.seat == seat else chair
        for chair in position.entry.chairs
    )
    statements = (lobby.sit(position.entry.id, seat, player), *beside)
    return Outcome(told=entries, after=position.after(entries), chairs=chairs, beside=statements)


def check_sittings(entry: Entry, asker: Asker, times: dict[str, int]) -> None:
    """Raise Conflict if the asker, or all players together, sat down too often. `times`: how often, by player."""
    if times.get(asker.player, 0) >= A_PLAYER:
        raise Conflict("seated-too-often", times=A_PLAYER)
    is_expected = asker.player == entry.creator or any(chair.reserved == asker.player for chair in entry.chairs)
    if not is_expected and sum(times.values()) >= A_SEAT * len(entry.chairs):
        raise Conflict("seats-taken-too-often")


def free_seat(entry: Entry, asker: Asker, wanted: int | None, taken: tuple[bool, ...]) -> int:
    """Return the wanted seat, or else the one that is kept for the asker, or else the first free one.

    Shape:   `taken`: the taken seats by the log, since the lobby does not know who sits in an imported match.
    Raises:  Conflict if no seat is free; Unknown if there is no such seat; Forbidden if it is kept for another.
    """
    if wanted is None:
        free = [
            chair
            for chair in entry.chairs
            if chair.is_free and not taken[chair.seat] and chair.reserved in {None, asker.player}
        ]
        if not free:
            raise Conflict("no-free-seat")
        return min(free, key=lambda chair: (chair.reserved is None, chair.seat)).seat
    if not 0 <= wanted < len(entry.chairs):
        raise unknown_seat(wanted, len(entry.chairs))
    if entry.chairs[wanted].reserved not in {None, asker.player}:
        raise Forbidden("seat-reserved", seat=wanted)
    return wanted
