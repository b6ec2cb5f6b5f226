"""What a doctor finds of keys and tokens: they are gone, another store's, or lag behind what the store publishes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from freezegun import freeze_time

from service.config import Config
from tests.service.house import House, build
from tests.service.run.backups import service
from tests.service.run.test_doctor import alter, faults, finds

pytestmark = [pytest.mark.sqlite, pytest.mark.faults]


@pytest.fixture
def data(config: Config) -> Path:
    """The folder of a service with a match that is being played."""
    built = build(config)
    House(built).table()
    built.close()
    return config.data


def test_keys_that_are_gone_or_none_or_of_another_store(data: Path, tmp_path: Path) -> None:
    keys = (data / "keys").read_bytes()
    (data / "keys").unlink()
    finds("keys is not there", data, do="rotate-key --lost")
    (data / "keys").write_bytes(keys[:-10])
    (data / "keys").chmod(0o600)
    finds("is no file of keys", data, do="rotate-key --lost")
    with freeze_time(datetime.now(UTC) + timedelta(hours=1)):
        build(Config(data=tmp_path / "other")).close()
    (data / "keys").write_bytes((tmp_path / "other" / "keys").read_bytes())
    finds("holds other keys than those that the store's processes publish", data, do="FOLDTABLE_KEYS")
    alter(data, "DELETE FROM kept WHERE name = 'keys'")
    finds("another store's", data, level="warning", do="put back the store's own")


def test_keys_that_lag_behind_what_the_store_publishes(data: Path) -> None:
    before = (data / "keys").read_bytes()
    assert service("rotate-key", "--data", data).returncode == 0
    assert faults(data) == {}
    (data / "keys").write_bytes(before)
    finds("keys does not hold the published key", data, do="FOLDTABLE_KEYS")
    alter(data, "UPDATE kept SET content = x'5b' WHERE name = 'keys'")
    finds("what the store keeps of its keys can't be read", data, do="backup")


def test_keys_without_their_store(data: Path) -> None:
    (data / "foldtable.db").unlink()
    finds("keys is there, and no store", data, level="warning", do="backup")


@pytest.mark.parametrize(
    ("name", "follows"),
    [
        ("secret", "reply addresses in mails that were sent work no more, and webhooks are disabled"),
        ("worker-token", "workers on other hosts are refused"),
        ("admin-token", "whoever calls as the operator is refused"),
    ],
)
def test_a_token_that_is_missing_is_told_with_what_follows(data: Path, name: str, follows: str) -> None:
    (data / name).unlink()
    finds(f"{name} is not there: with a new one", data, "--all", do="put back a copy of it")
    finds(follows, data)
    assert not (data / name).exists(), "it makes nothing"


def test_a_named_file_of_a_token_that_is_missing(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDTABLE_SECRET_FILE", str(tmp_path / "mounted"))
    finds("mounted is not there: nothing starts", data, do="put it there")


def test_a_token_that_is_said_needs_no_file(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (data / "secret").unlink()
    monkeypatch.setenv("FOLDTABLE_SECRET", "s" * 32)
    assert faults(data) == {}
