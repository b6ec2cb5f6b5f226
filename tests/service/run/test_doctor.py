"""What a doctor finds: each thing is broken for real, found, and said with what to do."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time

from events import stores
from service.config import Config
from service.jobs.queue import connect
from service.run.doctor import store, surroundings
from service.run.redis_server import RedisServer
from service.store import schema
from tests.service.house import House, build
from tests.service.run.backups import service, web
from tests.service.run.redisrun import running
from tests.service.run.test_up_starts import small_disk
from tests.service.run.uprun import DEADLINE, TREE, environment, until

PASSWORD = "correct-horse-battery-staple"

pytestmark = [pytest.mark.sqlite, pytest.mark.faults]


@pytest.fixture
def data(tmp_path: Path, config: Config) -> Path:
    """The folder of a service with a match that is being played."""
    built = build(config)
    House(built).table("magicative")
    built.close()
    return config.data


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


def test_a_store_that_is_damaged(data: Path) -> None:
    path = data / "foldtable.db"
    content = bytearray(path.read_bytes())
    for page in range(1, len(content) // 4096):
        content[page * 4096 : page * 4096 + 8] = b"\xff" * 8
    path.write_bytes(content)
    finds("store: ", data, do="restore FROM")
    path.write_bytes(b"this is no database" * 500)
    finds("is no database", data, do="restore FROM")


def test_a_store_of_a_later_release(data: Path) -> None:
    alter(data, "UPDATE service SET version = 99")
    finds("service schema 99", data, do="later")
    alter(data, "PRAGMA user_version = 99")
    finds("schema 99", data, do="later")


def test_a_store_of_before_the_first_release(data: Path) -> None:
    alter(data, "PRAGMA user_version = 3")
    finds("1 running match can't go on here", data, do="replays export")


def test_chains_that_do_not_hold(data: Path) -> None:
    alter(data, "UPDATE events SET hash = zeroblob(32) WHERE version = 3")
    finds("version 3 of m_", data, do="replays audit m_")
    finds("version 3 of m_", data, "--all", do="replays audit m_")


def test_all_chains_are_looked_at_when_that_is_asked(
    data: Path, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "SAMPLE", 2)
    built = build(config)
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
    command = [sys.executable, "-c", code, str(data / "foldtable.db")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "1\n"
        finds("can't be written to", data, do="end what holds the file")
        other.communicate("\n")
    assert faults(data) == {}


def test_the_clock_by_the_latest_event(data: Path) -> None:
    with freeze_time(datetime.now(UTC) - timedelta(hours=2)):
        finds("behind the latest event", data, do="set it right")


def test_an_event_of_no_moment(data: Path) -> None:
    alter(data, "UPDATE events SET at = 'then' WHERE version = (SELECT max(version) FROM events)")
    finds("is of no moment", data, do="restore FROM")


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


@pytest.mark.parametrize("name", ["foldtable.db", "keys", "worker-token", "packs"])
def test_files_that_others_may_look_into(data: Path, name: str) -> None:
    path = data / name
    (data / "packs").mkdir(exist_ok=True, mode=0o700)
    path.chmod(0o755 if path.is_dir() else 0o644)
    finds(f"others may look into {path}", data, do=f"chmod {700 if path.is_dir() else 600} {path}")
    assert path.stat().st_mode & 0o044, "it changes nothing"


def test_a_folder_that_others_may_look_into(data: Path) -> None:
    data.chmod(0o750)
    finds(f"others may look into {data}", data, do=f"chmod 700 {data}")


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


def test_a_token_that_is_none(data: Path) -> None:
    (data / "worker-token").write_text("abc")
    finds("worker-token holds no token", data, do="remove it")


def test_a_restore_that_was_cut_off(data: Path) -> None:
    (data / "restore").mkdir(mode=0o700)
    finds("was interrupted", data, do="restore FROM")


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


@pytest.fixture
def server(tmp_path: Path) -> RedisServer:
    return RedisServer(tmp_path / "elsewhere")


@pytest.fixture
def redis(server: RedisServer) -> Iterator[str]:
    with running(server):
        yield server.url


def test_a_redis_that_answers(data: Path, redis: str) -> None:
    assert faults(data, "--redis", redis) == {}
    found = faults(data, "--redis", redis, level="good")
    assert any(one.startswith("clock: it agrees with that of Redis") for one in found)
    with connect(redis) as client:
        assert client.keys() == [], "it leaves nothing there"


def test_the_redis_of_up_is_found(data: Path) -> None:
    with running(RedisServer(data)):
        assert any("the one of `up`" in one and "can be written to" in one for one in faults(data, level="good"))
    if (data / "redis" / "redis.sock").exists():
        finds("does not answer", data, do="start it")


def test_a_redis_that_is_not_there(data: Path) -> None:
    finds("redis://127.0.0.1:1/0 does not answer", data, "--redis", f"redis://:{PASSWORD}@127.0.0.1:1/0", do="start it")
    finds("is no URL", data, "--redis", f"http://:{PASSWORD}@nowhere", do="redis://HOST:PORT/0")


def test_a_redis_that_refuses_the_password(data: Path, server: RedisServer) -> None:
    def is_there() -> bool:
        return server.socket.exists()

    with running(server, "--requirepass", PASSWORD, is_there=is_there):
        finds("refuses", data, "--redis", server.url, do="FOLDTABLE_REDIS")
        wrong = server.url.replace("unix://", "unix://:wrong@")
        finds("refuses", data, "--redis", wrong, do="FOLDTABLE_REDIS")
        right = server.url.replace("unix://", f"unix://:{PASSWORD}@")
        assert faults(data, "--redis", right) == {}


def test_a_redis_that_forgets(data: Path, redis: str) -> None:
    with connect(redis) as client:
        client.config_set("maxmemory", "64mb")
        assert faults(data, "--redis", redis) == {}
        client.config_set("maxmemory-policy", "allkeys-lru")
        finds("maxmemory-policy is allkeys-lru", data, "--redis", redis, do="noeviction")


def test_a_redis_that_is_full(data: Path, redis: str) -> None:
    with connect(redis) as client:
        client.config_set("maxmemory", "1kb")
        finds("takes nothing", data, "--redis", redis, do="memory")
        finds("MiB are used", data, "--redis", redis, level="warning", do="memory")


def test_a_redis_that_can_not_save(data: Path, server: RedisServer) -> None:
    with running(server, "--enable-protected-configs", "yes"), connect(server.url) as client:
        client.config_set("dir", "/proc")
        client.bgsave()
        until(lambda: client.info("persistence")["rdb_last_bgsave_status"] == "err", "it has failed to save")
        finds("rdb_last_bgsave_status", data, "--redis", server.url, do="log")


def test_a_redis_that_is_a_replica(data: Path, redis: str) -> None:
    with connect(redis) as client:
        client.replicaof("127.0.0.1", 1)
        finds("is a replica", data, "--redis", redis, do="follows")


def test_a_redis_that_is_too_old(data: Path, redis: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surroundings, "OLDEST", (99, 0))
    finds("is Redis 7.2", data, "--redis", redis, do="run 99.0 or later")


def test_a_redis_that_does_not_let_us(data: Path, redis: str) -> None:
    with connect(redis) as client:
        client.acl_setuser("default", enabled=True, nopass=True, keys=["*"], commands=["+@all", "-info"])
        finds("refuses what it is asked", data, "--redis", redis, do="ACL")


def test_the_clock_by_that_of_redis(data: Path, redis: str) -> None:
    with freeze_time(datetime.now(UTC) + timedelta(minutes=5), tick=True):
        finds("ahead of that of Redis", data, "--redis", redis, do="NTP")


def test_no_secret_is_told_whatever_is_wrong(data: Path, server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
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
        command = [sys.executable, "-m", "service", "doctor", "--data", str(data)]
        done = subprocess.run(
            command, cwd=TREE, env=environment(), capture_output=True, text=True, check=False, timeout=DEADLINE
        )
        assert (done.returncode, done.stderr) == (0, "")
