"""What a doctor finds: each thing is broken for real, found, and said with what to do."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time

from events import stores
from replays.table.picture import Easel, letters_missing
from service.config import Config
from service.run.doctor import store, surroundings
from service.store import schema
from tests.events.test_opening import change
from tests.events.test_sqlite_opening import NOBODY, as_nobody
from tests.service.house import House, build
from tests.service.run.backups import damage_pages, held, service, tree
from tests.service.run.uprun import small_disk

PASSWORD = "correct-horse-battery-staple"
FAULT, WARNING, GOOD = "fault", "warning", "good"

pytestmark = [pytest.mark.sqlite, pytest.mark.faults]
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a service with a match that is being played."""
    config = Config(data=tmp_path_factory.mktemp("built") / "data")
    with House(build(config)) as house:
        house.table("magicative")
    return config.data


@pytest.fixture
def data(built: Path, tmp_path: Path) -> Path:
    """A copy of that folder, to be broken."""
    return Path(shutil.copytree(built, tmp_path / "data"))


@cache
def missing_by(fonts: str | None) -> tuple[str, ...]:
    return tuple(letters_missing(Easel()))


@pytest.fixture(autouse=True)
def drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask the renderer once for each set of fonts: it starts four processes each time."""
    monkeypatch.setattr(surroundings, "letters_missing", lambda _: missing_by(os.environ.get("FONTCONFIG_FILE")))


def findings(data: Path, *more: str, level: str = FAULT) -> dict[str, str]:
    """What is to be done, by area and what is found; the exit code says whether there is a fault."""
    done = service("doctor", "--json", "--data", data, *more)
    examined: dict[str, Any] = json.loads(done.stdout)
    assert done.stderr == ""
    assert examined["ok"] == (done.returncode == 0) == all(each["level"] != FAULT for each in examined["findings"])
    assert all(each["do"] for each in examined["findings"] if each["level"] != GOOD)
    return {f"{each['area']}: {each['what']}": each["do"] for each in examined["findings"] if each["level"] == level}


def finds(what: str, data: Path, *more: str, do: str = "", level: str = FAULT) -> None:
    found = findings(data, *more, level=level)
    (finding,) = [each for each in found if what in each]
    assert do in found[finding]


def alter(data: Path, sql: str) -> None:
    with closing(sqlite3.connect(data / "foldtable.db")) as connection, connection:
        connection.execute(sql)


def test_nothing_is_wrong_with_a_service_that_works(data: Path, tmp_path: Path) -> None:
    for folder in (data, tmp_path / "none"):
        assert findings(folder) == {}
        # this machine may have no fonts
        assert [each for each in findings(folder, level=WARNING) if not each.startswith("pictures: no font")] == []
    assert not (tmp_path / "none").exists(), "it makes nothing"
    with closing(build(Config(data=data))):
        done = service("doctor", "--data", data)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1].startswith("0 faults, ")
    assert "the chains of 1 match hold" in done.stdout


def test_people_are_told_in_lines_even_if_a_setting_cannot_be_read(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDTABLE_PORT", "many")
    monkeypatch.setenv("FOLDTABLE_DATA", str(data))
    (data / "keys").unlink()
    done = service("doctor")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    first, second = (number for number, line in enumerate(lines) if line.startswith("fault "))
    assert "FOLDTABLE_PORT" in lines[first]
    assert "keys is not there" in lines[second]
    assert "-> put back a copy of it" in lines[second + 1]
    assert lines[-1].startswith("2 faults, ")


Break = Callable[[Path, pytest.MonkeyPatch], object]


def write(name: str, text: str) -> Break:
    return lambda data, _: (data / name).write_text(text)


def remove(name: str) -> Break:
    return lambda data, _: (data / name).unlink()


def sql(statement: str) -> Break:
    return lambda data, _: alter(data, statement)


def pack(name: str) -> Break:

    def change(data: Path, _: pytest.MonkeyPatch) -> None:
        (folder := data / "packs" / "ttmp").mkdir(parents=True)
        for path in (folder.parent, folder):
            path.chmod(0o700)
        (folder / name).write_text("name = 1\n")
        (folder / name).chmod(0o644 if name.endswith("txt") else 0o600)

    return change


def let_in(name: str, mode: int) -> Break:

    def change(data: Path, _: pytest.MonkeyPatch) -> None:
        (data / "packs").mkdir(exist_ok=True, mode=0o700)
        (data / name).chmod(mode)

    return change


def setting(name: str, value: str) -> Break:
    """Set a variable; `{}` in the value is the data folder."""
    return lambda data, patch: patch.setenv(f"FOLDTABLE_{name}", value.format(data))


def secret_in_a_setting(data: Path, patch: pytest.MonkeyPatch) -> None:
    (data / "secret").unlink()
    patch.setenv("FOLDTABLE_SECRET", "s" * 32)


def no_folder(data: Path, _: pytest.MonkeyPatch) -> None:
    shutil.rmtree(data)
    data.write_text("")


def give_away(data: Path, _: pytest.MonkeyPatch) -> None:
    os.chown(data / "keys", NOBODY, -1)


def no_fonts(data: Path, patch: pytest.MonkeyPatch) -> None:
    fonts = data.with_name("fonts.conf")
    fonts.write_text(f"<fontconfig><dir>{data / 'none'}</dir></fontconfig>")
    patch.setenv("FONTCONFIG_FILE", str(fonts))


BROKEN: list[tuple[Break, str, str, str]] = [
    (setting("PROT", PASSWORD), "FOLDTABLE_PROT", "FOLDTABLE_PORT", WARNING),
    (setting("STORE", "sqlite:{}/none.db"), "none.db yet", "", GOOD),
    (setting("STORE", "sqlite:{}/none/none.db"), "there is no folder", "correct FOLDTABLE_STORE", FAULT),
    (setting("SECRET_FILE", "{}/mounted"), "mounted is not there: nothing starts", "put the file there", FAULT),
    (secret_in_a_setting, "is for this user alone", "", GOOD),
    (no_folder, "is no folder", "--data", FAULT),
    (no_fonts, "no font here has Latin letters", "fonts-dejavu-core", WARNING),
    (no_fonts, "no font here has Japanese letters", "fonts-ipaexfont-gothic", WARNING),
    (sql("UPDATE service SET version = 99"), "service schema 99", "later", FAULT),
    (sql("PRAGMA user_version = 99"), "schema 99", "later", FAULT),
    (sql("PRAGMA user_version = 3"), "1 running match can't go on here", "replays export", FAULT),
    (sql("DROP TABLE tokens"), "lacks tokens:", "restore FROM", FAULT),
    (sql("DROP TABLE commands"), "lacks commands:", "restore FROM", FAULT),
    (sql("DROP TABLE positions"), "lacks positions:", "restore FROM", FAULT),
    (sql("DROP TABLE service"), "lacks service:", "restore FROM", FAULT),
    (sql("DELETE FROM service"), "lacks service:", "restore FROM", FAULT),
    (sql("ALTER TABLE players DROP COLUMN email_next"), "lacks players.email_next:", "restore FROM", FAULT),
    (sql("UPDATE events SET hash = zeroblob(32) WHERE version = 3"), "version 3 of m_", "audit m_", FAULT),
    (sql("UPDATE events SET at = 'then'"), "has no valid time", "restore FROM", FAULT),
    (lambda data, _: damage_pages(data), "store: ", "restore FROM", FAULT),
    (write("foldtable.db", "this is no database" * 500), "is no database", "restore FROM", FAULT),
    (remove("foldtable.db"), "keys is there, and no store", "backup", WARNING),
    (remove("keys"), "keys is not there", "rotate-key --lost", FAULT),
    (write("keys", "{}"), "is no file of keys", "rotate-key --lost", FAULT),
    (remove("secret"), "webhooks are disabled", "put back a copy of it", FAULT),
    (remove("worker-token"), "workers on other hosts are refused", "put back a copy of it", FAULT),
    (remove("admin-token"), "whoever calls as the operator is refused", "put back a copy of it", FAULT),
    (write("worker-token", "abc"), "worker-token holds no token", "remove it", FAULT),
    (write("worker-token", "a" * 100_000), "worker-token can't be read: File too large", "remove it", FAULT),
    (let_in("foldtable.db", 0o644), "others may read", "chmod 600", FAULT),
    (let_in("keys", 0o644), "others may read", "chmod 600", FAULT),
    (let_in("packs", 0o755), "others may read", "chmod 700", WARNING),
    (pack("note.txt"), "others may read", "the next start does it too", WARNING),
    (pack("bad.toml"), "packs/ttmp/bad.toml: ", "no web process starts", FAULT),
    (let_in(".", 0o750), "others may read", "chmod 700", FAULT),
    (lambda data, _: (data / "restore").mkdir(mode=0o700), "was interrupted", "restore FROM", FAULT),
]


@pytest.mark.parametrize(
    ("breaks", "what", "do", "level"),
    [*BROKEN, pytest.param(give_away, f"keys belongs to the user {NOBODY}", "chown", FAULT, marks=as_root)],
)
def test_what_is_broken_is_found_and_left_as_it_is(
    data: Path, monkeypatch: pytest.MonkeyPatch, breaks: Break, what: str, do: str, level: str
) -> None:
    breaks(data, monkeypatch)
    before = tree(data)
    finds(what, data, do=do, level=level)
    left = {name: content for name, content in tree(data).items() if not name.endswith("-wal")}
    assert left == before


def test_all_chains_are_looked_at_when_that_is_asked(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "SAMPLE", 2)
    with House(build(Config(data=data))) as house:
        ann = house.player()
        for _ in range(5):
            ann.open()
    assert "of 2 matches hold of 6; --all looks at all" in service("doctor", "--data", data).stdout
    assert "of 6 matches hold\n" in service("doctor", "--data", data, "--all").stdout


def test_a_store_that_somebody_holds_and_a_clock_behind_its_latest_event(data: Path) -> None:
    with held(data, "BEGIN IMMEDIATE"):
        finds("can't be written to", data, do="end what holds the file")
    assert findings(data) == {}
    with freeze_time(datetime.now(UTC) - timedelta(hours=2)):
        finds("behind the latest event", data, do="set the clock right")


def test_a_store_on_postgres_is_looked_at_too(
    tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    build(Config(data=data)).close()
    monkeypatch.setenv("FOLDTABLE_STORE", postgres_url)
    finds("is there, and no store", data, do="service copy", level=WARNING)
    with House(build(Config(data=data, store=postgres_url))) as house:
        house.table()
    assert findings(data) == {}
    told = [*findings(data, level=GOOD)]
    assert any("1 match, 8 events" in each for each in told)
    assert "store: the chains of 1 match hold" in told
    (data / "keys").rename(data / "away")
    finds("keys is not there", data, do="rotate-key --lost")
    (data / "away").rename(data / "keys")
    change(postgres_url, "ALTER TABLE talk RENAME TO lost")
    finds("lacks talk:", data, do="pg_restore")
    change(postgres_url, "ALTER TABLE lost RENAME TO talk")
    with closing(stores.open_to_write(postgres_url)) as store:
        store.note(schema.COPYING, 0, 7)
    finds("is an incomplete copy", data, do="run service copy again")
    for broken in (f"postgresql://me:{PASSWORD}@127.0.0.1:1/none", f"ftp://{PASSWORD}"):
        monkeypatch.setenv("FOLDTABLE_STORE", broken)
        done = service("doctor", "--data", data)
        assert done.returncode == 1
        assert "correct FOLDTABLE_STORE" in done.stdout
        assert PASSWORD not in done.stdout + done.stderr


@pytest.fixture
def there(data: Path) -> Iterator[Path]:
    """A copy of it whose parents anybody may pass."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(shutil.copytree(data, Path(folder) / "data"))


@as_root
def test_a_folder_that_may_not_be_read(there: Path) -> None:
    with as_nobody():
        found = findings(there)
        finds(f"nothing can be made in {there.parent}", there.parent / "none" / "data", do="make")
    assert {each.partition(":")[0] for each in found} == {"files", "store"}
    assert all("own user" in do for do in found.values())


@as_root
def test_keys_that_may_not_be_read_are_not_lost(there: Path) -> None:
    for path in (there, *there.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    os.chown(there / "keys", 0, 0)
    with as_nobody():
        found = findings(there)
    (do,) = [do for what, do in found.items() if what.startswith("keys:")]
    assert "own user" in do


def test_a_disk_that_is_full_or_without_room_for_files(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    with small_disk(folder, 1 << 17):
        finds("MiB are free", folder, level=WARNING, do="make room")
        with (folder / "big").open("wb") as file:
            file.write(bytes(100 << 20))
        finds("MiB are free", folder, do="make room")
        with (folder / "more").open("wb") as file, pytest.raises(OSError, match="No space left"):
            file.write(bytes(100 << 20))
        finds("nothing can be written", folder, do="make room")
        (folder / "more").unlink()
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
    urls = (f"redis://:{PASSWORD}@127.0.0.1:1", f"ftp://{PASSWORD}", f"redis://{PASSWORD}:x@[::1", "")
    for redis in (*urls, f"redis://:1/{PASSWORD}@127.0.0.1:1", f"redis://:1@127.0.0.1:1/{PASSWORD}@127.0.0.1"):
        for form in ([], ["--json"]):
            done = service("doctor", "--data", data, "--redis", redis, *form)
            assert done.returncode == 1
            assert [each for each in secrets if each in done.stdout + done.stderr] == []


def test_keys_of_another_store_or_that_lag_behind_what_the_store_publishes(data: Path, tmp_path: Path) -> None:
    keys = (data / "keys").read_bytes()
    assert service("rotate-key", "--data", data).returncode == 0
    assert findings(data) == {}
    (data / "keys").write_bytes(keys)
    finds("keys does not hold the published key", data, do="FOLDTABLE_KEYS")
    with freeze_time(datetime.now(UTC) + timedelta(hours=1)):
        build(Config(data=tmp_path / "other")).close()
    (data / "keys").write_bytes((tmp_path / "other" / "keys").read_bytes())
    finds("holds other keys than those that the store's processes publish", data, do="FOLDTABLE_KEYS")
    alter(data, "DELETE FROM kept WHERE name = 'keys'")
    finds("another store's", data, level=WARNING, do="put back the store's own")
    alter(data, "INSERT INTO kept VALUES (0, 'keys', x'5b')")
    finds("what the store keeps of its keys can't be read", data, do="backup")
