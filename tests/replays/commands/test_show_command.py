"""`python -m replays`, as it is typed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from domain.catalogue import Catalogue
from events import chain
from events.keyring import Keyring
from events.sqlite import SqliteRecorder
from tests.replays.commands.typed import TREE, refused, replays
from tests.replays.staged import AT, Stage


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    recorder, room = SqliteRecorder(folder / "foldtable.db"), Catalogue().rooms["three-magic"]
    ended = Stage(recorder, room, "m_ended", ["random", "greedy", "random"], laps=1)
    ended.seat_all()
    ended.finish()
    sealed = Stage(recorder, room, "m_sealed", ["greedy"] * 3, laps=1)
    sealed.seat_all()
    sealed.step_until_sealed()
    recorder.close()
    Keyring.open(folder / "keys", AT)
    return folder


def shown(*args: str | Path) -> dict[str, Any]:
    done = replays("show", *args, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_it_is_run_as_a_module(data: Path) -> None:
    args = ("show", "m_sealed", "--data", str(data), "--seat", "1")
    done = subprocess.run(
        [sys.executable, "-m", "replays", *args], cwd=TREE, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, replays(*args).stdout, "")


def test_show_draws_the_table_and_tells_what_happened(data: Path) -> None:
    done = replays("show", "m_sealed", "--data", data)
    assert (done.returncode, done.stderr) == (0, "")
    told = shown("m_sealed", "--data", data)
    assert told["text"].strip() in done.stdout
    for event in told["events"]:
        assert f"{event['version']}  {event['text']}" in done.stdout
    assert [event["version"] for event in told["events"]] == list(range(told["head"] - 9, told["head"] + 1))
    assert told["version"] == told["head"]


def test_show_tells_a_seat_its_own_cards_and_nobody_anothers(data: Path) -> None:
    for seat in ("0", "1", "2"):
        told = shown("m_sealed", "--data", data, "--seat", seat)
        hands = [place["hand"] for place in told["view"]["places"]]
        assert None not in hands[int(seat)]
        for other, hand in enumerate(hands):
            if other != int(seat):
                assert set(hand) <= {None}
    public = shown("m_sealed", "--data", data)
    assert all(set(place["hand"]) <= {None} for place in public["view"]["places"])


def test_show_looks_at_any_version_and_in_another_language(data: Path) -> None:
    then = shown("m_ended", "--data", data, "--at", "30", "--lang", "ja")
    assert (then["version"], then["status"]) == (30, "playing")
    assert then["events"][-1]["version"] == 30
    assert "スリーマジック" in replays("show", "m_ended", "--data", data, "--at", "30", "--lang", "ja").stdout
    first = shown("m_ended", "--data", data, "--at", "1")
    assert (first["status"], first["view"], len(first["events"])) == ("open", None, 1)
    last = shown("m_ended", "--data", data)
    assert (last["status"], last["standing"]["over"]) == ("finished", True)


def test_an_exported_file_shows_what_the_store_shows(data: Path, tmp_path: Path) -> None:
    for match, seat, args in (
        ("m_ended", None, ("--at", "100", "--seat", "2")),
        ("m_sealed", "1", ("--seat", "1")),
        ("m_sealed", None, ()),
    ):
        file = tmp_path / f"{match}-{seat}.jsonl"
        as_seat = ("--seat", seat) if seat else ()
        done = replays("export", match, "--data", data, *as_seat, "-o", file)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert replays("export", match, "--data", data, *as_seat).stdout == file.read_text(encoding="utf-8")
        assert shown(file, *args) == shown(match, "--data", data, *args)
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".jsonl"] * 3


def test_what_cannot_be_read_is_told_in_one_line(data: Path, tmp_path: Path) -> None:
    refused("does not exist", "show", "m_ended", "--data", tmp_path / "nowhere")
    refused("There is no match m_none", "show", "m_none", "--data", data)
    for command in ("show", "export", "audit", "validate", "report"):
        # bytes that are no text, as Python hands them on
        refused(r"There is no match \udcff.", command, "\udcff", "--data", data)
    refused("has versions 1 to", "show", "m_ended", "--data", data, "--at", "100000")
    refused("has versions 1 to", "show", "m_ended", "--data", data, "--at", "0")
    refused("there is no seat 3", "show", "m_ended", "--data", data, "--seat", "3")
    refused("there is no seat -1", "export", "m_ended", "--data", data, "--seat", "-1")
    refused("--lang", "show", "m_ended", "--data", data, "--lang", "tlh")
    refused("No such file", "show", tmp_path / "nothing.jsonl")
    refused(f"{tmp_path}: ", "export", "m_ended", "--data", data, "-o", tmp_path)
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "foldtable.db").write_bytes(b"no database" * 1000)
    refused("no database", "show", "m_ended", "--data", broken)


def test_a_file_with_a_bad_line_names_it(data: Path, tmp_path: Path) -> None:
    lines = replays("export", "m_sealed", "--data", data).stdout.splitlines(keepends=True)
    file = tmp_path / "bad.jsonl"
    file.write_text("".join([*lines[:3], "{\n", *lines[4:]]), encoding="utf-8")
    refused("bad.jsonl, line 4", "show", file)


def test_a_file_that_tells_what_cannot_be_is_told_in_one_line(data: Path, tmp_path: Path) -> None:
    lines = replays("export", "m_ended", "--data", data).stdout.splitlines(keepends=True)
    file = tmp_path / "lies.jsonl"
    at = next(i for i, line in enumerate(lines) if '"type":"three-magic/CardDiscarded"' in line)
    lied = json.loads(lines[at])
    lied["public"]["at"] = 77
    file.write_text(
        "".join([*lines[:at], chain.encode_canonical(lied).decode() + "\n", *lines[at + 1 :]]), encoding="utf-8"
    )
    refused("can't be folded", "show", file)
    lied["type"] = "three-magic/Earthquake"
    file.write_text(
        "".join([*lines[:at], chain.encode_canonical(lied).decode() + "\n", *lines[at + 1 :]]), encoding="utf-8"
    )
    refused("Earthquake", "show", file)
