"""Matches played out without a store."""

from __future__ import annotations

from typing import Any

import pytest

from bots import BOTS
from bots.choose import Bot, Random
from bots.simulate import play_out
from domain.chance import Chance, Simulation
from domain.game import Game, Refusal, Seat, fold
from domain.play import Stuck
from domain.secrecy import redact
from tests.bots.toy import GAME, Bids, Options


def variant(**changes: Any) -> Game[Any, Any, Any]:
    return type(GAME)(**{**{name: getattr(GAME, name) for name in GAME.__slots__}, **changes})


class Spy(Bot):
    """Remembers what it was shown."""

    def __init__(self) -> None:
        self.shown: list[tuple[Seat, Any]] = []

    def pick(self, game: Game[Any, Any, Any], seen: Any, seat: Seat, legal: tuple[Any, ...], chance: Chance) -> Any:
        self.shown.append((seat, seen))
        return legal[chance.below(len(legal))]


def test_every_step_is_told_and_counted() -> None:
    steps: list[tuple[Any, Seat | None, Any, tuple[Any, ...]]] = []
    played = play_out(GAME, None, Options(), 3, [Random()] * 3, Simulation(1), watch=lambda *step: steps.append(step))
    dealt, *rest = steps
    assert dealt[1:3] == (None, None)
    # three rounds: the leader's choice, three answers under seal, the closing
    assert (played.moves, len(rest)) == (15, 6)
    assert played.events == sum(len(events) for *_, events in steps)
    assert played.longest_legal == 3
    state = fold(GAME, steps[0][0], tuple(event for *_, events in steps for event in events))
    assert GAME.standing(state).points == played.points
    assert all(before is not None for before, *_ in steps)


def test_a_closing_tells_the_answers_as_its_move() -> None:
    closings: list[tuple[tuple[Any, ...], tuple[Any, ...]]] = []

    def watch(_: Any, seat: Seat | None, move: Any, events: tuple[Any, ...]) -> None:
        if seat is None and move is not None:
            closings.append((move, events))

    play_out(GAME, None, Options(), 2, [Random()] * 2, Simulation(3), watch=watch)
    assert len(closings) == 3
    for answers, (bids, *_) in closings:
        assert isinstance(bids, Bids)
        assert tuple(answer.card for answer in answers) == bids.cards


def test_a_bot_that_looks_is_shown_the_fold_of_what_its_seat_was_told() -> None:
    spy = Spy()
    log: list[Any] = []
    begun: list[Any] = []

    def watch(state: Any, _: Seat | None, __: Any, events: tuple[Any, ...]) -> None:
        begun.append(state)
        log.extend(events)

    play_out(GAME, None, Options(), 2, [spy, spy], Simulation(5), watch=watch)
    folds = {0: [begun[0]], 1: [begun[0]]}
    for event in log:
        for seat, states in folds.items():
            states.append(fold(GAME, states[-1], (redact(event, seat),)))
    assert spy.shown
    for seat, seen in spy.shown:
        assert seen in folds[seat]
        assert None in seen.hands[1 - seat], "the other's cards are hidden until they are bid"


def test_greedy_beats_random() -> None:
    wins = [0, 0]
    for k in range(60):
        seat = k % 2
        bots = [BOTS["random"], BOTS["greedy"]] if seat else [BOTS["greedy"], BOTS["random"]]
        points = play_out(GAME, None, Options(), 2, bots, Simulation(k)).points
        wins[0] += points[seat] > points[1 - seat]
        wins[1] += points[seat] < points[1 - seat]
    assert wins[0] > wins[1]


def test_options_are_checked_first() -> None:
    with pytest.raises(Refusal, match="T-1 options"):
        play_out(GAME, None, Options(hand=9), 2, [Random()] * 2, Simulation(1))


def test_a_game_that_runs_past_its_bound_or_stops_before_its_end_is_stuck() -> None:
    with pytest.raises(Stuck, match="more than 4 moves"):
        play_out(variant(bound=4), None, Options(), 2, [Random()] * 2, Simulation(1))
    with pytest.raises(Stuck, match="not over"):
        play_out(variant(to_act=lambda state: ()), None, Options(), 2, [Random()] * 2, Simulation(1))


def test_the_engine_plays_forced_moves_and_they_count() -> None:
    def forced(state: Any) -> Any:
        return (state.leader, GAME.default(state, state.leader)) if state.is_drawn else None

    asked: list[Any] = []

    class Never(Random):
        def pick(self, game: Any, seen: Any, seat: Seat, legal: tuple[Any, ...], chance: Chance) -> Any:
            asked.append(legal)
            return super().pick(game, seen, seat, legal, chance)

    played = play_out(variant(forced=forced), None, Options(), 2, [Never()] * 2, Simulation(1))
    assert played.moves == 12
    assert all(len(legal) > 1 and type(legal[0]).__name__ == "Bid" for legal in asked)
