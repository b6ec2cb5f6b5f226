"""`python -m replays import` and `fork`, as they are typed; and an export's way through another store and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain import matches
from domain.catalogue import Catalogue
from events.keyring import Keyring
from events.sqlite import SqliteRecorder
from events.store import Write
from replays.checking.audit import audit
from replays.checking.rules import Kind, validate
from replays.files import exports
from replays.files.exports import Lost, lines
from replays.log import TRUTH, Log
from tests.replays.commands.typed import as_json, exported, piped, printed, refused, replays
from tests.replays.exported import export, file_of, finished, games, private_key, stage
from tests.replays.forgery import Forger
from tests.replays.staged import AT, Stage


def test_a_round_trip_through_another_store_is_byte_identical(data: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    for match_id in ("m_ended", "m_fork", "m_forkfork"):
        file = exported(data, match_id, tmp_path / "there.jsonl")
        assert printed("import", file, "--data", other).startswith(f"{match_id}: ")
        assert exported(other, match_id, tmp_path / f"{match_id}.jsonl").read_bytes() == file.read_bytes()
        file.unlink()
        printed("audit", tmp_path / f"{match_id}.jsonl")
        printed("audit", match_id, "--data", other)
        assert as_json("show", match_id, "--data", other) == as_json("show", match_id, "--data", data)
    # also where there are no keys, it is a page
    printed("report", "m_forkfork", "--data", other, "-o", tmp_path / "page.html")
    printed("validate", "--all-matches", "--data", other)
    for where in (data, other):
        before = (where / "foldtable.db").read_bytes()
        refused("m_ended is in the store already", "import", tmp_path / "m_ended.jsonl", "--data", where)
        assert (where / "foldtable.db").read_bytes() == before
    # an imported match can be forked
    Keyring.open(other / "keys", AT)
    new = printed("fork", "m_fork", "--at", str(points_of(other, "m_fork")[3]), "--data", other).strip()
    assert "continues m_fork, then m_ended" in printed("audit", exported(other, new, tmp_path / "new.jsonl"))


def test_what_does_not_audit_is_refused_unless_told(data: Path, tmp_path: Path) -> None:
    bad = Forger(exported(data, "m_ended", tmp_path / "file.jsonl").read_bytes())
    bad.events[20]["public"]["surprise"] = 1
    (tmp_path / "bad.jsonl").write_bytes(bad.data)
    done = replays("import", tmp_path / "bad.jsonl", "--data", tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "does not audit: version 21 of m_ended, chain (LOG-4)" in done.stderr
    assert not (tmp_path / "foldtable.db").exists()
    printed("import", "--unaudited", tmp_path / "bad.jsonl", "--data", tmp_path)
    assert replays("audit", "m_ended", "--data", tmp_path).returncode == 1


def test_what_can_t_be_taken_is_told_and_files_before_a_bad_one_stay(data: Path, tmp_path: Path) -> None:
    mine = exported(data, "m_sealed", tmp_path / "mine.jsonl", "--seat", "1")
    gap = tmp_path / "gap.jsonl"
    lines = exported(data, "m_ended", tmp_path / "whole.jsonl").read_bytes().splitlines(keepends=True)
    gap.write_bytes(b"".join(lines[:9] + lines[10:]))
    refused(f"{gap}: version 10 of m_ended follows 8", "import", gap, "--data", tmp_path / "none")
    garbage = tmp_path / "garbage.jsonl"
    garbage.write_bytes(b"garbage")
    refused("m_sealed is not over", "import", mine, "--data", tmp_path / "none")
    refused("m_sealed is not over", "import", "--unaudited", mine, "--data", tmp_path / "none")
    refused("line 1", "import", garbage, "--data", tmp_path / "none")
    refused("No such file", "import", tmp_path / "none.jsonl", "--data", tmp_path / "none")
    assert not (tmp_path / "none").exists()
    refused("garbage", "import", garbage, "--data", garbage / "data")
    files = [exported(data, name, tmp_path / f"{name}.jsonl") for name in ("m_ended", "m_fork")]
    done = replays("import", *files, garbage, "--data", tmp_path)
    assert done.returncode == 2
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == ["m_ended", "m_fork"]
    assert printed("audit", "--all-matches", "--data", tmp_path).startswith("2 matches")


def test_a_file_may_be_a_pipe_which_is_read_only_once(data: Path, tmp_path: Path) -> None:
    file = exported(data, "m_ended", tmp_path / "there.jsonl")
    with piped(file) as pipe:
        assert printed("import", pipe, "--data", tmp_path / "other").startswith("m_ended: ")


def test_while_a_service_runs_nothing_is_written_beside_it(data: Path, tmp_path: Path) -> None:
    file = exported(data, "m_ended", tmp_path / "file.jsonl")
    running = SqliteRecorder(data / "foldtable.db")
    refused("another process", "import", file, "--data", data)
    refused("POST /api/matches/m_ended/fork", "fork", "m_ended", "--at", "20", "--data", data)
    running.close()


def points_of(data: Path, match_id: str) -> tuple[int, ...]:
    store = SqliteRecorder.open_to_read(data / "foldtable.db")
    try:
        return exports.fork_points(Log(store, match_id, Catalogue()))
    finally:
        store.close()


def test_a_fork_is_opened_with_its_seats_free_and_its_export_brings_the_parent(copied: Path, tmp_path: Path) -> None:
    Keyring.open(copied / "keys", AT)
    at = points_of(copied, "m_ended")[4]
    new = printed("fork", "m_ended", "--at", str(at), "--data", copied).strip()
    told = as_json("show", new, "--data", copied)
    assert (told["status"], told["to_act"]) == ("open", [])
    printed("audit", new, "--data", copied)
    file = exported(copied, new, tmp_path / "fork.jsonl")
    assert "continues m_ended" in printed("audit", file)
    fork = Forger(file.read_bytes())
    assert [event["version"] for event in fork.stream("m_ended")] == list(range(1, at + 1))
    assert "cards" not in fork.header


def test_one_goes_on_only_from_where_somebody_was_asked(data: Path, tmp_path: Path) -> None:
    points = points_of(data, "m_ended")
    between = next(at for at in range(points[0], points[-1]) if at not in points)
    for at in (between, 0, 1, -5, 10**9, 10**30):
        below, above = [point for point in points if point < at][-1:], [point for point in points if point > at][:1]
        nearest = " or ".join(f"--at {point}" for point in below + above)
        refused(f"nobody was. Nearest is {nearest}.\n", "fork", "m_ended", "--at", str(at), "--data", data)
    refused("over", "fork", "m_sealed", "--at", "20", "--data", data)
    refused("no match m_none", "fork", "m_none", "--at", "20", "--data", data)
    refused("import it first", "fork", "file.jsonl", "--at", "20", "--data", data)
    refused("does not exist", "fork", "m_ended", "--at", "20", "--data", tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_fork_whose_parent_is_gone_can_t_be_exported_but_read(data: Path, tmp_path: Path) -> None:
    store = SqliteRecorder.open_to_read(data / "foldtable.db")
    orphan = SqliteRecorder(tmp_path / "foldtable.db")
    streams = ("m_fork", *store.private_streams("m_fork"))
    orphan.append("m_fork", [Write(stream, 0, store.read(stream)) for stream in streams])
    log = Log(orphan, "m_fork", Catalogue())
    assert log.fold(TRUTH).is_over
    assert validate(orphan, "m_fork", Catalogue()).kind is Kind.SAME
    with pytest.raises(Lost, match=r"version \d+ of m_ended, which is not here"):
        list(lines(log, None))
    store.close()
    orphan.close()
    Keyring.open(tmp_path / "keys", AT)
    refused("m_ended, which is not here", "export", "m_fork", "--data", tmp_path)


def test_a_fork_within_a_sealed_window_asks_everybody_anew() -> None:
    staged = stage("three-magic", ("greedy",) * 3)
    staged.step_until_sealed()
    at = staged.state.version
    staged.finish()
    log = Log(staged.recorder, staged.id, games())
    assert at in exports.fork_points(log)
    told, state = exports.fork(log, at, "cd" * 32)
    assert matches.to_act(log.game, state) == ()
    fork = Stage(staged.recorder, games().rooms["three-magic"], "m_2", ("random",) * 3, told)
    fork.seat_all()
    assert matches.is_sealed(log.game, fork.state)
    assert matches.to_act(log.game, fork.state) == matches.to_act(log.game, log.fold(TRUTH, at=at))
    fork.finish()
    assert audit(file_of(export(fork)), games()).ok


def test_a_match_whose_rules_are_not_at_hand_audits_as_far_as_that_goes_and_is_not_imported(tmp_path: Path) -> None:
    forged = Forger(finished("three-magic"))
    forged.header["rules"] = forged.events[0]["public"]["version"] = 99
    file, data = tmp_path / "later.jsonl", tmp_path / "data"
    file.write_bytes(forged.reseal(private_key()).data)
    told, why = printed("audit", file), "is played by version 99 of three-magic; at hand here: 1."
    assert "all holds that can be checked here:" in told
    assert f"NOT checked, LOG-11 to LOG-15 (moves, chance, result): {forged.header['match']} {why}" in told
    done = replays("import", file, "--data", data)
    assert done.returncode == 1
    assert why in done.stderr
    printed("import", file, "--unaudited", "--data", data)
    told = printed("audit", "--all-matches", "--data", data)
    assert "of 1 the rules are not at hand; their moves, chance and result were not checked" in told


def test_a_match_of_a_game_that_is_not_at_hand_audits_as_a_file_and_not_in_a_store(tmp_path: Path) -> None:
    forged = Forger(finished("three-magic"))
    forged.header["game"] = forged.events[0]["public"]["game"] = "chess"
    file, data = tmp_path / "chess.jsonl", tmp_path / "data"
    file.write_bytes(forged.reseal(private_key()).data)
    assert "NOT checked, LOG-11 to LOG-15" in printed("audit", file)
    printed("import", file, "--unaudited", "--data", data)
    done = replays("audit", forged.header["match"], "--data", data)
    assert (done.returncode, "which is not available here" in done.stdout) == (2, True)
