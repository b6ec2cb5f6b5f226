"""Passing a seat on during play: its player offers it, the others agree, and the new player accepts.

A seat can be offered to a bot too, which accepts by itself. The seat then stays its player's, who may take it back, and
the log says that all have agreed. If the heir is a player, the log says that somebody else plays the seat from now on,
but not who. The new player sees everything that the seat has ever seen, and keeps its nonce; the one who passed it on
sees only what a stranger sees. While answers are given under seal, no seat is passed on: it would show who was asked.

No event tells of an offer before its end. `Besides` tells whether something of that kind has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

import msgspec

from domain import clocks, matches, orders
from domain.game import Refusal
from domain.play import Told
from events.store import Reader
from service import clock
from service.accounts import Accounts
from service.deeds import PLAY, READ, Asker, Deed, Front
from service.limits import DEEDS
from service.matches.change import Changes
from service.matches.orders import standing_of
from service.matches.states import Lobby, Outcome, Position, chairs_with, check_open_to, is_open_to, own_seat, seat_of
from service.problems import Conflict, Malformed, Unknown, unknown_match
from service.signing import digest
from service.store import Entry, Notice, Once, Statement, lobby, notices, people, proposals, talk
from service.store import clocks as timers
from service.store import turns as given

SHOWN = 100
"""The most offers to one player that are listed."""


@dataclass
class SeatOffers:
    """The use cases. They raise Problems, the domain's Refusals and the store's errors."""

    front: Front
    changes: Changes
    found: Lobby
    accounts: Accounts
    wake: Callable[[str], object]
    """Is told the player whom a seat was passed to."""
    left: Callable[[str], object]
    """Is told the match in which a bot got a seat."""

    def of(self, match_id: str, asker: Asker) -> tuple[lobby.Offer, ...]:
        """Return the match's offers: all of them to its players, to others only those to them. Raises Unknown."""
        asker.need(READ, PLAY)
        offered = self.found.offers_of(match_id)
        entry = self.found.find(match_id)
        if entry is not None and seat_of(entry, asker) is not None:
            return offered
        mine = tuple([offer for offer in offered if offer.heir == lobby.Heir(player=asker.player)])
        if entry is None or not (mine or is_open_to(entry, asker)):
            raise unknown_match(match_id)
        return mine

    def mine(self, asker: Asker) -> tuple[lobby.Offer, ...]:
        """Return the offers to the asker, the oldest first."""
        asker.need(READ, PLAY)
        return self.found.offers_to(asker.player, SHOWN)

    def asked(self, asker: Asker) -> tuple[lobby.Offer, ...]:
        """Return the offers in the asker's matches to which they have not agreed yet, the oldest first."""
        asker.need(READ, PLAY)
        return self.found.offers_before(asker.player, SHOWN)

    @Deed("offerSeat", (PLAY,), limits=(DEEDS,))
    def offer(self, asker: Asker, match_id: str, heir: lobby.Heir, *, once: Once | None = None) -> None:
        """Offer the asker's seat to a player or bot. A bot gets it at once if nobody else must agree."""

        def decide(position: Position) -> Sequence[Statement]:
            if not heir.bot:
                self.accounts.find(heir.player)
            seat = own_seat(position.entry, asker)
            clocks.pass_on(position.log.game, position.truth, seat)  # raises Refusal
            if heir.player and any(chair.player == heir.player for chair in position.entry.chairs):
                raise Malformed("player-twice")
            if heir.bot:
                position.log.need_own_rules()
            now = self.front.now()
            entry, version = position.entry, position.truth.version
            told = proposals.propose_to_others(entry, version, proposals.PASSING, seat, now, heir)
            if heir.player:
                told += proposals.propose(entry, version, proposals.SEAT, seat, heir.player, seat, now)
            offered = lobby.offer_seat(match_id, seat, heir, clock.stamp(now))
            return [*people.demand_account(heir.player), *offered, *told]

        self._do(match_id, asker, once, decide)
        if heir.bot and (seat := seat_of(self.found.entry(match_id, asker), asker)) is not None:
            self._pass_on(match_id, seat)

    @Deed("withdrawOffer", (PLAY,), limits=(DEEDS,))
    def withdraw(self, asker: Asker, match_id: str, *, once: Once | None = None) -> None:
        """Withdraw the offer of the asker's seat."""
        self._do(
            match_id, asker, once, lambda position: lobby.withdraw_offer(match_id, own_seat(position.entry, asker))
        )

    @Deed("agreeToOffer", (PLAY,), limits=(DEEDS,))
    def agree(self, asker: Asker, match_id: str, seat: int, heir: lobby.Heir, *, once: Once | None = None) -> None:
        """Agree to an offer. The seat is passed on once all have agreed and the heir has accepted."""

        def decide(position: Position) -> Sequence[Statement]:
            own = own_seat(position.entry, asker)
            offered = self._offer(match_id, seat)
            if offered is None or offered.heir != heir:
                raise Unknown("unknown-offer", seat=seat)
            clocks.pass_on(position.log.game, position.truth, seat)  # raises Refusal
            if own == seat:
                raise Conflict("own-seat", seat=seat)
            return [*people.demand_account(heir.player), lobby.consent(match_id, seat, heir, own)]

        self._do(match_id, asker, once, decide)
        self._pass_on(match_id, seat)

    @Deed("disagreeWithOffer", (PLAY,), limits=(DEEDS,))
    def disagree(self, asker: Asker, match_id: str, seat: int, *, once: Once | None = None) -> None:
        """Withdraw the asker's agreement to an offer."""
        self._do(match_id, asker, once, lambda at: [lobby.dissent(match_id, seat, own_seat(at.entry, asker))])

    @Deed("acceptOffer", (PLAY,), limits=(DEEDS,))
    def accept(self, asker: Asker, match_id: str, seat: int, *, once: Once | None = None) -> None:
        """Accept an offer to the asker; they get the seat once all have agreed. Raises Unknown, Refusal."""

        def decide(position: Position) -> Sequence[Statement]:
            clocks.pass_on(position.log.game, position.truth, seat)  # raises Refusal
            return [lobby.accept_offer(match_id, seat, asker.player)]

        self._do(match_id, asker, once, decide, offered=seat)
        self._pass_on(match_id, seat)

    @Deed("declineOffer", (PLAY,), limits=(DEEDS,))
    def decline(self, asker: Asker, match_id: str, seat: int, *, once: Once | None = None) -> None:
        """Decline an offer to the asker, even if they have accepted it. Raises Unknown."""
        self._do(match_id, asker, once, lambda _: lobby.decline_offer(match_id, seat, asker.player), offered=seat)

    def settle(self, match_id: str) -> None:
        """Pass on the seats to whose offers all agree who still play themselves, since another one has just left."""
        for offer in self.found.offers_of(match_id):
            # an offer may be impossible by now, as one to a bot of a seat that a bot plays
            with suppress(Refusal):
                self._pass_on(match_id, offer.seat)

    def _do(
        self,
        match_id: str,
        asker: Asker,
        once: Once | None,
        decide: Callable[[Position], Sequence[Statement]],
        *,
        offered: int | None = None,
    ) -> None:
        """Write the statements that `decide` returns, if the match has not changed meanwhile; once for the request.

        Shape:   `offered`: the seat that must be offered to the asker; then they need not know of the match otherwise.
        """

        def outcome(position: Position) -> Outcome:
            offer = None if offered is None else self._offer(match_id, offered)
            is_heir = offer is not None and offer.heir == lobby.Heir(player=asker.player)
            if not is_heir:
                check_open_to(position.entry, asker)
            position.check_running()
            if offered is not None and not is_heir:
                raise Unknown("unknown-offer", seat=offered)
            return Outcome(beside=tuple(decide(position)))

        try:
            self.changes.change_once(asker if offered is None else None, match_id, outcome, once)
        except Exception:
            if offered is not None:
                self.of(match_id, asker)  # no error of its log shows that there is such a match
            raise

    def _offer(self, match_id: str, seat: int) -> lobby.Offer | None:
        return next((offer for offer in self.found.offers_of(match_id) if offer.seat == seat), None)

    def _pass_on(self, match_id: str, seat: int) -> None:
        """Give the seat to its heir if everybody agrees. Called after each agreement, so the last one does it."""
        offer: lobby.Offer | None = None

        def decide(position: Position) -> Outcome | None:
            nonlocal offer
            offer = self._offer(match_id, seat)
            if offer is None or position.truth.is_over or not _is_agreed(position.entry, offer):
                return None
            return _handed_over(position, offer) if offer.heir.bot else self._passed_on(position, offer)

        if not self.changes.change(match_id, decide).told or offer is None:
            return
        if offer.heir.player:
            self.wake(offer.heir.player)
        else:
            self.left(match_id)

    def _passed_on(self, position: Position, found: lobby.Offer) -> Outcome:
        log, seat, player = position.log, found.seat, found.heir.player
        entries = clocks.pass_on(log.game, position.truth, seat)
        # the former player may have used up the time of an open decision
        entries += grace(position, entries, seat, self.front.now(), "passed")
        asked = matches.decision_of(log.game, position.truth, seat)
        notes: list[Statement] = []
        if asked:
            now = self.front.now()
            turn = Notice(notices.TURN, log.id, log.game.slug, player, seat, clock.stamp(now), asked)
            notes = notices.note(turn, now)
        stream, head, standing, _ = standing_of(log, seat)
        withdrawn = [orders.told(orders.withdraw(standing, number), seat) for number in sorted(standing)]
        return Outcome(
            told=entries,
            after=position.after(entries),
            private=(self.changes.seal(log, stream, head, *withdrawn),),
            chairs=chairs_with(position.entry, seat, player=player, reserved=None, agreed=False, pausing=False),
            beside=(
                *people.demand_account(player),
                lobby.demand_offer(found),
                *lobby.clear_offers(log.id),
                lobby.sit(log.id, seat, player),
                lobby.reserve(log.id, seat, None),
                # nor does the new player wish what the former one has agreed to
                lobby.disagree(log.id, seat),
                timers.wish(log.id, seat, wish=False),
                given.end_orders(log.id, seat),
                *notes,
            ),
        )


def _handed_over(position: Position, offer: lobby.Offer) -> Outcome:
    """Return the outcome after which the bot plays for the seat's player, and the match's offers are cleared."""
    position.log.need_own_rules()
    bot = offer.heir.bot
    entries = clocks.hand_over(position.log.game, position.truth, offer.seat, bot, "agreement")
    outcome = handed(position, entries, offer.seat, bot)
    # the demand that the offer is unchanged must come before the offers are cleared
    beside = (lobby.demand_offer(offer), *outcome.beside, *lobby.clear_offers(offer.match))
    return msgspec.structs.replace(outcome, beside=beside)


def _is_agreed(entry: Entry, offer: lobby.Offer) -> bool:
    """Return whether the heir has accepted and all others agree; bots always do both."""
    others = {chair.seat for chair in entry.chairs if chair.is_asked_itself and chair.seat != offer.seat}
    return offer.accepted and others <= set(offer.agreed)


def handed(
    position: Position, entries: tuple[Told, ...], seat: int, bot: str | None, *, is_resigned: bool = False
) -> Outcome:
    """Return the outcome of these events, after which the bot plays for the seat's player, or (None) no bot does."""
    beside = [lobby.stand_in(position.log.id, seat, bot, resigned=is_resigned)]
    if is_resigned:
        # there is no seat to offer any more
        beside += lobby.withdraw_offer(position.log.id, seat)
    chairs = chairs_with(position.entry, seat, stand_in=bot, resigned=is_resigned)
    return position.told(entries, *beside, chairs=chairs)


def grace(
    position: Position, entries: tuple[Told, ...], seat: int, now: datetime, why: Literal["return", "passed"]
) -> tuple[Told, ...]:
    """Return the events that give the seat's new player time for an open decision, if hardly any is left.

    They keep what is left or get a bounded grace, once for each decision; otherwise a seat that changes hands again and
    again would have time for ever.
    """
    game, state = position.log.game, position.after(entries)
    due = matches.due_of(game, state, seat)
    if due is None:
        return ()
    left = datetime.fromisoformat(clock.later(due.at, due.later)) - datetime.fromisoformat(clock.stamp(now))
    return clocks.give_grace(game, state, seat, left // timedelta(milliseconds=1), why)


class Marks(msgspec.Struct, frozen=True):
    """Marks of what is in no event of a match. A mark changes when that changes."""

    beside: str
    """The mark of who agrees to what, of seats that are kept or offered, and of the rematch."""
    talk: int | None
    """The number of the last change of the messages at the table; null for those who do not sit there."""


class Known(msgspec.Struct, frozen=True):
    """The match as its lobby knows it, with what its stream may say to those who sit there, and to others."""

    entry: Entry
    of_seats: Marks
    of_others: Marks

    def told(self, asker: Asker) -> Marks:
        """Return what the asker may be told."""
        return self.of_others if seat_of(self.entry, asker) is None else self.of_seats


class Besides:
    """Reads what is in no event of a match: who agrees to what, for whom seats are kept, and that something was said.

    On request, streams of a match say that this has changed, but not how: the API and the page say how, to those who
    may know it. Nothing here depends on what is answered under seal.
    """

    def __init__(self, store: Reader, found: lobby.Lobby) -> None:
        self._spoken = talk.Spoken(store)
        self._lobby = found

    def known(self, match_id: str) -> Known | None:
        """Return what is known of the match now; None if there is no such match."""
        if (entry := self._lobby.find(match_id)) is None:
            return None
        seats = [(one.reserved, one.agreed, one.pausing, one.player_kind) for one in entry.chairs]
        public = f"{entry.rematch or ''} {seats}"
        offered = [(one.seat, one.heir, one.accepted, one.agreed) for one in self._lobby.offers_of(match_id)]
        return Known(
            entry,
            Marks(digest(f"{public} {offered}")[:16], self._spoken.last(match_id)),
            Marks(digest(public)[:16], None),
        )

    def told(self, match_id: str, asker: Asker) -> Marks | None:
        """Return what the asker may be told now; None if there is no such match."""
        known = self.known(match_id)
        return None if known is None else known.told(asker)
