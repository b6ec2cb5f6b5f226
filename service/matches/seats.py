"""Seats before the start: taken, left, kept for players who are invited, and links by which anybody may sit down."""

from __future__ import annotations

from collections.abc import Callable

from domain import play
from domain.game import Refusal
from domain.matches import Status
from domain.play import Told
from service import clock
from service.accounts import Accounts
from service.deeds import CREATE, PLAY, READ, Asker, Deed, Front
from service.limits import DEEDS, INVITATIONS, SITTINGS
from service.matches.change import Changes
from service.matches.states import Lobby, Outcome, Position, chairs_with, check_seat, page_of, parse_cursor, seat_of
from service.problems import Conflict, Forbidden, Malformed
from service.signing import NotOurs, Signer
from service.store import LINK, Entry, Notice, Once, Statement, listing, lobby, notices, people

A_PLAYER = 5
"""The most times that one player may sit down in a match."""

A_SEAT = 10
"""The most times, for each seat, that players may sit down in a match; its opener and invited players always may."""

MOST_INVITED = 50
"""The most open invitations of one player to others."""

PURPOSE = "match-link"


class Seats:
    """The use cases. They raise Problems, the domain's Refusals and the store's errors."""

    def __init__(self, changes: Changes, found: Lobby, accounts: Accounts) -> None:
        self._changes = changes
        self._lobby = found
        self._accounts = accounts
        self.front = changes.front

    @Deed("takeSeat", (PLAY,), limits=(SITTINGS,))
    def take(
        self, asker: Asker, match_id: str, wanted: int | None, nonce: str = "", *, once: Once | None = None
    ) -> int:
        """Sit down on the wanted or the first free seat; the last player starts the match. Returns the version then."""
        return self._sit(asker, match_id, lambda _: wanted, nonce, once)

    @Deed("acceptInvitation", (PLAY,), limits=(SITTINGS,))
    def accept(self, asker: Asker, match_id: str, nonce: str = "", *, once: Once | None = None) -> int:
        """Sit down on the seat that is kept for the asker. Returns the version after it. Raises Conflict for none."""
        return self._sit(asker, match_id, lambda entry: kept_seats(entry, asker)[0], nonce, once)

    def _sit(
        self, asker: Asker, match_id: str, wanted: Callable[[Entry], int | None], nonce: str, once: Once | None
    ) -> int:
        def decide(position: Position) -> Outcome:
            self._accounts.player(asker)  # raises Unauthorized if it was erased meanwhile
            log, entry, truth = position.log, position.entry, position.truth
            wish = wanted(entry)
            if (seated := seat_of(entry, asker)) is not None:
                raise Conflict("already-seated", seat=seated)
            log.need_own_rules()
            seat = free_seat(entry, asker, wish, truth.taken)
            check_sittings(entry, asker, self._lobby.sittings(match_id))
            entries = play.take_seat(log.game, truth, seat, nonce)
            sat = (*people.demand_account(asker.player), lobby.note_sitting(match_id, asker.player))
            return seated_as(position, entries, seat, asker.player, *sat)

        return self._changes.change_once(asker, match_id, decide, once)

    @Deed("leaveSeat", (PLAY,), limits=(DEEDS,))
    def leave(self, asker: Asker, match_id: str, *, once: Once | None = None) -> int:
        """Leave the asker's seat before the match starts. Returns the version after it."""

        def decide(position: Position) -> Outcome:
            seat = seat_of(position.entry, asker)
            if seat is None:
                raise Conflict("not-seated")
            position.log.need_own_rules()
            return seated_as(position, play.leave_seat(position.truth, seat), seat, None)

        return self._changes.change_once(asker, match_id, decide, once)

    def invited(self, asker: Asker, limit: int, cursor: str | None) -> tuple[tuple[lobby.Invitation, ...], str | None]:
        """Return the asker's invitations, in the newest match first, and the cursor to older ones. Raises Malformed."""
        asker.need(READ, PLAY)
        kept = self._lobby.kept(asker.player, limit + 1, parse_cursor("kept", cursor))
        return page_of("kept", kept, limit, lambda seat: (seat.created, seat.match))

    @Deed("declineInvitation", (PLAY,), limits=(DEEDS,))
    def decline(self, asker: Asker, match_id: str, *, once: Once | None = None) -> None:
        """Decline the asker's invitation; they can't be invited to the match again. Raises Conflict, Unknown."""

        def decide(position: Position) -> Outcome:
            entry = position.entry
            if (seat := seat_of(entry, asker)) is not None:
                raise Conflict("already-seated", seat=seat)
            beside = [lobby.reserve(match_id, seat, None) for seat in kept_seats(entry, asker)]
            if entry.status == Status.OPEN:
                beside.append(lobby.decline(match_id, asker.player))
            return Outcome(beside=listing.keep(match_id, beside))

        self._changes.change_once(asker, match_id, decide, once)

    @Deed("giveSeat", (CREATE,), by_said=(DEEDS, INVITATIONS))
    def give(self, asker: Asker, match_id: str, seat: int, player: str | None, *, once: Once | None = None) -> None:
        """Keep a free seat of the asker's match for the player, or (None) for nobody; nobody else keeps it."""
        guest = None if player == asker.player else player
        self.front.count(asker, (DEEDS if guest is None else INVITATIONS,), once)

        def decide(position: Position) -> Outcome:
            self._check_seat(position.entry, asker, seat)
            beside = [lobby.reserve(match_id, seat, player)]
            if player is not None:
                self._accounts.find(player)
                room = self._check(position.entry, asker, player, seat)
                beside = [*people.demand_accounts([asker.player, player]), *room, *beside]
            if guest is not None:
                # no event tells of it, so the player's notice is part of the transaction
                now, game = clock.now(), position.entry.game
                beside += notices.note(Notice(notices.INVITATION, match_id, game, guest, seat, clock.stamp(now)), now)
            return Outcome(beside=listing.keep(match_id, beside))

        self._changes.change_once(asker, match_id, decide, once)

    def check_room(self, asker: Asker, more: int) -> list[Statement]:
        """Return the statements that fail if that many more invitations are too many for the asker by then.

        Raises:  Conflict if they are now.
        """
        if not more:
            return []
        counted = self._accounts.people.counted(people.INVITED, asker.player)
        room = MOST_INVITED - more - sum(counted)
        if room < 0:
            raise Conflict("too-many-invitations", standing=sum(counted), most=MOST_INVITED)
        return people.demand_counted(people.INVITED, asker.player, counted, room)

    def _check_seat(self, entry: Entry, asker: Asker, seat: int) -> None:
        if asker.player != entry.creator:
            raise Forbidden("not-creator")
        if entry.status != Status.OPEN:
            raise Refusal("", "not-open")
        check_seat(entry, seat)
        if not entry.chairs[seat].is_free:
            raise Refusal("", "seat-taken", seat=seat)

    def _check(self, entry: Entry, asker: Asker, player: str, seat: int) -> list[Statement]:
        if player == entry.chairs[seat].reserved:
            return []
        if any(player in {chair.player, chair.reserved} for chair in entry.chairs):
            raise Malformed("player-twice")
        if player in self._lobby.declined(entry.id):
            raise Conflict("has-declined")
        return self.check_room(asker, int(player != asker.player))


def seated_as(
    position: Position, entries: tuple[Told, ...], seat: int, player: str | None, *beside: Statement
) -> Outcome:
    """Return the outcome of these events, after which the player sits on the seat, or (None) nobody does."""
    chairs = chairs_with(position.entry, seat, player=player)
    return position.told(entries, *beside, lobby.sit(position.entry.id, seat, player), chairs=chairs)


def kept_seats(entry: Entry, asker: Asker) -> list[int]:
    """Return the seats that are kept for the asker. Raises Conflict if there are none."""
    kept = [chair.seat for chair in entry.chairs if chair.reserved == asker.player]
    if not kept:
        raise Conflict("not-invited")
    return kept


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
    check_seat(entry, wanted)
    if entry.chairs[wanted].reserved not in {None, asker.player}:
        raise Forbidden("seat-reserved", seat=wanted)
    return wanted


class Links:
    """The use cases of links: whoever has a link may look on and sit down. They raise Problems and the store's errors.

    A link contains a signed token, which is not stored. The token names the match and the link's number. When the
    match's opener renews the link, it gets the next number, and the old link is void.
    """

    def __init__(self, found: Lobby, signer: Signer, front: Front, wake: Callable[[str], None]) -> None:
        """`wake` wakes those who wait for a match."""
        self.front = front
        self._lobby = found
        self._signer = signer
        self._wake = wake

    def read(self, token: str) -> tuple[str, int] | None:
        """Return the match and the link's number from a token; None if the token was not signed here."""
        try:
            match_id, number = self._signer.read(PURPOSE, token)
        except (NotOurs, TypeError, ValueError):
            return None
        return match_id, number

    def token(self, match_id: str, asker: Asker) -> str:
        """Return the token of the match's link. Raises Unknown if the asker may not know of the match, Conflict."""
        asker.need(READ, PLAY, CREATE)
        return self._token(self._linked(match_id, asker))

    @Deed("renewLink", (CREATE,), limits=(DEEDS,))
    def renew(self, asker: Asker, match_id: str, *, once: Once | None = None) -> str:
        """Make the match's link void, and return the token of a new one. Raises Unknown, Conflict, Forbidden."""
        entry = self._linked(match_id, asker)
        if asker.player != entry.creator:
            raise Forbidden("not-opener")
        assert entry.link is not None, "its visibility is LINK"
        # of two requests at once only one renews it
        renewed = lobby.renew_link(match_id, entry.link)
        self.front.write_once(once, [renewed])
        # who came by the old link waits and reads no longer
        self._wake(match_id)
        return self._token(self._linked(match_id, asker))

    def _linked(self, match_id: str, asker: Asker) -> Entry:
        entry = self._lobby.entry(match_id, asker)
        if entry.visibility != LINK:
            raise Conflict("no-link", visibility=entry.visibility)
        return entry

    def _token(self, entry: Entry) -> str:
        return self._signer.sign(PURPOSE, [entry.id, entry.link])
