"""Does what is due in matches. It is decided on the stored match, so that two workers at once do it only once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec

from domain import clocks, deadlines, happenings, matches, play
from domain.matches import BY_CLOCK, Match
from domain.play import Told
from events.store import BrokenConstraint, Store
from replays.log import TRUTH
from service import clock
from service.clock import MINUTE
from service.clocks.pausing import Outages
from service.deeds import BOT, OF_WORKERS, Asker, Deed
from service.matches import Changes, Outcome, Position, States, away, due_of, handed, seal_answer, terms
from service.problems import problem_in
from service.store import Chair, Notice, Timetable, notices
from service.store import clocks as kept
from service.telemetry import metrics

RUNGS = 64
"""The most rungs of one match in a request; the next request does the rest."""

PARTS = 10
"""A seat pays a bank's part of this size at a time, but at least a minute; the rest it keeps."""


def missing(times: Timetable, deadline: deadlines.Deadline, due: deadlines.Due, player: str) -> int:
    """Return the milliseconds by which the player's vacations since the deadline was set still make it later."""
    # not the moment of its event, which differs if the clock was set back
    since = clock.later(deadline.due, -deadline.length)
    vacations = times.vacations(player, since)
    return max(0, away(since, clock.later(due.at, due.later - deadline.away), vacations) - deadline.away)


def extended(times: Timetable, position: Position, chair: Chair, decision: int) -> Outcome | None:
    """Return the outcome that makes an open decision due later by its player's vacations; None if it is due so late."""
    game, truth, seat = position.log.game, position.truth, chair.seat
    deadline = deadlines.open_deadline(truth.clocks, seat, decision)
    due = matches.due_of(game, truth, seat)
    if deadline is None or due is None or chair.player is None:
        return None
    more = missing(times, deadline, due, chair.player)
    return position.told(clocks.extend_deadline(game, truth, seat, decision, more, "vacation")) if more else None


class Looked(msgspec.Struct, frozen=True):
    """A match in which the clock did what was due; `problem`: why it could not."""

    match: str
    problem: str | None
    # what the clock did is not part of the answer, since it may be under seal


class Firing:
    """Reminds players, and takes the rungs of a seat whose time is up: vacation, bank, default move, at last a bot."""

    def __init__(
        self, store: Store, changes: Changes, states: States, now: clock.Now, left: Callable[[str], object]
    ) -> None:
        """`left` is told the match in which a bot took over from somebody."""
        self.front = changes.front
        self._left = left
        self._store = store
        self._changes = changes
        self._times = Timetable(store)
        self._now = now
        self._outages = Outages(store, now)
        self._states = states

    @Deed("fireDue", (BOT,), free=OF_WORKERS)
    def fire(self, asker: Asker, match_ids: Sequence[str]) -> list[Looked]:
        """Do in each match what is due, and renew the sign that somebody looks after the clocks. Raises StoreError."""
        self._outages.beat()
        return [Looked(match_id, problem_in(match_id, self._fire)) for match_id in match_ids]

    def _fire(self, match_id: str) -> None:
        for _ in range(RUNGS):
            changed = self._changes.change(match_id, self._next)
            if not changed.stored:
                break
            if any(isinstance(entry.event, matches.MoveMade | matches.AnswersClosed) for entry in changed.told):
                metrics.moved(changed.position.log.game.slug)
            if any(isinstance(entry.event, happenings.SeatHandedOver) for entry in changed.told):
                self._left(match_id)
        self._remind(match_id)

    def _next(self, position: Position) -> Outcome | None:
        truth = position.truth
        if truth.status is not matches.PLAYING:
            return None
        position.log.need_own_rules()
        if not truth.clocks.is_paused:
            return self._outages.next(position) or self._due(position)
        # a match whose pause has lasted too long is broken off
        pause = self._times.pause(position.log.id)
        is_over = pause is not None and pause.due <= clock.stamp(self._now())
        return position.told(play.abort(truth, "pause")) if is_over else None

    def _due(self, position: Position) -> Outcome | None:
        """Return the next step for a seat whose time is up; None if there is none. The match must not be paused."""
        log, truth = position.log, position.truth
        is_sealed = matches.is_sealed(log.game, truth)
        known, now = log.on_top(truth, TRUTH), clock.stamp(self._now())
        for seat in matches.to_act(log.game, known):
            due = due_of(log.game, known, position.entry.chairs[seat])
            if due and due <= now:
                decision = matches.decision_of(log.game, known, seat)
                if is_sealed:
                    return self._answer(position, seat, decision)
                return self._rung(position, seat, decision, due)
        return None

    def _answer(self, position: Position, seat: int, decision: int) -> Outcome:
        """Return the outcome with the game's default as the sealed answer, which uses no bank and is not counted."""
        move = position.log.game.default(self._states.seen(position, seat).table, seat)
        return seal_answer(self._changes, position, seat, decision, lambda _: move, BY_CLOCK)

    def _rung(self, position: Position, seat: int, decision: int, due: str) -> Outcome:
        """Return the step of an open decision: the rest of a vacation, the bank, a move by default, or a bot."""
        chair, game, truth = position.entry.chairs[seat], position.log.game, position.truth
        if chair.is_asked_itself:
            if (later := extended(self._times, position, chair, decision)) is not None:
                return later
            if self._is_gone(truth, seat):
                # it could not be handed over earlier, since answers were under seal
                return self._hand_over(position, (), truth, seat)
            if left := deadlines.bank(truth.clocks, seat):
                spent = self._spent(truth, left, due)
                return position.told(clocks.use_bank(game, truth, seat, decision, spent, clock.later(due, spent)))
        return self._default(position, chair, decision)

    def _default(self, position: Position, chair: Chair, decision: int) -> Outcome:
        game, truth, seat = position.log.game, position.truth, chair.seat
        move = game.default(self._states.seen(position, seat).table, seat)
        entries, after = play.played(game, truth, seat, decision, move, play.dice(truth), BY_CLOCK)
        can_go = after.status is matches.PLAYING and not matches.is_sealed(game, after)
        if chair.is_asked_itself and can_go and self._is_gone(after, seat):
            return self._hand_over(position, entries, after, seat)
        return Outcome(told=entries, after=after)

    def _hand_over(self, position: Position, entries: tuple[Told, ...], after: Match[object], seat: int) -> Outcome:
        bot = terms.of(self._times, position.log.id).bot
        more = clocks.hand_over(position.log.game, after, seat, bot, "absence")
        return handed(position, (*entries, *more), seat, bot)

    @staticmethod
    def _is_gone(state: Match[object], seat: int) -> bool:
        most = state.clocks.terms.defaults if state.clocks.terms else 0
        return 0 < most <= deadlines.absences(state.clocks, seat)

    def _spent(self, truth: Match[object], left: int, due: str) -> int:
        """Return how much the bank pays: one part, or as many as are needed for a deadline in the future."""
        assert truth.clocks.terms is not None, "there is a bank"
        part = max(truth.clocks.terms.bank // PARTS, MINUTE)
        late = clock.between(due, clock.stamp(self._now()))
        return min(left, part * (1 + late // part))

    def _remind(self, match_id: str) -> None:
        """Remind players, each once, for whose decisions most of the time has passed."""
        now = self._now()
        moment = clock.stamp(now)
        for seat, decision in self._times.reminders(match_id, moment):
            forget = kept.forget_reminder(match_id, seat, decision)
            reminder = self._reminder(match_id, seat, decision, moment)
            if reminder is None or self._times.is_reminded(match_id, seat, decision):
                self._store.write([forget])
                continue
            notice, due = reminder
            reminded = kept.reminded(match_id, seat, decision, notice.player, due, moment)
            # this fails if another process reminds the player at this moment, so that they get one notice
            with suppress(BrokenConstraint):
                self._store.write([reminded, forget, *notices.note(notice, now)])

    def _reminder(self, match_id: str, seat: int, decision: int, moment: str) -> tuple[Notice, str] | None:
        """Return a reminder, which only its player may know of, and when the decision is due; None if it is closed."""
        position = self._changes.look(match_id)
        log, chair = position.log, position.entry.chairs[seat]
        known = log.on_top(position.truth, TRUTH)
        is_open = matches.decision_of(log.game, known, seat) == decision
        due = due_of(log.game, known, chair) if is_open else ""
        if not due or chair.player is None or not chair.is_asked_itself:
            return None
        return Notice(notices.REMINDER, match_id, log.game.slug, chair.player, seat, moment, decision), due
