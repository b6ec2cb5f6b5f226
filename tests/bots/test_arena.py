"""The arena: shares by seed and rotation with intervals, and the curve from evaluations to shares."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from bots import arena, fitting
from bots.__main__ import main
from bots.search.thought import softmax
from bots.simulate import play_out
from domain.catalogue import Catalogue
from domain.chance import Simulation
from tests.rows import each
from tests.typed import TREE, typed

DEADLINE = 60.0


def bots(*args: str) -> Any:
    return typed(main, "bots", *args)


def test_equals_have_their_fair_share_of_each_seed_whoever_is_dealt_what() -> None:
    setting = arena.Setting("terraformers", "house", b"{}", 2)
    with ThreadPoolExecutor(1) as pool:
        found = list(arena.play(setting, "greedy", "greedy", "s", range(3), pool))
    cell = arena.cell(setting, "greedy", "greedy", found)
    assert [(one.seed, one.decisions > 5, one.leaves) for one in found] == [
        (seed, True, 0) for seed in range(3) for _ in range(2)
    ]
    # by the same deal and chance all rotations are one match, of which each seat has its share
    assert (cell.share, cell.low + cell.high) == (0.5, 1.0)
    assert (cell.matches, cell.fair, cell.leaves_per_s) == (6, 0.5, 0.0)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("slug", "seats"), [(slug, seats) for slug, room in Catalogue().rooms.items() for seats in room.game.seats]
)
def test_a_search_is_nowhere_weaker_than_what_it_begins_with(slug: str, seats: int) -> None:
    setting = arena.Setting(slug, "house", b"{}", seats)
    with arena.processes() as pool:
        found = list(arena.play(setting, "thinker@8w", "greedy", "law", range(20), pool))
    cell = arena.cell(setting, "thinker@8w", "greedy", found)
    # in the other games eight worlds gain too little to be told from chance
    assert (cell.share if slug in {"terraformers", "troll-master"} else cell.high) > cell.fair


def test_an_interval_is_as_wide_as_the_values_differ_and_few_equal_values_prove_little() -> None:
    narrow, wide = arena.interval([0.4, 0.6] * 50, 0.0), arena.interval([0.0, 1.0] * 50, 0.0)
    assert 0.0 < wide[0] < narrow[0] < 0.5 < narrow[1] < wide[1] < 1.0
    few, many = arena.interval([1.0] * 4, 0.0), arena.interval([1.0] * 400, 0.0)
    assert (0.4 < few[0] < 0.6, few[1]) == (True, 1.0)
    assert (0.98 < many[0] < 1.0, many[1]) == (True, 1.0)
    assert arena.interval([0.0] * 4, -1.0)[0] < -0.2, "a gain may be a loss"


@pytest.mark.parametrize(("deals", "seats", "share"), [(2, 2, 0.5), (8, 2, 0.9), (20, 2, 0.97), (20, 4, 0.25)])
def test_of_a_hundred_intervals_ninety_five_hold_the_true_share(deals: int, seats: int, share: float) -> None:
    draw, held = random.Random(7), 0
    for _ in range(1000):
        low, high = arena.interval(
            [sum(draw.random() < share for _ in range(seats)) / seats for _ in range(deals)], 0.0
        )
        held += low <= share <= high
    assert held >= 950


def test_processes_that_are_killed_or_cannot_be_started_are_told_in_one_line() -> None:
    with pytest.raises(arena.Ended, match="was killed"), arena.processes(1) as pool:
        pool.submit(os._exit, 1).result()
    few = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40)); from bots.__main__ import main; main()"
    )
    words = ["arena", "ttmp", "--bots", "greedy", "--seeds", "2", "--processes", "30"]
    done = subprocess.run(
        [sys.executable, "-c", few, *words], cwd=TREE, capture_output=True, text=True, timeout=DEADLINE, check=False
    )
    assert (done.returncode, done.stderr) == (1, "error: So many processes can't be started: Too many open files.\n")


def test_the_command_measures_each_bot_and_says_what_is_wrong_in_one_line() -> None:
    few = ("--seeds", "2", "--processes", "1")
    done = bots("arena", "magicative", "--bots", "greedy, thinker@1w", "--against", "random", *few, "--json")
    assert done.returncode == 0, done.stderr
    cells = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(cell["bot"], cell["against"], cell["matches"]) for cell in cells] == [
        ("greedy", "random", 4),
        ("thinker@1w", "random", 4),
    ]
    assert cells[1]["leaves"] > 2
    assert cells[1]["worlds"] >= 2
    for args, why in each(
        (("chess", "--bots", "greedy"), "There is no game 'chess'"),
        (("ttmp", "--bots", "greedy,"), "There is no bot ''"),
        (("ttmp", "--bots", "thinker@soon"), "'soon' is no budget"),
        (("ttmp", "--bots", "clairvoyant"), "There is no bot 'clairvoyant'"),
        (("ttmp", "--bots", "greedy", "--against", "clairvoyant@1w"), "There is no bot 'clairvoyant'"),
        (("ttmp", "--bots", "greedy", "--against", "me"), "There is no bot 'me'"),
        (("ttmp", "--bots", "greedy", "--seats", "9"), "is played with 2, 3, 4 seats, not with 9"),
        (("ttmp", "--bots", "greedy", "--options", "{"), "The options {"),
        (("ttmp", "--bots", "greedy", "--pack", "other"), "has no pack 'other'"),
        (("ttmp", "--bots", "greedy", "--seed", "\udcff"), "The seed must be valid text"),
        (("ttmp", "--bots", "greedy", "--seeds", "1"), "--seeds"),
        (("ttmp", "--bots", "greedy", "--processes", "0"), "--processes"),
    ):
        done = bots("arena", *args)
        assert done.returncode == 2
        assert why in done.stderr
        assert len(done.stderr.splitlines()) == 1
    told = bots("arena", "magicative", "--bots", "random,greedy", *few).stdout.splitlines()
    assert "share of firsts" in told[0]
    assert [line.split()[0] for line in told[1:]] == ["bot", "random", "greedy"], "a line each in 80 columns"


def test_ctrl_c_ends_all_at_once_and_what_was_played_from_every_seat_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    command = [sys.executable, "-m", "bots", "arena", "ttmp", "--json", "--seeds", "2", "--bots", "greedy,thinker@999s"]
    with subprocess.Popen(
        command, cwd=TREE, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as asked:
        assert asked.stdout is not None
        told = asked.stdout.readline()
        # as a terminal tells it, to all of them, in a decision that takes for ever
        os.killpg(asked.pid, signal.SIGINT)
        try:
            said = asked.communicate(timeout=DEADLINE)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(asked.pid, signal.SIGKILL)
    assert (json.loads(told)["bot"], said, asked.returncode) == ("greedy", ("", "\n"), 130)

    def cut(setting: arena.Setting, *words: Any) -> Iterator[arena.Result]:
        for number in (0, 0, 1):
            yield arena.Result(seed=number, share=0.5, decisions=1, seconds=0.0, leaves=0, worlds=0)
        raise KeyboardInterrupt

    monkeypatch.setattr(arena, "play", cut)
    done = bots("arena", "ttmp", "--bots", "greedy,random", "--seeds", "9", "--json")
    assert (done.returncode, done.stderr) == (130, "\n")
    assert [json.loads(line)["matches"] for line in done.stdout.splitlines()] == [2]


def test_of_the_numbers_that_are_tried_the_better_half_goes_on_with_twice_the_deals_beside_the_games_own() -> None:
    setting = arena.Setting("ttmp", "house", b"{}", 2)
    tries: list[dict[str, float]] = [{"depth": depth} for depth in (0, 1, 2, 3)]
    with ThreadPoolExecutor(1) as pool:
        rounds = list(arena.tune(setting, "greedy", "greedy", "s", 2, tries, pool))
    assert [sorted(len(one.numbers) for one in tried) for tried in rounds] == [[0, 1, 1, 1, 1], [0, 1, 1], [0, 1]]
    assert [{one.cell.matches for one in tried} for tried in rounds] == [{4}, {8}, {16}]
    # numbers of a search make no difference to a bot that does not search
    assert {(one.cell.share, one.gain, one.low + one.high) for tried in rounds for one in tried} == {(0.5, 0, 0)}


def test_a_searcher_plays_by_the_numbers_that_are_tried() -> None:
    for numbers, leaves in ((b"{}", True), (b'{"candidates": 1}', False)):
        done = arena.meet(arena.Setting("ttmp", "house", b"{}", 2, numbers), "thinker@8w", "greedy", "s", 0, 0)
        # of one candidate there are two worlds a decision, beside the looks at all moves
        assert (done.worlds > 2 * done.decisions) == leaves


def test_the_command_tells_what_was_tried_and_what_is_no_number_of_a_search() -> None:
    done = bots("tune", "ttmp", "--bot", "thinker@1w", "--try", "candidates=1,1", "--seeds", "2")
    assert done.returncode == 0, done.stderr
    assert sorted(line.split("  ")[0].strip() for line in done.stdout.splitlines()[-2:]) == [
        "candidates = 1",
        "its own",
    ]
    for args, why in each(
        (("--try", "speed=1"), "--try speed=1: name one of candidates, depth, doubt, trust, each once."),
        (("--try", "depth=1", "--try", "depth=2"), "--try depth=2: name one of"),
        (("--try", "depth=deep"), "--try depth=deep: write numbers, as in depth=1,2."),
        (("--try", "depth=1,"), "--try depth=1,: write numbers"),
        (("--try", "depth=0.5"), "--try depth=0.5: Expected `int`, got `float`"),
        (("--try", "doubt=2"), "--try doubt=2: Expected `float` <= 1.0"),
        (("--try", "trust=0"), "--try trust=0: Expected `float` >= 0.0001"),
        (("--try", "trust=1e308"), "--try trust=1e308: Expected `float` <= 1.0"),
        (("--try", "depth=99999999999999999999999"), "--try depth=99999999999999999999999: "),
        (("--try", "depth=[1]"), "--try depth=[1]: Expected `int | float`, got `array`"),
        (("--try", "depth=\udcff"), "--try depth=\udcff: "),
        (("--try", "candidates"), "--try candidates: "),
        (("--try", "depth=1", "--bot", "greedy"), "greedy does not search"),
        ((), "--try"),
    ):
        done = bots("tune", "ttmp", *args)
        assert done.returncode == 2
        assert why in done.stderr
        assert len(done.stderr.splitlines()) == 1


class Imagined(Exception):
    """A bot imagines what it does not see."""


@pytest.mark.parametrize(("name", "is_shown"), [("clairvoyant@1w", True), ("thinker@1w", False)])
def test_only_who_is_clairvoyant_is_shown_all_cards(name: str, is_shown: bool) -> None:
    def imagine(table: Any, seat: int | None, chance: Any) -> Any:
        raise Imagined(table)

    room = Catalogue().rooms["ttmp"]
    game, bots = replace(room.game, imagine=imagine), [arena.challenger(name)] * 2
    with pytest.raises(Imagined) as imagined:
        play_out(game, room.packs["house"].pack, game.Options(), 2, bots, Simulation(4))
    assert [None not in deck.cards for deck in imagined.value.args[0].decks] == [is_shown] * 2


def test_a_curve_is_fitted_to_one_half_and_judged_by_the_other() -> None:
    done = bots("odds", "ttmp", "--matches", "10")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "scale = ["
    assert [line[:7] for line in lines[1:4]] == [f"    [{seats}," for seats in (2, 3, 4)]
    assert sum("(ECE)" in line for line in lines) == 3


@pytest.mark.parametrize("end", [2.0, 8.0])
def test_the_fit_finds_the_curve_that_made_the_results(end: float) -> None:
    """Results as likely as a known curve says: no other scale surprises less."""
    found = [
        fitting.Position(1.0, [gap, 0.0], [share, 1 - share])
        for gap in (-4.0, -1.0, 0.0, 2.0, 6.0)
        for share in [softmax([gap, 0.0], end)[0]]
    ]
    losses = {scale: fitting.loss(found, scale, scale) for scale in (end / 2, end, end * 2)}
    assert min(losses, key=lambda scale: losses[scale]) == end
    assert fitting.calibration_error([(0.75, 1.0)] * 3 + [(0.75, 0.0)]) == pytest.approx(0.0)
    assert fitting.calibration_error([(0.9, 0.0), (0.1, 0.1)]) == pytest.approx(0.45)
