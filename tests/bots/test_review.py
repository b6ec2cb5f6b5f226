"""Where a seat gained and lost: parts that add up to the result, luck where there is chance, costly moves named."""

from __future__ import annotations

from collections.abc import Iterator, Set
from itertools import count, islice
from typing import Any

import msgspec
import pytest

from bots.choose import judged
from bots.review import (
    Decision,
    LuckAndPlay,
    NotOver,
    Reviewer,
    Step,
    Weighed,
    _answered,
    _deals,
    account,
    gains,
    moments,
    parts,
    steps,
    weighed,
)
from bots.search.race import Race
from bots.search.thought import Budget, Candidate, mean, standard_error
from domain.chance import Simulation
from domain.game import move_id, undivided
from domain.happenings import AnswersClosed, Cause, MoveMade, SeatHandedBack, SeatHandedOver
from tests.laws.rooms import SLUGS, room_of
from tests.laws.table import Played, play_match
from tests.toy.high_card.moves import Pass

DECISIONS = 4
"""About so many of a match are judged: each takes a search."""
MATCHES = 200
PLANTED = 40
COSTLY = 0.15
"""The share of the first place that a planted move costs at least."""
LONG, SHORT = 32, 16
"""Worlds: of the search that tells what a planted move costs, and of the one that is to name it."""


def events_of(played: Played) -> list[Any]:
    return [told.event for told in played.told]


def steps_of(played: Played, seat: int = 0, by_clock: Set[str] = frozenset()) -> list[Step]:
    """The steps of the match, whose reviewed seat this is."""
    return list(steps(played.game, played.pack.pack, events_of(played), seat, by_clock))


def reviewed(slug: str) -> tuple[list[Decision], LuckAndPlay]:
    played = play_match(slug, 3, "random")
    found = Reviewer(played.game, played.pack.pack, events_of(played), 0, "s")
    some = range(0, found.total, max(1, found.total // DECISIONS))
    return [found.decision(number, Budget(worlds=1)) for number in some], found.account()


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug != "three-magic"])
def test_start_luck_own_play_and_that_of_others_add_up_to_the_result(slug: str) -> None:
    decisions, account = reviewed(slug)
    assert account.start + account.luck + account.own + account.others == pytest.approx(account.result, abs=1e-9)
    assert all(0 <= one.share <= 1 for each in decisions for one in each.weighed)
    assert all(each.own.behind == 0 for each in decisions if each.weighed[0].move == each.move)
    has_terms = room_of(slug).game.terms is not undivided
    assert all(bool(one.terms) == has_terms for each in decisions for one in each.weighed)
    named = moments(decisions)
    assert len(named) <= 3
    for at in named:
        assert decisions[at].own.behind > max(0.05, 2 * decisions[at].own.error)
    if slug == "terraformers":
        assert account.luck == pytest.approx(0.0, abs=1e-9), "nothing is left to chance in it"


def test_the_same_seed_and_worlds_give_the_same_review() -> None:
    assert reviewed("magicative") == reviewed("magicative")


def test_at_most_two_parts_are_named_and_only_what_is_a_good_part_of_the_gain() -> None:
    own = Weighed("a", 0.3, 0.2, 0.01, terms={"hand": 4.0, "mana": 1.0, "rivals": -2.0, "pawn": 0.5})
    best = Weighed("b", 0.5, 0.0, 0.0, terms={"hand": 3.0, "mana": 3.0, "rivals": 1.0, "pawn": 0.7, "result": 0.5})
    assert gains(own, best) == ("rivals", "mana")
    assert gains(best, best) == ()
    assert gains(own, Weighed("b", 0.5, 0.0, 0.0)) == (), "a review of an earlier release has no parts"


def test_a_match_under_seal_adds_up_too() -> None:
    played = play_match("three-magic", 3, "random")
    found = steps_of(played)
    assert any(step.seat is None for step in found), "some answers were sealed"
    parts = account(played.game, found, 0, "s")
    assert parts.start + parts.luck + parts.own + parts.others == pytest.approx(parts.result, abs=1e-9)


def test_a_match_that_is_not_over_is_refused() -> None:
    played = play_match("ttmp", 3, "random")
    with pytest.raises(NotOver, match="played to its end"):
        Reviewer(played.game, played.pack.pack, events_of(played)[:-30], 0, "s")


def test_play_is_told_beyond_what_moves_give_on_average_so_that_to_have_moves_is_nobodys_merit() -> None:
    played = play_match("magicative", 3, "random")
    seats = range(len(played.truth.taken))
    found = [account(played.game, steps_of(played, seat), seat, "s") for seat in seats]
    assert sum(one.own for one in found) == pytest.approx(0.0, abs=1e-9)
    assert max(abs(one.own) for one in found) > 0.01


def test_what_a_seat_answers_under_seal_is_its_own_play_and_nobody_elses() -> None:
    played = play_match("three-magic", 5, "greedy")
    game, given = played.game, 0
    for step in steps_of(played):
        if step.seat is not None:
            continue
        usual = [game.default(step.before.table, seat) for seat in range(3)]
        claimed = {seat for seat, move in enumerate(step.move) if move not in {None, usual[seat]}}
        gave = _answered(game, step, "s", [mean(worth) for worth in _deals(game, step, "s")])
        assert gave.keys() == claimed
        given += any(abs(share) > 0.01 for share in gave.values())
    assert given, "a claim is worth something"


def test_of_two_seats_only_who_played_better_is_told() -> None:
    played = play_match("ttmp", 3, "random")
    whole = account(played.game, steps_of(played), 0, "s")
    assert parts(whole, 2)["play"] == pytest.approx(whole.own + whole.others)
    assert parts(whole, 2).keys() == {"start", "luck", "play", "result"}
    assert parts(whole, 3).keys() == {"start", "luck", "own", "others", "result"}


@pytest.mark.parametrize("slug", ["magicative", "ttmp", "high-card"])
def test_luck_found_with_other_draws_differs_by_about_the_error_that_is_told(slug: str) -> None:
    played = play_match(slug, 1, "greedy")
    found = steps_of(played)
    told = [account(played.game, found, 0, f"{seed}") for seed in range(12)]
    spread = standard_error([one.luck for one in told]) * len(told) ** 0.5
    assert 0.4 < spread / mean([one.luck_error or 0.0 for one in told]) < 1.8


def test_luck_is_unclear_only_within_its_error_and_where_something_was_drawn() -> None:
    def told(luck: float, error: float | None) -> bool:
        return LuckAndPlay(0.5, luck, 0.0, 0.5 - luck, 1.0, error).is_luck_unclear

    assert told(0.06, 0.03)
    assert told(-0.05, 0.03)
    assert not told(-0.07, 0.03)
    assert not told(0.0, 1e-17), "nothing was left to chance"
    assert not told(0.0002, 0.0002), "so little is told as 0, without a range"
    assert not told(0.02, None), "a review of an earlier release"
    assert msgspec.json.decode(b'{"start":0.5,"luck":0.1,"own":0,"others":0.4,"result":1}', type=LuckAndPlay)


def test_the_error_of_a_steps_luck_does_not_depend_on_what_nobody_knew() -> None:
    # what was true before and after the step is changed, and what all seats together knew stays
    played = play_match("magicative", 3, "greedy")
    step = steps_of(played)[0]
    other = step._replace(before=step.after, after=step.before)
    assert _deals(played.game, step, "s") == _deals(played.game, other, "s")


def test_what_the_clock_or_a_stand_in_chose_is_told_as_such_and_is_no_mistake_of_the_players() -> None:
    played = play_match("ttmp", 3, "random")
    events = events_of(played)
    own = [at for at, event in enumerate(events) if isinstance(event, MoveMade) and event.cause is Cause.SEAT]
    late, handed, back = [at for at in own if events[at].seat == 0][1:4]
    events[late] = msgspec.structs.replace(events[late], cause=Cause.CLOCK)
    events.insert(back, SeatHandedBack(seat=0))
    events.insert(handed, SeatHandedOver(seat=0, bot="greedy", reason="wish"))
    found = Reviewer(played.game, played.pack.pack, events, 0, "s")
    made = [found.decision(number, Budget(worlds=1)) for number in range(4)]
    assert [one.by for one in made] == ["seat", "clock", "bot", "seat"]
    costly = (Weighed("a", 0.9, 0.0, 0.0), Weighed("b", 0.1, 0.8, 0.01))
    assert moments([Decision(0, "b", 9, costly, one.by) for one in made]) == (0, 3)


def test_an_answer_under_seal_that_the_clock_gave_is_told_as_such() -> None:
    played = play_match("three-magic", 3, "random")
    closing = next(event for event in events_of(played) if isinstance(event, AnswersClosed))
    seat, given = next((seat, one.sealed) for seat, one in enumerate(closing.answers) if one and one.sealed)
    late = [one.late for one in steps_of(played, by_clock={given})]
    assert [one for one in late if one][:1] == [{seat}]


@pytest.mark.parametrize(
    ("worlds", "student"), [(2, 12.71), (3, 4.30), (4, 3.18), (6, 2.57), (11, 2.23), (31, 2.04), (1000, 1.96)]
)
def test_twice_the_error_holds_what_few_worlds_show_by_chance(worlds: int, student: float) -> None:
    found = Candidate(Pass(), worlds, 0.2, 0.2, 0.01, 3, 4, {})
    assert 0.01 * student <= 2 * weighed(found).error <= 0.011 * student
    assert weighed(msgspec.structs.replace(found, error=0.0)).error == 0.0


def test_what_four_worlds_show_is_named_only_if_they_agree_more_than_many() -> None:
    def named(worlds: int) -> bool:
        own = weighed(Candidate(Pass(), worlds, 0.2, 0.2, 0.08, 3, 4, {}))
        best = Weighed("raise", 0.4, 0.0, 0.0)
        return bool(moments([Decision(0, own.move, worlds, (best, own))]))

    assert named(400)
    assert not named(4)


@pytest.mark.soak
@pytest.mark.parametrize("slug", SLUGS)
def test_over_many_matches_of_equals_neither_luck_nor_play_gives_or_takes_anything(slug: str) -> None:
    accounts: list[LuckAndPlay] = []
    for seed in range(MATCHES):
        played = play_match(slug, seed, "greedy")
        seat = seed % len(played.truth.taken)
        accounts.append(account(played.game, steps_of(played, seat), seat, f"{seed}"))
    for told in ([one.luck for one in accounts], [one.own for one in accounts]):
        assert abs(mean(told)) <= 3 * standard_error(told)


@pytest.mark.soak
@pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug != "high-card"])
def test_of_the_worst_moves_that_cost_much_nine_in_ten_are_named(slug: str) -> None:
    found = [*islice((decision for seed in count() for decision in planted(slug, seed)), PLANTED)]
    assert sum(bool(moments([decision])) for decision in found) >= 0.9 * PLANTED


def planted(slug: str, seed: int) -> Iterator[Decision]:
    """Yield the worst-looking moves of a match that cost much beyond doubt, as a review finds them in fewer worlds."""
    played = play_match(slug, seed, "greedy")
    game = played.game
    for number, step in enumerate(steps_of(played)):
        seen, legal = step.seen.table, game.legal(step.seen.table, 0)
        if step.seat != 0 or number % 5 or len(legal) < 2:
            continue
        looks = judged(game, game.imagine(seen, 0, Simulation(f"{number}")), 0, legal, number)
        worst, found = legal[looks.index(min(looks))], []
        for worlds in (LONG, SHORT):
            thought = Race(game, seen, 0, f"{seed} {number} {worlds}").run(legal, Budget(worlds=worlds), kept=worst)
            found.append(Decision(number, move_id(worst), worlds, tuple(map(weighed, thought.candidates))))
        if found[0].own.behind - 2 * found[0].own.error > COSTLY:
            yield found[1]
