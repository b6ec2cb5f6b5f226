"""Searchers: what they think depends on what their seat was told, on the seed, on the worlds, and on nothing else."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bots import BOTS, QUICK, named
from bots.choose import Bot
from bots.search import Searcher
from bots.search.cores import Cores
from bots.search.race import Race
from bots.search.thought import Budget, Thought, shares, softmax
from bots.simulate import play_out
from domain.chance import Simulation
from domain.tuning import Tuning
from tests.bots.test_choose import RAISING, SETTING, aside
from tests.domain.table import GAME
from tests.laws.rooms import SLUGS, room_of
from tests.laws.table import play_match
from tests.rows import each
from tests.toy.high_card.moves import Pass, Raise, SetAside
from tests.typed import TREE

DEADLINE = 60.0


def decisions(slug: str) -> list[tuple[int, Any, Any]]:
    """Of a match by chance: who was asked openly and had a choice, with what was seen and the truth."""
    played = play_match(slug, 3, "random")
    return [
        (step.seat, step.seen[step.seat].table, step.truth.table)
        for step in played.steps
        if step.seat is not None and len(played.game.legal(step.truth.table, step.seat)) > 1
    ]


def thought(
    game: Any, seen: Any, seat: int, worlds: int = 4, seed: str = "s", cores: Cores | None = None, **more: Any
) -> Thought:
    return Race(game, seen, seat, seed, cores).run(game.legal(seen, seat), Budget(worlds=worlds), **more)


def raised(table: Any, seat: int, worth: float) -> float:
    """The worth of a position, which is that the seat has raised."""
    return float(worth * table.places[seat].raised)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_thought_is_repeated_by_its_seed_and_worlds_and_says_what_it_looked_at(slug: str) -> None:
    game = room_of(slug).game
    for seat, seen, _ in each(*decisions(slug)[::40][:4]):
        legal = game.legal(seen, seat)
        first = thought(game, seen, seat)
        assert first == thought(game, seen, seat)
        assert first.move == first.candidates[0].move
        assert (first.candidates[0].behind, first.candidates[0].error) == (0.0, 0.0)
        assert len({one.move for one in first.candidates}) == len(first.candidates)
        assert {one.move for one in first.candidates} <= set(legal)
        assert first.leaves >= len(legal)
        assert all(0 <= one.share <= 1 and 2 <= one.visits <= first.worlds for one in first.candidates)
        assert thought(game, seen, seat, kept=legal[-1]).worlds == min(
            one.visits for one in thought(game, seen, seat, kept=legal[-1]).candidates if one.move == legal[-1]
        ), "the move that is kept is played on in every world"


@pytest.fixture(scope="module")
def cores() -> Iterator[Cores]:
    found = Cores(3, ("domain.games", "tests.toy"))
    yield found
    found.close()


@pytest.mark.parametrize("slug", SLUGS)
def test_a_thought_is_the_same_on_any_number_of_cores(slug: str, cores: Cores) -> None:
    game = room_of(slug).game
    for (seat, seen, _), worlds in zip(decisions(slug)[::5], (20, 5), strict=False):
        assert thought(game, seen, seat, worlds, cores=cores) == thought(game, seen, seat, worlds)
    assert cores._pool is not None, "or one core was compared with one core"


def test_a_thought_on_several_cores_ends_when_its_time_is_up(cores: Cores) -> None:
    game = room_of("ttmp").game
    seat, seen, _ = decisions("ttmp")[10]
    found = Race(game, seen, seat, "s", cores).run(game.legal(seen, seat), Budget(seconds=0.05))
    assert found.worlds >= 2
    assert found.candidates[0].visits <= found.worlds


def test_when_one_of_the_processes_is_killed_the_thought_goes_on_without_it() -> None:
    game = room_of("ttmp").game
    seat, seen, _ = decisions("ttmp")[10]
    alone, before = thought(game, seen, seat, 8), set(active_children())
    cores = Cores(2)
    assert thought(game, seen, seat, 8, cores=cores) == alone
    for process in set(active_children()) - before:
        process.kill()
        process.join()
    assert thought(game, seen, seat, 8, cores=cores) == alone
    assert thought(game, seen, seat, 8, cores=cores) == alone
    cores.close()


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> tuple[Cores, Any]:
    """Two cores that have thought, and the process of one of them, which hangs now."""
    monkeypatch.setattr("bots.search.cores.PATIENCE", 0.1)
    seat, seen, _ = decisions("ttmp")[10]
    before, cores = set(active_children()), Cores(2)
    thought(room_of("ttmp").game, seen, seat, 8, cores=cores)
    (hung,) = set(active_children()) - before
    assert hung.pid is not None
    os.kill(hung.pid, signal.SIGSTOP)
    return cores, hung


def test_a_process_that_hangs_is_waited_for_no_longer_than_the_thought_allows(hanging: tuple[Cores, Any]) -> None:
    game, (seat, seen, _), (cores, hung) = room_of("ttmp").game, decisions("ttmp")[10], hanging
    found = Race(game, seen, seat, "s", cores).run(game.legal(seen, seat), Budget(seconds=0.05))
    assert found.worlds >= 2
    assert thought(game, seen, seat, 8, cores=cores) == thought(game, seen, seat, 8)
    hung.join(DEADLINE)
    assert hung.exitcode == -signal.SIGKILL, "this process would wait for it at its end"


def test_it_is_waited_for_no_longer_where_all_moves_look_alike(hanging: tuple[Cores, Any]) -> None:
    game = dataclasses.replace(room_of("ttmp").game, evaluate=lambda table, seat: 0.0)
    (seat, seen, _), (cores, hung) = decisions("ttmp")[10], hanging
    with ThreadPoolExecutor(1) as thread:
        race = Race(game, seen, seat, "s", cores)
        found = thread.submit(race.run, game.legal(seen, seat), Budget(seconds=0.05))
        try:
            assert found.result(DEADLINE / 4).worlds == 2, "there is nothing to think about"
        finally:
            hung.kill()


ENDING = """
import multiprocessing, os, signal
from contextlib import closing
from bots.arena import processes
from bots.search.cores import Cores
if __name__ == "__main__":
    with {}:
        print(*(one.pid for one in multiprocessing.active_children()), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("others", ["closing(Cores(2))", "processes(1)"])
def test_they_end_with_the_process_that_started_them(tmp_path: Path, others: str) -> None:
    (tmp_path / "ending.py").write_text(ENDING.format(others))
    env = {**os.environ, "PYTHONPATH": str(TREE)}
    # all of them have its output, which ends once the last one has ended
    done = subprocess.run(
        [sys.executable, tmp_path / "ending.py"],
        env=env,
        cwd=TREE,
        stdout=subprocess.PIPE,
        timeout=DEADLINE,
        check=False,
    )
    assert (len(done.stdout.split()), done.returncode) == (1, -signal.SIGKILL)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_match_is_played_to_its_end_by_a_searcher(slug: str) -> None:
    room = room_of(slug)
    pack = next(iter(room.packs.values())).pack
    bots: list[Bot] = [QUICK["greedy"]] * room.game.seats[-1]
    bots[-1] = Searcher(Budget(worlds=1))
    tuned = msgspec.structs.replace(room.game.tuning or Tuning(), depth=2, candidates=2)
    game = dataclasses.replace(room.game, tuning=tuned)
    assert play_out(game, pack, game.Options(), len(bots), bots, Simulation(5)).ranking


def test_the_result_decides_where_a_match_ends_and_the_evaluation_before() -> None:
    game = room_of("three-magic").game
    played = play_match("three-magic", 3, "random")
    ranking = game.standing(played.truth.table).ranking
    assert [bool(share) for share in shares(game, played.truth.table)] == [place == 1 for place in ranking]
    _, _, truth = decisions("three-magic")[0]
    flat = dataclasses.replace(game, evaluate=lambda state, seat: 7.0)
    assert shares(flat, truth) == pytest.approx([1 / 3] * 3)
    assert softmax([0.0, 2.0], 2.0)[1] / softmax([0.0, 2.0], 2.0)[0] == pytest.approx(2.718281828)


def test_a_searcher_sees_what_a_look_one_move_ahead_does_not() -> None:
    """The high card wins, and only the end shows it: one move ahead, the low card looks better."""
    tuning = Tuning(depth=60, trust=1.0, scale=((2, 9.0, 9.0),))
    game = dataclasses.replace(GAME, evaluate=lambda table, seat: -aside(table, seat), tuning=tuning)
    greedy = QUICK["greedy"].choose(game, SETTING, 0, Simulation(1))
    assert greedy == SetAside(card=1)
    assert thought(game, SETTING, 0, worlds=60).move == SetAside(card=6)


def test_what_worlds_do_not_show_clearly_does_not_outweigh_the_look_ahead() -> None:
    for sign, move in ((1.0, Raise()), (-1.0, Pass())):
        tuning = Tuning(trust=1e-9, scale=((2, 1.0, 1.0),))
        game = dataclasses.replace(GAME, evaluate=partial(raised, worth=sign), tuning=tuning)
        assert {thought(game, RAISING, 0, seed=str(seed)).move for seed in range(6)} == {move}


def test_of_moves_that_look_alike_one_is_tried_first_and_where_all_do_none_is_compared() -> None:
    game = dataclasses.replace(
        GAME, evaluate=lambda table, seat: float(aside(table, seat) > 1), tuning=Tuning(candidates=2)
    )
    assert {one.move for one in thought(game, SETTING, 0).candidates} == {SetAside(card=1), SetAside(card=5)}
    flat = dataclasses.replace(GAME, evaluate=lambda table, seat: 0.0)
    found = thought(flat, SETTING, 0, worlds=50, kept=SetAside(card=6))
    assert [(one.move, one.behind) for one in found.candidates] == [(SetAside(card=6), 0.0)]
    assert found.worlds == 2, "there is nothing to think about"


def test_a_search_ends_as_soon_as_one_move_is_clearly_the_best() -> None:
    game = dataclasses.replace(GAME, evaluate=partial(raised, worth=100.0), tuning=Tuning(candidates=4))
    found = thought(game, RAISING, 0, worlds=1000)
    assert found.move == Raise()
    assert found.worlds < 1000
    close = dataclasses.replace(GAME, evaluate=lambda table, seat: aside(table, seat) / 1e6, tuning=Tuning(depth=0))
    assert thought(close, SETTING, 0, worlds=200).worlds == 200


def test_whether_a_difference_is_clear_is_measured_by_what_the_game_trusts() -> None:
    """In a long match one decision changes little, and that little may be as sure as much is in a short one."""
    for size in (1.0, 100.0):
        tuning = Tuning(depth=0, trust=0.05 / size, scale=((2, 9.0 * size, 9.0 * size),))
        found = thought(dataclasses.replace(GAME, evaluate=aside, tuning=tuning), SETTING, 0, worlds=200)
        assert (found.move, found.worlds < 200) == (SetAside(card=6), True), size


def test_bots_are_named_with_a_budget_if_they_search() -> None:
    assert named("master") is BOTS["master"]
    for name, budget in each(("thinker@0.25s", Budget(seconds=0.25)), ("master@40w", Budget(worlds=40))):
        found = named(name)
        assert isinstance(found, Searcher)
        assert found.budget == budget
    for name, why in each(
        ("nobody", "There is no bot 'nobody'; there is novice, greedy"),
        ("", "There is no bot ''"),
        ("greedy@1s", "greedy has no budget"),
        *(
            (f"thinker@{budget}", "is no budget")
            for budget in ("", "0s", "1", "s", "-1s", "1e9s", "0.3S", "99999w", "٣w")
        ),
    ):
        with pytest.raises(ValueError, match=why):
            named(name)


def test_novice_takes_the_better_looking_move_more_often_and_any_now_and_then() -> None:
    game, chance = dataclasses.replace(GAME, evaluate=aside), Simulation(7)
    chosen = [QUICK["novice"].choose(game, SETTING, 0, chance) for _ in range(300)]
    counts = [chosen.count(SetAside(card=card)) for card in (1, 5, 6)]
    assert 0 < counts[0] < counts[1] < counts[2]
    flat = dataclasses.replace(GAME, evaluate=lambda table, seat: 0.0)
    assert len({QUICK["novice"].choose(flat, SETTING, 0, chance) for _ in range(60)}) == 3
