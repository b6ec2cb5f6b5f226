"""One match played out by bots: no store, no commits, no texts, and no match around the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from bots.choose import Bot
from domain.chance import Chance
from domain.game import Game, Seat
from domain.secrecy import redact

Watch = Callable[[Any, Seat | None, Any, tuple[Any, ...]], None]
"""Told of every step: the state before it, the seat (None: the dealer, or a closing), the move (or the tuple of answers
that a closing closes), and the events that it brought about (none for an answer under seal)."""


class Played(msgspec.Struct, frozen=True):
    """How a match went."""

    moves: int
    """Forced moves, answers under seal and their closings counted."""
    events: int
    longest_legal: int
    points: tuple[int, ...]
    ranking: tuple[int, ...]


class Stuck(RuntimeError):
    """A game that is not over, where nobody can act, or that passes its bound."""


def _nobody(state: Any, seat: Seat | None, move: Any, events: tuple[Any, ...]) -> None:
    """Watches nothing."""


class _Table:
    """The truth, and beside it what each seat sees whose bot looks at it."""

    def __init__(self, game: Game[Any, Any, Any], state: Any, bots: Sequence[Bot], chance: Chance) -> None:
        self.game = game
        self.truth = state
        self.bots = bots
        self.chance = chance
        self.moves = self.events = self.longest = 0
        self._seen = [state] * len(bots)
        self._lookers = tuple(seat for seat, bot in enumerate(bots) if bot.looks)

    def tell(self, events: tuple[Any, ...]) -> None:
        """The events happen: everybody who looks is told their part of them."""
        evolve = self.game.evolve
        truth = self.truth
        for event in events:
            truth = evolve(truth, event)
        self.truth = truth
        self.events += len(events)
        for seat in self._lookers:
            seen = self._seen[seat]
            for event in events:
                seen = evolve(seen, redact(event, seat))
            self._seen[seat] = seen

    def choose(self, seat: Seat) -> Any:
        """The move of the seat's bot."""
        bot = self.bots[seat]
        seen = self._seen[seat] if bot.looks else self.truth
        legal = self.game.legal(seen, seat)
        length = len(legal)
        if length > self.longest:  # noqa: PLR1730  # a call to max is felt here
            self.longest = length
        return legal[0] if length == 1 else bot.pick(self.game, seen, seat, legal, self.chance)

    def close(self, asked: tuple[Seat, ...], watch: Watch) -> None:
        """Everybody who is asked answers under seal, and the answers are closed."""
        state = self.truth
        answers: list[Any] = [None] * len(self.bots)
        for seat in asked:
            answers[seat] = self.choose(seat)
            watch(state, seat, answers[seat], ())
        closed = tuple(answers)
        events = self.game.close(state, closed, self.chance)
        watch(state, None, closed, events)
        self.tell(events)
        self.moves += len(asked) + 1

    def result(self) -> Played:
        """How it went, once nobody is to act."""
        standing = self.game.standing(self.truth)
        if not standing.over:
            raise Stuck(f"{self.game.slug}: after {self.moves} moves nobody can act, and it is not over")
        return Played(
            moves=self.moves,
            events=self.events,
            longest_legal=self.longest,
            points=standing.points,
            ranking=standing.ranking,
        )


def play_out(
    game: Game[Any, Any, Any],
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
    watch = watch or _nobody
    table = _Table(game, game.initial(options, seats, pack), bots, chance)
    dealt = game.setup(table.truth, chance)
    watch(table.truth, None, None, dealt)
    table.tell(dealt)
    forced, to_act, secret, decide, bound = game.forced, game.to_act, game.secret, game.decide, game.bound
    while table.moves <= bound:
        state = table.truth
        if (only := forced(state)) is not None:
            seat, move = only
        elif not (asked := to_act(state)):
            return table.result()
        elif secret(state):
            table.close(asked, watch)
            continue
        else:
            seat = asked[0]
            move = table.choose(seat)
        events = decide(state, seat, move, chance)
        watch(state, seat, move, events)
        table.tell(events)
        table.moves += 1
    raise Stuck(f"{game.slug}: more than {bound} moves, the most that a match can take")
