"""What the clock does when a decision is due: vacation, bank, a move by the rules' default, and in the end a bot."""

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
"""Of so many parts of its bank a seat pays with at a time, but a minute at least: what it does not need it keeps."""


class Ladder:
    """Finds what is due in a match, and the next rung for it."""

    def __init__(self, store: Store, changes: Changes, states: States, now: clock.Now) -> None:
        self._changes = changes
        self._states = states
        self._times = Timetable(store)
        self._now = now

    def next(self, position: Position) -> Outcome | None:
        """The next rung of a seat whose time is up; None where nobody's is. Time runs in the match."""
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
        """Under seal: the rules' default, which costs no bank and does not count."""
        seen = self._states.seen(position, seat)
        game = position.log.game
        return seal_answer(
            self._changes, position, seat, decision, lambda own: game.default(seen.table, seat), BY_CLOCK
        )

    def _rung(self, position: Position, seat: int, decision: int, due: str) -> Outcome:
        """Openly: what is left of a vacation, then of the bank; then a move, or a bot that moves."""
        chair, game, truth = position.entry.chairs[seat], position.log.game, position.truth
        if chair.is_asked_itself:
            if more := self._away(position, chair, decision):
                return _told(position, clocks.extend_deadline(game, truth, seat, decision, more, "vacation"))
            if self._is_gone(truth, seat):
                # it could not be handed over when it was absent that often: answers were under seal
                return self._hand_over(position, (), truth, seat)
            if left := deadlines.bank(truth.clocks, seat):
                spent = self._spent(truth, left, due)
                later = clock.later(due, spent)
                return _told(position, clocks.use_bank(game, truth, seat, decision, spent, later))
        return self._default(position, chair, decision)

    def _default(self, position: Position, chair: Chair, decision: int) -> Outcome:
        game, truth, seat = position.log.game, position.truth, chair.seat
        move = game.default(self._states.seen(position, seat).table, seat)
        told, after = play.played(game, truth, seat, decision, move, play.dice(truth), BY_CLOCK)
        can_go = after.status is matches.PLAYING and not matches.is_sealed(game, after)
        if chair.is_asked_itself and can_go and self._is_gone(after, seat):
            return self._hand_over(position, told, after, seat)
        return Outcome(told=told, after=after)

    def _hand_over(self, position: Position, told: tuple[Told, ...], after: Match[object], seat: int) -> Outcome:
        """A bot plays on, after what was told."""
        bot = terms.of(self._times, position.log.id).bot
        more = clocks.hand_over(position.log.game, after, seat, bot, "absence")
        return handed(position, (*told, *more), seat, bot)

    @staticmethod
    def _is_gone(state: Match[object], seat: int) -> bool:
        most = state.clocks.terms.defaults if state.clocks.terms else 0
        return 0 < most <= deadlines.absences(state.clocks, seat)

    def _spent(self, truth: Match[object], left: int, due: str) -> int:
        """How much the bank pays: a part of it, or as many as it takes to be in time again."""
        assert truth.clocks.terms is not None, "there is a bank"
        part = max(truth.clocks.terms.bank // PARTS, MINUTE)
        late = clock.between(due, clock.stamp(self._now()))
        return min(left, part * (1 + late // part))

    def _away(self, position: Position, chair: Chair, decision: int) -> int:
        """How many milliseconds of vacation the deadline lacks yet: one that was taken after it was set."""
        truth, seat = position.truth, chair.seat
        deadline = deadlines.open_deadline(truth.clocks, seat, decision)
        due = matches.due_of(position.log.game, truth, seat)
        if deadline is None or due is None or chair.player is None:
            return 0
        return missing(self._times, deadline, due, chair.player)


def missing(times: Timetable, deadline: deadlines.Deadline, due: deadlines.Due, player: str) -> int:
    """By how many milliseconds a deadline is to be later yet for the player's vacations since it began to run."""
    # the moment of its event is no moment of this clock, if that was set back
    since = clock.later(deadline.due, -deadline.length)
    vacations = times.vacations(player, since)
    if not vacations:
        return 0
    return max(0, away(since, clock.later(due.at, due.later - deadline.away), vacations) - deadline.away)


def _told(position: Position, told: tuple[Told, ...]) -> Outcome:
    return Outcome(told=told, after=matches.fold(position.log.game, position.truth, [one.event for one in told]))
