"""A match, one decision after the other, for programs with a loop of their own. A seat sees what it may know."""

from __future__ import annotations

from functools import cache
from itertools import repeat
from typing import Any

from bots.choose import AnyGame
from bots.search.thought import won_by
from domain.catalogue import Catalogue, Room
from domain.chance import Simulation
from domain.game import Seat
from domain.play import Stuck, advance
from domain.secrecy import hides, marks, redact

MOVES = 100
"""The most moves of a decision."""


class Course:
    """A match that is being played. Under seal the seats that are asked answer one after the other, unseen.

    What a move draws follows from the seed and the moves before it. So a copy plays on as its match would.
    """

    def __init__(self, game: AnyGame, pack: Any, options: Any, seats: int, seed: int | str) -> None:
        """Deal. The same seed and moves give the same match. Raises Refusal for options that can't be played."""
        game.check_options(options, seats, pack)
        self.game, self.seats = game, seats
        self.is_open = not hides(game)
        """Whether every seat sees all."""
        self._seed = seed
        self.state = game.initial(options, seats, pack)
        self._told: list[Any] = []
        self._seen, self._known = [self.state] * seats, [0] * seats
        self.moves = 0
        """How many moves were made, each answer under seal counted."""
        self.legal: tuple[Any, ...] = ()
        """The moves of the seat that is to answer; none once the match is over."""
        self.turn: Seat | None = None
        """The seat that is to answer; None once the match is over."""
        chance = Simulation(seed)
        self._advance(game.setup(self.state, chance), chance)

    def __deepcopy__(self, memo: dict[int, Any]) -> Course:
        """Return a copy that plays on alone. States and events never change, so that both have the same ones."""
        copied = object.__new__(Course)
        for name, value in vars(self).items():
            setattr(copied, name, list(value) if isinstance(value, list) else value)
        return copied

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: of the rules only whose they are, since functions can't be."""
        return {**vars(self), "game": self.game.slug}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept, game=_rooms()[kept["game"]].game)

    def _advance(self, events: tuple[Any, ...], chance: Simulation) -> None:
        self.state, asked, forced = advance(self.game, self.state, events, repeat(chance))
        self._told += events
        for *_, more in forced:
            self._told += more
        self._asked = list(asked)
        self._answers = [None] * self.seats if asked and self.game.secret(self.state) else None
        self._ask()

    def _ask(self) -> None:
        self.turn = self._asked.pop(0) if self._asked else None
        self.legal = () if self.turn is None else self.game.legal(self.state, self.turn)

    def play(self, index: int | None) -> None:
        """Make that one of the `legal` moves. Raises IndexError if it is none; Stuck for a match that does not end."""
        if index is None or not 0 <= index < len(self.legal):
            raise IndexError(f"{index} is no legal move: there are {len(self.legal)}")
        seat, move = self.turn, self.legal[index]
        assert seat is not None
        self.moves += 1
        if self.moves > MOVES * self.game.bound:
            raise Stuck(f"{self.game.slug}: it does not end")
        chance = Simulation(f"{self._seed}:{self.moves}")
        if self._answers is None:
            self._advance(self.game.decide(self.state, seat, move, chance), chance)
            return
        self._answers[seat] = move
        if self._asked:
            self._ask()
        else:
            self._advance(self.game.close(self.state, tuple(self._answers), chance), chance)

    def seen(self, seat: Seat) -> Any:
        """Return the state as the seat knows it."""
        if self.is_open:
            return self.state
        state, evolve = self._seen[seat], self.game.evolve.by_class
        for event in self._told[self._known[seat] :]:
            kind = type(event)
            state = evolve[kind](state, redact(event, seat) if marks(kind) else event)
        self._seen[seat], self._known[seat] = state, len(self._told)
        return state

    def shares(self) -> list[float]:
        """Return each seat's share of the first place; all 0 while the match is played."""
        standing = self.game.standing(self.state)
        return won_by(standing.ranking) if standing.over else [0.0] * self.seats


@cache
def _rooms() -> dict[str, Room]:
    return dict(Catalogue().rooms)


def opened(slug: str, seats: int | None = None, seed: int | str = 0) -> Course:
    """Return a match of the game with its first pack and its usual options; `seats`: the fewest by default.

    Raises:  ValueError if there is no such game, or not with so many seats.
    """
    rooms = _rooms()
    if slug not in rooms:
        raise ValueError(f"There is no game {slug!r}; there is {', '.join(rooms)}.")
    room = rooms[slug]
    game = room.game
    if seats is not None and seats not in game.seats:
        raise ValueError(f"{slug} is played with {', '.join(map(str, game.seats))} seats, not with {seats}.")
    pack = next(iter(room.packs.values())).pack
    return Course(game, pack, game.Options(), seats or game.seats[0], seed)
