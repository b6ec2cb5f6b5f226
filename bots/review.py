"""Where a seat gained and lost: what its decisions were worth by what it then knew, and what was luck.

Decisions are judged by a search on what the seat had been told. Luck and play are separated by the true states, which
are open after the end: a step's luck is the value after it, minus the mean of what other draws would have given; the
rest of the step is play. So the value at the start, luck, own play and the others' play add up to the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from math import sqrt
from typing import Any, Literal, NamedTuple

import msgspec

from bots.choose import AnyGame, after
from bots.search.cores import Cores
from bots.search.race import Race
from bots.search.thought import Budget, Candidate, mean, shares, standard_error, won_by
from domain import matches
from domain.chance import Simulation
from domain.game import Seat, Terms, move_id, total
from domain.matches import AnswersClosed, Cause, Match, MatchConceded, MoveMade
from domain.play import standing
from domain.secrecy import EVERY_SEAT, redact

CERTAIN = 2.0
"""The standard errors by which a move must be worse than another one to be named."""
WORTH_NAMING = 0.05
"""The share of the first place that it must cost."""
MOMENTS = 3
"""The most moments that are named."""
DEALS = 16
"""How many other draws are tried, to find what chance could have brought."""
GAINS = 2
"""The most parts of a position's worth that are named as what a better move gains."""
GAINED = 0.25
"""The part of all that it gains, that each of them must be."""
DIGITS = 4
"""The decimals of shares."""

Maker = Literal["seat", "clock", "bot"]
"""Who made a move: the seat's own player, the clock, or a bot that played for the seat meanwhile."""


class NotOver(ValueError):
    """The match was not played to its end."""


class Weighed(msgspec.Struct, frozen=True):
    """What the search found out about a move. Shares are of the first place, from 0 to 1."""

    move: str
    """The move's id."""
    share: float
    """The share that the seat can expect after the move."""
    behind: float
    """How much less `share` is than that of the first move, in the same imagined worlds: 0 for the first move, below 0
    for a move that seems to be better, but not surely."""
    error: float
    """The standard error of `behind`, larger where few worlds were tried: very likely `behind` is off by no more than
    twice as much."""
    points: float = 0.0
    """The seat's points after some more moves of all seats, on average."""
    others: float = 0.0
    """The points of the best other seat then, on average."""
    terms: Terms = {}
    """What each part of the position is then worth to the seat, on average, in the game's own unit: a pack's `names`
    have the names of the parts under `term`."""


class Decision(msgspec.Struct, frozen=True):
    """A decision of the seat in which it had a choice."""

    version: int
    """The last version before the answer, so that `/at` and the replay show what the seat saw."""
    move: str
    """The id of the move that it made."""
    worlds: int
    """The imagined worlds in which moves were tried."""
    weighed: tuple[Weighed, ...]
    """The seat's move and those that looked best: first the one that is advised, then those that were tried longer."""
    by: Maker = "seat"
    """Who made the move: only what its own player chose can be a mistake of the seat's."""

    @property
    def own(self) -> Weighed:
        """What was found out about the seat's move."""
        return next(one for one in self.weighed if one.move == self.move)


class LuckAndPlay(msgspec.Struct, frozen=True):
    """How the result came about, in shares of the first place: `start` + `luck` + `own` + `others` is `result`."""

    start: float
    """What the seat could expect at the start."""
    luck: float
    """What chance gave, or took: how much better the draws were than the average of all possible draws."""
    own: float
    """What the seat's own moves gave, or took, compared with what a move gave on average to the seat that made it.

    With two seats one gains what the other loses, so `own` and `others` say much the same.
    """
    others: float
    """What the moves of the others gave the seat, or took, compared with what they take on average."""
    result: float
    """What the seat got: 1 for the first place, less if it was shared."""
    luck_error: float | None = None
    """The standard error of `luck`, which is estimated from a few other draws. By as much as `luck` is too high, `own`
    and `others` together are too low. Null in reviews of earlier releases."""

    @property
    def is_luck_unclear(self) -> bool:
        """Whether luck can't be told from none, since its error is too large; below a percent it counts as none."""
        margin = CERTAIN * (self.luck_error or 0.0)
        return bool(round(100 * margin)) and abs(self.luck) <= margin


def parts(found: LuckAndPlay, seats: int) -> dict[str, float]:
    """Return what is told of it, by name: of two seats only who played better, as `play`."""
    if seats > 2:
        return {name: getattr(found, name) for name in ("start", "luck", "own", "others", "result")}
    return {"start": found.start, "luck": found.luck, "play": found.own + found.others, "result": found.result}


class Step(NamedTuple):
    """A move with all that follows from it, or the closing of answers under seal."""

    seat: Seat | None
    """None for a closing."""
    move: Any
    """For a closing, the answers: a move or None for each seat. None if the seat gave the match up."""
    before: Match[Any]
    known: Match[Any]
    """What all seats together knew before it."""
    seen: Match[Any]
    """What the reviewed seat had seen before it."""
    after: Match[Any]
    late: frozenset[Seat] = frozenset()
    """The seats whose move the clock made."""


def steps(
    game: AnyGame, pack: Any, events: Sequence[Any], seat: Seat, by_clock: Set[str] = frozenset()
) -> Iterator[Step]:
    """Yield the steps of a match. `events`: all events of its log, with their secrets.

    `by_clock`: the hashes of the sealed answers that the clock gave, as closings name them.
    """
    truth, known, seen = (
        matches.begin(game, pack, opened)
        for opened in (events[0], redact(events[0], EVERY_SEAT), redact(events[0], seat))
    )
    begun: Step | None = None
    for event in events[1:]:
        if (made := _made(event, by_clock)) is not None:
            if begun is not None:
                yield begun._replace(after=truth)
            mover, move, late = made
            begun = Step(mover, move, truth, known, seen, truth, late)
        truth = matches.evolve(game, truth, event)
        known = matches.evolve(game, known, redact(event, EVERY_SEAT))
        seen = matches.evolve(game, seen, redact(event, seat))
    if begun is not None:
        yield begun._replace(after=truth)


def _made(event: Any, by_clock: Set[str]) -> tuple[Seat | None, Any, frozenset[Seat]] | None:
    """Return the seat, the move, and the seats whose move the clock made, if a step begins with this event."""
    match event:
        case MoveMade(seat=seat, move=move, cause=cause) if cause is not Cause.FORCED:
            return seat, move, frozenset({seat} if cause is Cause.CLOCK else ())
        case AnswersClosed(answers=answers):
            given = [None if answer is None or answer.sealed is None else answer for answer in answers]
            late = frozenset(seat for seat, answer in enumerate(given) if answer and answer.sealed in by_clock)
            return None, tuple(None if answer is None else answer.answer for answer in given), late
        case MatchConceded(seat=seat):
            return seat, None, frozenset()
        case _:
            return None


def weighed(found: Candidate) -> Weighed:
    """Return what a search found out about a move, as it is told."""
    error = found.error * _unsure(found.visits)
    numbers = (found.share, found.behind, error, found.points, found.others)
    share, behind, error, points, others = (round(number, DIGITS) for number in numbers)
    terms = {name: round(value, DIGITS) for name, value in found.terms.items()}
    return Weighed(move_id(found.move), share, behind, error, points, others, terms)


def _unsure(worlds: int) -> float:
    """Return by how much the error is larger that so few worlds show: they may agree by chance (Student's t)."""
    few = 1 / max(1, worlds - 1)
    return 1 + 1.2 * few + 1.4 * few**2 + 2.9 * few**3


def gains(own: Weighed, best: Weighed) -> tuple[str, ...]:
    """Return the names of the parts of a position's worth by which another move is better, the largest gain first."""
    gained = {name: worth - own.terms.get(name, 0.0) for name, worth in best.terms.items()}
    least = GAINED * total(max(0.0, gain) for gain in gained.values())
    ranked = sorted((name for name, gain in gained.items() if gain > least), key=lambda name: -gained[name])
    return tuple(ranked[:GAINS])


class Reviewer:
    """Reviews a seat's match, one decision after the other. The same seed and worlds give the same review."""

    def __init__(
        self,
        game: AnyGame,
        pack: Any,
        events: Sequence[Any],
        seat: Seat,
        seed: str,
        cores: Cores | None = None,
        by_clock: Set[str] = frozenset(),
    ) -> None:
        """`events`: all of a finished match, with their secrets. `cores`: None for this one. Raises NotOver.

        `seed`: the same one for all seats of the match, so that their luck adds up to nothing. `by_clock`: the hashes
        of the sealed answers that the clock gave.
        """
        self._game, self._seat, self._seed, self._cores = game, seat, seed, cores
        self._steps = list(steps(game, pack, events, seat, by_clock))
        if not self._steps or self._steps[-1].after.status != matches.Status.FINISHED:
            raise NotOver("Only a match that was played to its end can be reviewed.")
        self._chosen = [
            (step, move)
            for step in self._steps
            if (move := _own(step, seat)) is not None and len(game.legal(step.seen.table, seat)) > 1
        ]

    @property
    def total(self) -> int:
        """How many decisions there are."""
        return len(self._chosen)

    def decision(self, number: int, budget: Budget) -> Decision:
        """Return what a decision was worth, by what the seat knew then. `number`: from 0."""
        step, move = self._chosen[number]
        seen = step.seen.table
        race = Race(self._game, seen, self._seat, f"{self._seed}:{self._seat}:{number}", self._cores)
        thought = race.run(self._game.legal(seen, self._seat), budget, kept=move)
        found = tuple(weighed(one) for one in thought.candidates)
        return Decision(step.seen.version, move_id(move), thought.worlds, found, _maker(step, self._seat))

    def account(self, on_step: Callable[[], object] = lambda: None) -> LuckAndPlay:
        """Return what of the result was luck, own play, and that of others. `on_step` is called for each step."""
        return account(self._game, self._steps, self._seat, self._seed, on_step)


def moments(decisions: Sequence[Decision]) -> tuple[int, ...]:
    """Return the positions of what cost the seat most, at most three, in the order of the match.

    A decision is named only if the seat's player made it, and its loss is certain, and worth naming.
    """
    lost = {at: one.own.behind for at, one in enumerate(decisions) if one.by == "seat"}
    costly = [at for at, loss in lost.items() if loss > max(WORTH_NAMING, CERTAIN * decisions[at].own.error)]
    return tuple(sorted(sorted(costly, key=lambda at: -lost[at])[:MOMENTS]))


def _own(step: Step, seat: Seat) -> Any:
    if step.seat is None:
        return step.move[seat]
    return step.move if step.seat == seat else None


def _maker(step: Step, seat: Seat) -> Maker:
    if seat in step.late:
        return "clock"
    return "bot" if matches.bot_of(step.before, seat) else "seat"


def account(
    game: AnyGame, played: Sequence[Step], seat: Seat, seed: str, on_step: Callable[[], object] = lambda: None
) -> LuckAndPlay:
    """Return which parts of the result were luck, own play, and the play of others.

    A position is usually worth more to a seat after its own move than before, and less after a move of another seat,
    whatever the move. So what moves gave on average to the seats that made them counts as nobody's gain. An answer
    under seal gives what it is worth beyond the game's default there.
    """
    values = [shares(game, step.before.table) for step in played]
    result = won_by(standing(game, played[-1].after).ranking)
    luck = own = others = usual = variance = 0.0
    for number, (step, value, then) in enumerate(zip(played, values, [*values[1:], result], strict=True)):
        on_step()
        chance = f"{seed}:luck:{number}"
        deals = [[share] for share in then] if step.move is None else _deals(game, step, chance)
        likely = [mean(worth) for worth in deals]
        luck += then[seat] - likely[seat]
        if step.move is not None:
            # the draws of each step are its own, so their variances add up
            variance += standard_error(deals[seat]) ** 2
        if step.seat is None:
            gave = _answered(game, step, chance, likely)
        else:
            gave = {step.seat: likely[step.seat] - value[step.seat]}
        own += gave.get(seat, 0.0)
        others += likely[seat] - value[seat] - gave.get(seat, 0.0)
        if step.move is not None:
            usual += total(gave.values()) / len(result)
    return LuckAndPlay(values[0][seat], luck, own - usual, others + usual, result[seat], sqrt(variance))


def _answered(game: AnyGame, closing: Step, seed: str, likely: list[float]) -> dict[Seat, float]:
    """Return what each answer under seal that is not the game's default gave its seat."""
    gave = {}
    for seat, answer in enumerate(closing.move):
        if answer is not None and answer != (default := game.default(closing.before.table, seat)):
            otherwise = closing._replace(move=[*closing.move[:seat], default, *closing.move[seat + 1 :]])
            gave[seat] = likely[seat] - mean(_deals(game, otherwise, seed)[seat])
    return gave


def _deals(game: AnyGame, step: Step, seed: str) -> list[list[float]]:
    """Return for each seat its value after the step in some of the ways that chance could have brought."""
    found = [_again(game, step, f"{seed}:{deal}") for deal in range(DEALS)]
    return [list(worth) for worth in zip(*found, strict=True)]


def _again(game: AnyGame, step: Step, seed: str) -> list[float]:
    """Return each seat's value after the same step, as chance could have brought it by what they knew together."""
    chance = Simulation(seed)
    state = game.imagine(step.known.table, None, chance)
    if step.seat is None:
        first = next(number for number, answer in enumerate(step.move) if answer is not None)
        return shares(game, after(game, state, first, step.move[first], list(step.move), chance))
    return shares(game, after(game, state, step.seat, step.move, None, chance))
