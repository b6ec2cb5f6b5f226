"""`python -m replays audit` and `validate`, as they are typed."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.catalogue import Catalogue
from events import chain
from events.keyring import Keyring
from events.sqlite import SqliteRecorder
from replays.files.exports import lines
from replays.log import Log
from tests.replays.commands.typed import TREE, refused, replays
from tests.replays.forgery import Forger
from tests.replays.staged import AT, Stage

SLUGS = ("three-magic", "terraformers", "ttmp")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    recorder, rooms = SqliteRecorder(folder / "foldtable.db"), Catalogue().rooms
    for slug in SLUGS:
        staged = Stage(
            recorder, rooms[slug], f"m_{slug}", ("greedy", "random", "greedy")[: max(2, rooms[slug].game.seats[0])]
        )
        staged.seat_all()
        staged.finish()
    sealed = Stage(recorder, rooms["three-magic"], "m_sealed", ["greedy"] * 3, laps=1)
    sealed.seat_all()
    sealed.step_until_sealed()
    recorder.close()
    Keyring.open(folder / "keys", AT)
    return folder


@pytest.fixture(scope="module")
def file(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("files") / "match.jsonl"
    done = replays("export", "m_ttmp", "--data", data, "-o", path)
    assert (done.returncode, done.stderr) == (0, "")
    return path


def report(*args: str | Path, code: int = 0) -> dict[str, Any]:
    done = replays("audit", *args, "--json")
    assert (done.returncode, done.stderr) == (code, "")
    assert done.stdout.count("\n") == 1
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def tampered(file: Path, folder: Path, number: int, path: str, value: object) -> Path:
    """The file with another value in one line, and nothing else put right."""
    bad = Forger(file.read_bytes())
    *outer, last = path.split(".")
    inside = bad.lines[number]
    for key in outer:
        inside = inside[key]
    inside[last] = value
    (folder / "bad.jsonl").write_bytes(bad.data)
    return folder / "bad.jsonl"


def test_a_file_that_holds_says_what_was_checked_and_what_no_check_can_show(file: Path) -> None:
    done = replays("audit", file)
    assert (done.returncode, done.stderr) == (0, "")
    for said in ("all holds", "chance: server alone", "by the key", "what no check can show", "who sat on a seat"):
        assert said in done.stdout
    for said in ("hidden cards", "the service's word", "a whole one may be kept from sight"):
        assert said in done.stdout.split("what no check can show")[1]
    told = report(file)
    assert (told["ok"], told["match_id"], told["failures"]) == (True, "m_ttmp", [])
    assert told["events"] == len(Forger(file.read_bytes()).events)


def test_a_match_of_the_store_is_audited_as_its_file_is(data: Path, file: Path) -> None:
    assert report("m_ttmp", "--data", data) == report(file)


def test_a_running_match_of_the_store_is_audited_with_everything_that_is_hidden(data: Path, tmp_path: Path) -> None:
    told = report("m_sealed", "--data", data)
    assert (told["ok"], told["status"], told["viewer"], told["chance"]) == (True, "playing", "all", None)
    assert "playing" in replays("audit", "m_sealed", "--data", data).stdout


def test_what_a_seat_may_see_is_audited_as_far_as_it_goes(data: Path, tmp_path: Path) -> None:
    replays("export", "m_sealed", "--data", data, "--seat", "1", "-o", tmp_path / "mine.jsonl")
    told = report(tmp_path / "mine.jsonl")
    assert (told["ok"], told["viewer"]) == (True, 1)
    assert "what seat 1 may see" in replays("audit", tmp_path / "mine.jsonl").stdout


def test_the_first_failure_is_named_and_with_all_every_one(file: Path, tmp_path: Path) -> None:
    bad = tampered(file, tmp_path, 9, "public.surprise", 1)
    told = report(bad, code=1)
    version = Forger(bad.read_bytes()).events[8]["version"]
    assert [(one["version"], one["check"], one["clause"]) for one in told["failures"]] == [(version, "chain", "LOG-4")]
    assert len(report(bad, "--all", code=1)["failures"]) > 1
    done = replays("audit", bad)
    assert done.returncode == 1
    assert f"version {version} of m_ttmp, chain (LOG-4)" in done.stdout


def test_what_cannot_be_read_has_its_own_code_and_words(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_bytes(b"garbage")
    told = report(tmp_path / "bad.jsonl", code=2)
    assert (told["ok"], told["failures"][0]["check"]) == (False, "file")
    assert "line 1" in told["failures"][0]["reason"]
    done = replays("audit", tmp_path / "bad.jsonl")
    assert done.returncode == 2
    assert done.stdout.startswith("can't be read: ")


@pytest.mark.faults
@pytest.mark.soak
def test_a_gigabyte_of_garbage_is_told_in_little_memory(tmp_path: Path, file: Path) -> None:
    for name, start in (("zeros", b""), ("tail", file.read_bytes().splitlines(keepends=True)[0])):
        path = tmp_path / f"{name}.jsonl"
        with path.open("wb") as hollow:
            hollow.write(start)
            hollow.truncate(1 << 30)
        limit = "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30));"
        run = (
            f"{limit} sys.argv = ['replays', 'audit', {str(path)!r}]; runpy.run_module('replays', run_name='__main__')"
        )
        done = subprocess.run(
            [sys.executable, "-c", run], cwd=TREE, capture_output=True, text=True, check=False, timeout=60
        )
        path.unlink()
        assert (done.returncode, done.stderr) == (2, "")
        assert "longer than 16777216 bytes" in done.stdout


def test_a_receipt_that_fits_is_counted_and_one_of_another_match_fails(file: Path, tmp_path: Path, data: Path) -> None:
    held = Forger(file.read_bytes()).receipts[0]
    (tmp_path / "receipt.json").write_text(json.dumps(held))
    assert report(file, "--receipt", tmp_path / "receipt.json")["receipts"] == 1 + len(
        Forger(file.read_bytes()).receipts
    )
    assert report("m_ttmp", "--data", data, "--receipt", tmp_path / "receipt.json")["ok"]
    (tmp_path / "receipts.jsonl").write_text(f"{json.dumps(held)}\n{json.dumps({**held, 'stream': 'm_x'})}\n")
    told = report(file, "--receipt", tmp_path / "receipts.jsonl", code=1)
    assert told["failures"][0]["check"] == "receipt"
    for content in ("", " \n", "[]", "nonsense", "{}", '{"domain": 1}', "[3]", "[" * 100_000):
        (tmp_path / "none.json").write_text(content)
        refused("holds no receipts", "audit", file, "--receipt", tmp_path / "none.json")
    refused("No such file", "audit", file, "--receipt", tmp_path / "missing.json")


def test_keys_that_the_service_published_are_compared(file: Path, tmp_path: Path, data: Path) -> None:
    keys = [msgspec.to_builtins(key) for key in Keyring(data / "keys").keys]
    (tmp_path / "keys.json").write_text(json.dumps({"keys": keys}))
    assert report(file, "--keys", tmp_path / "keys.json")["ok"]
    other = Keyring.open(tmp_path / "others", AT)
    (tmp_path / "keys.json").write_text(json.dumps({"keys": [msgspec.to_builtins(key) for key in other.keys]}))
    assert report(file, "--keys", tmp_path / "keys.json", code=1)["failures"][0]["check"] == "key"
    assert report("m_ttmp", "--data", data, "--keys", tmp_path / "keys.json", code=1)["failures"][0]["check"] == "key"
    for words in (("--keys", tmp_path / "keys.json"), ("--receipt", tmp_path / "keys.json")):
        refused("compared with one match: name it", "audit", "--all-matches", "--data", data, *words)
    for content in ("", "nonsense", "{}", '{"keys": []}'):
        (tmp_path / "keys.json").write_text(content)
        refused("holds no keys", "audit", file, "--keys", tmp_path / "keys.json")
    refused("No such file", "audit", file, "--keys", tmp_path / "none.json")


def test_receipts_that_were_signed_before_a_rotation_hold_after_it(data: Path, tmp_path: Path) -> None:
    store, catalogue, keys = SqliteRecorder.open_to_read(data / "foldtable.db"), Catalogue(), tmp_path / "keys"
    ring = Keyring.open(keys, AT)
    before = b"".join(lines(Log(store, "m_ttmp", catalogue), ring))
    ring.rotate("2099-01-01T00:00:00.000Z", lambda: "")
    after = b"".join(lines(Log(store, "m_ttmp", catalogue), ring))
    store.close()
    for name, content in (("before", before), ("after", after)):
        (tmp_path / f"{name}.jsonl").write_bytes(content)
        told = report(tmp_path / f"{name}.jsonl")
        assert (told["ok"], told["keys"]) == (True, [ring.keys[name == "after"].key])
    held = Forger(before).receipts[0]
    (tmp_path / "held.json").write_text(json.dumps(held))
    assert report(tmp_path / "after.jsonl", "--receipt", tmp_path / "held.json")["ok"]


def test_a_store_is_audited_as_a_whole(data: Path, tmp_path: Path) -> None:
    told = report("--all-matches", "--data", data)
    assert (told["ok"], told["matches"], told["failures"]) == (True, 4, [])
    done = replays("audit", "--all-matches", "--data", data)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"4 matches, {told['events']} events: all hold\n"


@pytest.fixture
def damaged(data: Path, tmp_path: Path) -> Path:
    """The store with a card changed in one match, and bytes that are none in another."""
    recorder = SqliteRecorder(data / "foldtable.db")
    with sqlite3.connect(data / "foldtable.db") as source, sqlite3.connect(tmp_path / "foldtable.db") as target:
        source.backup(target)
        target.execute("UPDATE events SET public = ? WHERE stream = 'm_ttmp' AND version = 12", (b'{"pips":7}',))
        target.execute("UPDATE events SET commits = ? WHERE stream = 'm_sealed' AND version = 1", (b'{"secret":7}',))
    recorder.close()
    return tmp_path


def test_damage_in_a_store_is_found_match_by_match_and_the_others_hold(damaged: Path) -> None:
    told = report("--all-matches", "--data", damaged, code=1)
    assert told["matches"] == 4
    assert {one["match_id"]: one["failures"][0]["check"] for one in told["failures"]} == {
        "m_ttmp": "chain",
        "m_sealed": "file",
    }
    done = replays("audit", "--all-matches", "--data", damaged)
    assert done.returncode == 1
    assert done.stdout.endswith("events: 2 do not hold\n")
    assert report("m_three-magic", "--data", damaged)["ok"]


@pytest.mark.faults
def test_a_store_of_many_matches_is_audited_and_validated_on_all_cores(tmp_path: Path) -> None:
    recorder, room = SqliteRecorder(tmp_path / "foldtable.db"), Catalogue().rooms["ttmp"]
    for number in range(20):
        staged = Stage(recorder, room, f"m_{number}", ("random", "random"))
        staged.seat_all()
        for _ in range(5):
            staged.step()
    recorder.close()
    for command in ("audit", "validate"):
        args = [sys.executable, "-m", "replays", command, "--all-matches", "--data", str(tmp_path), "--json"]
        done = subprocess.run(args, cwd=TREE, capture_output=True, text=True, check=False, timeout=120)
        assert (done.returncode, done.stderr) == (0, "")
        told = json.loads(done.stdout)
        assert (told["ok"], told["matches"]) == (True, 20)


def test_without_the_key_a_store_is_audited_but_for_receipts(data: Path, tmp_path: Path) -> None:
    with sqlite3.connect(data / "foldtable.db") as source, sqlite3.connect(tmp_path / "foldtable.db") as target:
        source.backup(target)
    told = report("m_ttmp", "--data", tmp_path)
    assert (told["ok"], told["receipts"], told["keys"]) == (True, 0, [])
    assert "receipts" not in replays("audit", "m_ttmp", "--data", tmp_path).stdout.split("what no check")[0]


def test_bad_calls_are_told_in_one_line(data: Path, tmp_path: Path) -> None:
    for command in ("audit", "validate"):
        refused("no match m_none", command, "m_none", "--data", data)
        refused("does not exist", command, "m_none", "--data", tmp_path / "nothing")
        refused("does not exist", command, "--all-matches", "--data", tmp_path / "nothing")
        refused("name a match or a file", command)
        refused("name a match or a file", command, "m_ttmp", "--all-matches", "--data", data)
    refused("No such file", "validate", tmp_path / "none.jsonl")
    told = report(tmp_path / "none.jsonl", code=2)
    assert "No such file" in told["failures"][0]["reason"]
    told = report(tmp_path, code=2)
    assert "directory" in told["failures"][0]["reason"]


def test_validate_sorts_what_is_stored(data: Path, file: Path, damaged: Path) -> None:
    done = replays("validate", "--all-matches", "--data", data)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("4 same, 0 upcast, 0 differing, 0 unreadable\n")
    assert replays("validate", "m_sealed", "--data", data).returncode == 0
    assert replays("validate", file).returncode == 0
    done = replays("validate", "--all-matches", "--data", damaged, "--json")
    assert done.returncode == 2
    told = json.loads(done.stdout)
    assert [one["match_id"] for one in told["unreadable"]] == ["m_ttmp"]
    assert told["unreadable"][0]["first"]["version"] == 12
    assert "m_ttmp: unreadable, version 12: " in replays("validate", "--all-matches", "--data", damaged).stdout


def test_what_a_seat_may_see_is_not_enough_to_be_played_again(data: Path, tmp_path: Path) -> None:
    replays("export", "m_sealed", "--data", data, "--seat", "1", "-o", tmp_path / "mine.jsonl")
    refused("can't be played again", "validate", tmp_path / "mine.jsonl")


def test_an_export_of_a_file_is_refused(file: Path, data: Path) -> None:
    refused("is a file already", "export", file)
    assert chain.decode_canonical(file.read_bytes().splitlines()[0])["viewer"] == "all"
