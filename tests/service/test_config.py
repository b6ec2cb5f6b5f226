"""What an operator may say."""

from __future__ import annotations

import os
import re
from ipaddress import ip_network
from pathlib import Path

import pytest
from environs import EnvError

from service import config
from service.config import KNOWN, PREFIX
from service.limits.settings import RATES, ROOMS, Rate
from tests.service.run.uprun import TREE

SECRET = "correct-horse"
SMTPS = (f"http://ann:{SECRET}@mail.test", f"smtp://ann:{SECRET}@", f"smtp://ann:{SECRET}@mail.test/path")

WRONG_URLS = ("play.test", "https://play.test/?a", "https://[::1", f"https://ann:{SECRET}@play.test", "https://a:65536")

PACKAGES = ("domain", "events", "replays", "bots", "service")


@pytest.fixture(autouse=True)
def _nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATA", "HOST", "PORT", "REDIS", "PATIENCE", "BOT_PAUSE", "BOT_PACE", "STORE"):
        monkeypatch.delenv(f"FOLDTABLE_{name}", raising=False)


def test_nothing_need_be_said() -> None:
    found = config.read()
    assert (found.data, found.host, found.port, found.redis) == (Path("data"), "127.0.0.1", 8000, "")
    assert (found.patience, found.bot_pause, found.bot_pace) == (10.0, 1.5, 0.0)
    assert found.database == Path("data/foldtable.db")
    assert found.store_url == "sqlite:data/foldtable.db"


def test_a_variable_that_says_nothing_is_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATA", "STORE", "REDIS", "KEYS", "WORKER_TOKEN", "WORKER_TOKEN_FILE", "ADMIN_TOKEN_FILE", "METRICS"):
        monkeypatch.setenv(f"FOLDTABLE_{name}", "")
    assert config.read() == config.Config()


def test_the_environment_is_heard_and_the_command_line_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDTABLE_DATA", "/srv/tables")
    monkeypatch.setenv("FOLDTABLE_PORT", "81")
    assert (config.read().data, config.read().port) == (Path("/srv/tables"), 81)
    assert [config.read(port=port).port for port in (82, 0)] == [82, 0]


@pytest.mark.parametrize(
    ("name", "wrong", "right"),
    [
        *(("PATIENCE", wrong, "1") for wrong in ("0", "long")),
        *((name, "-1", "0") for name in ("BOT_PAUSE", "BOT_PACE")),
        *(("PORT", wrong, "65535") for wrong in ("http", "-1", "65536")),
        *(("SMTP", wrong, "smtp://host:65535") for wrong in (*SMTPS, "smtp://host:65536")),
        *(("MAIL_LISTEN", wrong, ":65535") for wrong in (":65536", "everywhere")),
        *(("PUBLIC_URL", wrong, "https://play.test/") for wrong in WRONG_URLS),
        ("WORKER_TOKEN", SECRET, "g" * 32),
        *(("MAIL_FROM", wrong, "a@b.test") for wrong in ("somebody", "a@b.test\r\nBcc: c@d.test")),
        *(("MAIL_DOMAIN", wrong, "b.test") for wrong in ("-.test", "a b")),
        *(("MAIL_AFTER", "-1", "0"), ("SIGN_UP", "maybe", "invitation"), ("PASSES", "-1", "0")),
    ],
)
def test_what_can_not_be_is_said(monkeypatch: pytest.MonkeyPatch, name: str, wrong: str, right: str) -> None:
    monkeypatch.setenv(f"FOLDTABLE_{name}", wrong)
    with pytest.raises(EnvError, match=name) as caught:
        config.read()
    assert SECRET not in str(caught.value)
    monkeypatch.setenv(f"FOLDTABLE_{name}", right)
    config.read()


@pytest.mark.parametrize(
    ("said", "sent"),
    [
        ("https://Play.Test:443/", "https://play.test"),
        ("http://play.test:80", "http://play.test"),
        ("https://play.test:80", "https://play.test:80"),
        ("https://遊び.test", "https://xn--z9jy99z.test"),
        ("http://[0:0::1]:81", "http://[::1]:81"),
        ("https://play.test/Tables/", "https://play.test/Tables"),
    ],
)
def test_an_address_is_taken_as_browsers_send_it(monkeypatch: pytest.MonkeyPatch, said: str, sent: str) -> None:
    monkeypatch.setenv("FOLDTABLE_PUBLIC_URL", said)
    assert config.read().public_url == sent
    if sent.count("/") == len("//"):
        monkeypatch.setenv("FOLDTABLE_ORIGINS", said.rstrip("/"))
        assert config.read().origins == (sent,)


def test_a_path_that_is_not_utf_8_is_refused_wherever_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EnvError, match=r"d\udcff: its name is not UTF-8"):
        config.read(data=Path(os.fsdecode(b"d\xff")))
    for name in ("DATA", "KEYS", "SECRET_FILE"):
        with monkeypatch.context() as said:
            said.setitem(os.environb, f"FOLDTABLE_{name}".encode(), b"d\xff")
            with pytest.raises(EnvError, match="its name is not UTF-8"):
                config.read()
    assert config.read(data=Path("データ")).data == Path("データ")


def test_whatever_can_not_be_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDTABLE_PASSES", "-1")
    monkeypatch.setenv("FOLDTABLE_SIGN_UP", "maybe")
    monkeypatch.setenv("FOLDTABLE_LIMIT_OPEN_MATCHES", "x")
    with pytest.raises(EnvError) as caught:
        config.read()
    assert all(name in str(caught.value) for name in ("PASSES", "SIGN_UP", "LIMIT_OPEN_MATCHES"))


def test_a_misspelt_variable_is_told_with_the_setting_that_is_meant() -> None:
    told = dict(config.unknown({"FOLDTABLE_SIGNUP": "closed", "FOLDTABLE_ZZ": "", "HOME": "/", "FOLDTABLE_DATA": ""}))
    assert told.keys() == {"FOLDTABLE_SIGNUP", "FOLDTABLE_ZZ"}
    assert "FOLDTABLE_SIGN_UP" in told["FOLDTABLE_SIGNUP"]


class Asked(dict[str, str]):
    """An environment that notes what it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def __missing__(self, name: str) -> str:
        self.names.add(name)
        raise KeyError(name)


def test_the_doctor_knows_every_variable_that_is_read_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked()
    monkeypatch.setattr(os, "environ", asked)
    config.read()
    monkeypatch.undo()
    read = {name for name in asked.names if name.startswith(PREFIX)}
    assert len(read) > 20
    # every text of the code that is a variable's whole name
    paths = (path for package in PACKAGES for path in (TREE / package).rglob("*.py"))
    literals = {name for path in paths for name in re.findall(rf'"({PREFIX}[A-Z_]*[A-Z])"', path.read_text())}
    assert len(literals) > 3
    containers = "".join((TREE / name).read_text() for name in ("Dockerfile", "compose.yaml", "foldtable"))
    assert read | literals | {*re.findall(rf"\b{PREFIX}[A-Z_]*[A-Z]\b", containers)} == KNOWN


SIGN_UPS = "LIMIT_SIGN_UPS_BY_ADDRESS"


def test_every_limit_can_be_said_and_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in (*RATES, *ROOMS):
        monkeypatch.setenv(f"FOLDTABLE_LIMIT_{limit.id.upper().replace('-', '_')}", "off")
    monkeypatch.setenv("FOLDTABLE_LIMIT_SIGN_UPS_BY_ADDRESS", "10 per 5 minutes")
    monkeypatch.setenv("FOLDTABLE_LIMIT_WAITS_BY_ACCOUNT", "7")
    monkeypatch.setenv("FOLDTABLE_LIMIT_OPEN_MATCHES", "3")
    found = config.read().limits
    assert found.rates == (Rate("sign-ups", "address", 10, 300),)
    assert [(room.id, room.most) for room in found.rooms] == [("waits-by-account", 7)]
    assert found.open_matches == 3


def test_whom_to_trust_and_whom_not_to_count_can_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDTABLE_PROXIES", "10.0.0.1, fd00::/8")
    monkeypatch.setenv("FOLDTABLE_LIMIT_EXEMPT", "")
    found = config.read().limits
    assert (found.proxies, found.exempt) == ((ip_network("10.0.0.1/32"), ip_network("fd00::/8")), ())


@pytest.mark.parametrize(
    ("name", "said"),
    [
        *((SIGN_UPS, said) for said in ("many", "0/hour", "60 per 0 hours", "60", "60/hour; 1/second")),
        *(("LIMIT_WAITS_BY_ADDRESS", said) for said in ("0", "-1", "some", "9" * 5000)),
        *(("LIMIT_OPEN_MATCHES", "0"), ("LIMIT_EXEMPT", "here"), ("PROXIES", "10.0.0.1/8"), ("PROXIES", "nginx")),
        # Redis and SQLite could not count so far: each pass that was asked for was a fault
        *((name, "1000000001") for name in ("PASSES", "BOT_MOVES", "LIMIT_OPEN_MATCHES", "LIMIT_WAITS_BY_ADDRESS")),
        *((SIGN_UPS, said) for said in ("1000000001/hour", "60 per 1000000 hours")),
    ],
)
def test_what_can_not_be_is_said_by_its_name(monkeypatch: pytest.MonkeyPatch, name: str, said: str) -> None:
    monkeypatch.setenv(f"FOLDTABLE_{name}", said)
    with pytest.raises(EnvError, match=name):
        config.read()
