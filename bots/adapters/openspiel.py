"""All games as games of OpenSpiel: after `register()`, `pyspiel.load_game("foldtable_terraformers(seats=2)")`.

All chance of a match follows from one number, which is drawn at its beginning: OpenSpiel's only chance node. So a
state follows from its history. A program that searches from a true state knows what will be drawn: use what a seat
observes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from bots.adapters.course import MOVES, Course, opened
from bots.adapters.encoding import SIZE, encode
from bots.choose import AnyGame
from domain.catalogue import Catalogue
from domain.game import move_id
from domain.telling import drawn

DEALS = 1 << 12
"""The numbers that can be drawn at the begin of a match."""


def register() -> list[str]:
    """Make the games known to OpenSpiel. Returns their names there."""
    return [_register(slug) for slug in Catalogue().rooms]


def _kind(slug: str, rules: AnyGame) -> Any:
    """Return what OpenSpiel wants to know of a game beforehand."""
    return pyspiel.GameType(
        short_name=f"foldtable_{slug.replace('-', '_')}",
        long_name=rules.title["en"],
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(rules.seats),
        min_num_players=min(rules.seats),
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"seats": min(rules.seats)},
    )


def _register(slug: str) -> str:
    rules = Catalogue().rooms[slug].game
    kind = _kind(slug, rules)

    class OpenGame(pyspiel.Game):  # type: ignore[misc]  # its package has no types here
        """A game of the catalogue."""

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            self.seats = int((params or {}).get("seats", min(rules.seats)))
            opened(slug, self.seats)
            info = pyspiel.GameInfo(
                num_distinct_actions=MOVES,
                max_chance_outcomes=DEALS,
                num_players=self.seats,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=rules.bound * self.seats,
            )
            super().__init__(kind, info, params or {})

        def new_initial_state(self) -> OpenState:
            """Return a match that is not dealt yet."""
            return OpenState(self, slug, self.seats)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SeatObserver:
            """Return what sees a state as a seat does."""
            return SeatObserver()

    pyspiel.register_game(kind, OpenGame)
    return str(kind.short_name)


class OpenState(pyspiel.State):  # type: ignore[misc]
    """A match. OpenSpiel copies its attributes one by one (`copy.deepcopy`): those here are cheap to copy."""

    course: Course
    """The match, once it is dealt."""

    def __init__(self, game: Any, slug: str, seats: int) -> None:
        super().__init__(game)
        self._slug, self._seats = slug, seats
        self._deal: int | None = None
        self._made = b""
        """The moves, each as a byte."""

    def current_player(self) -> int:
        """Return the seat that is to answer, or who else is."""
        if self._deal is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.course.turn is None else self.course.turn

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self.course.legal))) if player == self.course.turn else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what can be drawn."""
        return [(deal, 1 / DEALS) for deal in range(DEALS)]

    def _apply_action(self, action: int) -> None:
        if self._deal is None:
            self._deal = action
            self.course = opened(self._slug, self._seats, action)
        else:
            self.course.play(action)
            self._made += bytes([action])

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        return move_id(self.course.legal[action]) if action < len(self.course.legal) else str(action)

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        return self._deal is not None and self.course.turn is None

    def returns(self) -> list[float]:
        """Return each seat's share of the first place, less a fair share; 0 before the end."""
        if not self.is_terminal():
            return [0.0] * self._seats
        return [share - 1 / self._seats for share in self.course.shares()]

    def __str__(self) -> str:
        return f"{self._slug}: deal {self._deal}, moves {list(self._made)}"


class SeatObserver:
    """What a seat sees of a state, as text and as numbers."""

    def __init__(self) -> None:
        self.tensor: Any = np.zeros(SIZE, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: OpenState, player: int) -> None:
        """Look at the state as that seat."""
        self.tensor[:] = 0
        if not state.is_chance_node():
            course = state.course
            self.tensor[:] = encode(course.game.view(course.seen(player), player), SIZE)

    def string_from(self, state: OpenState, player: int) -> str:
        """Return what the seat sees, in words."""
        if state.is_chance_node():
            return "not dealt yet"
        course = state.course
        return drawn(course.game, course.game.view(course.seen(player), player), "en")
