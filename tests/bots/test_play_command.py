"""`python -m bots play`, as it is typed."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bots.__main__ import Play, Table, _playing, main
from bots.simulate import Played
from tests.typed import started, typed

FIELDS = (
    "game seats matches moves events seconds moves_per_s moves_a_match wins_by_seat wins_by_turn wins_by_bot"
    " points_by_bot longest_legal rounds uses"
)


def bots(*args: str) -> subprocess.CompletedProcess[str]:
    return typed(main, "bots", *args)


def report(*args: str, by: Callable[..., subprocess.CompletedProcess[str]] = bots) -> dict[str, Any]:
    done = by("play", "three-magic", *args, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_the_figures_of_many_matches() -> None:
    told = report(
        "--seats", "3", "--bots", "random,greedy,greedy", "--matches", "3", "--seed", "1", "--options", '{"laps":1}'
    )
    assert " ".join(told) == FIELDS
    assert (told["game"], told["seats"], told["matches"]) == ("three-magic", 3, 3)
    assert sum(told["wins_by_seat"]) == pytest.approx(3, abs=0.01)
    assert sum(told["wins_by_bot"].values()) == pytest.approx(3, abs=0.01)
    assert set(told["wins_by_bot"]) == set(told["points_by_bot"]) == {"random", "greedy"}
    assert told["moves_a_match"]["mean"] * 3 == pytest.approx(told["moves"], abs=1)
    assert told["moves_a_match"]["mean"] <= told["moves_a_match"]["max"] <= told["moves"]
    assert 1 < told["longest_legal"] <= 100
    assert 3 <= told["rounds"]["mean"] <= told["rounds"]["max"] <= 12
    assert {use["offered"] for use in told["uses"].values()} == {3}


@pytest.mark.parametrize(("game", "bot"), [("magicative", "greedy"), ("troll-master", "random")])
def test_each_game_tells_how_long_a_match_took_and_what_was_used(game: str, bot: str) -> None:
    told = json.loads(bots("play", game, "--bots", bot, "--matches", "8", "--seed", "1", "--json").stdout)
    assert 1 <= told["rounds"]["mean"] <= told["rounds"]["max"]
    assert sum(told["wins_by_turn"]) == pytest.approx(8, abs=0.01)
    assert told["uses"]
    assert all(0 <= use["used"] <= use["offered"] <= 8 for use in told["uses"].values())


def test_the_same_seed_plays_the_same_matches() -> None:
    args = ("--bots", "random", "--matches", "2", "--options", '{"laps":1}', "--seed")
    # also in another process, where hashes differ
    once, again, other = report(*args, "x"), report(*args, "x", by=partial(started, "bots")), report(*args, "y")
    timeless = [{**told, "seconds": 0, "moves_per_s": 0} for told in (once, again, other)]
    assert timeless[0] == timeless[1] != timeless[2]


def test_people_are_told_the_same_in_words() -> None:
    done = bots("play", "three-magic", "--bots", "random", "--rotate", "--matches", "3", "--options", '{"laps":1}')
    assert done.returncode == 0
    assert "three-magic: 3 matches" in done.stdout
    assert "wins by seat" in done.stdout


def test_after_ctrl_c_what_was_played_until_then_is_told(tmp_path: Path) -> None:
    def saving(table: Table, folder: str, files: list[Path]) -> Play:
        def played(order: tuple[str, ...], seed: str) -> Played:
            if len(files) == 2:
                raise KeyboardInterrupt
            files.append(Path(folder, seed))
            return _playing(table)(order, seed)

        return played

    play = ("play", "ttmp", "--matches", "9", "--save", str(tmp_path))
    done = typed(partial(main, saving), "bots", *play)
    assert (done.returncode, done.stderr) == (130, "\n")
    assert "ttmp: 2 matches" in done.stdout
    assert done.stdout.endswith(", and 1 more there\n")
    assert json.loads(typed(partial(main, saving), "bots", *play, "--json").stdout)["matches"] == 2


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("play", "four-magic"), "There is no game 'four-magic'"),
        (("play", "three-magic", "--seats", "5"), "played with 3 seats, not with 5"),
        (("play", "three-magic", "--bots", "random,grumpy,greedy"), "There is no bot 'grumpy'"),
        (("play", "three-magic", "--bots", "random,greedy"), "2 bots for 3 seats"),
        (("play", "three-magic", "--pack", "gold"), "no pack 'gold'"),
        (("play", "three-magic", "--options", "{"), "The options {"),
        (("play", "three-magic", "--options", '{"laps":7}'), "laps"),
        (("play", "three-magic", "--matches", "0"), "--matches"),
        (("play",), "GAME"),
    ],
)
def test_what_cannot_be_played_is_told_in_one_line(args: tuple[str, ...], says: str) -> None:
    done = bots(*args)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_who_knows_nothing_of_logs_saves_none(tmp_path: Path) -> None:
    done = bots("play", "three-magic", "--save", str(tmp_path / "mine"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: This command can't write logs: use ./foldtable bots play --save.\n"
