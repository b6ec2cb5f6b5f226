"""What keeps the service from starting is told in one line."""

from __future__ import annotations

import fcntl
import os
import socket
import stat
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from service.config import Config
from service.run.deliver import CannotMail, mail
from tests.service.house import House, build
from tests.service.run.backups import service
from tests.service.run.uprun import command, processes

pytestmark = pytest.mark.faults

HIDDEN = (
    "redis://:hidden@host:port/0",
    "redis://:hidden@[host",
    "https://:hidden@host",
    "redis://:hidden@host/0?unknown=1",
)
REDIS = ("--redis", "redis://127.0.0.1:9/0")


def refused(says: str, *args: str | Path, **settings: str) -> None:
    """A process with these arguments ends with one line."""
    done = command(*args, **settings)
    assert (done.returncode, done.stdout) == (1, "")
    # on a slow machine it also logs that it waits
    (error,) = [line for line in done.stderr.splitlines() if '"event":' not in line]
    assert says in error


@pytest.mark.parametrize(
    ("says", "word", "arguments"),
    [
        *(("the URL of Redis is not valid", "up", ("--redis", url)) for url in HIDDEN),
        *(("the URL of Redis is not valid", name, ("--redis", HIDDEN[0])) for name in ("worker", "follow", "mail")),
        *(("FOLDTABLE_REDIS", name, ()) for name in ("worker", "follow")),
        *(
            ("the URL of the web process is not valid", "worker", ("--url", url, *REDIS))
            for url in ("nonsense", "ftp://host", "http://", "http://a b", "host:8000", "http://[::1")
        ),
        # the system takes what is left of it by 65536
        ("65536 is not in the range", "up", ("--port", "65536")),
        ("-1 is not in the range", "web", ("--fd", "-1")),
        *(("--lead", "rotate-key", ("--lead", lead)) for lead in ("nan", "inf", "1e300", "86401")),
    ],
)
def test_what_cannot_be_understood_is_one_line(
    tmp_path: Path, says: str, word: str, arguments: tuple[str, ...]
) -> None:
    # no folder can be made there: what is understood by mistake ends too
    (tmp_path / "file").write_text("not a folder")
    done = service(word, *arguments, "--data", tmp_path / "file" / "data")
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert "hidden" not in done.stderr


@pytest.mark.soak
def test_a_store_with_matches_that_cannot_be_played_on(tmp_path: Path) -> None:
    config = Config(data=tmp_path / "data")
    with House(build(config)) as house:
        house.table()
    says = "1 running match can't be played on by the rules at hand (high-card 1: 1); play them out or break them off"
    refused(says, "up", "--data", config.data, "--port", "0", FOLDTABLE_TAKE_OVER="0")


def refused_at_once(says: str, data: Path, *more: str) -> None:
    """The command, in this process, ends with one line before it starts any other."""
    done = service("up", "--data", data, "--port", "0", *more)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert says in done.stderr


def test_a_folder_that_cannot_be_written_in_or_that_another_one_serves_and_a_port_in_use(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    for data in (tmp_path / "file" / "data", tmp_path / "file"):
        refused_at_once("can't be made or written to", data)
    if os.geteuid():  # root may write anywhere
        (tmp_path / "shut").mkdir(mode=stat.S_IRUSR | stat.S_IXUSR)
        refused_at_once("can't be made or written to", tmp_path / "shut")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        refused_at_once("in use", tmp_path / "data", "--port", str(other.getsockname()[1]))
    with (tmp_path / "data" / "up.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        refused_at_once("is in use", tmp_path / "data")
    assert processes(tmp_path) == {}


def test_a_corrupt_database(tmp_path: Path) -> None:
    (tmp_path / "foldtable.db").write_bytes(b"this is no database" * 500)
    refused("foldtable.db", "up", "--port", "0", "--data", tmp_path)
    assert processes(tmp_path) == {}


def test_what_is_no_name_of_a_host(tmp_path: Path) -> None:
    for host in ("a..b", "a" * 64):
        refused_at_once("no name of a host", tmp_path, "--host", host)


def test_mail_is_not_listened_for_at_what_is_no_host(tmp_path: Path) -> None:
    sends = Config(data=tmp_path, smtp="smtp://127.0.0.1:9", mail_from="a@b.example")
    place = replace(sends, mail_domain="b.example", mail_listen="a..b:25")
    with pytest.raises(CannotMail, match="no name of a host"):
        mail(place, Event())
