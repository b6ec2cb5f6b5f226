"""One seat of any game against bots, as a Gymnasium environment: `SeatEnv("terraformers", against="greedy")`."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium

from bots import named
from bots.adapters.course import MOVES, opened
from bots.adapters.encoding import observed
from bots.adapters.pettingzoo import space
from domain.chance import Simulation


class SeatEnv(gymnasium.Env):  # type: ignore[misc]  # its package has no types here
    """A match as one seat lives it. An action is a place in the list of legal moves; the reward comes at the end."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}

    def __init__(self, game: str, seats: int | None = None, seat: int = 0, against: str = "random") -> None:
        """`against`: the bot on all other seats. Raises ValueError for a game, seat or bot that there is not."""
        self._slug, self._seat, self._bot = game, seat, named(against)
        self.course = opened(game, seats)
        self._seats = self.course.seats
        if not 0 <= seat < self._seats:
            raise ValueError(f"There are {self._seats} seats, from 0; there is no seat {seat}.")
        self.observation_space, self.action_space = space(), gymnasium.spaces.Discrete(MOVES)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a match: the same one for the same seed and actions."""
        super().reset(seed=seed)
        # drawn from what an earlier seed has set, so that a whole training can be repeated
        dealt = str(self.np_random.integers(1 << 62)) if seed is None else str(seed)
        self.course = opened(self._slug, self._seats, dealt)
        self._luck = f"{dealt} bots"
        self._wait()
        return observed(self.course, self._seat), {}

    def _wait(self) -> None:
        """Let the bots move until the seat is to act, or the match is over."""
        course = self.course
        while course.turn not in (None, self._seat):
            legal = course.legal
            # from the seed and the moves so far, as all chance: a copy of a source of chance would share its draws
            luck = Simulation(f"{self._luck}:{course.moves}")
            move = self._bot.choose(course.game, course.seen(course.turn), course.turn, luck)
            course.play(legal.index(move))

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Make the move, and let the bots move. Raises IndexError for an action that the mask forbids."""
        self.course.play(action)
        self._wait()
        is_over = self.course.turn is None
        reward = self.course.shares()[self._seat] - 1 / self._seats if is_over else 0.0
        return observed(self.course, self._seat), reward, is_over, False, {}
