"""Matches played out without a store: one decision after the other, one match and many in figures."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Iterator
from copy import deepcopy
from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from bots.adapters.course import Course, opened
from bots.choose import Bot, Random
from bots.report import Outcome, Use, show, tally
from bots.simulate import Played, play_out
from domain.catalogue import Catalogue
from domain.chance import Chance, Simulation
from domain.game import Game, Measure, Refusal, Seat, fold, halfway, move_id
from domain.play import Stuck
from domain.secrecy import redact
from tests.domain.table import GAME, ROOM
from tests.laws.rooms import SLUGS, room_of
from tests.rows import each
from tests.toy.high_card.components import Options
from tests.toy.high_card.events import Raised
from tests.toy.high_card.moves import Raise, Roll

GAMES = [slug for slug in SLUGS if slug in Catalogue().rooms]
TELLING = [slug for slug in GAMES if room_of(slug).game.progress is not halfway]
"""Games that say how far a match has come."""


def by_chance(course: Course, seed: int) -> Iterator[tuple[Seat, int]]:
    """Who moves next and where their move stands among the legal ones, before it is made: to the end of the match."""
    draw = Simulation(seed)
    while course.turn is not None:
        index = draw.below(len(course.legal))
        yield course.turn, index
        course.play(index)


def played(slug: str, seed: int = 1) -> tuple[Course, list[str]]:
    """A match by chance, and its moves."""
    course, made = opened(slug, seed=seed), []
    for seat, index in by_chance(course, seed):
        assert course.legal == course.game.legal(course.seen(seat), seat)
        made.append(f"{seat} {move_id(course.legal[index])}")
    return course, made


@pytest.mark.parametrize("slug", GAMES)
def test_the_same_seed_gives_the_same_match_and_its_shares_add_up(slug: str) -> None:
    course, made = played(slug)
    again, as_before = played(slug)
    assert made == as_before
    assert [course.seen(seat) for seat in range(course.seats)] == [again.seen(seat) for seat in range(course.seats)]
    assert sum(course.shares()) == pytest.approx(1)
    assert played(slug, 2)[1] != made
    with pytest.raises(IndexError, match="0 is no legal move: there are 0"):
        course.play(0)


@pytest.mark.parametrize("index", [-1, 99, None])
def test_what_is_no_legal_move_is_refused_in_words_and_changes_nothing(index: int | None) -> None:
    course = opened("ttmp", seed=1)
    before = course.state
    with pytest.raises(IndexError, match=f"{index} is no legal move: there are {len(course.legal)}"):
        course.play(index)
    assert course.state is before


@pytest.mark.parametrize("slug", GAMES)
def test_a_copy_and_its_match_play_on_alike_and_change_nothing_of_each_other(slug: str) -> None:
    course, draw = opened(slug, seed=3), Simulation(3)
    for _ in range(min(12, course.game.bound // 2)):
        course.play(draw.below(len(course.legal)))
    copies = [deepcopy(course), deepcopy(course), pickle.loads(pickle.dumps(course))]
    for one in (course, *copies):
        seen = [[one.seen(seat) for seat in range(one.seats)] for _ in by_chance(one, 4)]
        if one is course:
            expected = one.state, seen
        assert (one.state, seen) == expected


@pytest.mark.parametrize("slug", TELLING)
def test_how_far_a_match_has_come_is_a_part_of_it_and_all_of_it_at_the_end(slug: str) -> None:
    course = opened(slug, seed=2)
    for _ in by_chance(course, 2):
        assert 0 <= course.game.progress(course.state) <= 1
    assert course.game.progress(course.state) == 1


@pytest.mark.parametrize("slug", ["magicative", "three-magic"])
def test_whoever_does_not_see_a_hand_is_told_none_of_its_moves(slug: str) -> None:
    course, untold = opened(slug, seed=2), 0
    for seat, _ in by_chance(course, 2):
        if not course.game.secret(course.state):
            legal = course.game.legal(course.seen((seat + 1) % course.seats), seat)
            assert legal in ((), course.legal)
            untold += not legal
    assert untold


def test_an_answer_under_seal_is_seen_by_nobody_until_all_have_answered() -> None:
    course = opened("three-magic", seed=4)
    seen, sealed = [], 0
    for _ in by_chance(course, 4):
        is_sealed = course.game.secret(course.state)
        seen.append(
            (is_sealed, [course.seen(seat) for seat in range(course.seats)], len(course.game.to_act(course.state)))
        )
    for (was_sealed, before, asked), (is_sealed, after, _) in pairwise(seen):
        if was_sealed and is_sealed and asked > 1 and before == after:
            sealed += 1
    assert sealed


@pytest.mark.parametrize("slug", [slug for slug in GAMES if slug != "terraformers"])
def test_a_seat_does_not_see_what_is_hidden_from_it(slug: str) -> None:
    course = opened(slug, seed=5)
    assert course.state not in [course.seen(seat) for seat in range(course.seats)], "nobody sees all"


@pytest.mark.parametrize(("slug", "seats"), [("chess", None), ("ttmp", 7)])
def test_what_can_not_be_played_is_refused_in_words(slug: str, seats: int | None) -> None:
    with pytest.raises(ValueError, match=r"There is no game 'chess'|is played with 2, 3, 4 seats, not with 7"):
        opened(slug, seats)


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
