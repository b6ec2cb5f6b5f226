"""A seat that is passed on during play: its player offers it, the others agree, and the new player accepts.

To a bot it is offered as well, which accepts by itself: the seat stays its player's, who may take it back, and the log
says that all have agreed. Of a player the log says that somebody else plays the seat from then on, and not who. The new
player sees all that the seat has ever seen, its nonce stays, and who passed it on sees as little as a stranger. While
answers are under seal nobody comes or goes, lest it tell who was asked.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from domain import clocks, matches, orders
from domain.game import Refusal
from events.store import Write
from replays.log import Log, private_stream
from service import clock
from service.accounts import Accounts
from service.deeds import PLAY, READ, Asker, Deed
from service.limits import DEEDS
from service.matches.change import Changes, Outcome
from service.matches.handing import grace, handed
from service.matches.lobby import Lobby, check_open_to, is_open_to, seat_of
from service.matches.states import Position
from service.problems import Conflict, Forbidden, Malformed, Unknown, unknown_match
from service.store import Chair, Entry, Notice, Once, Statement, lobby, notices, offers
from service.store import clocks as timers
from service.store import orders as given

SHOWN = 100
"""Offers to one player that are listed."""


class SeatOffers:
    """The use cases. They raise Problems, the domain's Refusals and the store's errors."""

    def __init__(
        self,
        changes: Changes,
        kept: offers.Offers,
        found: Lobby,
        accounts: Accounts,
    ) -> None:
        self._changes = changes
        self._offers = kept
        self._lobby = found
        self._accounts = accounts
        self.front = changes.front
        self._now = changes.front.now

    def of(self, match_id: str, asker: Asker) -> tuple[offers.Offer, ...]:
        """What is offered in a match: for who sits there, and to whom it is offered that one. Raises Unknown."""
        asker.need(READ, PLAY)
        found = self._offers.of(match_id)
        entry = self._lobby.find(match_id)
        if entry is not None and seat_of(entry, asker) is not None:
            return found
        mine = tuple([one for one in found if one.heir == offers.Heir(player=asker.player)])
        if entry is None or not (mine or is_open_to(entry, asker)):
            raise unknown_match(match_id)
        return mine

    def mine(self, asker: Asker) -> tuple[offers.Offer, ...]:
        """What is offered to the asker, the oldest first."""
        asker.need(READ, PLAY)
        return self._offers.to(asker.player, SHOWN)

    def asked(self, asker: Asker) -> tuple[offers.Offer, ...]:
        """What others would pass on where the asker sits too and has not agreed, the oldest first."""
        asker.need(READ, PLAY)
        return self._offers.before(asker.player, SHOWN)

    @Deed("offerSeat", (PLAY,), limits=(DEEDS,))
    def offer(self, asker: Asker, match_id: str, heir: offers.Heir, *, once: Once | None = None) -> None:
        """Offer one's own seat to the player or bot, who has it at once if nobody else is to be asked.

        Raises:  Unknown, Forbidden, Malformed, Refusal.
        """
        if not heir.bot:
            self._accounts.need(heir.player)

        def decide(position: Position) -> tuple[Statement, ...]:
            seat = _own_seat(position.entry, asker)
            clocks.pass_on(position.log.game, position.truth, seat)  # refuses
            if heir.player and any(chair.player == heir.player for chair in position.entry.chairs):
                raise Malformed("player-twice")
            if heir.bot:
                position.log.need_own_rules()
            return tuple(offers.offer(match_id, seat, heir, clock.stamp(self._now())))

        self._do(match_id, asker, once, decide)
        if heir.bot and (seat := seat_of(self._entry(match_id), asker)) is not None:
            self._pass_on(match_id, seat)

    @Deed("withdrawOffer", (PLAY,), limits=(DEEDS,))
    def withdraw(self, asker: Asker, match_id: str, *, once: Once | None = None) -> None:
        """Offer one's seat to nobody."""
        self._do(
            match_id,
            asker,
            once,
            lambda position: tuple(offers.drop(match_id, _own_seat(position.entry, asker))),
        )

    @Deed("agreeToOffer", (PLAY,), limits=(DEEDS,))
    def agree(self, asker: Asker, match_id: str, seat: int, heir: offers.Heir, *, once: Once | None = None) -> None:
        """Agree that the seat is passed on to that player or bot, which it is once all have agreed and they accept."""

        def decide(position: Position) -> tuple[Statement, ...]:
            own = _own_seat(position.entry, asker)
            self._check_offered(match_id, seat, heir)
            clocks.pass_on(position.log.game, position.truth, seat)  # refuses
            if own == seat:
                raise Conflict("own-seat", seat=seat)
            return (offers.consent(match_id, seat, heir, own),)

        self._do(match_id, asker, once, decide)
        self._pass_on(match_id, seat)

    @Deed("disagreeWithOffer", (PLAY,), limits=(DEEDS,))
    def disagree(self, asker: Asker, match_id: str, seat: int, *, once: Once | None = None) -> None:
        """Agree no longer."""
        self._do(
            match_id,
            asker,
            once,
            lambda position: (offers.dissent(match_id, seat, _own_seat(position.entry, asker)),),
        )

    @Deed("acceptOffer", (PLAY,), limits=(DEEDS,))
    def accept(self, asker: Asker, match_id: str, seat: int, *, once: Once | None = None) -> None:
        """Take a seat that is offered to the asker, once all have agreed. Raises Unknown, Refusal."""

        def decide(position: Position) -> tuple[Statement, ...]:
            self._check_mine(match_id, asker, seat)
            clocks.pass_on(position.log.game, position.truth, seat)  # refuses
            return (offers.accept(match_id, seat, asker.player),)

        self._do(match_id, asker, once, decide, is_invited=True)
        self._pass_on(match_id, seat)

    @Deed("declineOffer", (PLAY,), limits=(DEEDS,))
    def decline(self, asker: Asker, match_id: str, seat: int, *, once: Once | None = None) -> None:
        """Don't take it, also after having accepted. Raises Unknown."""

        def decide(position: Position) -> tuple[Statement, ...]:
            self._check_mine(match_id, asker, seat)
            return tuple(offers.drop(match_id, seat))

        self._do(match_id, asker, once, decide, is_invited=True)

    def _do(
        self,
        match_id: str,
        asker: Asker,
        once: Once | None,
        decide: Callable[[Position], tuple[Statement, ...]],
        *,
        is_invited: bool = False,
    ) -> None:
        """Change what is offered, as long as the match is as it was decided on."""

        def outcome(position: Position) -> Outcome:
            if not is_invited:
                check_open_to(position.entry, asker)
            if position.truth.is_over:
                raise Refusal("", f"match-{position.truth.status}")
            return Outcome(beside=decide(position))

        if is_invited:
            self._entry(match_id)
        else:
            self._lobby.entry(match_id, asker)
        self._changes.change_once(match_id, outcome, once)

    def _entry(self, match_id: str) -> Entry:
        if (entry := self._lobby.find(match_id)) is None:
            raise unknown_match(match_id)
        return entry

    def _offer(self, match_id: str, seat: int) -> offers.Offer | None:
        return next((one for one in self._offers.of(match_id) if one.seat == seat), None)

    def _check_offered(self, match_id: str, seat: int, heir: offers.Heir) -> None:
        found = self._offer(match_id, seat)
        if found is None or found.heir != heir:
            raise Unknown("unknown-offer", seat=seat)

    def _check_mine(self, match_id: str, asker: Asker, seat: int) -> None:
        """Raises Unknown: who is offered nothing is told no more of a match than whether they may know of it."""
        found = self._offer(match_id, seat)
        if found is None or found.heir != offers.Heir(player=asker.player):
            self._lobby.entry(match_id, asker)
            raise Unknown("unknown-offer", seat=seat)

    def _pass_on(self, match_id: str, seat: int) -> None:
        """Have the new player sit there, if everybody agrees: of several who do so at once the last one sees to it."""

        def decide(position: Position) -> Outcome | None:
            found = self._offer(match_id, seat)
            if found is None or position.truth.is_over or not _is_agreed(position.entry, found):
                return None
            return _handed_over(position, found) if found.bot else self._passed_on(position, found)

        self._changes.change(match_id, decide)

    def _passed_on(self, position: Position, found: offers.Offer) -> Outcome:
        log, seat = position.log, found.seat
        told = clocks.pass_on(log.game, position.truth, seat)
        # what is open was asked of another, who may have let it lie
        told += grace(position, told, seat, self._now(), "passed")
        asked = matches.decision_of(log.game, position.truth, seat)
        notes: list[Statement] = []
        if asked:
            now = self._now()
            turn = Notice(notices.TURN, log.id, log.game.slug, found.player, seat, clock.stamp(now), asked)
            notes = notices.note(turn, now)
        return Outcome(
            told=told,
            after=matches.fold(log.game, position.truth, [one.event for one in told]),
            private=self._withdrawn(log, seat),
            chairs=_seated(position.entry, found),
            beside=(offers.demand(log.id, found), *_forgotten(log.id, found), *notes),
        )

    def _withdrawn(self, log: Log, seat: int) -> tuple[Write, ...]:
        """What ends the seat's standing orders: they were another player's."""
        stream = private_stream(log.id, seat)
        # before what stands there is read: if an order is given in between, this is stale
        head = log.store.head(stream)
        standing, _ = log.standing(seat)
        told = [orders.told(orders.withdraw(standing, number), seat) for number in sorted(standing)]
        return (self._changes.seal(log, stream, head, *told),)


def _handed_over(position: Position, found: offers.Offer) -> Outcome:
    """The bot plays on for the seat's player, as it does on their wish alone, and what was agreed to is done with."""
    position.log.need_own_rules()
    told = clocks.hand_over(position.log.game, position.truth, found.seat, found.bot, "agreement")
    outcome = handed(position, told, found.seat, found.bot)
    # demanded before it is cleared
    beside = (offers.demand(found.match, found), *outcome.beside, *offers.clear(found.match))
    return msgspec.structs.replace(outcome, beside=beside)


def _own_seat(entry: Entry, asker: Asker) -> int:
    if (seat := seat_of(entry, asker)) is None:
        raise Forbidden("not-seated")
    return seat


def _is_agreed(entry: Entry, found: offers.Offer) -> bool:
    """Whether the new player has accepted and all the others agree; bots always do both."""
    others = {chair.seat for chair in entry.chairs if chair.is_asked_itself and chair.seat != found.seat}
    return found.accepted and others <= set(found.consenting)


def _seated(entry: Entry, found: offers.Offer) -> tuple[Chair, ...]:
    return tuple(
        msgspec.structs.replace(chair, player=found.player, reserved=None, agreed=False, pausing=False)
        if chair.seat == found.seat
        else chair
        for chair in entry.chairs
    )


def _forgotten(match_id: str, found: offers.Offer) -> list[Statement]:
    """The new player sits there. What was agreed to on the seat was agreed to by another, and others to another."""
    seat = found.seat
    return [
        *offers.clear(match_id),
        lobby.sit(match_id, seat, found.player),
        lobby.reserve(match_id, seat, None),
        lobby.disagree(match_id, seat),
        timers.wish(match_id, seat, wish=False),
        given.end(match_id, seat),
    ]
