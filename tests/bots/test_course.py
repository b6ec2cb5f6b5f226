"""A match, one decision after the other: the same by the same seed, and seats see of it what they may."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from copy import deepcopy
from itertools import pairwise

import pytest

from bots.adapters.course import Course, opened
from domain.catalogue import Catalogue
from domain.chance import Simulation
from domain.game import Seat, move_id
from tests.laws.rooms import SLUGS

GAMES = [slug for slug in SLUGS if slug in Catalogue().rooms]


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
    for _ in range(12):
        course.play(draw.below(len(course.legal)))
    copies = [deepcopy(course), deepcopy(course), pickle.loads(pickle.dumps(course))]
    for each in (course, *copies):
        seen = [[each.seen(seat) for seat in range(each.seats)] for _ in by_chance(each, 4)]
        if each is course:
            expected = each.state, seen
        assert (each.state, seen) == expected


@pytest.mark.parametrize("slug", GAMES)
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
