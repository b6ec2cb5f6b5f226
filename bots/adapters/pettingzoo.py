"""Any game as a PettingZoo environment (AEC): `env("terraformers", seats=2)`."""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from bots.adapters.course import MOVES, opened
from bots.adapters.encoding import MOVE_SIZE, SIZE, observed
from domain.telling import drawn


def space() -> spaces.Dict:
    """Return the space of what `observed` returns."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-np.inf, np.inf, (SIZE,), np.float32),
            "action_mask": spaces.Box(0, 1, (MOVES,), np.int8),
            "moves": spaces.Box(-np.inf, np.inf, (MOVES, MOVE_SIZE), np.float32),
        }
    )


class SeatsEnv(AECEnv):  # type: ignore[misc]  # its package has no types here
    """A match: an agent for each seat. An action is a place in the list of legal moves.

    The reward comes at the end: the share of the first place, less a fair share, so all rewards add up to 0.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "foldtable_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, game: str, seats: int | None = None, render_mode: str | None = None) -> None:
        """`game`: its slug. Raises ValueError if there is no such game, or not with so many seats."""
        super().__init__()
        self._slug, self.render_mode = game, render_mode
        self.course = opened(game, seats)
        self._seats = self.course.seats
        self.possible_agents = [f"seat_{seat}" for seat in range(self._seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(MOVES) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """Return the agent's space of observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the agent's space of actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match: the same one for the same seed."""
        # as a text, since Python takes no integers of numpy for seeds, and a negative one for its amount
        self.course = opened(self._slug, self._seats, secrets.token_hex(8) if seed is None else str(seed))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.course.turn or 0]

    def observe(self, agent: str) -> Any:
        """Return what the agent's seat sees: see `bots.adapters.encoding`."""
        return observed(self.course, self._seat_of[agent])

    def step(self, action: int | None) -> None:
        """Make the move. Raises IndexError for an action that the mask forbids."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.course.play(action)
        if self.course.turn is None:
            fair = 1 / self._seats
            shares = zip(self.agents, self.course.shares(), strict=True)
            self.rewards = {agent: share - fair for agent, share in shares}
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        else:
            self.agent_selection = self.possible_agents[self.course.turn]

    def render(self) -> str:
        """Return the table as the seat that is to act sees it, as text."""
        game, seat = self.course.game, self._seat_of[self.agent_selection]
        return drawn(game, game.view(self.course.seen(seat), seat), "en")

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


env = SeatsEnv
