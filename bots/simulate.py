"""Plays one match by bots: without a store, commits and texts, and without the match around the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any

import msgspec

from bots.choose import AnyGame, Bot, Random
from domain.chance import Chance, Simulation
from domain.game import Seat, answered_openly
from domain.play import Stuck, advance
from domain.secrecy import redact

Watch = Callable[[Any, Seat | None, Any, tuple[Any, ...]], None]
"""Called for each step with the state before it, the seat, the move, and the events.

The seat is None for the dealer and for a closing. The move is None for the dealer, and a closing has its answers: a
move or None for each seat.
"""


class Played(msgspec.Struct, frozen=True):
    """The result of a match."""

    moves: int
    """Includes forced moves, answers under seal, and their closings."""
    events: int
    longest_legal: int
    points: tuple[int, ...]
    ranking: tuple[int, ...]
    told: tuple[Any, ...] = ()
    """All its events, for those who measure something."""


Choose = Callable[[Any, Seat], Any]
"""(truth, seat) -> the move of the seat's bot."""


class _Players:
    """The bots, the states that they see, and the callback that watches the match."""

    def __init__(self, game: AnyGame, state: Any, bots: Sequence[Bot], chance: Chance, watch: Watch | None) -> None:
        self._game = game
        self._watch = watch
        self._bots = bots
        self._chance = chance
        self._seen = [state] * len(bots)
        self.longest = 0
        self._looking = tuple(seat for seat, bot in enumerate(bots) if bot.looks)
        self.tell: Watch | None = self._tell if self._looking or watch else None
        """Called for each step; None if no bot looks and nobody watches."""
        # if all choose by chance, one function serves all seats: it saves a call for each move
        self.choose: Choose = self._draw() if all(type(bot) is Random for bot in bots) else self._ask

    def _tell(self, before: Any, seat: Seat | None, move: Any, events: tuple[Any, ...]) -> None:
        """Call the watcher, and show each bot that looks its part of the events."""
        if self._watch:
            self._watch(before, seat, move, events)
        evolve = self._game.evolve.by_class
        for looking in self._looking:
            seen = self._seen[looking]
            for event in events:
                told = redact(event, looking)
                seen = evolve[type(told)](seen, told)
            self._seen[looking] = seen

    def _draw(self) -> Choose:
        """Return a function that chooses for any seat, by chance among the legal moves."""
        legal_of, chance = self._game.legal, self._chance
        # does what the simulation's `choose` does, without its call
        below_one = chance.below_one if type(chance) is Simulation else None

        def choose(state: Any, seat: Seat) -> Any:
            legal = legal_of(state, seat)
            if (length := len(legal)) > self.longest:  # calling max would be measurably slower
                self.longest = length
            if length == 1:
                return legal[0]
            return legal[int(below_one() * length)] if below_one else chance.choose(legal)

        return choose

    def _ask(self, state: Any, seat: Seat) -> Any:
        """Return the move of the seat's bot. It gets what the seat was told; one that doesn't look gets the truth."""
        if seat in self._looking:
            state = self._seen[seat]
        legal = self._game.legal(state, seat)
        self.longest = max(self.longest, len(legal))
        if len(legal) == 1:
            return legal[0]
        return self._bots[seat].pick(self._game, state, seat, legal, self._chance)

    def answers(self, state: Any, asked: tuple[Seat, ...]) -> tuple[Any, ...]:
        """Return the answers under seal of all seats that are asked: a move or None for each seat."""
        choose, answers = self.choose, [None] * len(self._bots)
        for seat in asked:
            answers[seat] = choose(state, seat)
        return tuple(answers)


def play_out(
    game: AnyGame,
    pack: Any,
    options: Any,
    seats: int,
    bots: Sequence[Bot],
    chance: Chance,
    *,
    watch: Watch | None = None,
) -> Played:
    """Play a match to its end, with a bot on each seat. Raises Refusal for options that can't be played; Stuck."""
    game.check_options(options, seats, pack)
    decide, secret, bound, chances = game.decide, game.secret, game.bound, repeat(chance)
    state = game.initial(options, seats, pack)
    players, moves = _Players(game, state, bots, chance, watch), 0
    choose, tell, may_seal = players.choose, players.tell, secret is not answered_openly
    told: list[Any] = []
    seat, move, events = None, None, game.setup(state, chance)
    while moves <= bound:
        before = state
        state, asked, forced = advance(game, state, events, chances)
        told += events
        if tell:
            tell(before, seat, move, events)
        if forced:
            moves += len(forced)
            for before, seat, move, events in forced:
                told += events
                if tell:
                    tell(before, seat, move, events)
        if not asked:
            return result(game, state, moves, told, players.longest)
        moves += 1
        if may_seal and secret(state):
            moves += len(asked)
            seat, move = None, players.answers(state, asked)
            events = game.close(state, move, chance)
        else:
            seat, move = asked[0], choose(state, asked[0])
            events = decide(state, seat, move, chance)
    raise Stuck(f"{game.slug}: more than {game.bound} moves, the most that a match can take")


def result(game: AnyGame, state: Any, moves: int, told: list[Any], longest: int) -> Played:
    """Return the result of a match in which nobody can act any more. Raises Stuck if it is not over."""
    standing = game.standing(state)
    if not standing.over:
        raise Stuck(f"{game.slug}: after {moves} moves nobody can act, and it is not over")
    return Played(
        moves=moves,
        events=len(told),
        longest_legal=longest,
        points=standing.points,
        ranking=standing.ranking,
        told=tuple(told),
    )
