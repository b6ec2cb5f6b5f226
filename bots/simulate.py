"""One match played out by bots: no store, no commits, no texts, and no match around the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any

import msgspec

from bots.choose import AnyGame, Bot, Random
from domain.chance import Chance, Simulation
from domain.game import Seat, answered_openly
from domain.secrecy import redact
from domain.step import Stuck, advance

Watch = Callable[[Any, Seat | None, Any, tuple[Any, ...]], None]
"""Told of every step: the state before it, the seat (None: the dealer, or a closing), the move (None: the dealer; of a
closing the answers, a move or None a seat), and the events that it brought about."""


class Played(msgspec.Struct, frozen=True):
    """How a match went."""

    moves: int
    """Forced moves, answers under seal and their closings counted."""
    events: int
    longest_legal: int
    points: tuple[int, ...]
    ranking: tuple[int, ...]
    told: tuple[Any, ...] = ()
    """All its events, for who measures something."""


Choose = Callable[[Any, Seat], Any]
"""(truth, seat): what the seat's bot plays."""


class _Players:
    """The bots, what each seat sees whose bot looks at it, and who watches the match."""

    def __init__(self, game: AnyGame, state: Any, bots: Sequence[Bot], chance: Chance, watch: Watch | None) -> None:
        self._game = game
        self._watch = watch
        self._bots = bots
        self._chance = chance
        self._seen = [state] * len(bots)
        self.longest = 0
        self._looking = tuple(seat for seat, bot in enumerate(bots) if bot.looks)
        self.tell: Watch | None = self._tell if self._looking or watch else None
        """Told of every step; None where nobody looks and nobody watches."""
        # by chance is by chance: a call less for each of their moves
        self.choose: Choose = self._draw() if all(type(bot) is Random for bot in bots) else self._ask

    def _tell(self, before: Any, seat: Seat | None, move: Any, events: tuple[Any, ...]) -> None:
        """Whoever watches is told of the step, and everybody who looks their part of its events."""
        if self._watch:
            self._watch(before, seat, move, events)
        evolve = self._game.evolve
        for looking in self._looking:
            seen = self._seen[looking]
            for event in events:
                told = redact(event, looking)
                seen = evolve[type(told)](seen, told)
            self._seen[looking] = seen

    def _draw(self) -> Choose:
        """A way to choose for any seat: by chance among the legal moves."""
        legal_of, chance = self._game.legal, self._chance
        # what a simulation's `choose` does, a call less
        below_one = chance.below_one if type(chance) is Simulation else None

        def choose(state: Any, seat: Seat) -> Any:
            legal = legal_of(state, seat)
            if (length := len(legal)) > self.longest:  # a call to max is felt here
                self.longest = length
            if length == 1:
                return legal[0]
            return legal[int(below_one() * length)] if below_one else chance.choose(legal)

        return choose

    def _ask(self, state: Any, seat: Seat) -> Any:
        """The move of the seat's bot, by what the seat was told; bots that don't look are asked with the truth."""
        if seat in self._looking:
            state = self._seen[seat]
        legal = self._game.legal(state, seat)
        self.longest = max(self.longest, len(legal))
        if len(legal) == 1:
            return legal[0]
        return self._bots[seat].pick(self._game, state, seat, legal, self._chance)

    def answers(self, state: Any, asked: tuple[Seat, ...]) -> tuple[Any, ...]:
        """The answers under seal of all who are asked: a move or None a seat."""
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
    """Play a match to its end, a bot a seat.

    Raises:  Refusal for options that can't be played; Stuck.
    """
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
            return _result(game, state, moves, told, players.longest)
        moves += 1
        if may_seal and secret(state):
            moves += len(asked)
            seat, move = None, players.answers(state, asked)
            events = game.close(state, move, chance)
        else:
            seat, move = asked[0], choose(state, asked[0])
            events = decide(state, seat, move, chance)
    raise Stuck(f"{game.slug}: more than {game.bound} moves, the most that a match can take")


def _result(game: AnyGame, state: Any, moves: int, told: list[Any], longest: int) -> Played:
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
