"""Backups of a store that is being written to: whole, of one moment, and nobody else's to read."""

from __future__ import annotations

import random
import re
import shutil
import signal
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from threading import Event

import msgspec
import pytest

from events.files import alone
from events.sqlite import SqliteRecorder
from events.store import StoreUnusable
from service import wiring
from service.config import Config
from service.run import backup
from tests.events.test_files import mode_of, small_files
from tests.service.house import House, build
from tests.service.run.backups import after, appending, check, refused, service, tree
from tests.service.run.callers import moved, playing
from tests.service.run.uprun import TREE, environment, ran, small_disk, until, up

pytestmark = [pytest.mark.sqlite, pytest.mark.faults]

SECRETS = {"keys", "worker-token", "admin-token", "secret"}


def test_what_was_answered_before_a_backup_of_a_running_service_is_in_it(tmp_path: Path) -> None:
    data, copy, again = tmp_path / "data", tmp_path / "copy", tmp_path / "again"
    with up(data) as service_, playing(service_.url, 1) as pairs:
        until(lambda: moved(pairs) > 20, "they play")
        receipts = [acked.receipt for pair in pairs for acked in tuple(pair.acked)]
        done = service("backup", copy, "--data", data)
        goal = moved(pairs) + 3
        until(lambda: moved(pairs) > goal, "they play on")
    assert (done.returncode, done.stderr) == (0, "")
    assert "it contains all secrets" in done.stdout
    assert service("restore", copy, "--data", again).returncode == 0
    check(again, {(one.stream, one.version, bytes.fromhex(one.hash)) for one in receipts})
    for name in SECRETS:
        assert (again / name).read_bytes() == (data / name).read_bytes()
    with closing(build(Config(data=again))) as restored:
        people = [person for pair in pairs for person in pair.people]
        assert all(restored.accounts.asker(person.token).player == person.id for person in people)


def test_a_backup_is_of_one_moment_though_the_store_is_written_to_between_its_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy"
    build(Config(data=data)).close()
    monkeypatch.setattr(backup, "PAGES", 1)
    with appending(data / "foldtable.db") as writers:
        for writer in writers:
            after(writer, 150)
        acked = {ack for writer in writers for ack in tuple(writer.acked)}
        made = backup.back_up(Config(data=data), copy)
        appended = sum(len(writer.acked) for writer in writers)
    check(copy, acked)
    with closing(SqliteRecorder.open_to_read(copy / "foldtable.db")) as reader:
        assert reader.reader().execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        (events,) = reader.reader().execute("SELECT count(*) FROM events").fetchone()
    assert made.events == events < appended


def test_everything_that_a_service_needs_is_in_it_and_for_its_user_alone(tmp_path: Path, config: Config) -> None:
    with House(build(config)) as house:
        house.player().open()
    own = config.packs / "three-magic"
    own.mkdir(parents=True, exist_ok=True)
    (own / "mine.toml").write_text("of the operator's\n")
    (config.data / "demo-token").write_text("d" * 64)
    (config.data / "letter").write_text("not ours")
    config.data.chmod(0o755)
    for path in config.data.rglob("*.toml"):
        path.chmod(0o644)
    copy = tmp_path / "copy"
    assert service("backup", copy, "--data", config.data).returncode == 0
    assert {path.name for path in copy.iterdir()} == {"backup.json", "foldtable.db", "demo-token", "packs", *SECRETS}
    for folder in (config.data, copy):
        assert [str(path.relative_to(folder)) for path in folder.rglob("*.toml")] == ["packs/three-magic/mine.toml"]
    for path in (copy, *copy.rglob("*")):
        assert mode_of(path) == (0o700 if path.is_dir() else 0o600)
    text = (copy / "backup.json").read_bytes()
    manifest = msgspec.json.decode(text)
    assert (manifest["matches"], manifest["events"]) == (1, 1)
    assert [name for name in SECRETS if (config.data / name).read_bytes().strip() in text] == []


def test_a_backup_that_cannot_be_taken_leaves_nothing_and_overwrites_nothing(tmp_path: Path, config: Config) -> None:
    kept = ("--data", config.data)
    refused("foldtable.db does not exist", "backup", tmp_path / "copy", *kept)
    build(config).close()
    there = tmp_path / "there"
    there.mkdir()
    (there / "letter").write_text("to somebody")
    for target in (there, there / "letter", config.data):
        refused("exists already", "backup", target, *kept)
    refused("", "backup", there / "letter" / "copy", *kept)
    assert tree(there) == {"letter": b"to somebody"}
    # what is no file can't be a key or a pack
    config.keys.unlink()
    config.keys.mkdir()
    (config.packs / "three-magic").mkdir(parents=True)
    (config.packs / "three-magic" / "gone.toml").symlink_to(tmp_path / "nowhere")
    assert service("backup", tmp_path / "copy", "--data", config.data).returncode == 0
    shutil.rmtree(tmp_path / "copy")
    assert {path.name for path in tmp_path.iterdir()} == {"data", "there"}
    with small_disk(tmp_path / "small", 100):
        said = refused("small has room for", "backup", tmp_path / "small" / "copy", *kept)
        assert re.search(r"room for \d+ bytes, but \d+ are needed", said)
        assert list((tmp_path / "small").iterdir()) == []


@pytest.mark.parametrize("most", [5000, *(pytest.param(most, marks=pytest.mark.soak) for most in (0, 100, 60_000))])
def test_a_disk_that_fails_while_it_is_copied_leaves_nothing(tmp_path: Path, config: Config, most: int) -> None:
    build(config).close()
    source = tmp_path / "source"
    assert service("backup", source, "--data", config.data).returncode == 0
    before = tree(config.data)
    for words in (("backup", tmp_path / "copy"), ("restore", source)):
        with small_files(most):
            done = service(*words, "--data", config.data)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.count("\n") == 1, done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"data", "source"}
    assert tree(config.data) == before


def test_a_backup_that_is_killed_is_not_there(tmp_path: Path, config: Config) -> None:
    build(config).close()
    with appending(config.database) as writers:
        after(writers[0], 500)
    for number, is_held in enumerate((True, False)):
        copy = tmp_path / f"{number}"
        typed = [sys.executable, "-m", "service", "backup", str(copy), "--data", str(config.data)]
        # while somebody else changes keys or packs, a backup waits between the store and them
        with alone(config.data, is_shared=not is_held), subprocess.Popen(typed, cwd=TREE, env=environment()) as process:
            until(lambda: [*tmp_path.glob(".*.new/foldtable.db")] or process.poll() is not None, "it copies the store")
            Event().wait(random.random() / 50)
            process.kill()
        assert not (is_held and copy.exists())
        if copy.exists():
            assert service("restore", copy, "--data", tmp_path / f"restored-{number}").returncode == 0
        for left in tmp_path.glob(".*.new"):
            assert mode_of(left) == 0o700
            shutil.rmtree(left)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_backup_that_is_ended_leaves_no_secrets(tmp_path: Path, config: Config, number: int) -> None:
    build(config).close()
    typed = [sys.executable, "-m", "service", "backup", str(tmp_path / "copy"), "--data", str(config.data)]
    # it waits for the keys meanwhile; a signal between two steps is seen at the latest when it gets them
    with alone(config.data):
        process = subprocess.Popen(typed, cwd=TREE, env=environment())
        until(lambda: [*tmp_path.glob(".*.new/foldtable.db")], "it copies the store")
        process.send_signal(number)
    assert process.wait(60) == 128 + number
    assert {path.name for path in tmp_path.iterdir()} == {"data"}


def test_a_store_on_postgres_is_left_to_its_own_tools(
    tmp_path: Path, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(config).close()
    assert service("backup", tmp_path / "source", "--data", config.data).returncode == 0
    before = tree(config.data)
    for scheme, says in (
        ("postgresql", "pg_dump and pg_restore, and copy keys, secret, tokens and packs too"),
        ("mysql", "begins with neither sqlite: nor postgresql://"),
    ):
        monkeypatch.setenv("FOLDTABLE_STORE", f"{scheme}://me:{'p' * 40}@127.0.0.1/none")
        for words in (("backup", tmp_path / "copy"), ("restore", tmp_path / "source")):
            done = service(*words, "--data", config.data)
            assert (done.returncode, done.stdout) == (1, "")
            assert says in done.stderr
            assert "p" * 40 not in done.stderr
    assert tree(config.data) == before


@pytest.mark.soak
def test_a_store_copied_by_hand_at_any_moment_of_writing_opens(tmp_path: Path) -> None:
    """As long as the log of writes was not folded in meanwhile, which the file's own time tells."""
    data = tmp_path / "data"
    build(Config(data=data)).close()
    path = data / "foldtable.db"
    opened = 0
    with appending(path) as writers:
        for number in range(12):
            after(writers[number % 2], 10)
            acked = {ack for writer in writers for ack in tuple(writer.acked)}
            there = tmp_path / f"{number}"
            there.mkdir()
            stood = path.stat().st_mtime_ns
            for suffix in ("", "-wal"):
                shutil.copyfile(f"{path}{suffix}", there / f"foldtable.db{suffix}")
            is_still = path.stat().st_mtime_ns == stood
            try:
                SqliteRecorder(there / "foldtable.db").close()
            except StoreUnusable:
                assert not is_still
            if is_still:
                check(there, acked)
                wiring.open_store(Config(data=there)).close()
                opened += 1
    assert opened
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_page_on_operating_shows_commands_that_work_as_they_stand(tmp_path: Path) -> None:
    text = (TREE / "docs" / "operating.md").read_text(encoding="utf-8")
    scripts = [block for block in re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL) if "backup" in block]
    assert len(scripts) == 2
    for name in (".venv", "foldtable", "domain", "events", "replays", "bots", "service"):
        (tmp_path / name).symlink_to(TREE / name)
    with House(build(Config(data=tmp_path / "data"))) as house:
        house.table()
    done = ran("sh", "-euc", "".join(scripts), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("1 match, 8 events") == 3, done.stdout
    assert "0 faults" in done.stdout
    assert len(list((tmp_path / "data").glob("before-*"))) == 1
