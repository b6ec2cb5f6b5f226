"""Everything in one command: what keeps it from starting, how it starts, and that it goes on whatever is killed."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import socket
import stat
import subprocess
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event

import httpx2
import pytest
from click import ClickException
from structlog.testing import capture_logs

from events.stores import open_to_read
from service import wiring
from service.config import Config
from service.jobs.queue import connect
from service.run import demo
from service.run import up as ups
from service.run.deliver import mail
from service.run.up import Supervisor
from tests.service.house import House, build
from tests.service.run.backups import refused as one_line
from tests.service.run.backups import service
from tests.service.run.callers import Caller
from tests.service.run.redisrun import redis_url
from tests.service.run.uprun import (
    DEADLINE,
    Up,
    command,
    handlers_kept,
    limited,
    processes,
    ran,
    running,
    small_disk,
    until,
    until_over,
    up,
)
from tests.service.webhooks.receivers import receiver

pytestmark = pytest.mark.faults

HIDDEN = (
    "redis://:hidden@host:port/0",
    "redis://:hidden@[host",
    "https://:hidden@host",
    "redis://:hidden@host/0?unknown=1",
    "redis://:1/hidden@127.0.0.1:9/0",
    "redis://:1@127.0.0.1:9/hidden@host/0",
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
    one_line(says, "up", "--data", data, "--port", "0", *more)


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
    wiring.build(sends).close()
    place = replace(sends, mail_domain="b.example", mail_listen="a..b:25")
    with pytest.raises(ClickException, match="no name of a host"):
        mail(place, Event())


@pytest.mark.parametrize(
    ("more", "lacks"),
    [
        ({"smtp": "smtp://127.0.0.1:9"}, "FOLDTABLE_MAIL_FROM"),
        ({"mail_domain": "b.example"}, "FOLDTABLE_SMTP and FOLDTABLE_MAIL_FROM"),
        ({}, ""),
    ],
)
def test_half_of_the_settings_of_mail_is_said_at_the_start(tmp_path: Path, more: dict[str, str], lacks: str) -> None:
    config = Config(data=tmp_path / "data", host="192.0.2.1", port=0, **more)  # type: ignore[arg-type]
    with handlers_kept(), capture_logs() as logs, pytest.raises(ClickException):
        Supervisor(config).run(print)
    assert [line["event"] for line in logs] == ([f"no mail is sent without {lacks}"] if lacks else [])


def test_a_web_process_that_takes_its_time_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ups, "NEWS", 0.0)
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        if "Ctrl-C" in line:
            os.kill(os.getpid(), signal.SIGINT)

    with handlers_kept():
        Supervisor(Config(data=tmp_path / "data", port=0)).run(say)
    assert any("is played at" in line for line in said)
    assert processes(tmp_path) == {}
    told = capfd.readouterr()
    assert "waiting until web answers" in told.out + told.err


def test_it_ends_when_told_to_whatever_the_demo_waits_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[bool] = []

    def show(url: str, data: Path, say: Callable[[str], None], stop: Event) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        ended.append(stop.wait(DEADLINE))

    monkeypatch.setattr(demo, "show", show)
    with handlers_kept():
        Supervisor(Config(data=tmp_path / "data", port=0)).run(print)
    until(lambda: ended == [True], "the demo ends, too")
    assert processes(tmp_path) == {}


def test_a_demo_that_is_told_to_come_back_in_an_hour_ends_with_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    stop, asked = Event(), list[str]()

    def refuse(transport: httpx2.HTTPTransport, request: httpx2.Request) -> httpx2.Response:
        asked.append(request.url.path)
        stop.set()
        return httpx2.Response(429, headers={"Retry-After": "3600"})

    monkeypatch.setattr(httpx2.HTTPTransport, "handle_request", refuse)
    assert demo.Patient(stop).handle_request(httpx2.Request("POST", "http://house/api/matches")).status_code == 429
    assert len(asked) == 2


def refuses(done: subprocess.CompletedProcess[str], folder: Path) -> None:
    (error,) = [line for line in (done.stdout + done.stderr).splitlines() if '"event":' not in line]
    assert error.startswith(f"error: {folder}")
    assert done.returncode == 1
    assert processes(folder) == {}


@pytest.mark.parametrize(
    "kilobytes",
    # room for nothing, for the folder, for the store's file and for the store: a size of each every day
    [240, *(pytest.param(size, marks=pytest.mark.soak) for size in (4, 16, 64, 128, 200, 1000))],
)
@pytest.mark.parametrize("word", ["up", pytest.param("web", marks=pytest.mark.soak)])
def test_a_start_with_almost_no_disk_is_one_line(tmp_path: Path, word: str, kilobytes: int) -> None:
    folder = tmp_path / "data"
    with small_disk(folder, kilobytes):
        refuses(command(word, "--port", "0", "--data", folder), folder)


@pytest.mark.parametrize(
    "most", [4096, *(pytest.param(most, marks=pytest.mark.soak) for most in (0, 16, 100, 20_000, 60_000))]
)
def test_a_start_where_no_file_may_grow_is_one_line(tmp_path: Path, most: int) -> None:
    refuses(limited(most, "web", "--port", "0", "--data", tmp_path / "data"), tmp_path / "data")


BOTS = [{"bot": "random"}, {"bot": "random"}, {"bot": "greedy"}]


def token_of(service: Up) -> str:
    return (service.data / "demo-token").read_text(encoding="ascii").strip()


def open_match(service: Up) -> str:
    with closing(Caller(service.url, "Ann")) as ann:
        return str(ann.post("/matches", {"game": "three-magic", "seats": BOTS, "options": {"laps": 1}})["id"])


def grows(service: Up, match_id: str, by: int = 10) -> None:
    before = service.version(match_id)
    until(lambda: service.version(match_id) >= before + by or service.is_finished(match_id), f"{match_id} moves on")


def ends(service: Up, match_id: str) -> None:
    until_over(lambda: service.get(f"/api/matches/{match_id}"))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    # a path that a URL has to quote, and too long for a socket on most machines' temporary folders
    return tmp_path / "a folder"


class Told:
    """Somebody whose program is told: of so many pings as are asked for."""

    def __init__(self, service: Up, url: str) -> None:
        self.ann = Caller(service.url, "Ann")
        made = self.ann.post("/webhooks", {"url": url, "kinds": ["turn", "match.started"]})
        self._path = f"/webhooks/{made['id']}/deliveries"
        self._asked = 0

    def ping(self, times: int) -> None:
        for _ in range(times):
            self.ann.post(self._path)
        self._asked += times

    def close(self) -> None:
        self.ann.close()

    def is_told_all(self) -> bool:
        told = self.ann.get(f"{self._path}?limit=100")["deliveries"]
        return [each["status"] for each in told].count("delivered") >= self._asked


def strike(service: Up, part: str) -> None:
    """Kill the oldest one of that part, and wait for another one."""
    before = running(service.data, part)
    os.kill(before[0], signal.SIGKILL)
    until(lambda: len(set(running(service.data, part)) - {before[0]}) == len(before), f"another {part}")


def flush(service: Up) -> None:
    with connect(redis_url(service.data)) as redis:
        redis.flushall()


def survive(service: Up, told: Told) -> list[str]:
    """Kill and flush whatever there is while bots play and a webhook is told: the matches that have ended meanwhile."""
    told.ping(6)
    strike(service, "service worker")
    matches = [open_match(service)]
    grows(service, matches[0])
    flush(service)
    grows(service, matches[0])
    os.kill(running(service.data, "service deliver")[0], signal.SIGKILL)
    strike(service, "valkey-server")
    told.ping(6)
    matches.append(open_match(service))
    grows(service, matches[1])
    until(told.is_told_all, "what was under way and what came since is told")
    flush(service)
    told.ping(1)
    until(told.is_told_all, "that too")
    os.kill(running(service.data, "service follow")[0], signal.SIGKILL)
    for match_id in matches:
        ends(service, match_id)
    return matches


def test_all_goes_on_whatever_is_killed_and_nothing_stays_behind(data: Path) -> None:
    with receiver() as receiving, up(data, said={"FOLDTABLE_WEBHOOK_PRIVATE": "127.0.0.0/8"}) as service:
        first, second = service.matches
        assert service.get(f"/api/matches/{first}")["game"] == "three-magic"
        assert service.get(f"/api/matches/{second}")["status"] == "open"
        assert stat.S_IMODE((data / "demo-token").stat().st_mode) == 0o600
        grows(service, first)
        with closing(Told(service, receiving.url("/slow"))) as told:
            mine, another = survive(service, told)
        # the socket is held by `up`: it never goes, and nobody else can take it meanwhile
        for pid in running(data, "service web"):
            os.kill(pid, signal.SIGKILL)
        done = ran("curl", "-s", "--max-time", str(DEADLINE), f"{service.url}/healthz")
        assert (done.returncode, done.stdout) == (0, '{"status":"ok"}'), "whoever calls while they start is answered"
        token = token_of(service)
        assert token not in service.said
        assert service.stop() == 0
        assert processes(data) == {}

    with up(data) as service:
        assert token_of(service) == token
        assert set(service.matches) == {first, second, mine, another}
        assert token not in service.said
        assert f"TOKEN=$(cat '{data}/demo-token')" in service.said
        service.process.kill()
        until(lambda: not processes(data), "no orphan")


def test_who_asks_another_process_ends_before_it(data: Path) -> None:
    with up(data) as service:
        grows(service, service.matches[0])
        assert service.stop() == 0
        assert processes(data) == {}
        assert not re.search(r'"level":"(warning|error)".*', service.said)


@pytest.mark.postgres
def test_one_setting_has_everything_run_on_postgres(data: Path, postgres_url: str) -> None:
    with up(data, said={"FOLDTABLE_STORE": postgres_url}) as service:
        match = open_match(service)
        ends(service, match)
        assert not (data / "foldtable.db").exists()
        told = service.said
    reader = open_to_read(postgres_url)
    assert match in reader.matches()
    reader.close()
    assert postgres_url not in told


def test_a_service_under_nohup_outlives_its_terminal(data: Path) -> None:
    def ignores(pid: int) -> bool:
        (mask,) = re.findall(r"^SigIgn:\s+(\w+)$", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
        return bool(int(mask, 16) >> (signal.SIGHUP - 1) & 1)

    with handlers_kept():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        with up(data) as service:
            found = [service.process.pid, *running(data, "service web")]
            assert all(map(ignores, found))
            assert len(found) == 3
            service.stop()
