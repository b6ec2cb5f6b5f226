"""What the clock does when a decision is due: first vacation, then bank, then the default move, at last a bot."""

from __future__ import annotations

from domain import clocks, deadlines, matches, play
from domain.matches import BY_CLOCK, Match
from domain.play import Told
from events.store import Store
from replays.log import TRUTH
from service import clock
from service.durations import MINUTE
from service.matches import Changes, Outcome, Position, States, away, due_of, handed, seal_answer, terms
from service.store import Chair, Timetable

PARTS = 10
"""A seat pays a bank's part of this size at a time, but at least a minute; the rest it keeps."""


class Ladder:
    """Finds what is due in a match, and the next step for it."""

    def __init__(self, store: Store, changes: Changes, states: States, now: clock.Now) -> None:
        self._changes = changes
        self._states = states
        self._times = Timetable(store)
        self._now = now

    def next(self, position: Position) -> Outcome | None:
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
        """Return an answer under seal by the rules' default, which uses no bank and is not counted."""
        seen = self._states.seen(position, seat)
        game = position.log.game
        return seal_answer(
            self._changes, position, seat, decision, lambda own: game.default(seen.table, seat), BY_CLOCK
        )

    def _rung(self, position: Position, seat: int, decision: int, due: str) -> Outcome:
        """Return the step of an open decision: the rest of a vacation, the bank, a move by default, or a bot."""
        chair, game, truth = position.entry.chairs[seat], position.log.game, position.truth
        if chair.is_asked_itself:
            if more := self._away(position, chair, decision):
                return _told(position, clocks.extend_deadline(game, truth, seat, decision, more, "vacation"))
            if self._is_gone(truth, seat):
                # it could not be handed over earlier, since answers were under seal
                return self._hand_over(position, (), truth, seat)
            if left := deadlines.bank(truth.clocks, seat):
                spent = self._spent(truth, left, due)
                later = clock.later(due, spent)
                return _told(position, clocks.use_bank(game, truth, seat, decision, spent, later))
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
        """Return the outcome of these events and of handing the seat to a bot."""
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

    def _away(self, position: Position, chair: Chair, decision: int) -> int:
        """Return the milliseconds of vacation that the deadline does not include yet, taken after it was set."""
        truth, seat = position.truth, chair.seat
        deadline = deadlines.open_deadline(truth.clocks, seat, decision)
        due = matches.due_of(position.log.game, truth, seat)
        if deadline is None or due is None or chair.player is None:
            return 0
        return missing(self._times, deadline, due, chair.player)


def missing(times: Timetable, deadline: deadlines.Deadline, due: deadlines.Due, player: str) -> int:
    """Return the milliseconds by which the player's vacations since the deadline was set still make it later."""
    # not the moment of its event, which differs if the clock was set back
    since = clock.later(deadline.due, -deadline.length)
    vacations = times.vacations(player, since)
    if not vacations:
        return 0
    return max(0, away(since, clock.later(due.at, due.later - deadline.away), vacations) - deadline.away)


def _told(position: Position, entries: tuple[Told, ...]) -> Outcome:
    return Outcome(told=entries, after=position.after(entries))
