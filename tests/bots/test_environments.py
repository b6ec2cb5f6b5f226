"""The games as environments for research pass the tests that PettingZoo, Gymnasium and OpenSpiel have for them."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from typing import Any

import pytest

pytestmark = pytest.mark.research

np = pytest.importorskip("numpy", reason="make research-tools installs it")

from bots.adapters import encoding  # noqa: E402  # only where numpy is there
from bots.adapters.course import opened  # noqa: E402
from domain.catalogue import Catalogue  # noqa: E402
from domain.chance import Simulation  # noqa: E402
from domain.game import fold  # noqa: E402
from domain.secrecy import redact  # noqa: E402

SLUGS = sorted(Catalogue().rooms)
each = pytest.mark.parametrize("slug", SLUGS)


def quietly(check: Callable[[], object]) -> None:
    """Its advice is not for masked actions: it would rather have a plain box."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check()


@each
def test_pettingzoo(slug: str) -> None:
    from pettingzoo.test import api_test, seed_test

    from bots.adapters.pettingzoo import env

    quietly(lambda: api_test(env(slug), num_cycles=400))
    quietly(lambda: seed_test(partial(env, slug), num_cycles=60))
    one = env(slug)
    one.reset(seed=1)
    with pytest.raises(IndexError, match="no legal move"):
        one.step(99)
    while one.agents and not any(one.terminations.values()):
        one.step(0)
    assert sum(one.rewards.values()) == pytest.approx(0)


def test_pettingzoo_takes_integers_of_numpy_for_seeds_and_a_negative_one_for_another() -> None:
    from bots.adapters.pettingzoo import env

    dealt = []
    for seed in (3, np.int64(3), -3):
        one = env("ttmp")
        one.reset(seed=seed)
        dealt.append(one.course.state)
    assert dealt[0] == dealt[1] != dealt[2]


@each
def test_gymnasium(slug: str) -> None:
    from bots.adapters.gym import SeatEnv

    seats = opened(slug).seats
    one = SeatEnv(slug, seat=seats - 1)
    seen, _ = one.reset(seed=3)
    again, _ = SeatEnv(slug, seat=seats - 1).reset(seed=3)
    assert all((seen[name] == again[name]).all() for name in seen)
    total, is_over = 0.0, False
    while not is_over:
        assert one.observation_space.contains(seen)
        if not seen["action_mask"].any():
            break
        seen, reward, is_over, _, _ = one.step(0)
        total += reward
    assert -1 <= total <= 1
    with pytest.raises(ValueError, match=f"no seat {seats}"):
        SeatEnv(slug, seat=seats)


@each
def test_a_copy_of_a_seat_among_bots_plays_on_as_the_seat_would_whatever_that_does_meanwhile(slug: str) -> None:
    from bots.adapters.gym import SeatEnv

    one = SeatEnv(slug, against="random")
    one.reset(seed=3)
    other = deepcopy(one)

    def played(env: Any) -> list[Any]:
        """What the seat sees until the end."""
        seen, is_over = [], False
        while not is_over:
            told, _, is_over, _, _ = env.step(0)
            seen.append(told["observation"])
        return seen

    first, second = played(one), played(other)
    assert len(first) == len(second)
    assert all(map(np.array_equal, first, second))


@each
def test_openspiel(slug: str) -> None:
    import pyspiel

    from bots.adapters.openspiel import SeatObserver, register

    name = next(one for one in register() if one.endswith(slug.replace("-", "_")))
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, 1, True, False)
    state = game.new_initial_state()
    state.apply_action(7)
    copy = state.clone()
    state.apply_action(state.legal_actions()[0])
    copy.apply_action(copy.legal_actions()[0])
    assert str(state) == str(copy)
    observer = SeatObserver()
    observer.set_from(state, 0)
    assert observer.tensor.any()
    assert observer.string_from(state, 0) == observer.string_from(copy, 0)


def test_the_encoding_is_as_its_schema_says_and_no_other_hidden_card_changes_it() -> None:
    assert json.loads(json.dumps(encoding.SCHEMA))["observation"] == encoding.SIZE
    course = opened("magicative", seed=1)
    seat = 1 - (course.turn or 0)
    before = encoding.observed(course, seat)
    assert not before["action_mask"].any(), "who is not asked has no moves"
    assert before["observation"].any()
    other: Any = opened("magicative", seed=1)
    hidden = course.game.imagine(course.seen(seat), seat, Simulation("another"))
    assert hidden != course.state, "another truth"
    assert course.game.view(hidden, seat) == course.game.view(course.seen(seat), seat)
    other.state = hidden
    assert (encoding.observed(other, seat)["observation"] == before["observation"]).all()


@each
def test_what_a_seat_sees_has_the_same_numbers_whatever_was_seen_before(slug: str) -> None:
    courses, draw = [opened(slug, seed=seed) for seed in (1, 2)], Simulation("drawn")
    while any(course.turn is not None for course in courses):
        for course in courses:
            for seat in range(course.seats):
                view = course.game.view(course.seen(seat), seat)
                assert np.array_equal(
                    encoding.observed(course, seat)["observation"], encoding.encode(view, encoding.SIZE)
                )
            if course.turn is not None:
                course.play(draw.below(len(course.legal)))


@each
def test_a_seat_of_a_course_knows_the_fold_of_what_it_was_told(slug: str) -> None:
    course, draw = opened(slug, seed=3), Simulation("drawn")
    begun = course.game.initial(
        course.game.Options(), course.seats, next(iter(Catalogue().rooms[slug].packs.values())).pack
    )
    while course.turn is not None:
        course.play(draw.below(len(course.legal)))
        if course.moves % 40 == 0 or course.turn is None:
            for seat in range(course.seats):
                told = tuple(redact(event, seat) for event in course._told)
                assert course.seen(seat) == fold(course.game, begun, told)


def test_steps_are_measured() -> None:
    from benchmarks import steps

    figures = steps.run(seconds=0.01)
    assert set(figures) == {f"{slug}_steps_per_s" for slug in SLUGS}
    assert all(figure["value"] for figure in figures.values())


def test_the_example_learns_to_beat_chance() -> None:
    from bots.adapters.learn import learned, share

    assert share("terraformers", learned("terraformers", 300), 200) > 0.2
