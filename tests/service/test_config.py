"""What an operator may say."""

from __future__ import annotations

from pathlib import Path

import pytest
from environs import EnvError

from service import config


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


def test_the_environment_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDTABLE_DATA", "/srv/tables")
    monkeypatch.setenv("FOLDTABLE_PORT", "81")
    found = config.read()
    assert (found.data, found.port) == (Path("/srv/tables"), 81)


def test_a_variable_that_says_nothing_is_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATA", "STORE", "REDIS", "KEYS", "WORKER_TOKEN", "WORKER_TOKEN_FILE", "ADMIN_TOKEN_FILE", "METRICS"):
        monkeypatch.setenv(f"FOLDTABLE_{name}", "")
    assert config.read() == config.Config()


def test_the_command_line_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDTABLE_PORT", "81")
    assert config.read(port=82).port == 82
    assert config.read(port=0).port == 0


@pytest.mark.parametrize(
    ("name", "said"), [("PATIENCE", "0"), ("PATIENCE", "long"), ("BOT_PAUSE", "-1"), ("BOT_PACE", "-1")]
)
def test_what_is_no_time_is_said(monkeypatch: pytest.MonkeyPatch, name: str, said: str) -> None:
    monkeypatch.setenv(f"FOLDTABLE_{name}", said)
    with pytest.raises(EnvError, match=name):
        config.read()


@pytest.mark.parametrize("port", ["http", "-1", "65536"])
def test_what_is_no_port_is_said(monkeypatch: pytest.MonkeyPatch, port: str) -> None:
    monkeypatch.setenv("FOLDTABLE_PORT", port)
    with pytest.raises(EnvError, match="PORT"):
        config.read()


@pytest.mark.parametrize(("name", "said"), [("SMTP", "smtp://host:65536"), ("MAIL_LISTEN", ":65536")])
def test_mail_goes_and_comes_by_ports_that_there_are(monkeypatch: pytest.MonkeyPatch, name: str, said: str) -> None:
    monkeypatch.setenv(f"FOLDTABLE_{name}", said)
    with pytest.raises(EnvError, match=name):
        config.read()
    monkeypatch.setenv(f"FOLDTABLE_{name}", said.replace("65536", "65535"))
    config.read()
