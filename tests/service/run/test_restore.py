"""Restoring: what is damaged or somebody else's changes nothing, and what is cut off is ended by the next one."""

from __future__ import annotations

import fcntl
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import Event
from typing import Any

import msgspec
import pytest

from events.files import OWN_FOLDER
from events.keyring import Keyring, KeysUnusable
from events.store import StoreUnusable
from service import clock, folder
from service.config import Config
from service.run import restore as restoring
from service.run.backup import STORE, BackupError, back_up
from service.run.restore import restore
from service.run.rotate import rotate
from tests.events.test_files import mode_of
from tests.service.house import House, build
from tests.service.run.backups import check, damage_pages, held, refused, service, tree
from tests.service.run.uprun import TREE, environment, until

pytestmark = [pytest.mark.sqlite, pytest.mark.faults]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a service with a match that is being played, its backup, and the folder of another service."""
    folder = tmp_path_factory.mktemp("built")
    with House(build(Config(data=folder / "data"))) as house:
        house.table()
    assert service("backup", folder / "source", "--data", folder / "data").returncode == 0
    with House(build(Config(data=folder / "there"))) as house:
        house.player().open()
    (folder / "there" / "demo-token").write_text("d" * 64)
    (folder / "there" / "demo-token").chmod(0o600)
    return folder


@pytest.fixture
def config(built: Path, tmp_path: Path) -> Config:
    return Config(data=Path(shutil.copytree(built / "data", tmp_path / "data")))


@pytest.fixture
def source(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built / "source", tmp_path / "source"))


@pytest.fixture
def data(built: Path, tmp_path: Path) -> Path:
    """The folder of the other service, which has matches of its own."""
    return Path(shutil.copytree(built / "there", tmp_path / "there"))


def is_refused(says: str, source: Path, data: Path) -> None:
    before = tree(data)
    refused(says, "restore", source, "--data", data)
    assert tree(data) == before


def restored(source: Path, data: Path) -> str:
    """What is said of it."""
    done = service("restore", source, "--data", data)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def rewrite(source: Path, name: str, **said: Any) -> None:
    """Have the manifest tell something else, or of the file what it is now."""
    path = source / "backup.json"
    manifest = msgspec.json.decode(path.read_bytes())
    for file in manifest["files"]:
        if file["path"] == name:
            content = (source / name).read_bytes()
            file.update(size=len(content), sha256=sha256(content).hexdigest())
    path.write_bytes(msgspec.json.encode({**manifest, **said}))


def alter(source: Path, sql: str) -> None:
    """Change the backed-up store, and its manifest with it."""
    with closing(sqlite3.connect(source / STORE)) as connection:
        connection.execute(sql)
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    rewrite(source, STORE)


def test_what_was_there_is_kept_aside(source: Path, data: Path, config: Config) -> None:
    (data / f"{STORE}-wal").write_bytes(b"of another store")
    before = tree(data)
    said = restored(source, data)
    assert (data / STORE).read_bytes() == (source / STORE).read_bytes()
    assert not (data / f"{STORE}-wal").exists(), "it is not read into the restored store"
    (aside,) = data.glob("before-*")
    assert str(aside) in said
    kept = tree(aside)
    assert kept == {name: before[name] for name in kept}
    assert {STORE, f"{STORE}-wal", "keys", "worker-token", "admin-token", "demo-token", "secret"} <= kept.keys()
    assert (data / "keys").read_bytes() == (config.data / "keys").read_bytes()
    assert not (data / "demo-token").exists()
    check(data, set())
    assert mode_of(aside) == OWN_FOLDER
    assert {mode_of(path) for path in data.iterdir() if path.is_file()} == {0o600}
    build(Config(data=data)).close()
    for path in (data, aside, aside / "keys"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    folder.prepare(Config(data=data))
    assert [mode_of(path) for path in (data, aside, aside / "keys")] == [OWN_FOLDER, OWN_FOLDER, 0o600]


def test_a_store_of_its_own_is_restored_to_only_if_it_is_the_folder_s(source: Path, data: Path) -> None:
    with pytest.raises(BackupError, match="names another store"):
        restore(source, Config(data=data, store=f"sqlite:{source / STORE}"))
    restore(source, Config(data=data, store=f"sqlite:{data / '..' / data.name / STORE}"))
    assert (data / STORE).read_bytes() == (source / STORE).read_bytes()
    (circle := data / "circle").symlink_to(circle)
    with pytest.raises(BackupError, match="circle"):
        restore(source, Config(data=circle))


def test_a_backup_that_was_cut_or_changed_or_is_none_is_refused(source: Path, data: Path, tmp_path: Path) -> None:
    store, keys = (source / STORE).read_bytes(), (source / "keys").read_bytes()
    for content in (store[:-4096], b""):
        (source / STORE).write_bytes(content)
        is_refused("foldtable.db is missing or incomplete", source, data)
    (source / STORE).write_bytes(bytes([*store[:-9], store[-9] ^ 1, *store[-8:]]))
    is_refused("foldtable.db was changed or damaged", source, data)
    (source / STORE).write_bytes(store)
    damage_pages(source)
    rewrite(source, STORE)
    is_refused("damaged", source, data)
    (source / "keys").write_bytes(keys.replace(b'"private":"', b'"private":"0')[: len(keys)])
    is_refused("keys was changed or damaged", source, data)
    (source / STORE).write_bytes(store)
    rewrite(source, STORE)
    rewrite(source, "keys")
    is_refused("the keys in the backup can't be used", source, data)
    (source / "keys").unlink()
    is_refused("keys is missing or incomplete", source, data)
    files = msgspec.json.decode((source / "backup.json").read_bytes())["files"]
    for name in ("../keys", "/etc/passwd", "packs/../../x.toml", "packs/a/b/c.toml", "redis", "packs/a/\x1b.toml"):
        rewrite(source, "", files=[*files, {"path": name, "size": 0, "sha256": sha256(b"").hexdigest()}])
        is_refused("which no backup can have", source, data)
    rewrite(source, "", format=2)
    is_refused("made by a later release", source, data)
    for manifest in (b'{"format": 1, "more": 1}', b"[" * 100_000):
        (source / "backup.json").write_bytes(manifest)
        is_refused("can't be read", source, data)
    for none in (tmp_path / "nowhere", data):
        is_refused("is no backup", none, data)


OTHER_SECRET = "replace(replace(replace(secret, '0', '1'), '2', '3'), '4', '5')"
UNPROVED = {
    "UPDATE events SET public = CAST(replace(public, '1', '2') AS BLOB) WHERE version = 3": "version 3 of",
    "UPDATE events SET hash = zeroblob(32) WHERE version = 2": "does not fit its hash",
    "DELETE FROM events WHERE version = 4": "version 5 of",
    "DELETE FROM events WHERE version = (SELECT max(version) FROM events)": "the matches have",
    f"UPDATE events SET secret = CAST({OTHER_SECRET} AS BLOB) WHERE version = 1": "not what it has committed to",
    "UPDATE service SET version = 99": "later release",
    "PRAGMA user_version = 99": "later release",
    "UPDATE service SET version = 3": "before the first release",
    "PRAGMA user_version = 3": "before the first release",
    "DROP TABLE events": "holds no store",
}
"""What is done to a store, and what is found then."""


def test_a_store_that_does_not_prove_itself_is_refused(source: Path, data: Path, tmp_path: Path) -> None:
    for number, (sql, says) in enumerate(UNPROVED.items()):
        broken = Path(shutil.copytree(source, tmp_path / f"broken-{number}"))
        alter(broken, sql)
        is_refused(says, broken, data)


def test_chains_that_do_not_hold_are_taken_when_that_is_said(source: Path, data: Path) -> None:
    alter(source, "UPDATE events SET hash = zeroblob(32) WHERE version = 2")
    done = service("restore", source, "--data", data, "--unaudited")
    assert done.returncode == 0
    assert "does not hold: m_" in done.stderr
    assert (data / STORE).stat().st_size == (source / STORE).stat().st_size


def test_a_folder_that_a_service_runs_on_is_left_alone(source: Path, tmp_path: Path) -> None:
    data = tmp_path / "there"
    with closing(build(Config(data=data))):
        is_refused("in use", source, data)
    # as `up` holds it, and another restore
    with (data / "up.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        is_refused("in use", source, data)
    restored(source, data)


def test_a_folder_that_any_process_reads_from_is_left_alone(source: Path, data: Path) -> None:
    with held(data, "BEGIN") as process:
        is_refused(f"is open in process {process}", source, data)
    restored(source, data)


class Cut(BaseException):
    """The machine stops."""


def test_one_that_is_cut_off_anywhere_is_ended_by_the_next_and_nothing_starts_in_between(
    source: Path, data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    old, whole = tree(data), tmp_path / "whole"
    restored(source, whole)
    new = tree(whole)
    move = restoring.move
    for most in range(20):
        there = tmp_path / f"cut-{most}"
        shutil.copytree(data, there)
        left = [most]

        def cut(path: Path, to: Path, left: list[int] = left) -> None:
            if not left[0]:
                raise Cut
            left[0] -= 1
            move(path, to)

        monkeypatch.setattr(restoring, "move", cut)
        try:
            restore(source, Config(data=there))
        except Cut:
            for deed in (folder.prepare, rotate, partial(back_up, to=tmp_path / "copy")):
                with pytest.raises(StoreUnusable, match=r"a restore of .* was interrupted"):
                    deed(Config(data=there))
            monkeypatch.setattr(restoring, "move", move)
            restore(source, Config(data=there))
        else:
            assert most > 8, "each file is moved, and moved aside"
            break
        finally:
            monkeypatch.setattr(restoring, "move", move)
        (aside,) = there.glob("before-*")
        found = tree(there)
        kept = tree(aside)
        assert kept == {name: old[name] for name in kept}
        assert STORE in kept
        assert {name: one for name, one in found.items() if not name.startswith(aside.name)} == new
    else:
        pytest.fail("it never comes to its end")


def test_one_that_is_killed_is_ended_by_the_next(source: Path, data: Path) -> None:
    for number in range(3):
        command = [sys.executable, "-m", "service", "restore", str(source), "--data", str(data)]
        with subprocess.Popen(command, cwd=TREE, env=environment(), stdout=subprocess.DEVNULL) as process:
            until(lambda: list(data.glob(".*.new")) or process.poll() is not None, "it has begun")
            Event().wait(random.random() * number / 10)
            process.kill()
    restored(source, data)
    assert list(data.glob(".*.new")) == []
    assert (data / STORE).read_bytes() == (source / STORE).read_bytes()
    check(data, set())
    build(Config(data=data)).close()


def test_keys_that_were_renewed_since_the_backup_stay(source: Path, config: Config) -> None:
    assert service("rotate-key", "--data", config.data).returncode == 0
    renewed = (config.data / "keys").read_bytes()
    restored(source, config.data)
    assert (config.data / "keys").read_bytes() == renewed
    assert len(Keyring(config.keys).keys) == 2
    build(config).close()


def test_of_a_backup_without_keys_it_is_said_that_nothing_starts_unless_those_that_are_there_fit(
    config: Config, data: Path, tmp_path: Path
) -> None:
    kept = (config.data / "keys").read_bytes()
    (config.data / "keys").unlink()
    source = tmp_path / "without"
    done = service("backup", source, "--data", config.data)
    assert (done.returncode, "it has no keys" in done.stderr) == (0, True)
    for there in (config.data, data, tmp_path / "new"):
        done = service("restore", source, "--data", there)
        assert (done.returncode, done.stderr.count("\n")) == (0, 1)
        assert "the backup has no keys" in done.stderr
        assert "rotate-key --lost" in done.stderr
        assert not (there / "keys").exists()
    # those of another service were put aside with the rest of its folder; its own stay
    (config.data / "keys").write_bytes(kept)
    (config.data / "keys").chmod(0o600)
    restored(source, config.data)
    assert (config.data / "keys").read_bytes() == kept
    build(config).close()
    # nor does a service start without the keys that it has published, before there is a match
    empty = tmp_path / "empty"
    build(Config(data=empty)).close()
    (empty / "keys").unlink()
    assert "it has no keys" in service("backup", tmp_path / "of-empty", "--data", empty).stderr
    assert "the backup has no keys" in service("restore", tmp_path / "of-empty", "--data", empty).stderr
    with pytest.raises(KeysUnusable):
        build(Config(data=empty))


def test_keys_that_lie_elsewhere_stay_there_and_none_come_into_the_folder(
    source: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounted = tmp_path / "mounted-keys"
    monkeypatch.setenv("FOLDTABLE_KEYS", str(mounted))
    (data / "keys").rename(mounted)
    is_refused("does not contain the backup's keys", source, data)
    mounted.unlink()
    is_refused("put a copy of its file `keys` there", source, data)
    mounted.write_bytes((source / "keys").read_bytes())
    mounted.chmod(0o600)
    with closing(Keyring(mounted)) as ring:
        ring.rotate(clock.stamp(clock.now()), lambda: "")
    renewed = mounted.read_bytes()
    restored(source, data)
    assert mounted.read_bytes() == renewed
    assert list(data.rglob("keys")) == []
    assert service("doctor", "--data", data).returncode == 0
    build(Config(data=data, keys_file=mounted)).close()


def test_of_a_backup_without_keys_those_that_lie_elsewhere_must_be_those_of_its_store(
    config: Config, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, mounted, source = tmp_path / "own-keys", tmp_path / "mounted-keys", tmp_path / "without"
    (config.data / "keys").rename(own)
    assert service("backup", source, "--data", config.data).returncode == 0
    monkeypatch.setenv("FOLDTABLE_KEYS", str(mounted))
    (data / "keys").rename(mounted)
    is_refused("put a copy of the keys of its service there", source, data)
    own.rename(mounted)
    restored(source, data)
    build(Config(data=data, keys_file=mounted)).close()
