"""Judges what may happen to a match: every function returns the events that follow, or raises Refusal.

`advance` makes one step of the game: a move, the forced moves that follow from it, and who is asked then. Matches
without a store, and bots that look ahead, use it too, so that they agree with matches.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import count
from typing import Any, Literal, TypeVar

import msgspec

from domain import chance, matches
from domain.chance import Chance, Scripted, Verifiable
from domain.game import Game, Refusal, Seat, Standing
from domain.matches import (
    BY_CLOCK,
    PLAYING,
    AnswersClosed,
    AnswerSealed,
    Cause,
    Finished,
    Match,
    MoveMade,
    Opened,
    Started,
    Status,
)

S = TypeVar("S")
M = TypeVar("M")
E = TypeVar("E")

Chances = Iterator[Chance]
"""The chance of each forced move in turn; `itertools.repeat(chance)` if one serves all."""

Forced = tuple[S, Seat, M, tuple[E, ...]]
"""A move that the engine played: the state before it, its seat, the move, and its events."""

Step = tuple[S, tuple[Seat, ...], tuple[Forced[S, M, E], ...]]
"""The end of a step: the state, who is asked (nobody if the game is over), and the forced moves on the way."""


class Stuck(RuntimeError):
    """The game has more moves than its bound, or is not over although nobody can act."""


def advance(game: Game[S, M, E], state: S, events: tuple[E, ...], chances: Chances) -> Step[S, M, E]:
    """Fold the events of a move, a closing or the dealer, and play the forced moves that follow.

    Raises:  Stuck when there are more forced moves in a row than the game's bound.
    """
    evolve, forced, to_act = game.evolve.by_class, game.forced, game.to_act
    for event in events:
        state = evolve[type(event)](state, event)
    if (only := forced(state)) is None:
        return state, to_act(state), ()
    made: list[Forced[S, M, E]] = []
    while only is not None:
        if len(made) == game.bound:
            raise Stuck(f"{game.slug}: more than {game.bound} forced moves follow one another")
        seat, move = only
        before, events = state, game.decide(state, seat, move, next(chances))
        for event in events:
            state = evolve[type(event)](state, event)
        made.append((before, seat, move, events))
        only = forced(state)
    return state, to_act(state), tuple(made)


SERVICE = "service"
CLOCK = "clock"

_NONCE = re.compile(r"(?:[0-9a-f]{64})?")

Dice = Callable[[int], Chance]
"""(the number of a move) -> its chance."""


class Told(msgspec.Struct, frozen=True):
    """An event with what the log says about it: who acted, and the number of the move that it belongs to."""

    event: Any
    actor: str
    move: int


Outcome = tuple[tuple[Told, ...], Match[Any]]
"""The events, and the match after them."""


class DecisionClosed(Refusal):
    """The decision that a move names is not open; `decision` is the seat's open one, 0 if there is none."""

    def __init__(self, decision: int) -> None:
        super().__init__("", "decision-closed", decision=decision)
        self.decision = decision


def dice(state: Match[Any]) -> Dice:
    """Return the verifiable chance of a match whose secret and nonces are known.

    Raises:  ValueError if the secret is not known.
    """
    if state.secret is None:
        raise ValueError("the chance of a match is derived from its secret, which is not known here")
    return partial(Verifiable, _seed(state.secret, state.nonces))


@lru_cache(maxsize=512)
def _seed(secret: str, nonces: tuple[str, ...]) -> bytes:
    """Return a match's seed, which is the same for all its moves."""
    texts = (secret, *nonces)
    if not all(_NONCE.fullmatch(digits) for digits in texts):
        raise ValueError("a secret or a nonce that is not written as 64 lower-case hexadecimal digits")
    return chance.seed(bytes.fromhex(secret), tuple(map(bytes.fromhex, nonces)))


def open_match(
    game: Game[Any, Any, Any], pack: Any, *, pack_name: str, pack_hash: str, seats: int, options: Any, secret: str
) -> tuple[Told, Match[Any]]:
    """Return the opening event and the match after it. Raises Refusal for seats or options that can't be played."""
    if seats not in game.seats:
        raise Refusal("", "seats", wanted=game.seats, seats=seats)
    game.check_options(options, seats, pack)
    opened = Opened(
        game=game.slug,
        version=game.version,
        pack=pack_name,
        pack_hash=pack_hash,
        seats=seats,
        options=options,
        secret=secret,
    )
    return Told(opened, SERVICE, 0), matches.begin(game, pack, opened)


def fork_match(
    game: Game[Any, Any, Any],
    pack: Any,
    parent: Match[Any],
    events: Sequence[Any],
    following: Any,
    *,
    id: str,
    hash: str,
    secret: str,
) -> tuple[tuple[Told, ...], Match[Any]]:
    """Return the events that open a match which continues `parent`, and the match after them.

    Shape:   `parent` is the truth at the version from which to continue, `events` are its events of the game up to
             there, `following` is the event after it, `id` its match, and `hash` the hash of its last event.
    Raises:  Refusal when nobody was asked at that version.
    """
    if parent.status != Status.PLAYING or not matches.begins_move(following):
        raise Refusal("", "fork-point", match=id, version=parent.version)
    opened = msgspec.structs.replace(parent.opened, secret=secret)
    forked = matches.Forked(parent=id, version=parent.version, hash=hash)
    log = tuple(Told(event, SERVICE, 0) for event in (opened, forked, *events))
    return log, matches.fold(game, matches.begin(game, pack, opened), (forked, *events))


def abort(state: Match[Any], reason: Literal["agreement", "operator", "pause"]) -> tuple[Told, ...]:
    """Return the event that breaks the match off and reveals its secret. Raises Refusal when it is over."""
    if state.is_over:
        raise Refusal("", f"match-{state.status}")
    assert state.secret is not None, "only who knows the match's secret breaks it off"
    return (Told(matches.Aborted(reason=reason, secret=state.secret), SERVICE, state.moves),)


def take_seat(
    game: Game[Any, Any, Any],
    state: Match[Any],
    seat: Seat,
    nonce: str = "",
    dice_of: Callable[[Match[Any]], Dice] = dice,
) -> tuple[Told, ...]:
    """Return the events of a seat that is taken. With the last one the match starts, and is dealt unless it is a fork.

    Raises:  Refusal when the match has started, the seat is taken or does not exist, or the nonce is malformed.
    """
    if state.status != Status.OPEN:
        raise Refusal("", "not-open")
    if not 0 <= seat < len(state.taken):
        raise Refusal("", "no-such-seat", seat=seat, seats=len(state.taken))
    if state.taken[seat]:
        raise Refusal("", "seat-taken", seat=seat)
    if not _NONCE.fullmatch(nonce):
        raise Refusal("", "nonce")
    taken = matches.SeatTaken(seat=seat, nonce=nonce)
    entries = [Told(taken, f"seat:{seat}", 0)]
    state = matches.evolve(game, state, taken)
    if all(state.taken):
        entries.append(Told(Started(), SERVICE, 0))
        state = matches.evolve(game, state, Started())
        roll = dice_of(state)
        dealt = () if state.is_fork else game.setup(state.table, roll(0))
        entries.extend(_run_on(game, state, (), dealt, SERVICE, roll)[0])
    return tuple(entries)


def leave_seat(state: Match[Any], seat: Seat) -> tuple[Told, ...]:
    """Return the event with which the seat's player leaves it. Raises Refusal after the start, or if it is free."""
    if state.status != Status.OPEN:
        raise Refusal("", "not-open")
    if not (0 <= seat < len(state.taken) and state.taken[seat]):
        raise Refusal("", "seat-free", seat=seat)
    return (Told(matches.SeatLeft(seat=seat), f"seat:{seat}", 0),)


def check_open(game: Game[Any, Any, Any], state: Match[Any], seat: Seat, decision: int) -> None:
    """Raise Refusal if this is not the seat's open decision."""
    now = matches.decision_of(game, state, seat)
    if not now or decision != now:
        if state.status is not PLAYING:
            raise Refusal("", f"match-{state.status}")
        raise DecisionClosed(now)


def played(
    game: Game[Any, Any, Any],
    state: Match[Any],
    seat: Seat,
    decision: int,
    move: Any,
    roll: Dice,
    cause: Cause = Cause.SEAT,
) -> Outcome:
    """Return the events of a move with all that follows from it (see `_run_on`), and the match after them.

    Raises:  Refusal when that decision is not open or is answered under seal, or the move is not legal.
    """
    check_open(game, state, seat, decision)
    if game.secret(state.table):
        raise Refusal("", "sealed")
    events = game.decide(state.table, seat, move, roll(state.moves + 1))
    made = MoveMade(seat=seat, decision=decision, move=move, cause=cause)
    return _run_on(game, state, (made,), events, CLOCK if cause is BY_CLOCK else f"seat:{seat}", roll)


def seal(
    game: Game[Any, Any, Any], state: Match[Any], seat: Seat, decision: int, move: Any, cause: Cause = Cause.SEAT
) -> Told:
    """Return the event of an answer under seal. It is for the seat's private log only.

    Raises:  Refusal when that decision is not open, or the move is not legal, or is called forced, which none is.
    """
    check_open(game, state, seat, decision)
    assert game.secret(state.table), "this decision is answered openly"
    if cause is Cause.FORCED:
        raise Refusal("", "not-forced", seat=seat)
    if move not in game.legal(state.table, seat):
        game.decide(state.table, seat, move, Scripted())  # raises Refusal with the clause
        raise AssertionError(f"{game.slug} decides {move}, which is not legal")
    actor = CLOCK if cause is BY_CLOCK else f"seat:{seat}"
    return Told(AnswerSealed(decision=decision, answer=move, cause=cause), actor, state.moves + 1)


def standing(game: Game[Any, Any, Any], state: Match[Any]) -> Standing:
    """Return who is ahead at the table, or has won: what ends a match of two may also be that one gave it up."""
    if state.conceded is not None and state.ranking:
        return Standing(points=state.points, ranking=state.ranking, over=True)
    return game.standing(state.table)


def is_complete(game: Game[Any, Any, Any], state: Match[Any]) -> bool:
    """Return whether every seat that was asked under seal has answered."""
    return matches.is_sealed(game, state) and not matches.to_act(game, state)


def closed(game: Game[Any, Any, Any], state: Match[Any], roll: Dice) -> Outcome:
    """Return the closing after the last answer under seal with all that follows from it, and the match after that."""
    assert is_complete(game, state), "not under seal, or some still owe their answer"
    answers = tuple(None if answer.sealed is None else answer.answer for answer in state.answers)
    closing: AnswersClosed[Any] = AnswersClosed(decision=max(state.asked) or state.version, answers=state.answers)
    events = game.close(state.table, answers, roll(state.moves + 1))
    return _run_on(game, state, (closing,), events, SERVICE, roll)


def _run_on(
    game: Game[Any, Any, Any], state: Match[Any], own: tuple[Any, ...], events: tuple[Any, ...], actor: str, roll: Dice
) -> Outcome:
    """Return the events of a move, of the forced moves after it, each with its own number, and of the end.

    Shape:   `own` is the match's event of the move, or nothing when the dealer begins; `events` are the game's.
    """
    number = state.moves + len(own)
    entries = [Told(event, actor, number) for event in own + events]
    table, asked, forced = advance(game, state.table, events, map(roll, count(number + 1)))
    for after, (_, seat, move, more) in enumerate(forced, number + 1):
        made = MoveMade(seat=seat, decision=0, move=move, cause=Cause.FORCED)
        own += (made,)
        entries.extend(Told(event, SERVICE, after) for event in (made, *more))
    # what folding all entries would give: the table is known, and the game's own events change nothing else
    version = state.version + len(entries)
    state = msgspec.structs.replace(matches.fold(game, state, own), version=version, table=table)
    # a game is not over while somebody is to act, so its standing need not be computed
    if not asked and (standing := game.standing(table)).over:
        assert state.secret is not None, "only who knows the match's secret plays it to its end"
        finished = Finished(points=standing.points, ranking=standing.ranking, secret=state.secret)
        entries.append(Told(finished, SERVICE, state.moves))
        state = matches.evolve(game, state, finished)
    return tuple(entries), state
