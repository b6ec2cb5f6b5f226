"""Where a seat gained and lost: what its decisions were worth by what it then knew, and what was luck.

Decisions are judged by a search on what the seat had been told. Luck is told from play by the true states, which are
open after the end: a step's luck is the value after it, less the mean over all that chance could have brought; the rest
of the step is play. So the value at the start, luck, own play and the others' play add up to the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from bots.choose import AnyGame, after
from bots.search.odds import shares
from bots.search.race import Race
from bots.search.thought import Budget, mean
from domain import matches
from domain.chance import Simulation
from domain.game import Seat
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
"""How often chance is asked again, to tell what it could have brought."""


class NotOver(ValueError):
    """The match was not played to its end."""


class Decision(msgspec.Struct, frozen=True):
    """A decision of the seat in which it had a choice. Shares are of the first place, from 0 to 1."""

    version: int
    """The version at which the seat was asked, so that `/at` and the replay show what it saw."""
    move: Any
    best: Any
    """The move that the search prefers, which may be the seat's own."""
    share: float
    """What the search expects of the best move."""
    lost: float
    """By how much less it expects of the seat's move; 0 if that is the best one."""
    error: float
    """The standard error of `lost`."""
    worlds: int


class Account(msgspec.Struct, frozen=True):
    """How the result came about, in shares of the first place: `start` + `luck` + `own` + `others` is `result`."""

    start: float
    luck: float
    own: float
    others: float
    result: float


class Review(msgspec.Struct, frozen=True):
    """What was found out about a seat's match."""

    seat: Seat
    decisions: tuple[Decision, ...]
    moments: tuple[int, ...]
    """The positions in `decisions` of what cost the seat most, at most three, in the order of the match."""
    account: Account


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


def steps(game: AnyGame, pack: Any, events: Sequence[Any], seat: Seat) -> Iterator[Step]:
    """Yield the steps of a match. `events`: all events of its log, with their secrets."""
    truth, known, seen = (
        matches.begin(game, pack, opened)
        for opened in (events[0], redact(events[0], EVERY_SEAT), redact(events[0], seat))
    )
    begun: Step | None = None
    for event in events[1:]:
        if (made := _made(event)) is not None:
            if begun is not None:
                yield begun._replace(after=truth)
            begun = Step(*made, truth, known, seen, truth)
        truth = matches.evolve(game, truth, event)
        known = matches.evolve(game, known, redact(event, EVERY_SEAT))
        seen = matches.evolve(game, seen, redact(event, seat))
    if begun is not None:
        yield begun._replace(after=truth)


def _made(event: Any) -> tuple[Seat | None, Any] | None:
    """Return the seat and the move, if a step begins with this event."""
    match event:
        case MoveMade(seat=seat, move=move, cause=cause) if cause is not Cause.FORCED:
            return seat, move
        case AnswersClosed(answers=answers):
            return None, tuple(None if answer is None or answer.sealed is None else answer.answer for answer in answers)
        case MatchConceded(seat=seat):
            return seat, None
        case _:
            return None


def review(
    game: AnyGame,
    pack: Any,
    events: Sequence[Any],
    seat: Seat,
    budget: Budget,
    seed: str,
) -> Review:
    """Return what the seat's decisions were worth, and what was luck. The same seed and worlds give the same review.

    Shape:   `events` are all of a finished match, with their secrets; `budget` is for all decisions together.
    Raises:  NotOver.
    """
    played = list(steps(game, pack, events, seat))
    if not played or played[-1].after.status != matches.Status.FINISHED:
        raise NotOver("Only a match that was played to its end can be reviewed.")
    chosen = [
        (step, move)
        for step in played
        if (move := _own(step, seat)) is not None and len(game.legal(step.seen.table, seat)) > 1
    ]
    each = Budget(budget.seconds / max(1, len(chosen)), budget.worlds)
    decisions = []
    for number, (step, move) in enumerate(chosen):
        decisions.append(_judged(game, step, seat, move, each, f"{seed}:{number}"))
    costly = [at for at, one in enumerate(decisions) if one.lost > max(WORTH_NAMING, CERTAIN * one.error)]
    named = sorted(sorted(costly, key=lambda at: -decisions[at].lost)[:MOMENTS])
    return Review(seat, tuple(decisions), tuple(named), account(game, played, seat, seed))


def _own(step: Step, seat: Seat) -> Any:
    """Return the seat's own move in the step, or None."""
    if step.seat is None:
        return step.move[seat]
    return step.move if step.seat == seat else None


def _judged(game: AnyGame, step: Step, seat: Seat, move: Any, budget: Budget, seed: str) -> Decision:
    seen = step.seen.table
    thought = Race(game, seen, seat, seed).run(game.legal(seen, seat), budget, kept=move)
    own = next(one for one in thought.candidates if one.move == move)
    best = thought.candidates[0]
    return Decision(step.seen.version, move, best.move, best.share, own.behind, own.error, thought.worlds)


def account(game: AnyGame, played: Sequence[Step], seat: Seat, seed: str) -> Account:
    """Return what of the result was luck, own play, and that of others."""
    values = [shares(game, step.before.table)[seat] for step in played]
    last = played[-1].after
    ranking = standing(game, last).ranking
    result = 1 / ranking.count(1) if ranking[seat] == 1 else 0.0
    luck = own = others = 0.0
    for number, (step, value, then) in enumerate(zip(played, values, [*values[1:], result], strict=True)):
        deals = range(DEALS) if step.move is not None else ()
        likely = mean([_again(game, step, seat, f"{seed}:luck:{number}:{deal}") for deal in deals]) if deals else then
        luck += then - likely
        if step.seat == seat:
            own += likely - value
        else:
            others += likely - value
    return Account(values[0], luck, own, others, result)


def _again(game: AnyGame, step: Step, seat: Seat, seed: str) -> float:
    """Return the seat's value after the same step, as chance could have brought it by what the seats knew together."""
    chance = Simulation(seed)
    state = game.imagine(step.known.table, None, chance)
    if step.seat is None:
        first = next(number for number, answer in enumerate(step.move) if answer is not None)
        return shares(game, after(game, state, first, step.move[first], list(step.move), chance))[seat]
    return shares(game, after(game, state, step.seat, step.move, None, chance))[seat]
