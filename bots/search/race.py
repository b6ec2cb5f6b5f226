"""Flat Monte Carlo on paired worlds: the best-looking moves are played on in the same worlds; the worse ones drop out.

This is successive halving. A world is a state that looks the same to the seat, with its own luck. All candidates are
played on in it, so luck that they share does not count: everybody plays greedily for some moves, then the position is
evaluated.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from functools import cached_property
from itertools import repeat
from math import ceil, log2, sqrt
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from bots.choose import SEEDS, AnyGame, after, answers_of, judged
from bots.search.thought import UNTUNED, Budget, Candidate, Thought, mean, shares, standard_error
from domain.chance import Chance, Simulation
from domain.game import Seat, Terms, total
from domain.play import advance
from domain.tuning import Tuning

if TYPE_CHECKING:
    from bots.search.cores import Cores

GLANCES = 4
"""The worlds in which all legal moves are looked at one move ahead, to choose the candidates."""
SPREAD = 4.0
"""By how much a world may differ from the mean, as a multiple of `Tuning.trust`."""
CLEAR = 3.0
"""The standard errors by which a move must be better than all others for a search to end early."""
LOOKS = frozenset(1 << power for power in range(3, 16))
"""After so many worlds it is looked whether a search may end early."""
LEAST = 2
"""The fewest worlds of each round of a race, however short the time is: one world has no error."""


class World(NamedTuple):
    """A state that looks the same to the seat, the others' answers under seal, and the seed of what chance brings."""

    state: Any
    answers: list[Any] | None
    luck: str


class End(NamedTuple):
    """What the seat has where a move was played on to in one world."""

    share: float
    """Of the first place."""
    points: int
    others: int
    """The points of the best of the others."""
    terms: Terms


Rows = list[tuple[int, tuple[End, ...]]]
"""The results of moves in several worlds: the number of each world, and the end of each move in it."""


class Ends:
    """What the seat has where a move was played on to, summed over the worlds."""

    def __init__(self) -> None:
        self._points = self._others = 0
        self._terms: Terms = {}

    def add(self, end: End) -> None:
        """Add an end."""
        self._points += end.points
        self._others += end.others
        for name, worth in end.terms.items():
            self._terms[name] = self._terms.get(name, 0.0) + worth

    def candidate(self, move: Any, found: list[float], best: list[float]) -> Candidate:
        """Return what was found out about the move: its shares, and those of the best one in the same worlds."""
        behind = [one - two for one, two in zip(best, found, strict=False)]
        error, count = 0.0 if found is best else standard_error(behind), len(found)
        means = {name: total / count for name, total in self._terms.items()}
        own, others = self._points / count, self._others / count
        return Candidate(move, count, mean(found), mean(behind), error, own, others, means)


class Race:
    """One search: the worlds so far, and how each candidate did in them."""

    def __init__(self, game: AnyGame, seen: Any, seat: Seat, seed: str, cores: Cores | None = None) -> None:
        """`seen`: what the seat was told, and nothing else; `seed`: of the worlds. `cores`: None for this one alone."""
        self._game = game
        self._seen = seen
        self._seat = seat
        self._seed = seed
        self._cores = cores
        self._tuning: Tuning = game.tuning or UNTUNED
        self._worlds: dict[int, World] = {}
        self._leaves = 0

    def run(self, legal: tuple[Any, ...], budget: Budget, kept: Any = None) -> Thought:
        """Look at all these moves, play the best ones on, and return what was found out.

        `kept`: a move that is played on in every world, however it looks.
        """
        begun = perf_counter()
        order, behind, count = self._glance(legal)
        budget = budget if count > 1 else replace(budget, worlds=LEAST)
        if kept is not None and (at := order.index(kept)) >= count:
            order[count - 1], order[at] = order[at], order[count - 1]
            behind[count - 1], behind[at] = behind[at], behind[count - 1]
        found: list[list[float]] = [[] for _ in range(count)]
        ends = [Ends() for _ in range(count)]
        running = list(range(count))
        always = {0} if kept is None else {0, order.index(kept)}
        rounds = max(1, ceil(log2(len(found))))
        worlds = world = 0
        for number in range(1, rounds + 1):
            end, last, first = begun + budget.seconds * number / rounds, budget.worlds * number / rounds, worlds
            while worlds < first + LEAST or (worlds < last and perf_counter() < end):
                numbers = self._next(world, worlds, max(last, first + LEAST))
                for row in self._rows([order[at] for at in running], numbers, world + first + LEAST - worlds, end):
                    for at, reached in zip(running, row, strict=True):
                        found[at].append(reached.share)
                        ends[at].add(reached)
                    worlds += 1
                world = numbers.stop
                if worlds in LOOKS and self._is_decided(running, found, behind):
                    budget = replace(budget, worlds=0)
                    break
            leads = self._leads(found, behind)
            running.sort(key=lambda at: -leads[at])
            # the greedy move stays, since all others are compared with it
            running = sorted({*always, *running[: max(2, len(running) // 2)]})
        best = max(running, key=lambda at: leads[at])
        ranked = sorted(range(len(found)), key=lambda at: (at != best, -len(found[at]), -mean(found[at])))
        return Thought(
            move=order[best],
            candidates=tuple(ends[at].candidate(order[at], found[at], found[best]) for at in ranked),
            worlds=worlds,
            leaves=self._leaves,
        )

    def _leads(self, found: list[list[float]], behind: list[float]) -> list[float]:
        return [self._lead(worlds, found[0], less) for worlds, less in zip(found, behind, strict=False)]

    def _is_decided(self, running: list[int], found: list[list[float]], behind: list[float]) -> bool:
        """Return whether one of the moves is so much better than the others that no further world is needed."""
        leads = self._leads(found, behind)
        best = max(running, key=lambda at: leads[at])
        others = [self._compared(found[best], found[at]) for at in running if at != best]
        return all(middle > CLEAR * sqrt(variance) for middle, variance in others)

    def _lead(self, found: list[float], greedy: list[float], behind: float) -> float:
        """Return by how much a move seems to be better than the greedy one: by the look ahead and by its worlds.

        `behind`: by how much it looked worse. The more worlds agree, the less does that count.
        """
        if found is greedy:
            return 0.0
        middle, variance = self._compared(found, greedy)
        weight = 1 / (1 + variance / self._tuning.trust**2)
        return weight * middle - (1 - weight) * behind

    def _compared(self, one: list[float], other: list[float]) -> tuple[float, float]:
        """Return by how much a move is better than another one on average, and the variance of that."""
        lead = [mine - its for mine, its in zip(one, other, strict=False)]
        middle, count = mean(lead), len(lead)
        # a few worlds may agree by chance, so one more is added that does not
        usual = SPREAD * self._tuning.trust
        return middle, (total((each - middle) ** 2 for each in lead) + usual**2) / count / count

    @cached_property
    def root(self) -> bytes:
        """The game's slug, what the seat was told, the seat and the seed, pickled: of these all worlds are made."""
        return pickle.dumps((self._game.slug, self._seen, self._seat, self._seed))

    def rows(self, moves: Sequence[Any], numbers: range, least: int, end: float) -> Rows:
        """Play the moves on in these worlds, until `end` (`perf_counter`); in those below `least` in any case."""
        found = []
        for number in numbers:
            if number >= least and perf_counter() >= end:
                break
            found.append((number, tuple([self._played_on(move, number) for move in moves])))
        return found

    def _rows(self, moves: Sequence[Any], numbers: range, least: int, end: float) -> list[tuple[End, ...]]:
        cores = self._cores
        found = cores.rows(self, moves, numbers, least, end) if cores else self.rows(moves, numbers, least, end)
        self._leaves += len(found) * len(moves)
        return [row for _, row in found]

    def _next(self, world: int, worlds: int, last: float) -> range:
        """Return the numbers of the next worlds: one, or on several cores those before the next look."""
        if self._cores is None:
            return range(world, world + 1)
        look = min(look for look in (*LOOKS, worlds + max(LOOKS)) if look > worlds)
        return range(world, world + ceil(min(look, last)) - worlds)

    def _world(self, number: int) -> World:
        if number not in self._worlds:
            luck = f"{self._seed}:{number}"
            state = self._game.imagine(self._seen, self._seat, Simulation(luck))
            self._worlds[number] = World(state, answers_of(self._game, state, self._seat), luck)
        return self._worlds[number]

    def _glance(self, legal: tuple[Any, ...]) -> tuple[list[Any], list[float], int]:
        """Return the moves, by how much each looks worse than the first, and how many of them are candidates.

        That move is first after which the position looks best. Of moves that look alike in every world, one comes
        before the other moves and the rest after them; if all look alike, there is nothing to think about. The
        differences are in shares of the first place.
        """
        game, seat = self._game, self._seat
        worlds = [self._world(number) for number in range(GLANCES)]
        looks = list(zip(*(judged(game, state, seat, legal, luck) for state, _, luck in worlds), strict=True))
        self._leaves += GLANCES * len(legal)
        sums = [total(look) for look in looks]
        order = sorted(range(len(legal)), key=lambda at: (looks.index(looks[at]) < at, -sums[at]))
        seats = len(game.standing(self._seen).points)
        # how steep the curve is where all are equal
        slope = (1 - 1 / seats) / seats / self._tuning.scale_of(seats, game.progress(self._seen)) / GLANCES
        behind = [min(1.0, slope * (sums[order[0]] - sums[at])) for at in order]
        count = min(self._tuning.candidates, len(order)) if len(set(looks)) > 1 else 1
        return [legal[at] for at in order], behind, count

    def _played_on(self, move: Any, number: int) -> End:
        """Return the end of playing on with this move in that world."""
        game, seat = self._game, self._seat
        state, answers, luck = self._world(number)
        chance = Simulation(luck)
        state = self._ended(after(game, state, seat, move, answers, chance), chance)
        points = game.standing(state).points
        others = max(points[:seat] + points[seat + 1 :])
        return End(shares(game, state)[seat], points[seat], others, game.terms(state, seat))

    def _ended(self, state: Any, chance: Chance) -> Any:
        """Return the state `Tuning.depth` moves later. All play greedily, but for some moves: `Tuning.doubt`."""
        game = self._game
        asked, chances = game.to_act(state), repeat(chance)
        for _ in range(self._tuning.depth):
            if not asked:
                break
            if game.secret(state):
                answers = [None] * len(game.standing(state).points)
                for seat in asked:
                    answers[seat] = self._greedily(state, seat, chance)
                events = game.close(state, tuple(answers), chance)
            else:
                events = game.decide(state, asked[0], self._greedily(state, asked[0], chance), chance)
            state, asked, _ = advance(game, state, events, chances)
        return state

    def _greedily(self, state: Any, seat: Seat, chance: Chance) -> Any:
        """Return the move after which the position looks best to the seat; `evaluate` reads only what it may know."""
        legal = self._game.legal(state, seat)
        if len(legal) == 1:
            return legal[0]
        worth = judged(self._game, state, seat, legal, chance.below(SEEDS))
        best, doubt = max(worth), self._tuning.doubt
        if doubt and chance.below(SEEDS) < doubt * SEEDS:
            best = max((value for value in worth if value < best), default=best)
        return legal[worth.index(best)]
