"""What a doctor finds: each thing is broken for real, found, and said with what to do."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time

from events import stores
from service.config import Config
from service.run.doctor import store
from service.store import schema
from tests.service.house import House, build
from tests.service.run.backups import service, tree, web
from tests.service.run.test_up_starts import small_disk
from tests.service.run.uprun import command

PASSWORD = "correct-horse-battery-staple"

pytestmark = [pytest.mark.sqlite, pytest.mark.faults]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a service with a match that is being played."""
    config = Config(data=tmp_path_factory.mktemp("built") / "data")
    service = build(config)
    House(service).table("magicative")
    service.close()
    return config.data


@pytest.fixture
def data(built: Path, tmp_path: Path) -> Path:
    """A copy of that folder, to be broken."""
    return Path(shutil.copytree(built, tmp_path / "data"))


def faults(data: Path, *more: str, level: str = "fault") -> dict[str, str]:
    """By area and what is so, what is to be done; the exit code says whether there is a fault."""
    done = service("doctor", "--json", "--data", data, *more)
    said: dict[str, Any] = json.loads(done.stdout)
    assert done.stderr == ""
    assert said["ok"] == (done.returncode == 0) == all(one["level"] != "fault" for one in said["findings"])
    assert all(one["do"] for one in said["findings"] if one["level"] != "good")
    return {f"{one['area']}: {one['what']}": one["do"] for one in said["findings"] if one["level"] == level}


def finds(what: str, data: Path, *more: str, do: str = "", level: str = "fault") -> None:
    found = faults(data, *more, level=level)
    (told,) = [one for one in found if what in one]
    assert do in found[told]


def alter(data: Path, *statements: str) -> None:
    with closing(sqlite3.connect(data / "foldtable.db")) as connection:
        for sql in statements:
            connection.execute(sql)
        connection.commit()


def worries(data: Path) -> dict[str, str]:
    """What is warned of, but for the fonts that this machine may have or not."""
    return {what: do for what, do in faults(data, level="warning").items() if not what.startswith("pictures: no font")}


def test_nothing_is_wrong_with_a_service_that_works(data: Path, tmp_path: Path) -> None:
    for folder in (data, tmp_path / "none"):
        assert faults(folder) == {}
        assert worries(folder) == {}
    done = service("doctor", "--data", data)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].startswith("0 faults, ")
    assert "1 matches" in done.stdout
    assert not (tmp_path / "none").exists(), "it makes nothing"


def test_it_is_told_to_people_with_what_to_do(data: Path) -> None:
    (data / "keys").unlink()
    done = service("doctor", "--data", data)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    (place,) = [number for number, line in enumerate(lines) if line.startswith("fault ")]
    assert "keys is not there" in lines[place]
    assert "-> put back a copy of it" in lines[place + 1]
    assert lines[-1].startswith("1 faults, ")


def test_what_it_is_asked_wrongly_has_another_code(data: Path) -> None:
    assert service("doctor", "--data", data, "--moon").returncode == 2


def test_a_setting_that_cannot_be_read(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDTABLE_PORT", "many")
    monkeypatch.setenv("FOLDTABLE_DATA", str(data))
    done = service("doctor", "--json")
    (found,) = [one for one in json.loads(done.stdout)["findings"] if one["level"] == "fault"]
    assert (done.returncode, found["area"]) == (1, "configuration")
    assert "FOLDTABLE_PORT" in found["what"]
    assert "1 matches" in done.stdout, "the rest is looked at all the same"


def test_a_setting_that_there_is_not(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDTABLE_PROT", PASSWORD)
    finds("FOLDTABLE_PROT", data, level="warning", do="FOLDTABLE_PORT")


HOURS = timedelta(hours=1)


def write(name: str, text: str) -> Callable[[Path], object]:
    return lambda data: (data / name).write_text(text)


def remove(name: str) -> Callable[[Path], object]:
    return lambda data: (data / name).unlink()


def sql(statement: str) -> Callable[[Path], None]:
    return lambda data: alter(data, statement)


def let_in(name: str, mode: int) -> Callable[[Path], None]:
    """Let others look into a file or folder."""

    def change(data: Path) -> None:
        path = data / name
        if name == "packs":
            path.mkdir(exist_ok=True, mode=0o700)
        path.chmod(mode)

    return change


@pytest.mark.parametrize(
    ("breaks", "what", "do", "level"),
    [
        (sql("UPDATE service SET version = 99"), "service schema 99", "later", "fault"),
        (sql("PRAGMA user_version = 99"), "schema 99", "later", "fault"),
        (sql("PRAGMA user_version = 3"), "1 running match can't go on here", "replays export", "fault"),
        (sql("UPDATE events SET hash = zeroblob(32) WHERE version = 3"), "version 3 of m_", "audit m_", "fault"),
        (sql("UPDATE events SET at = 'then'"), "is of no moment", "restore FROM", "fault"),
        (write("foldtable.db", "this is no database" * 500), "is no database", "restore FROM", "fault"),
        (remove("foldtable.db"), "keys is there, and no store", "backup", "warning"),
        (remove("keys"), "keys is not there", "rotate-key --lost", "fault"),
        (write("keys", "{}"), "is no file of keys", "rotate-key --lost", "fault"),
        (remove("secret"), "webhooks are disabled", "put back a copy of it", "fault"),
        (remove("worker-token"), "workers on other hosts are refused", "put back a copy of it", "fault"),
        (remove("admin-token"), "whoever calls as the operator is refused", "put back a copy of it", "fault"),
        (write("worker-token", "abc"), "worker-token holds no token", "remove it", "fault"),
        (let_in("foldtable.db", 0o644), "others may look into", "chmod 600", "fault"),
        (let_in("keys", 0o644), "others may look into", "chmod 600", "fault"),
        (let_in("worker-token", 0o644), "others may look into", "chmod 600", "fault"),
        (let_in("packs", 0o755), "others may look into", "chmod 700", "fault"),
        (let_in(".", 0o750), "others may look into", "chmod 700", "fault"),
        (lambda data: (data / "restore").mkdir(mode=0o700), "was interrupted", "restore FROM", "fault"),
    ],
)
def test_what_is_broken_is_found_and_left_as_it_is(
    data: Path, breaks: Callable[[Path], object], what: str, do: str, level: str
) -> None:
    breaks(data)
    before = tree(data)
    finds(what, data, do=do, level=level)
    left = {name: content for name, content in tree(data).items() if not name.endswith("-wal")}
    assert left == before


def test_a_store_whose_pages_are_damaged(data: Path) -> None:
    path = data / "foldtable.db"
    content = bytearray(path.read_bytes())
    for page in range(1, len(content) // 4096):
        content[page * 4096 : page * 4096 + 8] = b"\xff" * 8
    path.write_bytes(content)
    finds("store: ", data, do="restore FROM")


def test_all_chains_are_looked_at_when_that_is_asked(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "SAMPLE", 2)
    built = build(Config(data=data))
    ann = House(built).player()
    for _ in range(5):
        ann.open()
    built.close()
    assert "of 2 matches hold of 6; --all looks at all" in service("doctor", "--data", data).stdout
    assert "of 6 matches hold\n" in service("doctor", "--data", data, "--all").stdout


def test_a_store_that_somebody_holds(data: Path) -> None:
    code = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "c.execute('BEGIN IMMEDIATE'); print(1, flush=True); input()"
    )
    holds = [sys.executable, "-c", code, str(data / "foldtable.db")]
    with subprocess.Popen(holds, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "1\n"
        finds("can't be written to", data, do="end what holds the file")
        other.communicate("\n")
    assert faults(data) == {}


def test_the_clock_by_the_latest_event(data: Path) -> None:
    with freeze_time(datetime.now(UTC) - timedelta(hours=2)):
        finds("behind the latest event", data, do="set it right")


def test_a_store_that_is_not_there_is_named_by_its_own_name(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDTABLE_STORE", f"sqlite:{data / 'none.db'}")
    assert any("none.db yet" in one for one in faults(data, level="good"))
    monkeypatch.setenv("FOLDTABLE_STORE", f"sqlite:{data / 'none' / 'none.db'}")
    finds("there is no folder", data, do="correct FOLDTABLE_STORE")


def test_a_store_on_postgres_is_looked_at_too(
    tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    built = build(Config(data=data, store=postgres_url))
    House(built).table()
    built.close()
    monkeypatch.setenv("FOLDTABLE_STORE", postgres_url)
    assert faults(data) == {}
    assert any("1 matches, 8 events" in one for one in faults(data, level="good"))
    keys = (data / "keys").read_bytes()
    (data / "keys").unlink()
    finds("keys is not there", data, do="rotate-key --lost")
    (data / "keys").write_bytes(keys)
    (data / "keys").chmod(0o600)
    store = stores.open_to_write(postgres_url)
    store.note(schema.COPYING, 0, 7)
    store.close()
    finds("is an incomplete copy", data, do="run service copy again")
    for broken in (f"postgresql://me:{PASSWORD}@127.0.0.1:1/none", f"ftp://{PASSWORD}"):
        monkeypatch.setenv("FOLDTABLE_STORE", broken)
        done = service("doctor", "--data", data)
        assert done.returncode == 1
        assert "correct FOLDTABLE_STORE" in done.stdout
        assert PASSWORD not in done.stdout + done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_files_of_somebody_else(data: Path) -> None:
    os.chown(data / "keys", 65534, -1)
    finds("keys belongs to the user 65534", data, do="chown")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_folder_that_may_not_be_read(data: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        there = shutil.copytree(data, Path(folder) / "data")
        assert faults(there) == {}
        os.seteuid(65534)
        try:
            done = service("doctor", "--json", "--data", there)
        finally:
            os.seteuid(0)
    assert done.returncode == 1
    found = [one for one in json.loads(done.stdout)["findings"] if one["level"] == "fault"]
    assert {one["area"] for one in found} == {"files", "store"}
    assert all("own user" in one["do"] for one in found)


def test_what_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    finds("is no folder", tmp_path / "file", do="--data")


def test_a_disk_that_is_full(tmp_path: Path, data: Path) -> None:
    folder = tmp_path / "small"
    with small_disk(folder, 1 << 17):
        finds("MiB are free", folder, level="warning", do="make room")
        with (folder / "big").open("wb") as file:
            file.write(bytes(100 << 20))
        finds("MiB are free", folder, do="make room")
        with (folder / "more").open("wb") as file, pytest.raises(OSError, match="No space left"):
            file.write(bytes(100 << 20))
        finds("nothing can be written", folder, do="make room")


def test_a_disk_without_room_for_files(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    with small_disk(folder, 1 << 17):
        more = ["mount", "-o", "remount,nr_inodes=100", str(folder)]
        subprocess.run(more, check=True, capture_output=True)
        finds("more files", folder, do="remove files")


def test_no_secret_is_told_whatever_is_wrong(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = [PASSWORD, *((data / name).read_text().strip() for name in ("worker-token", "admin-token", "secret"))]
    secrets.append(json.loads((data / "keys").read_bytes())["private"])
    monkeypatch.setenv("FOLDTABLE_MOON", PASSWORD)
    alter(data, "UPDATE events SET hash = zeroblob(32) WHERE version = 3")
    (data / "worker-token").write_text("short " + secrets[1])
    for path in (data, *data.iterdir()):
        path.chmod(0o755)
    for redis in (f"redis://:{PASSWORD}@127.0.0.1:1", f"ftp://{PASSWORD}", f"redis://{PASSWORD}:x@[::1", ""):
        for form in ([], ["--json"]):
            done = service("doctor", "--data", data, "--redis", redis, *form)
            assert done.returncode == 1
            assert [one for one in secrets if one in done.stdout + done.stderr] == []


def test_it_looks_at_a_service_that_runs_and_leaves_it_alone(data: Path) -> None:
    with web(data):
        done = command("doctor", "--data", data)
        assert (done.returncode, done.stderr) == (0, "")


def test_keys_of_another_store_or_that_lag_behind_what_the_store_publishes(data: Path, tmp_path: Path) -> None:
    keys = (data / "keys").read_bytes()
    assert service("rotate-key", "--data", data).returncode == 0
    assert faults(data) == {}
    (data / "keys").write_bytes(keys)
    finds("keys does not hold the published key", data, do="FOLDTABLE_KEYS")
    with freeze_time(datetime.now(UTC) + HOURS):
        build(Config(data=tmp_path / "other")).close()
    (data / "keys").write_bytes((tmp_path / "other" / "keys").read_bytes())
    finds("holds other keys than those that the store's processes publish", data, do="FOLDTABLE_KEYS")
    alter(data, "DELETE FROM kept WHERE name = 'keys'")
    finds("another store's", data, level="warning", do="put back the store's own")
    alter(data, "INSERT INTO kept VALUES (0, 'keys', x'5b')")
    finds("what the store keeps of its keys can't be read", data, do="backup")


def test_a_secret_in_a_setting_needs_no_file_and_a_named_file_must_be_there(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (data / "secret").unlink()
    monkeypatch.setenv("FOLDTABLE_SECRET", "s" * 32)
    assert faults(data) == {}
    monkeypatch.delenv("FOLDTABLE_SECRET")
    monkeypatch.setenv("FOLDTABLE_SECRET_FILE", str(tmp_path / "mounted"))
    finds("mounted is not there: nothing starts", data, do="put it there")


def test_letters_that_no_font_has_are_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fonts = tmp_path / "fonts.conf"
    fonts.write_text(f"<fontconfig><dir>{tmp_path / 'none'}</dir></fontconfig>")
    monkeypatch.setenv("FONTCONFIG_FILE", str(fonts))
    for letters, package in (("Latin", "fonts-dejavu-core"), ("Japanese", "fonts-ipaexfont-gothic")):
        finds(f"no font here has {letters} letters", tmp_path / "data", do=package, level="warning")
