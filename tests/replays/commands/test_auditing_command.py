"""`python -m replays audit` and `validate`, as they are typed."""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from events.keyring import Keyring
from tests.replays.commands.typed import TREE, as_json, exported, printed, refused, replays, stored
from tests.replays.forgery import Forger
from tests.replays.staged import AT
from tests.replays.timed import stage as timed
from tests.service.run.uprun import ran
from tests.typed import started


@pytest.fixture(scope="module")
def file(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return exported(data, "m_ttmp", tmp_path_factory.mktemp("files") / "match.jsonl")


def report(*args: str | Path, code: int = 0) -> dict[str, Any]:
    return as_json("audit", *args, code=code)


def first(*args: str | Path, code: int = 1) -> str:
    check: str = report(*args, code=code)["failures"][0]["check"]
    return check


def test_a_file_that_holds_says_what_was_checked_and_what_no_check_can_show(data: Path, file: Path) -> None:
    holds, unseen = printed("audit", file).split("what no check can show")
    for said in ("all holds", "chance: server alone", "by the key", "the result is that of the rules"):
        assert said in holds
    for said in (
        "who sat on a seat",
        "hidden cards",
        "come from the service",
        "no more orders",
        "a whole match may be hidden",
    ):
        assert said in unseen
    told = report(file)
    assert (told["ok"], told["match_id"], told["failures"]) == (True, "m_ttmp", [])
    assert told["events"] == len(Forger(file.read_bytes()).events)
    assert report("m_ttmp", "--data", data) == told, "as it is in the store"
    refused("names a file", "export", file)


def test_a_running_match_is_audited_with_all_that_is_hidden_and_its_file_as_far_as_that_goes(
    data: Path, tmp_path: Path
) -> None:
    told = report("m_sealed", "--data", data)
    assert (told["ok"], told["status"], told["viewer"], told["chance"]) == (True, "playing", "all", None)
    said = printed("audit", "m_sealed", "--data", data)
    assert ("playing" in said, "result" in said) == (True, False)
    mine = exported(data, "m_sealed", tmp_path / "mine.jsonl", "--seat", "1")
    told = report(mine)
    assert (told["ok"], told["viewer"]) == (True, 1)
    assert "what seat 1 may see" in printed("audit", mine)
    refused("can't be played again", "validate", mine)


def test_the_first_failure_is_named_and_with_all_every_one(file: Path, tmp_path: Path) -> None:
    bad, path = Forger(file.read_bytes()), tmp_path / "bad.jsonl"
    bad.events[8]["public"]["surprise"] = 1
    path.write_bytes(bad.data)
    version = bad.events[8]["version"]
    failures = report(path, code=1)["failures"]
    assert [(one["version"], one["check"], one["clause"]) for one in failures] == [(version, "chain", "LOG-4")]
    assert len(report(path, "--all", code=1)["failures"]) > 1
    done = replays("audit", path)
    assert done.returncode == 1
    assert f"version {version} of m_ttmp, chain (LOG-4)" in done.stdout
    path.write_bytes(b"garbage")
    told = report(path, code=2)
    assert (told["ok"], told["failures"][0]["check"]) == (False, "file")
    assert "line 1" in told["failures"][0]["reason"]
    done = replays("audit", path)
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
        run = (
            "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30));"
            f" sys.argv = ['replays', 'audit', {str(path)!r}]; runpy.run_module('replays', run_name='__main__')"
        )
        done = ran(sys.executable, "-c", run)
        path.unlink()
        assert (done.returncode, done.stderr) == (2, "")
        assert "longer than 16777216 bytes" in done.stdout


def test_a_receipt_that_fits_is_counted_and_one_of_another_match_fails(file: Path, tmp_path: Path, data: Path) -> None:
    receipts, path = Forger(file.read_bytes()).receipts, tmp_path / "receipts.jsonl"
    path.write_text(json.dumps(receipts[0]))
    assert report(file, "--receipt", path)["receipts"] == 1 + len(receipts)
    assert "\n  1 receipt, by the key " in printed("audit", TREE / "docs" / "match.jsonl")
    assert report("m_ttmp", "--data", data, "--receipt", path)["ok"]
    path.write_text(f"{json.dumps(receipts[0])}\n{json.dumps({**receipts[0], 'stream': 'm_x'})}\n")
    told = report(file, "--receipt", path, code=1)["failures"][0]
    assert told["check"] == "receipt"
    assert "keep the evidence of each match in a file of its own" in told["reason"]
    refused("compared with one match: name it", "audit", "--all-matches", "--data", data, "--receipt", path)
    for content in ("", " \n", "[]", "nonsense", "{}", '{"domain": 1}', "[3]", "[" * 100_000):
        path.write_text(content)
        refused("holds no receipts", "audit", file, "--receipt", path)
    refused("No such file", "audit", file, "--receipt", tmp_path / "missing.json")


def test_a_pack_that_the_folder_offers_is_known_in_a_file(tmp_path: Path) -> None:
    file, offered = TREE / "docs" / "match.jsonl", tmp_path / "packs" / "magicative" / "six.toml"
    assert not report(file, "--data", tmp_path)["is_pack_known"]
    offered.parent.mkdir(parents=True)
    offered.write_text(json.loads(file.read_text().splitlines()[0])["pack"]["text"])
    assert report(file, "--data", tmp_path)["is_pack_known"]


def test_keys_that_the_service_published_are_compared(file: Path, tmp_path: Path, data: Path) -> None:
    def publish(ring: Keyring) -> Path:
        (tmp_path / "keys.json").write_text(json.dumps({"keys": [msgspec.to_builtins(key) for key in ring.keys]}))
        return tmp_path / "keys.json"

    assert report(file, "--keys", publish(Keyring(data / "keys")))["ok"]
    path = publish(Keyring.open(tmp_path / "others", AT))
    assert first(file, "--keys", path) == first("m_ttmp", "--data", data, "--keys", path) == "key"
    refused("compared with one match: name it", "audit", "--all-matches", "--data", data, "--keys", path)
    for content in ("", "nonsense", "{}", '{"keys": []}'):
        path.write_text(content)
        refused("holds no keys", "audit", file, "--keys", path)
    # as PowerShell writes what a command prints
    path.write_text(json.dumps({"keys": []}), encoding="utf-16")
    refused("it begins with a byte order mark", "audit", file, "--keys", path)
    refused("No such file", "audit", file, "--keys", tmp_path / "none.json")


def test_a_store_is_audited_and_validated_as_a_whole(data: Path, file: Path) -> None:
    told = report("--all-matches", "--data", data)
    assert (told["ok"], told["matches"], told["failures"]) == (True, 5, [])
    all_hold = f"5 matches, {told['events']} events: all hold\n"
    assert printed("audit", "--all-matches", "--data", data) == all_hold
    validated = printed("validate", "--all-matches", "--data", data)
    assert validated.endswith("5 same, 0 upcast, 0 differing, 0 unreadable\n")
    printed("validate", "m_sealed", "--data", data)
    printed("validate", file)


def test_damage_in_a_store_is_found_match_by_match_and_the_others_hold(copied: Path) -> None:
    with sqlite3.connect(copied / "foldtable.db") as store:
        store.execute("UPDATE events SET public = ? WHERE stream = 'm_ttmp' AND version = 12", (b'{"pips":7}',))
        store.execute("UPDATE events SET commits = ? WHERE stream = 'm_sealed' AND version = 1", (b'{"secret":7}',))
    store.close()
    every = ("--all-matches", "--data", copied)
    told = report(*every, code=1)
    checks = {one["match_id"]: one["failures"][0]["check"] for one in told["failures"]}
    assert (told["matches"], checks) == (5, {"m_ttmp": "chain", "m_sealed": "file"})
    done = replays("audit", *every)
    assert done.returncode == 1
    assert done.stdout.endswith("events: 2 do not hold\n")
    told = as_json("validate", *every, code=2)
    assert [(one["match_id"], one["first"]["version"]) for one in told["unreadable"]] == [("m_ttmp", 12)]
    assert "m_ttmp: unreadable, version 12: " in replays("validate", *every).stdout
    # there is no key: all is checked but for receipts
    told = report("m_ended", "--data", copied)
    assert (told["ok"], told["receipts"], told["keys"]) == (True, 0, [])
    assert "receipts" not in printed("audit", "m_ended", "--data", copied).split("what no check")[0]
    with sqlite3.connect(copied / "foldtable.db") as store:
        store.execute("DELETE FROM events WHERE stream NOT LIKE 'm_ttmp%'")
    store.close()
    assert ": 1 does not hold\n" in replays("audit", *every).stdout
    assert replays("audit", *every).stdout.splitlines()[-1].startswith("1 match, ")


@pytest.mark.faults
def test_a_store_of_many_matches_is_audited_and_validated_on_all_cores(tmp_path: Path) -> None:
    with stored(tmp_path) as recorder:
        for number in range(20):
            timed(recorder, "ttmp", f"m_{number}", 5)
    for command in ("audit", "validate"):
        done = started("replays", command, "--all-matches", "--data", tmp_path, "--json")
        assert (done.returncode, done.stderr) == (0, "")
        told = json.loads(done.stdout)
        assert (told["ok"], told["matches"]) == (True, 20)


def test_bad_calls_are_told_in_one_line(data: Path, tmp_path: Path) -> None:
    for command in ("audit", "validate"):
        refused("no match m_none", command, "m_none", "--data", data)
        refused("m_none is no file, and there is no store to", command, "m_none", "--data", tmp_path / "nothing")
        refused("does not exist", command, "--all-matches", "--data", tmp_path / "nothing")
        refused("name a match or a file", command)
        refused("name a match or a file", command, "m_ttmp", "--all-matches", "--data", data)
    refused("No such file", "validate", tmp_path / "none.jsonl")
    for path, says in ((tmp_path / "none.jsonl", "No such file"), (tmp_path, "directory")):
        assert says in report(path, code=2)["failures"][0]["reason"]
