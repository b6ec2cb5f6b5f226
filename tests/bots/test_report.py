"""Many matches in figures."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bots.report import Result, Use, show, tally
from bots.simulate import Played
from domain.game import Measure

FIRST = Measure(rounds=3, uses=(("cat", (0, 1)), ("dog", ())))
SECOND = Measure(rounds=6, uses=(("cat", (2,)), ("owl", (0, 1, 2))))


PLAYED = Played(moves=10, events=30, longest_legal=4, points=(5, 9, 1), ranking=(2, 1, 3))
SHARED = Played(moves=20, events=50, longest_legal=7, points=(8, 8, -3), ranking=(1, 1, 3))


def test_wins_and_points_follow_the_bot_and_the_seat_and_a_shared_win_is_cut() -> None:
    told = tally("toy", 3, [(("a", "b", "b"), PLAYED, FIRST), (("b", "a", "b"), SHARED, SECOND)], seconds=0.5)
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
    results: list[Result] = [(names, PLAYED, replace(FIRST, first=1)), (names, SHARED, replace(SECOND, first=2))]
    told = tally("toy", 3, results, seconds=0.5)
    assert told.wins_by_turn == [1, 0.5, 0.5]
    show(told)
    assert "1 (1.50), 0.5 (0.75), 0.5 (0.75)" in capsys.readouterr().out
