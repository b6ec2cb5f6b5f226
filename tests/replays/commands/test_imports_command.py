"""`python -m replays import` and `fork`, as they are typed; and an export's way through another store and back."""

from __future__ import annotations

import json
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
from tests.replays.commands.typed import refused, replays
from tests.replays.exported import export, file_of, finished, games, private_key, stage
from tests.replays.forgery import Forger
from tests.replays.staged import AT, Stage


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A service's folder: a finished match, a fork of it, a fork of that, and a running one."""
    folder = tmp_path_factory.mktemp("data")
    recorder, room = SqliteRecorder(folder / "foldtable.db"), Catalogue().rooms["three-magic"]
    ended = Stage(recorder, room, "m_ended", ["random", "greedy", "random"], laps=1)
    ended.seat_all("ab" * 32)
    ended.finish()
    for parent, child in (("m_ended", "m_fork"), ("m_fork", "m_forkfork")):
        log = Log(recorder, parent, Catalogue())
        points = exports.fork_points(log)
        told, _ = exports.fork(log, points[len(points) // 3], "ef" * 32)
        staged = Stage(recorder, room, child, ["greedy"] * 3, told)
        staged.seat_all()
        staged.finish()
    sealed = Stage(recorder, room, "m_sealed", ["greedy"] * 3, laps=1)
    sealed.seat_all()
    sealed.step_until_sealed()
    recorder.close()
    Keyring.open(folder / "keys", AT)
    return folder


def exported(data: Path, match_id: str, to: Path, *more: str) -> Path:
    done = replays("export", match_id, "--data", data, "-o", to, *more)
    assert (done.returncode, done.stderr) == (0, "")
    return to


@pytest.mark.parametrize("match_id", ["m_ended", "m_fork", "m_forkfork"])
def test_a_round_trip_through_another_store_is_byte_identical(data: Path, tmp_path: Path, match_id: str) -> None:
    file = exported(data, match_id, tmp_path / "there.jsonl")
    other = tmp_path / "other"
    done = replays("import", file, "--data", other)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{match_id}: ")
    back = exported(other, match_id, tmp_path / "back.jsonl")
    assert back.read_bytes() == file.read_bytes()
    for name in ("there.jsonl", "back.jsonl"):
        assert replays("audit", tmp_path / name).returncode == 0
    assert replays("audit", match_id, "--data", other).returncode == 0
    assert replays("validate", "--all-matches", "--data", other).returncode == 0
    again = replays("show", match_id, "--data", other, "--json")
    assert again.stdout == replays("show", match_id, "--data", data, "--json").stdout


def test_nothing_is_overwritten(data: Path, tmp_path: Path) -> None:
    file = exported(data, "m_ended", tmp_path / "file.jsonl")
    before = (data / "foldtable.db").read_bytes()
    refused("m_ended is in the store already", "import", file, "--data", data)
    assert (data / "foldtable.db").read_bytes() == before
    assert replays("import", file, "--data", tmp_path).returncode == 0
    refused("m_ended is in the store already", "import", file, "--data", tmp_path)


def test_what_does_not_audit_is_refused_unless_told(data: Path, tmp_path: Path) -> None:
    bad = Forger(exported(data, "m_ended", tmp_path / "file.jsonl").read_bytes())
    bad.events[20]["public"]["surprise"] = 1
    (tmp_path / "bad.jsonl").write_bytes(bad.data)
    done = replays("import", tmp_path / "bad.jsonl", "--data", tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "does not audit: version 21 of m_ended, chain (LOG-4)" in done.stderr
    assert done.stderr.count("\n") == 1
    assert replays("show", "m_ended", "--data", tmp_path).returncode == 2
    done = replays("import", "--unaudited", tmp_path / "bad.jsonl", "--data", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert replays("audit", "m_ended", "--data", tmp_path).returncode == 1


def test_what_a_seat_may_see_of_a_running_match_is_not_taken(data: Path, tmp_path: Path) -> None:
    file = exported(data, "m_sealed", tmp_path / "mine.jsonl", "--seat", "1")
    refused("m_sealed is not over", "import", file, "--data", tmp_path)
    refused("m_sealed is not over", "import", "--unaudited", file, "--data", tmp_path)


def test_files_that_can_t_be_read_are_told(tmp_path: Path) -> None:
    (tmp_path / "garbage.jsonl").write_bytes(b"garbage")
    refused("line 1", "import", tmp_path / "garbage.jsonl", "--data", tmp_path)
    refused("No such file", "import", tmp_path / "none.jsonl", "--data", tmp_path)
    (tmp_path / "file").write_text("")
    refused("file", "import", tmp_path / "garbage.jsonl", "--data", tmp_path / "file" / "data")


def test_several_files_are_taken_and_those_before_a_bad_one_stay(data: Path, tmp_path: Path) -> None:
    files = [exported(data, name, tmp_path / f"{name}.jsonl") for name in ("m_ended", "m_fork")]
    (tmp_path / "garbage.jsonl").write_bytes(b"garbage")
    done = replays("import", *files, tmp_path / "garbage.jsonl", "--data", tmp_path)
    assert done.returncode == 2
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == ["m_ended", "m_fork"]
    assert replays("audit", "--all-matches", "--data", tmp_path).stdout.startswith("2 matches")


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


def test_a_fork_is_opened_with_its_seats_free_and_its_export_brings_the_parent(data: Path, tmp_path: Path) -> None:
    at = points_of(data, "m_ended")[4]
    done = replays("fork", "m_ended", "--at", str(at), "--data", data)
    assert (done.returncode, done.stderr) == (0, "")
    new = done.stdout.strip()
    told = json.loads(replays("show", new, "--data", data, "--json").stdout)
    assert (told["status"], told["to_act"]) == ("open", [])
    assert replays("audit", new, "--data", data).returncode == 0
    file = exported(data, new, tmp_path / "fork.jsonl")
    assert replays("audit", file).returncode == 0
    fork = Forger(file.read_bytes())
    assert [event["version"] for event in fork.stream("m_ended")] == list(range(1, at + 1))
    assert "cards" not in fork.header
    assert "goes on from m_ended" in replays("audit", file).stdout


def test_a_fork_stands_where_its_parent_stood_with_the_same_hidden_cards(data: Path) -> None:
    store = SqliteRecorder.open_to_read(data / "foldtable.db")
    parent, fork = (Log(store, name, Catalogue()) for name in ("m_ended", "m_fork"))
    forked = fork.events(TRUTH, 1, 1)[0]
    assert isinstance(forked, matches.Forked)
    events = fork.events(TRUTH)
    started = next(at for at, event in enumerate(events, 1) if isinstance(event, matches.Started))
    for viewer in (TRUTH, None, 0, 1, 2):
        theirs, ours = parent.fold(viewer, at=forked.version), fork.fold(viewer, at=started)
        assert ours.table == theirs.table
        assert matches.to_act(fork.game, ours) == matches.to_act(parent.game, theirs)
    store.close()


def test_one_goes_on_only_from_where_somebody_was_asked(data: Path) -> None:
    points = points_of(data, "m_ended")
    between = next(at for at in range(points[0], points[-1]) if at not in points)
    for at in (between, 0, 1, -5, 10**9, 10**30):
        below, above = [point for point in points if point < at][-1:], [point for point in points if point > at][:1]
        nearest = " or ".join(f"--at {point}" for point in below + above)
        refused(f"nobody was. Nearest is {nearest}.\n", "fork", "m_ended", "--at", str(at), "--data", data)
    refused("over", "fork", "m_sealed", "--at", "20", "--data", data)
    refused("no match m_none", "fork", "m_none", "--at", "20", "--data", data)
    refused("import it first", "fork", "file.jsonl", "--at", "20", "--data", data)


def test_there_is_no_fork_of_a_store_that_is_not_there(tmp_path: Path) -> None:
    refused("does not exist", "fork", "m_ended", "--at", "20", "--data", tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_an_imported_match_can_be_forked_and_the_fork_s_export_audits(data: Path, tmp_path: Path) -> None:
    file = exported(data, "m_fork", tmp_path / "file.jsonl")
    other = tmp_path / "other"
    assert replays("import", file, "--data", other).returncode == 0
    Keyring.open(other / "keys", AT)
    new = replays("fork", "m_fork", "--at", str(points_of(other, "m_fork")[3]), "--data", other).stdout.strip()
    file = exported(other, new, tmp_path / "new.jsonl")
    done = replays("audit", file)
    assert done.returncode == 0
    assert "goes on from m_fork, then m_ended" in done.stdout


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
    data = export(fork)
    assert audit(file_of(data), games()).ok


def test_a_match_whose_rules_are_not_at_hand_audits_as_far_as_that_goes_and_is_not_imported(tmp_path: Path) -> None:
    forged = Forger(finished("three-magic"))
    forged.header["rules"] = forged.events[0]["public"]["version"] = 99
    file = tmp_path / "later.jsonl"
    file.write_bytes(forged.reseal(private_key()).data)
    done = replays("audit", file)
    assert done.returncode == 0
    assert "all holds that can be checked here:" in done.stdout
    why = "is played by version 99 of three-magic; at hand here: 1."
    assert f"NOT checked, LOG-11 to LOG-15 (moves, chance, result): {forged.header['match']} {why}" in done.stdout
    done = replays("import", file, "--data", tmp_path / "data")
    assert done.returncode == 1
    assert why in done.stderr
    assert replays("import", file, "--unaudited", "--data", tmp_path / "data").returncode == 0
    done = replays("audit", "--all-matches", "--data", tmp_path / "data")
    assert (done.returncode, done.stderr) == (0, "")
    assert "of 1 the rules are not at hand; their moves, chance and result were not checked" in done.stdout
