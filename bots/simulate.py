"""One match played out by bots: no store, no commits, no texts, and no match around the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from bots.choose import AnyGame, Bot, Random
from domain.chance import Chance
from domain.game import Seat
from domain.secrecy import redact

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


class Stuck(RuntimeError):
    """A game that is not over, where nobody can act, or that passes its bound."""


class _Players:
    """The bots, and what each seat sees whose bot looks at it."""

    def __init__(self, game: AnyGame, state: Any, bots: Sequence[Bot], chance: Chance) -> None:
        self._game = game
        self._legal = game.legal
        # by chance is by chance: a call less for each of their moves
        self._picks = [None if type(bot) is Random else bot.pick for bot in bots]
        self._draw = chance.choose
        self._chance = chance
        self._seen = [state] * len(bots)
        self.longest = 0
        self.looking = tuple(seat for seat, bot in enumerate(bots) if bot.looks)

    def tell(self, events: tuple[Any, ...]) -> None:
        """Everybody who looks is told their part of the events."""
        evolve = self._game.evolve
        for seat in self.looking:
            seen = self._seen[seat]
            for event in events:
                seen = evolve(seen, redact(event, seat))
            self._seen[seat] = seen

    def choose(self, state: Any, seat: Seat) -> Any:
        """The move of the seat's bot; the truth is for those who don't look."""
        if seat in self.looking:
            state = self._seen[seat]
        legal = self._legal(state, seat)
        length = len(legal)
        if length > self.longest:  # noqa: PLR1730  # a call to max is felt here
            self.longest = length
        if length == 1:
            return legal[0]
        pick = self._picks[seat]
        return self._draw(legal) if pick is None else pick(self._game, state, seat, legal, self._chance)

    def answers(self, state: Any, asked: tuple[Seat, ...]) -> tuple[Any, ...]:
        """Everybody who is asked answers under seal: a move or None a seat."""
        answers: list[Any] = [None] * len(self._picks)
        for seat in asked:
            answers[seat] = self.choose(state, seat)
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
    evolve, forced, to_act, secret, decide = game.evolve, game.forced, game.to_act, game.secret, game.decide
    state = game.initial(options, seats, pack)
    players, moves, bound = _Players(game, state, bots, chance), 0, game.bound
    choose, looking = players.choose, players.looking
    told: list[Any] = []
    seat, move, events = None, None, game.setup(state, chance)
    while moves <= bound:
        if watch:
            watch(state, seat, move, events)
        if looking:
            players.tell(events)
        told += events
        for event in events:
            state = evolve(state, event)
        if (only := forced(state)) is not None:
            seat, move = only
        elif not (asked := to_act(state)):
            return _result(game, state, moves, told, players.longest)
        elif secret(state):
            seat, move = None, players.answers(state, asked)
            moves += len(asked) + 1
            events = game.close(state, move, chance)
            continue
        else:
            seat = asked[0]
            move = choose(state, seat)
        moves += 1
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
