"""Invitations: seats that are kept for a player, who may take or decline them."""

from __future__ import annotations

from domain.game import Refusal
from domain.matches import Status
from service import clock
from service.accounts import Accounts
from service.deeds import CREATE, PLAY, READ, Asker, Deed
from service.limits import DEEDS, INVITATIONS
from service.matches.change import Changes, Outcome
from service.matches.lobby import Lobby, check_open_to, format_cursor, parse_cursor, seat_of
from service.matches.states import Position
from service.problems import Conflict, Forbidden, Malformed, unknown_seat
from service.store import NEWEST, Entry, Notice, Once, Statement, listing, lobby, notices

MOST = 50
"""The most open invitations of one player to others."""


class Invitations:
    """The use cases. They raise Problems, the domain's Refusals and the store's errors."""

    def __init__(self, changes: Changes, found: Lobby, accounts: Accounts) -> None:
        self._changes = changes
        self._lobby = found
        self._accounts = accounts
        self.front = changes.front

    def page(self, asker: Asker, limit: int, cursor: str | None) -> tuple[tuple[lobby.Invitation, ...], str | None]:
        """Return the asker's invitations, in the newest match first, and the cursor to older ones. Raises Malformed."""
        asker.need(READ, PLAY)
        place = NEWEST if cursor is None else parse_cursor(cursor)
        kept = self._lobby.kept(asker.player, limit + 1, place)
        page = kept[:limit]
        more = format_cursor(page[-1].created, page[-1].match) if len(kept) > limit else None
        return page, more

    @Deed("declineInvitation", (PLAY,), limits=(DEEDS,))
    def decline(self, asker: Asker, match_id: str, *, once: Once | None = None) -> None:
        """Decline the asker's invitation; they can't be invited to the match again. Raises Conflict, Unknown."""

        def decide(position: Position) -> Outcome:
            entry = position.entry
            check_open_to(entry, asker)
            if (seat := seat_of(entry, asker)) is not None:
                raise Conflict("already-seated", seat=seat)
            kept = [chair.seat for chair in entry.chairs if chair.reserved == asker.player]
            if not kept:
                raise Conflict("not-invited")
            beside = [lobby.reserve(match_id, seat, None) for seat in kept]
            if entry.status == Status.OPEN:
                beside.append(lobby.decline(match_id, asker.player))
            return Outcome(beside=listing.keep(match_id, beside))

        self._changes.change_once(match_id, decide, once)

    @Deed("giveSeat", (CREATE,), limits=(INVITATIONS,))
    def give(self, asker: Asker, match_id: str, seat: int, player: str | None, *, once: Once | None = None) -> None:
        """Keep a free seat for the player, or (None) for nobody; whoever it was kept for loses it.

        Raises:  Forbidden if the asker has not opened the match; Conflict, Malformed, Unknown, Refusal.
        """
        self._lobby.entry(match_id, asker)

        def decide(position: Position) -> Outcome:
            self._check_seat(position.entry, asker, seat)
            if player is not None and player != position.entry.chairs[seat].reserved:
                self._check(position.entry, asker, player)
            told = self._told(position.entry, asker, seat, player)
            return Outcome(beside=listing.keep(match_id, (lobby.reserve(match_id, seat, player), *told)))

        self._changes.change_once(match_id, decide, once)

    def _told(self, entry: Entry, asker: Asker, seat: int, player: str | None) -> list[Statement]:
        """Return the player's notice, for the transaction itself: no event tells of it."""
        if player is None or player == asker.player:
            return []
        now = clock.now()
        told = Notice(notices.INVITATION, entry.id, entry.game, player, seat, clock.stamp(now))
        return notices.note(told, now)

    def check_room(self, asker: Asker, more: int) -> None:
        """Raise Conflict if that many more invitations would be too many for the asker."""
        standing = self._lobby.standing(asker.player)
        if more and standing + more > MOST:
            raise Conflict("too-many-invitations", standing=standing, most=MOST)

    def _check_seat(self, entry: Entry, asker: Asker, seat: int) -> None:
        check_open_to(entry, asker)
        if asker.player != entry.creator:
            raise Forbidden("not-creator")
        if entry.status != Status.OPEN:
            raise Refusal("", "not-open")
        if not 0 <= seat < len(entry.chairs):
            raise unknown_seat(seat, len(entry.chairs))
        if not entry.chairs[seat].is_free:
            raise Refusal("", "seat-taken", seat=seat)

    def _check(self, entry: Entry, asker: Asker, player: str) -> None:
        self._accounts.find(player)
        if any(player in {chair.player, chair.reserved} for chair in entry.chairs):
            raise Malformed("player-twice")
        if self._lobby.has_declined(entry.id, player):
            raise Conflict("has-declined")
        self.check_room(asker, int(player != asker.player))
