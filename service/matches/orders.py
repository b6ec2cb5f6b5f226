"""Standing orders: given, withdrawn, and followed when a seat that has orders is asked.

Orders are in the seat's private log. Nobody else can learn that a seat has orders, or that an order made a move, not
even from how fast a move came. A table of the service lists the seats with orders, so that they are found when they are
asked; the log decides again what the orders are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec

from domain import matches, orders
from domain.game import Lang, Refusal
from domain.happenings import OrderWithdrawn, PremoveGiven, Rule
from domain.matches import Match
from domain.texts import named, sentence
from events.chain import Head
from events.store import Decision, Store, Write
from replays.log import Log, private_stream, seat_of
from replays.words import rule_in_words
from service import clock
from service.deeds import BOT, OF_WORKERS, PLAY, Asker, Deed
from service.limits import ORDERS
from service.matches.change import Changes
from service.matches.playing import Choice, Playing, chosen
from service.matches.shown import names_of
from service.matches.states import Lobby, Outcome, Position, States, own_seat
from service.problems import Malformed, problem_in, refused
from service.store import Entry, Notice, Once, Ordered, Statement, notices
from service.store import turns as kept
from service.telemetry import metrics

MALFORMED = frozenset(
    {
        *("no-such-field", "no-such-move", "order-like", "order-part", "order-relation", "order-size", "order-value"),
        *("order-way", "order-word"),
    }
)
"""The codes of refusals for a rule that can be no order of this game."""

PLAYER = "player:"


class StandingOrder(msgspec.Struct, frozen=True):
    """A standing order."""

    order: int
    """The order's number, from 1, in the order in which you gave them."""
    rule: Rule
    once: bool
    """Whether it is a premove, which stands for your next decision alone."""
    text: str
    """The rule in words."""


class OrderWish(msgspec.Struct, frozen=True, kw_only=True):
    """An order that a player wants to give: a rule, or the answer to the open decision, to be given again."""

    rule: Rule | None = None
    like: Choice | None = None
    is_for_part: bool = False
    """With `like`: only for the present part of the match, as a round or deal."""
    once: bool = False


class MatchFollowed(msgspec.Struct, frozen=True):
    """A match whose orders were evaluated; `problem`: why they could not be."""

    match: str
    problem: str | None


class Orders:
    """The use cases. They raise Problems, the domain's Refusals and the store's errors."""

    def __init__(self, recorder: Store, changes: Changes, states: States, found: Lobby, playing: Playing) -> None:
        self._recorder = recorder
        self._changes = changes
        self._states = states
        self._lobby = found
        self._playing = playing
        self.front = changes.front
        self._ordered = Ordered(recorder)

    def standing(self, match_id: str, asker: Asker, lang: Lang) -> tuple[StandingOrder, ...]:
        """Return the asker's standing orders that can still play, as they were given."""
        asker.need(PLAY)
        entry = self._lobby.entry(match_id, asker)
        log, seat = self._states.log(match_id), own_seat(entry, asker)
        standing, _ = log.standing(seat)
        if not standing:
            return ()
        # they are withdrawn when the seat is asked next, of which no event tells its page
        view = orders.seen_by(log.game, self._states.known(log, seat).table, seat)
        answered = [given for given in orders.premoves(standing) if log.has_answered(seat, given)]
        past = (*orders.past(log.game, view, standing, seat), *answered)
        return tuple(
            [_told(log, given, entry, seat, lang) for _, given in sorted(standing.items()) if given not in past]
        )

    @Deed("giveOrder", (PLAY,), limits=(ORDERS,), is_move=True)
    def give(
        self, asker: Asker, match_id: str, wanted: OrderWish, lang: Lang, *, once: Once | None = None
    ) -> tuple[StandingOrder, int, int]:
        """Give one more order. Returns the order, the asker's seat, and the version of the seat's private log."""
        try:
            command = once.command if once else None
            appended = self._changes.change_for(asker, match_id, partial(self._give, asker, wanted), command).appended
        except Exception:
            # an earlier request with this key may have given it, when there was still room
            if (before := self.front.command(once, match_id)) is None:
                raise
            appended = before
        (span,) = [each for each in appended.spans if each.stream != match_id]
        log, (stored,) = self._states.log(match_id), self._recorder.read(span.stream, span.first - 1, 1)
        event, entry, seat = log.decoded(stored), self._lobby.entry(match_id, asker), seat_of(span.stream)
        return _told(log, event, entry, seat, lang), seat, span.first

    def _give(self, asker: Asker, wanted: OrderWish, position: Position) -> Outcome:
        log, seat = position.log, position.played_seat(asker)
        stream, head, standing, given = standing_of(log, seat)
        seen = self._states.seen(position, seat)
        view = orders.seen_by(log.game, seen.table, seat)
        names = (name for names in log.game.names(log.pack.pack, "en").values() for name in names)
        try:
            rule = wanted.rule or _like(log, seen, seat, view, wanted)
            event = orders.give(log.game, standing, given, rule, position.truth.version if wanted.once else None)
            orders.check_words(rule, orders.words_of(log.game, view, names))
        except Refusal as refusal:
            if refusal.code in MALFORMED:
                raise refused(Malformed, log.game, refusal) from refusal
            raise
        own = self._changes.seal(log, stream, head, orders.told(event, seat))
        return Outcome(private=(own,), beside=(kept.begin_orders(log.id, seat),))

    @Deed("withdrawOrder", (PLAY,), limits=(ORDERS,))
    def withdraw(self, asker: Asker, match_id: str, order: int) -> None:
        """Withdraw an order. Raises Refusal if it does not stand."""
        self._changes.change_for(asker, match_id, partial(self._withdraw, asker, order))

    def _withdraw(self, asker: Asker, order: int, position: Position) -> Outcome:
        log, seat = position.log, position.played_seat(asker)
        stream, head, standing, _ = standing_of(log, seat)
        event = orders.withdraw(standing, order)
        own = self._changes.seal(log, stream, head, orders.told(event, seat))
        beside: list[Statement] = []
        if not orders.evolve(standing, event):
            beside.append(kept.end_orders(log.id, seat))
            # a decision that was left to the orders is now the player's own
            beside += self._turn(position.entry, self._open(log.id, seat))
        return Outcome(private=(own,), beside=tuple(beside))

    @Deed("followOrders", (BOT,), free=OF_WORKERS)
    def follow(self, asker: Asker, match_ids: Sequence[str]) -> list[MatchFollowed]:
        """Evaluate the orders of each seat that is asked in these matches. Returns only the problems, not the moves."""

        def follow(match_id: str) -> None:
            for seat in self._ordered.asked(match_id):
                self._ask(match_id, seat)

        return [MatchFollowed(match_id, problem_in(match_id, follow)) for match_id in match_ids]

    def _ask(self, match_id: str, seat: int) -> None:
        decision = self._open(match_id, seat)
        if decision is None or self._playing.wait(decision):
            return
        try:
            changed = self._changes.change(match_id, partial(self._answer, decision))
        except Refusal:
            # the decision was closed meanwhile, or a bot plays for the seat now
            changed = None
        if changed is not None and changed.stored:
            if changed.told:
                metrics.moved(changed.position.log.game.slug)
        elif (entry := self._lobby.find(match_id)) is not None:
            self._recorder.write(self._judged(entry, decision))

    def _answer(self, decision: Decision, position: Position) -> Outcome | None:
        """Return the outcome of the seat's orders for its decision; None if no order applies."""
        log, seat = position.log, decision.seat
        log.need_own_rules()
        stream, head, standing, _ = standing_of(log, seat)
        seen = self._states.seen(position, seat)
        known: Match[Any] = log.on_top(seen, seat)
        since, who = matches.decision_of(log.game, known, seat), position.entry.chairs[seat].who
        if (since, who) != (decision.since, decision.who):
            return None
        premoves = orders.premoves(standing)
        past = orders.past(log.game, orders.seen_by(log.game, known.table, seat), standing, seat)
        gone = {given.order for given in (*premoves, *past)}
        ended = [orders.told(OrderWithdrawn(order=order), seat) for order in sorted(gone)]
        over = (kept.end_orders(log.id, seat),) if ended and len(ended) == len(standing) else ()
        for given in premoves:
            if log.has_answered(seat, given):
                # the seat has answered itself what was its next decision then
                standing = orders.evolve(standing, OrderWithdrawn(order=given.order))
        move = orders.chosen(log.game, known, seat, standing)
        if move is None:
            if not ended:
                return None
            beside = (*over, *self._judged(position.entry, decision))
            return Outcome(private=(self._changes.seal(log, stream, head, *ended),), beside=beside)
        choice = Choice(decision=since, move=msgspec.to_builtins(move))
        outcome = self._playing.outcome_of(position, seat, seen, choice, ended)
        # an order that is withdrawn in between makes this stale
        own = self._changes.seal(log, stream, head, *ended) if ended else Write(stream, head.version)
        return msgspec.structs.replace(outcome, private=outcome.private or (own,), beside=(*outcome.beside, *over))

    def _open(self, match_id: str, seat: int) -> Decision | None:
        """Return the open decision of the seat's player; None if there is none."""
        asked = self._recorder.decisions(PLAYER, match_id)
        return next((each for each in asked if each.seat == seat), None)

    def _judged(self, entry: Entry, one: Decision) -> list[Statement]:
        """Return the statements that note that no order answers the decision, and tell the player of their turn."""
        return [kept.note_judged(entry.id, one.seat, one.since), *self._turn(entry, one)]

    def _turn(self, entry: Entry, one: Decision | None) -> list[Statement]:
        """Return the statements that tell the player of their turn, since no order answers."""
        if one is None:
            return []
        now = self.front.now()
        player = one.who.removeprefix(PLAYER)
        turn = Notice(notices.TURN, entry.id, entry.game, player, one.seat, clock.stamp(now), one.since)
        return notices.note(turn, now)


def _told(log: Log, given: orders.Given, entry: Entry, seat: int, lang: Lang) -> StandingOrder:
    text = named(sentence(rule_in_words(log.game, given.rule, lang)), names_of(entry, lang), seat)
    return StandingOrder(given.order, given.rule, isinstance(given, PremoveGiven), text)


def _like(log: Log, seen: Match[Any], seat: int, view: Any, wanted: OrderWish) -> Rule:
    """Return the rule that gives the wanted answer to the open decision again. Raises Malformed, Refusal."""
    assert wanted.like is not None, "an order is given as a rule or as an answer"
    known = log.on_top(seen, seat)
    move = chosen(log, known, seat, wanted.like)
    legal = log.game.legal(known.table, seat)
    return orders.like(log.game, view, legal, move, is_for_part=wanted.is_for_part)


def standing_of(log: Log, seat: int) -> tuple[str, Head, orders.Standing, int]:
    """Return the seat's private stream, its end, the orders that stand, and how many the seat has given.

    The end is read first: if an order is given in between, a write after it is stale.
    """
    stream = private_stream(log.id, seat)
    head = log.store.head(stream)
    return stream, head, *log.standing(seat)
