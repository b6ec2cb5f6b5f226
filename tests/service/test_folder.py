"""What lies in the data folder is for the service's own user, whatever it was before; its tokens are there whole."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.store import Statement, StoreUnusable
from service import config as configuration
from service import folder, wiring
from service.config import Config
from tests.events.test_files import masked, mode_of
from tests.service.house import House, build
from tests.service.run.test_up import grows, refused
from tests.service.run.uprun import up


def open_to_others(data: Path) -> dict[str, str]:
    """What others may do something with, of the folder and all that is in it."""
    found = {path.name: mode_of(path) for path in (data, *data.rglob("*")) if not path.is_symlink()}
    return {name: oct(mode) for name, mode in found.items() if mode & 0o077}


@pytest.mark.faults
def test_all_that_the_service_makes_is_its_own(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with masked(0), up(data) as service:
        grows(service, service.matches[0])
        names = {path.name for path in data.rglob("*")}
        assert names >= {"foldtable.db", "foldtable.db-wal", "foldtable.db-shm", "keys", "worker-token", "admin-token"}
        assert names >= {"demo-token", "redis", "redis.log", "up.lock"}
        assert open_to_others(data) == {}
        assert service.stop() == 0
    assert open_to_others(data) == {}


@pytest.mark.sqlite
def test_what_was_open_to_others_is_shut(config: Config) -> None:
    with masked(0o022):
        build(config).close()
        (config.packs / "three-magic").mkdir(parents=True, exist_ok=True)
        (config.packs / "three-magic" / "mine.txt").write_text("")
        for path in (config.data, *config.data.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        # as a process that was killed leaves them
        (config.data / "foldtable.db-wal").write_bytes(b"")
        assert open_to_others(config.data)
        with House(build(config)) as house:
            house.player()
            assert open_to_others(config.data) == {}


def test_the_store_is_shut_also_by_what_writes_without_a_service(tmp_path: Path) -> None:
    path = tmp_path / "foldtable.db"
    config = Config(data=tmp_path)
    with masked(0):
        wiring.open_store(config).close()
        assert {mode_of(found) for found in tmp_path.iterdir()} == {0o600}
        for found in tmp_path.iterdir():
            found.chmod(0o666)
        recorder = wiring.open_store(config)
        recorder.write([Statement("CREATE TABLE mine (a)")])
        assert {found.name: mode_of(found) for found in tmp_path.glob("*.db*")} == {
            f"{path.name}{suffix}": 0o600 for suffix in ("", "-wal", "-shm", ".lock", ".turn")
        }
        recorder.close()


@pytest.mark.faults
def test_a_folder_with_other_things_in_it_is_not_taken_from_others(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "letter").write_text("to somebody")
    for command in ("up", "web"):
        refused("chmod 700", command, "--port", "0", "--data", tmp_path)
    assert mode_of(tmp_path) == 0o755
    assert [found.name for found in tmp_path.iterdir()] == ["letter"]
    tmp_path.chmod(0o700)
    folder.prepare(Config(data=tmp_path))
    assert mode_of(tmp_path / "letter") & 0o044, "what is not ours is left alone"


@pytest.fixture
def nobodys() -> Iterator[Path]:
    """A folder that is open to all and belongs to the user who runs the tests, seen by somebody else."""
    found = Path(tempfile.mkdtemp())
    found.chmod(0o777)
    before = os.geteuid()
    os.seteuid(65534)
    try:
        yield found
    finally:
        os.seteuid(before)
        shutil.rmtree(found)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_folder_of_somebody_else_that_cannot_be_shut_is_refused(nobodys: Path) -> None:
    with pytest.raises(StoreUnusable, match=r"others may read .* chmod 700"):
        folder.prepare(Config(data=nobodys))
    assert list(nobodys.iterdir()) == []


def test_a_token_that_was_never_written_is_made_anew(config: Config) -> None:
    config.data.mkdir(mode=0o700)
    for content in (b"", b"\n", b"\0" * 64):
        for path in (config.worker_token, config.admin_token):
            path.write_bytes(content)
        tokens = folder.prepare(config)
        assert [len(token) for token in tokens] == [64] * 3
        for path, token in ((config.worker_token, tokens.worker), (config.admin_token, tokens.admin)):
            assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == (token, 0o600)
    config.admin_token.write_text("correct-horse-battery-staple-1234\n")
    assert folder.prepare(config).admin == "correct-horse-battery-staple-1234", "the operator's own"


def test_a_named_file_of_a_token_is_neither_made_nor_written(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mounted").mkdir()
    (tmp_path / "empty").write_bytes(b"")
    os.mkfifo(tmp_path / "pipe")
    for name in ("WORKER_TOKEN", "ADMIN_TOKEN", "SECRET"):
        for file, why in (
            ("mounted", "can't be read: Is a directory"),
            ("n" * 300, "can't be read: File name too long"),
            ("none", "can't be read: No such file or directory"),
            ("empty", "holds no token: that is 32 visible"),
            ("pipe", "can't be read: this is no plain file"),
        ):
            monkeypatch.setenv(f"FOLDTABLE_{name}_FILE", str(tmp_path / file))
            with pytest.raises(StoreUnusable, match=f"{file} {why}"):
                folder.prepare(configuration.read(data=config.data))
        monkeypatch.delenv(f"FOLDTABLE_{name}_FILE")
    assert (tmp_path / "empty").read_bytes() == b""
    assert not (tmp_path / "none").exists()


def test_a_token_that_is_none_is_refused_in_one_line(config: Config) -> None:
    config.data.mkdir(mode=0o700)
    for content in (b"abc", b"two words that are long enough for it", b"\xff" * 64, "ü".encode() * 40):
        config.worker_token.write_bytes(content)
        with pytest.raises(StoreUnusable, match="worker-token holds no token"):
            folder.prepare(config)
        assert config.worker_token.read_bytes() == content


def test_workers_and_the_operator_have_no_token_in_common(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="have the same token"):
        folder.prepare(Config(data=tmp_path / "data", worker_said="s" * 32, admin_said="s" * 32))
