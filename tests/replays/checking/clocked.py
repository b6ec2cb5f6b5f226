"""A match in which everything happens that a clock can do."""

from __future__ import annotations

from functools import cache
from typing import Any

from domain import clocks, deadlines, matches
from domain.happenings import ClockSet
from domain.matches import Cause
from events.memory import MemoryRecorder
from replays.log import Log, private_stream
from tests.replays.exported import export, games
from tests.replays.staged import Stage

HOUR = 3_600_000
TERMS = ClockSet(allowance=72 * HOUR, claims=24 * HOUR, bank=10 * HOUR, defaults=2)


def moment(number: int) -> str:
    """Moments, each later than the one before it."""
    return f"2026-04-01T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}.000Z"


class Clocked(Stage):
    moments = 0
    made = 0

    def seat_all(self, nonce: str = "") -> None:
        self.tell(clocks.set_clock(self.state, TERMS))
        super().seat_all(nonce)

    def step(self) -> None:
        """Time is told of, then one seat answers: itself, or the clock for it."""
        self.set_deadlines()
        self.made += 1
        if self.made % 7 == 3:
            self.tell(clocks.extend(self.state, HOUR))
        if self.made % 11 == 5:
            self.tell(clocks.pause(self.state, "agreement"))
            self.tell(clocks.resume(self.state, 2 * HOUR))
        if not matches.is_sealed(self.game, self.state):
            self._arrange(self.made)
        seat = matches.to_act(self.game, self.state)[0]
        if self.made % 3 == 1 and not matches.bot_of(self.state, seat):
            self.answer_by_clock(seat)
        else:
            super().step()

    def set_deadlines(self) -> None:
        for seat in matches.to_act(self.game, self.state):
            if matches.due_of(self.game, self.state, seat) is not None:
                continue
            decision = matches.decision_of(self.game, self.state, seat)
            if matches.is_sealed(self.game, self.state):
                rung = clocks.seal_rung(self.game, self.state, seat, decision, self._due())
                self._append(private_stream(self.id, seat), (rung,))
                self.state = matches.timed(self.game, self.state, seat, rung.event)
            else:
                self.tell(clocks.set_deadline(self.game, self.state, seat, decision, self._due()))

    def _due(self) -> str:
        self.moments += 1
        return moment(self.moments)

    def _arrange(self, happen: int) -> None:
        """Banks are used, and seats are handed over and back."""
        seat = matches.to_act(self.game, self.state)[0]
        decision = matches.decision_of(self.game, self.state, seat)
        if happen % 4 == 2 and deadlines.bank(self.state.clocks, seat) > HOUR:
            self.tell(clocks.use_bank(self.game, self.state, seat, decision, HOUR, self._due()))
        if happen % 4 == 3:
            self.tell(clocks.extend_deadline(self.game, self.state, seat, decision, HOUR, "vacation"))
        if happen % 6 == 2 and self._is_there(1):
            self.tell(clocks.pass_on(self.game, self.state, 1))
        if happen % 5 == 1 and not matches.bot_of(self.state, 0):
            self.tell(clocks.hand_over(self.game, self.state, 0, "greedy", "wish"))
        elif happen % 5 == 4 and matches.bot_of(self.state, 0):
            self.tell(clocks.hand_back(self.game, self.state, 0))
        for absent, count in enumerate(self.state.clocks.absent):
            if count >= TERMS.defaults and self._is_there(absent):
                self.tell(clocks.hand_over(self.game, self.state, absent, "random", "absence"))
        if happen == 9:
            self.tell(clocks.resign(self.game, self.state, 1))
            if not matches.bot_of(self.state, 1):
                self.tell(clocks.hand_over(self.game, self.state, 1, "random", "resignation"))

    def _is_there(self, seat: int) -> bool:
        return not matches.bot_of(self.state, seat) and seat not in self.state.clocks.resigned

    def answer_by_clock(self, seat: int) -> None:
        self.answer(seat, self.game.default(self.state.table, seat), Cause.CLOCK)


def clocked(slug: str = "three-magic", seats: int = 3, **options: Any) -> Clocked:
    staged = Clocked(MemoryRecorder(), games().rooms[slug], "m_1", ["random"] * seats, **options)
    staged.seat_all()
    return staged


def asked_under_seal() -> Clocked:
    """A match in which some have answered under seal, and others have a deadline for it."""
    staged = clocked(laps=1)
    staged.step_until_sealed()
    staged.set_deadlines()
    return staged


@cache
def finished() -> Clocked:
    staged = clocked(laps=1)
    staged.finish()
    return staged


@cache
def exported() -> bytes:
    return export(finished())


def log_of(staged: Stage) -> Log:
    return Log(staged.recorder, "m_1", games())
