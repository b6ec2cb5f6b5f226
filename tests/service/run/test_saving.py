"""`./foldtable bots play --save`: matches of bots as files, which are read and audited like any other."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bots import ABOUT, BOTS
from bots.__main__ import main
from bots.review import LuckAndPlay
from domain.catalogue import Catalogue
from domain.chance import Simulation
from domain.play import Stuck
from service.matches.reviews import MatchReview
from service.run.bots import Archive, Setting, _in_lines, saving
from tests.bots.test_play_command import report
from tests.replays.commands.typed import piped, replays
from tests.replays.report.test_report import Parts, unpacked
from tests.typed import TREE, at_a_terminal, typed


def bots(*args: str) -> subprocess.CompletedProcess[str]:
    return typed(partial(main, saving), "bots", *args)


report_of = partial(report, by=bots)

SHORT = ("--options", '{"laps":1}')


def events_of(file: Path) -> list[dict[str, Any]]:
    """What happened, without when."""
    lines = [json.loads(line) for line in file.read_bytes().splitlines()]
    return [{**one, "at": "", "hash": ""} for one in lines if "type" in one]


def files_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.jsonl"))


@pytest.mark.parametrize("slug", sorted(Catalogue().rooms))
def test_a_saved_match_audits_shows_and_holds_what_was_reported(slug: str, tmp_path: Path) -> None:
    catalogue = Catalogue()
    room = catalogue.rooms[slug]
    names = ("random", "eager", "greedy", "random", "random")[: room.game.seats[0]]
    setting = Setting(room.game, room.packs["house"], room.game.Options(), names, "1:0")
    files: list[Path] = []
    played = Archive(tmp_path, catalogue, files).play(setting, [BOTS[name] for name in names], Simulation("1:0"))
    (file,) = files
    done = replays("audit", file, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert (told["ok"], told["status"], told["viewer"]) == (True, "finished", "all")
    shown = json.loads(replays("show", file, "--json").stdout)
    assert (shown["match"], shown["game"], shown["status"]) == (file.stem, slug, "finished")
    own = [event for event in events_of(file) if not event["type"].startswith("match/")]
    assert played.events == len(own) == len(played.told)
    made = [event["type"] for event in events_of(file)]
    moves = sum(made.count(f"match/{kind}") for kind in ("MoveMade", "AnswerSealed", "AnswersClosed"))
    assert played.moves == moves
    finished = next(event["public"] for event in events_of(file) if event["type"] == "match/Finished")
    assert [list(played.points), list(played.ranking)] == [finished["points"], finished["ranking"]]


def test_the_same_seed_saves_the_same_matches(tmp_path: Path) -> None:
    for folder in ("once", "again"):
        told = report_of("--seed", "x", "--matches", "2", "--save", str(tmp_path / "my games" / folder), *SHORT)
    report_of("--seed", "y", "--save", str(tmp_path / "other"), *SHORT)
    once, again = files_in(tmp_path / "my games" / "once"), files_in(tmp_path / "my games" / "again")
    assert len(once) == told["matches"] == 2
    assert sum(len(events_of(file)) for file in once) > told["events"]
    assert [file.name for file in once] == [file.name for file in again]
    assert len({file.name for file in (*once, *files_in(tmp_path / "other"))}) == 3
    for mine, theirs in zip(once, again, strict=True):
        # the hash of an answer under seal covers when it was given
        own = [[one["public"] for one in events_of(file) if "answers" not in one["public"]] for file in (mine, theirs)]
        assert own[0] == own[1]


@pytest.mark.parametrize("seed", ["", "猫", "a/../b", "x" * 10_000])
def test_any_seed_makes_files_and_one_of_them_is_named(tmp_path: Path, seed: str) -> None:
    done = bots("play", "ttmp", "--matches", "2", "--seed", seed, "--save", str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    first, second = files_in(tmp_path)
    assert f"saved: {first}, and 1 more there" in done.stdout or f"saved: {second}, and 1 more there" in done.stdout


def test_what_cannot_be_played_or_saved_is_told_in_one_line_and_nothing_is_overwritten(tmp_path: Path) -> None:
    report_of("--save", str(tmp_path), *SHORT)
    (file,) = files_in(tmp_path)
    file.write_text("mine")
    for args, says in (
        (("--save", str(tmp_path), *SHORT), f"{file} exists already: name another folder, or another --seed."),
        (("--save", ""), "Name a folder for --save"),
        (("--save", str(file)), f"{file}: File exists"),
        (("--save", str(file / "in")), "Not a directory"),
        (("--save", str(tmp_path), "--options", '{"laps":7}'), "laps"),
        (("--save", str(tmp_path), "--seed", "\udcff"), "The seed must be valid text."),
    ):
        done = bots("play", "three-magic", *args)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert says in done.stderr
    assert [(path, path.read_text()) for path in files_in(tmp_path)] == [(file, "mine")]


def test_a_match_that_does_not_end_is_not_saved(tmp_path: Path) -> None:
    catalogue = Catalogue()
    room = catalogue.rooms["three-magic"]
    endless = Setting(replace(room.game, bound=20), room.packs["house"], room.game.Options(), ("random",) * 3, "0")
    with pytest.raises(Stuck, match="more than 20 moves"):
        Archive(tmp_path, catalogue, []).play(endless, [BOTS["random"]] * 3, Simulation("0"))
    assert files_in(tmp_path) == []


def test_bots_that_are_saved_see_no_more_than_their_seat(tmp_path: Path) -> None:
    """A bot that looks is shown unknown cards as unknown."""
    seen: list[Any] = []

    class Watching(type(BOTS["greedy"])):  # type: ignore[misc]
        def pick(self, game: Any, table: Any, seat: int, legal: Any, chance: Any) -> Any:
            seen.append((seat, table))
            return legal[0]

    catalogue = Catalogue()
    room = catalogue.rooms["three-magic"]
    setting = Setting(room.game, room.packs["house"], room.game.Options(laps=1), ("random",) * 3, "0")
    Archive(tmp_path, catalogue, []).play(setting, [Watching()] * 3, Simulation("0"))
    assert {seat for seat, _ in seen} == {0, 1, 2}
    for seat, table in seen:
        hands = [place.hand for place in table.deal.places]
        assert None not in hands[seat]
        assert all(set(hand) == {None} for other, hand in enumerate(hands) if other != seat)


def test_how_far_it_is_is_told_on_a_terminal_and_nowhere_else() -> None:
    quiet = bots("play", "three-magic", "--matches", "2", *SHORT)
    assert (quiet.returncode, quiet.stderr) == (0, "")
    command = [sys.executable, "-m", "service.run.bots", "play", "three-magic", "--matches", "30", "--json", *SHORT]
    drawn, out = at_a_terminal(command, "stderr", env={**os.environ, "TERM": "xterm"})
    assert b"Playing" in drawn
    assert b"100%" in drawn
    assert json.loads(out)["matches"] == 30


def test_every_bot_is_told_of_in_help_and_in_both_languages() -> None:
    words = " ".join(bots("play", "--help").stdout.split())
    assert [name for name in BOTS if f"{name}: {ABOUT[name]['en']}" not in words or "ja" not in ABOUT[name]] == []


def test_a_saved_match_is_reviewed_in_words_as_json_and_as_a_page(tmp_path: Path) -> None:
    file = TREE / "docs" / "match.jsonl"
    args = ("review", str(file), "--seat", "0", "--seconds", "0.1")
    done = bots(*args)
    assert (done.returncode, done.stderr) == (0, "")
    first, *rest = done.stdout.splitlines()
    assert first == "MAGICATIVE, seat 0: 29 decisions. Shares of the first place, in percent:"
    start, luck, play, result = (float(line.partition(",")[0].split()[-1]) for line in rest[:4])
    assert re.search(r"luck +[+-][0-9.]+, very likely from [+-][0-9.]+ to [+-][0-9.]+$", rest[1])
    assert start + luck + play == pytest.approx(result, abs=0.3)
    assert rest[4].startswith("What moves give one seat they take from the others")
    found = json.loads(bots(*args, "--json").stdout)
    assert (found["state"], found["total"], len(found["decisions"])) == ("done", 29, 29)
    assert all(move["text"] for one in found["decisions"] for move in one["moves"])
    written = tmp_path / "page.html"
    with piped(file) as pipe:
        assert bots("review", str(pipe), *args[2:], "--html", str(written)).returncode == 0
    (other := tmp_path / "other").touch()
    assert written.stat().st_mode == other.stat().st_mode, "others may read it, as the umask says"
    page = written.read_text(encoding="utf-8")
    assert unpacked(page, "export-data") == file.read_bytes(), "a pipe is read once"
    data = json.loads(Parts(page).scripts["match-data"])
    review = data["review"]
    assert (data["seen"], review["seat"]) == ("0", 0)
    assert list(review["account"]) == ["start", "luck", "play", "result"]
    assert {*review["account"], "of", "cost", "see"} <= review["words"]["ja"].keys()
    assert (review["luck_error"], review["notes"]) == (
        found["account"]["luck_error"],
        ["luck-unclear"] * any("can't be told" in line for line in rest),
    )
    assert all(one["played"].keys() == one["better"].keys() == {"en", "ja"} for one in review["moments"])
    printed = bots(*args, "--html", "-")
    assert (printed.returncode, printed.stderr) == (0, "")
    assert unpacked(printed.stdout, "export-data") == file.read_bytes(), "the page alone"
    again = bots(*args, "--html", str(written))
    assert (again.returncode, again.stdout) == (2, ""), "before anything is judged"
    assert again.stderr == f"error: {written} exists already: name another file.\n"


def test_where_nothing_is_left_to_chance_no_range_of_luck_is_told() -> None:
    def told(luck_error: float | None) -> str:
        account = LuckAndPlay(0.5, -2e-15, 0.25, 0.25, 1.0, luck_error)
        found = MatchReview("m", 0, "done", 0, (), (), account)
        return "\n".join(_in_lines(found, "Terraformers", 2))

    assert "luck                +0.0, very likely from -10.0 to +10.0\n" in told(0.05)
    assert "Luck is estimated" in told(0.05)
    for error in (2.3e-16, 0.0, None):
        assert "luck                +0.0\n" in told(error), "sums of floats are off by so little"
        assert "estimated" not in told(error)


def test_what_cannot_be_reviewed_is_told_in_one_line(tmp_path: Path) -> None:
    good = TREE / "docs" / "match.jsonl"
    text = good.read_text(encoding="utf-8")
    forged, cut = tmp_path / "forged.jsonl", tmp_path / "cut.jsonl"
    (tmp_path / "link").symlink_to("nowhere")
    forged.write_text(text.replace('"card":', '"cards":', 1), encoding="utf-8")
    cut.write_text("".join(text.splitlines(keepends=True)[:9]), encoding="utf-8")
    for args, said in (
        ((good, "--seat", "2"), "has 2 seats, from 0; there is no seat 2"),
        ((good, "--seat", "-1"), "there is no seat -1"),
        ((good,), "Missing option '--seat'"),
        ((good, "--seat", "0", "--seconds", "0"), "'--seconds': 0"),
        ((good, "--seat", "0", "--seconds", "nan"), "nan is no number"),
        ((good, "--seat", "0", "--html", tmp_path / "none" / "page.html"), "none is no folder: make it first"),
        ((good, "--seat", "0", "--html", tmp_path / "link"), "link exists already: name another file"),
        ((good, "--seat", "0", "--html", "-", "--json"), "can't both be printed"),
        ((tmp_path / "none.jsonl", "--seat", "0"), "No such file"),
        ((TREE / "README.md", "--seat", "0"), "no JSON"),
        ((forged, "--seat", "0"), "forged.jsonl does not audit: "),
        ((cut, "--seat", "0"), "ends at version"),
    ):
        done = bots("review", *map(str, args))
        assert (done.returncode, done.stdout) == (2, ""), args
        assert said in done.stderr
        assert done.stderr.count("\n") == 1
