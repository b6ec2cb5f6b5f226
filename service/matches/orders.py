"""Standing orders: given, withdrawn, and followed when a seat that has some is asked.

They stand in the seat's private log. Nothing of them is told to anybody else: not that there are some, not that a move
was made by one, and not by how fast it came. The service's own tables say which seats have some, to be found when they
are asked; what is read there is judged again on the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec
import structlog

from domain import matches, orders
from domain.game import Refusal
from domain.happenings import OrderGiven, OrderWithdrawn, Rule
from domain.matches import Match
from events.codec import UnknownEvent, Unreadable
from events.store import Decision, Store, StoreError, Write
from replays.log import OtherRules, UnknownMatch, private_stream
from service import clock
from service.deeds import BOT, OF_WORKERS, PLAY, Asker, Deed
from service.limits import ORDERS
from service.matches.change import Changes, Outcome
from service.matches.lobby import Lobby, check_open_to, seat_of
from service.matches.playing import Choice, Playing
from service.matches.states import Position, States
from service.matches.views import Views
from service.problems import Forbidden, Malformed, Problem, refused
from service.store import Entry, Notice, Once, Ordered, Statement, notices
from service.store import orders as kept
from service.telemetry import metrics

MATCHES = 64
"""Most matches in a request of the workers'."""

MALFORMED = frozenset(
    {"no-such-field", "no-such-move", "order-relation", "order-size", "order-value", "order-way", "order-word"}
)
"""By which what was said is no order of this game."""

PLAYER = "player:"

logger = structlog.get_logger(__name__)


class StandingOrder(msgspec.Struct, frozen=True):
    """An order that stands."""

    order: int
    """From 1, in the order in which you gave them."""
    rule: Rule


class MatchFollowed(msgspec.Struct, frozen=True):
    """A match in which orders were asked; `problem`: why it could not be looked after."""

    match: str
    problem: str | None
    """The code of what was wrong; null: nothing was."""


class Orders:
    """The use cases. They raise Problems, the domain's Refusals and the store's errors."""

    def __init__(
        self,
        recorder: Store,
        changes: Changes,
        states: States,
        found: Lobby,
        playing: Playing,
        views: Views,
    ) -> None:
        self._recorder = recorder
        self._changes = changes
        self._states = states
        self._lobby = found
        self._playing = playing
        self._views = views
        self.front = changes.front
        self._ordered = Ordered(recorder)

    def standing(self, match_id: str, asker: Asker) -> tuple[StandingOrder, ...]:
        """The asker's, as they were given."""
        asker.need(PLAY)
        seat = _own(self._lobby.entry(match_id, asker), asker)
        standing, _ = self._states.log(match_id).standing(seat)
        return tuple([StandingOrder(number, rule) for number, rule in sorted(standing.items())])

    @Deed("giveOrder", (PLAY,), limits=(ORDERS,), is_move=True)
    def give(
        self, asker: Asker, match_id: str, rule: Rule, *, once: Once | None = None
    ) -> tuple[StandingOrder, int, int]:
        """One more: the order, the seat, and the version of its private log."""
        self._lobby.entry(match_id, asker)
        try:
            command = once.command if once else None
            changed = self._changes.change(match_id, partial(self._give, asker, rule), command)
        except Exception:
            # it may have been given before, when there was room
            if once is None or (before := self.front.command(once, match_id)) is None:
                raise
            spans = before.spans
        else:
            spans = changed.appended.spans
        (span,) = [one for one in spans if one.stream != match_id]
        log, (stored,) = self._states.log(match_id), self._recorder.read(span.stream, span.first - 1, 1)
        event = log.codec.decode(stored.type, stored.schema, stored.public, stored.secret)
        seat = int(span.stream.rpartition(":")[2])
        return StandingOrder(event.order, event.rule), seat, span.first

    def _give(self, asker: Asker, rule: Rule, position: Position) -> Outcome:
        log, seat = position.log, self._seat(position, asker)
        stream = private_stream(log.id, seat)
        # before what stands there is read: if one is given in between, this is stale
        head = self._recorder.head(stream)
        standing, given = log.standing(seat)
        view = orders.seen_by(log.game, self._states.seen(position, seat), seat)
        names = (name for names in log.game.names(log.pack.pack, "en").values() for name in names)
        try:
            event = orders.give(log.game, standing, given, rule)
            orders.check_words(rule, orders.words_of(log.game, view, names))
        except Refusal as refusal:
            if refusal.code in MALFORMED:
                raise refused(Malformed, log.game, refusal) from refusal
            raise
        own = self._changes.seal(log, stream, head, orders.told(event, seat))
        return Outcome(private=(own,), beside=(kept.stand(log.id, seat),))

    @Deed("withdrawOrder", (PLAY,), limits=(ORDERS,))
    def withdraw(self, asker: Asker, match_id: str, order: int) -> None:
        """Have it followed no longer. Raises Refusal when it does not stand."""
        self._lobby.entry(match_id, asker)
        self._changes.change(match_id, partial(self._withdraw, asker, order))

    def _withdraw(self, asker: Asker, order: int, position: Position) -> Outcome:
        log, seat = position.log, self._seat(position, asker)
        stream = private_stream(log.id, seat)
        head = self._recorder.head(stream)
        standing, _ = log.standing(seat)
        event: OrderGiven | OrderWithdrawn = orders.withdraw(standing, order)
        own = self._changes.seal(log, stream, head, orders.told(event, seat))
        beside: list[Statement] = []
        if not orders.evolve(standing, event):
            beside.append(kept.end(log.id, seat))
            # whose orders were not asked yet is asked now
            beside += self._turn(position.entry, self._open(log.id, seat))
        return Outcome(private=(own,), beside=tuple(beside))

    def _seat(self, position: Position, asker: Asker) -> int:
        check_open_to(position.entry, asker)
        seat = _own(position.entry, asker)
        orders.check_playing(position.truth)
        position.log.need_own_rules()
        if position.entry.chairs[seat].resigned:
            raise Refusal("", "resigned", seat=seat)
        return seat

    @Deed("followOrders", (BOT,), free=OF_WORKERS)
    def follow(self, asker: Asker, match_ids: Sequence[str]) -> list[MatchFollowed]:
        """Ask the orders of every seat in these matches that is asked something, for the workers. What came of it is
        not told, but why a match could not be looked after.

        Raises:  Unauthorized, Forbidden; StoreError.
        """
        return [MatchFollowed(match_id, self._follow(match_id)) for match_id in match_ids]

    def _follow(self, match_id: str) -> str | None:
        try:
            for seat in self._ordered.asked(match_id):
                self._ask(match_id, seat)
        except Problem as error:
            return error.code
        except UnknownMatch:
            return "unknown-match"
        except OtherRules:
            return "other-rules"
        except (Unreadable, UnknownEvent):
            return "unreadable"
        except StoreError:
            raise
        except Exception as error:
            # rules that fail are to hold up nobody else's orders
            logger.error("unforeseen", match=match_id, kind=type(error).__name__)
            return "internal"
        return None

    def _ask(self, match_id: str, seat: int) -> None:
        one = self._open(match_id, seat)
        if one is None or self._views.hesitation(one):
            return
        try:
            changed = self._changes.change(match_id, partial(self._answer, one))
        except Refusal:
            # the decision was closed meanwhile, or a bot plays for the seat
            changed = None
        if changed is not None and changed.stored:
            if changed.told:
                metrics.moved(changed.position.log.game.slug)
            return
        if (entry := self._lobby.find(match_id)) is not None:
            self._recorder.write([kept.judged(match_id, seat, one.since), *self._turn(entry, one)])

    def _answer(self, one: Decision, position: Position) -> Outcome | None:
        """What the seat's orders make of its decision; None where they say nothing."""
        log, seat = position.log, one.seat
        log.need_own_rules()
        stream = private_stream(log.id, seat)
        head = self._recorder.head(stream)
        standing, _ = log.standing(seat)
        seen: Match[Any] = log.on_top(self._states.seen(position, seat), seat)
        if matches.decision_of(log.game, seen, seat) != one.since or position.entry.chairs[seat].who != one.who:
            return None
        move = orders.chosen(log.game, seen, seat, standing)
        if move is None:
            return None
        choice = Choice(decision=one.since, move=msgspec.to_builtins(move))
        outcome = self._playing.outcome_of(position, seat, choice)
        if outcome.private:
            return outcome
        # what was withdrawn in between is not followed
        return msgspec.structs.replace(outcome, private=(Write(stream, head.version),))

    def _open(self, match_id: str, seat: int) -> Decision | None:
        """What the seat's player is asked."""
        asked = self._recorder.decisions(PLAYER, match_id)
        return next((one for one in asked if one.seat == seat and one.match == match_id), None)

    def _turn(self, entry: Entry, one: Decision | None) -> list[Statement]:
        """It is the player's own turn, since no order answers."""
        if one is None:
            return []
        now = self.front.now()
        player = one.who.removeprefix(PLAYER)
        turn = Notice(notices.TURN, entry.id, entry.game, player, one.seat, clock.stamp(now), one.since)
        return notices.note(turn, now)


def _own(entry: Entry, asker: Asker) -> int:
    """Where the asker sits. Raises Forbidden."""
    seat = seat_of(entry, asker)
    if seat is None:
        raise Forbidden("not-seated")
    return seat
