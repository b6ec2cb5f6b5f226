"""What keeps the service from starting is told in one line."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from service.config import Config
from service.run.deliver import CannotMail, mail
from tests.service.house import House, build
from tests.service.run.uprun import DEADLINE, TREE, environment, processes, up

pytestmark = pytest.mark.faults


def refused(says: str, *args: str | Path, code: int = 1, **said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "service", *map(str, args)],
        cwd=TREE,
        env=environment() | said,
        capture_output=True,
        text=True,
        check=False,
        timeout=DEADLINE,
    )
    assert (done.returncode, done.stdout) == (code, "")
    # on a slow machine it also logs that it waits
    (error,) = [line for line in done.stderr.splitlines() if '"event":' not in line]
    assert says in error


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        refused("in use", "up", "--port", str(port), "--data", tmp_path / "data")
    assert processes(tmp_path) == {}


@pytest.mark.parametrize("command", ["up", "web"])
def test_a_store_with_matches_that_cannot_be_played_on(tmp_path: Path, command: str) -> None:
    config = Config(data=tmp_path / "data")
    service = build(config)
    House(service).table()
    service.close()
    says = "1 running match can't be played on by the rules at hand (high-card 1: 1); play them out or break them off"
    refused(says, command, "--data", config.data, "--port", "0", FOLDTABLE_TAKE_OVER="0")


def test_a_folder_that_cannot_be_written_in(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    refused("can't be made or written to", "up", "--port", "0", "--data", tmp_path / "file" / "data")
    refused("can't be made or written to", "up", "--port", "0", "--data", tmp_path / "file")


@pytest.mark.parametrize("command", ["up", "web", "worker", "follow"])
@pytest.mark.parametrize("url", ["redis://:hidden@host:port/0", "redis://:hidden@[host", "https://:hidden@host"])
def test_what_is_no_url_of_a_redis(tmp_path: Path, command: str, url: str) -> None:
    refused("the URL of Redis is not valid", command, "--data", tmp_path / "data", "--redis", url, code=2)
    assert not (tmp_path / "data").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_is_read_only(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=stat.S_IRUSR | stat.S_IXUSR)
    refused("can't be made or written to", "up", "--port", "0", "--data", folder)


def test_a_corrupt_database(tmp_path: Path) -> None:
    (tmp_path / "foldtable.db").write_bytes(b"this is no database" * 500)
    refused("foldtable.db", "up", "--port", "0", "--data", tmp_path)
    assert processes(tmp_path) == {}


def test_a_folder_that_another_one_serves(tmp_path: Path) -> None:
    with up(tmp_path):
        refused("is in use", "up", "--port", "0", "--data", tmp_path)


@pytest.mark.parametrize("command", ["worker", "follow"])
def test_a_worker_without_a_redis(tmp_path: Path, command: str) -> None:
    refused("FOLDTABLE_REDIS", command, "--data", tmp_path, code=2)
    refused("the URL of Redis is not valid", command, "--data", tmp_path, "--redis", "http://nowhere", code=2)


@pytest.mark.parametrize("url", ["nonsense", "ftp://host", "http://", "http://a b", "host:8000"])
def test_a_worker_that_could_reach_no_web_process(tmp_path: Path, url: str) -> None:
    refused(
        "the URL of the web process is not valid",
        "worker",
        "--url",
        url,
        "--redis",
        "redis://127.0.0.1:9/0",
        "--data",
        tmp_path,
        code=2,
    )


def test_options_that_cannot_be(tmp_path: Path) -> None:
    refused("--port", "up", "--port", "many", code=2)
    # the system takes what is left of it by 65536
    refused("65536 is not in the range", "up", "--port", "65536", "--data", tmp_path, code=2)
    refused("-1 is not in the range", "web", "--fd", "-1", "--data", tmp_path, code=2)
    refused("No such command", "down", code=2)


@pytest.mark.parametrize("command", ["up", "web"])
@pytest.mark.parametrize("host", ["a..b", "a" * 64])
def test_what_is_no_name_of_a_host(tmp_path: Path, command: str, host: str) -> None:
    refused("no name of a host", command, "--host", host, "--port", "0", "--data", tmp_path)


@pytest.mark.parametrize("lead", ["nan", "inf", "1e300", "86401"])
def test_a_key_is_not_renewed_at_no_time(tmp_path: Path, lead: str) -> None:
    refused("--lead", "rotate-key", "--lead", lead, "--data", tmp_path, code=2)


def test_mail_is_not_listened_for_at_what_is_no_host(tmp_path: Path) -> None:
    place = Config(
        data=tmp_path,
        smtp="smtp://127.0.0.1:9",
        mail_from="a@b.example",
        mail_domain="b.example",
        mail_listen="a..b:25",
    )
    with pytest.raises(CannotMail, match="no name of a host"):
        mail(place, Event())
