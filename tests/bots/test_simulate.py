"""Matches played out without a store, one and many in figures."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from msgspec.structs import replace

from bots.choose import Bot, Random
from bots.report import Outcome, Use, show, tally
from bots.simulate import Played, play_out
from domain.chance import Chance, Simulation
from domain.game import Game, Measure, Refusal, Seat, fold
from domain.play import Stuck
from domain.secrecy import redact
from tests.domain.table import GAME, ROOM
from tests.rows import each
from tests.toy.high_card.components import Options
from tests.toy.high_card.events import Raised
from tests.toy.high_card.moves import Raise, Roll

PACK = ROOM.packs["house"].pack
ROUNDS = Options(rounds=3)


class Spy(Bot):
    """Remembers what it was shown."""

    def __init__(self) -> None:
        self.shown: list[tuple[Seat, Any]] = []

    def pick(self, game: Game[Any, Any, Any], seen: Any, seat: Seat, legal: tuple[Any, ...], chance: Chance) -> Any:
        self.shown.append((seat, seen))
        return legal[chance.below(len(legal))]


def test_every_step_is_told_and_counted_and_a_closing_has_the_answers_as_its_move() -> None:
    steps: list[tuple[Any, Seat | None, Any, tuple[Any, ...]]] = []
    bots = [Random()] * 3
    played = play_out(GAME, PACK, ROUNDS, 3, bots, Simulation(1), watch=lambda *step: steps.append(step))
    dealt, *rest = steps
    assert dealt[1:3] == (None, None)
    closings = [(answers, events) for _, seat, answers, events in rest if seat is None]
    assert closings
    for answers, events in closings:
        raised = [event.seat for event in events if isinstance(event, Raised)]
        assert raised == [seat for seat, answer in enumerate(answers) if isinstance(answer, Raise)]
    answered = sum(answer is not None for answers, _ in closings for answer in answers)
    assert played.moves == len(rest) + answered
    assert sum(isinstance(move, Roll) for _, _, move, _ in rest) == 9, "the engine plays forced moves"
    assert played.events == sum(len(events) for *_, events in steps)
    assert played.longest_legal == 3
    state = fold(GAME, steps[0][0], tuple(event for *_, events in steps for event in events))
    assert GAME.standing(state).points == played.points


def test_a_bot_that_looks_is_shown_the_fold_of_what_its_seat_was_told() -> None:
    spy = Spy()
    log: list[Any] = []
    begun: list[Any] = []

    def watch(state: Any, _: Seat | None, __: Any, events: tuple[Any, ...]) -> None:
        begun.append(state)
        log.extend(events)

    play_out(GAME, PACK, ROUNDS, 2, [spy, spy], Simulation(5), watch=watch)
    folds = {0: [begun[0]], 1: [begun[0]]}
    for event in log:
        for seat, states in folds.items():
            states.append(fold(GAME, states[-1], (redact(event, seat),)))
    assert spy.shown
    for seat, seen in spy.shown:
        assert seen in folds[seat]
        assert None in seen.places[1 - seat].hand, "the other's cards are hidden"


def test_options_are_checked_first() -> None:
    with pytest.raises(Refusal, match="TOY-2 rounds"):
        play_out(GAME, PACK, Options(rounds=9), 2, [Random()] * 2, Simulation(1))


def test_a_game_that_runs_past_its_bound_or_stops_before_its_end_is_stuck() -> None:
    for changes, why in each(({"bound": 4}, "more than 4 moves"), ({"to_act": lambda state: ()}, "not over")):
        game: Game[Any, Any, Any] = dataclasses.replace(GAME, **changes)
        with pytest.raises(Stuck, match=why):
            play_out(game, PACK, ROUNDS, 2, [Random()] * 2, Simulation(1))


FIRST = Measure(rounds=3, uses=(("cat", (0, 1)), ("dog", ())))
SECOND = Measure(rounds=6, uses=(("cat", (2,)), ("owl", (0, 1, 2))))


PLAYED = Played(moves=10, events=30, longest_legal=4, points=(5, 9, 1), ranking=(2, 1, 3))
SHARED = Played(moves=20, events=50, longest_legal=7, points=(8, 8, -3), ranking=(1, 1, 3))


def test_wins_and_points_follow_the_bot_and_the_seat_and_a_shared_win_is_cut() -> None:
    results = [Outcome(("a", "b", "b"), PLAYED, FIRST, 0.1), Outcome(("b", "a", "b"), SHARED, SECOND, 0.4)]
    told = tally("toy", 3, results)
    assert told.wins_by_seat == [0.5, 1.5, 0]
    assert told.wins_by_bot == {"a": 0.5, "b": 1.5}
    assert told.points_by_bot == {"a": 13, "b": 15}
    assert (told.moves, told.events, told.matches, told.longest_legal) == (30, 80, 2, 7)
    assert (told.moves_a_match.mean, told.moves_a_match.max) == (15, 20)
    assert told.moves_per_s == 60
    assert (told.rounds.mean, told.rounds.max) == (4.5, 6)
    assert list(told.uses.items()) == [
        ("dog", Use(offered=1, used=0, won=0)),
        ("cat", Use(offered=2, used=1, won=0.3333)),
        ("owl", Use(offered=1, used=1, won=0.6667)),
    ]


def test_wins_are_told_in_the_order_of_turns_from_the_seat_that_began(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("a", "a", "a")
    begun = [(PLAYED, replace(FIRST, first=1)), (SHARED, replace(SECOND, first=2))]
    told = tally("toy", 3, [Outcome(names, played, measure, 0.5) for played, measure in begun])
    assert told.wins_by_turn == [1, 0.5, 0.5]
    show(told)
    assert "1 (1.50), 0.5 (0.75), 0.5 (0.75)" in capsys.readouterr().out
