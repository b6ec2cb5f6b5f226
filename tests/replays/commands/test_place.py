"""Where the commands look for matches: a data, a URL, the environment; on PostgreSQL as on SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.catalogue import Catalogue
from events import stores
from events.keyring import Keyring
from events.sqlite import SqliteRecorder
from events.store import Write
from replays.files import exports
from replays.log import Log
from tests.postgres import Server
from tests.replays.commands.typed import as_json, exported, printed, refused, replays
from tests.replays.staged import AT

pytestmark = pytest.mark.faults

NAMES = ("FOLDTABLE_DATA", "FOLDTABLE_STORE")


@pytest.fixture(autouse=True)
def _nothing_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def url(data: Path, postgres_server: Server) -> Iterator[str]:
    """The same matches in a database."""
    found = postgres_server.database()
    source, target = SqliteRecorder.open_to_read(data / "foldtable.db"), stores.open_to_write(found)
    for match_id in source.matches():
        streams = (match_id, *source.private_streams(match_id))
        target.append(match_id, [Write(stream, 0, source.read(stream)) for stream in streams])
    source.close()
    target.close()
    yield found
    postgres_server.drop(found)


def test_a_page_and_a_database_are_made_of_what_postgres_holds(
    data: Path, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOLDTABLE_DATA", str(data))
    for place, name in ((data, "sqlite"), (url, "postgres")):
        printed("report", "m_ended", "--data", place, "-o", tmp_path / f"{name}.html")
        printed("tabulate", "--data", place, "-o", tmp_path / f"{name}.db")
    assert (tmp_path / "postgres.html").read_bytes() == (tmp_path / "sqlite.html").read_bytes()
    tables = [sqlite3.connect(tmp_path / f"{name}.db") for name in ("sqlite", "postgres")]
    theirs, ours = ("\n".join(table.iterdump()) for table in tables)
    for table in tables:
        table.close()
    assert ours == theirs
    assert "m_ended" in ours
    refused("Stepping needs a terminal", "step", "m_ended", "--data", url)


def test_matches_go_into_postgres_and_are_forked_there(
    data: Path, postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = exported(data, "m_ended", tmp_path / "ended.jsonl")
    monkeypatch.setenv("FOLDTABLE_DATA", str(tmp_path / "service"))
    refused("holds no store", "fork", "m_ended", "--at", "20", "--data", postgres_url)
    assert printed("import", file, "--data", postgres_url).startswith("m_ended: ")
    refused("m_ended is in the store already", "import", file, "--data", postgres_url)
    store = stores.open_to_read(postgres_url)
    at = exports.fork_points(Log(store, "m_ended", Catalogue()))[4]
    store.close()
    monkeypatch.setenv("FOLDTABLE_STORE", postgres_url)
    new = printed("fork", "m_ended", "--at", str(at)).strip()
    assert as_json("show", new)["status"] == "open"
    assert printed("export", "m_ended") == file.read_text()
    assert not (tmp_path / "service" / "foldtable.db").exists()


def test_what_the_command_line_says_counts_before_the_environment(
    data: Path, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOLDTABLE_STORE", f"sqlite:{tmp_path / 'none.db'}")
    monkeypatch.setenv("FOLDTABLE_DATA", str(tmp_path))
    refused("none.db does not exist", "list")
    there = printed("list", "--data", url)
    assert printed("list", "--data", f"sqlite:{data / 'foldtable.db'}") == there
    refused("FOLDTABLE_STORE names another store", "list", "--data", data)
    refused("none.db does not exist", "list", "--data", tmp_path)
    assert printed("list", "--data", f"sqlite:{data / 'foldtable.db'}") == there
    monkeypatch.delenv("FOLDTABLE_STORE")
    refused("foldtable.db does not exist", "list")
    monkeypatch.setenv("FOLDTABLE_DATA", str(data))
    assert printed("list") == there


@pytest.mark.parametrize("wrong", ["mysql://me:geheim@there/db", "redis://:geheim@there", "sqlite:"])
def test_a_url_that_opens_no_store_is_told_without_its_password(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    says = "names no file after sqlite:" if wrong == "sqlite:" else "begins with neither sqlite: nor postgresql://"
    for command in (("list",), ("import", "file.jsonl"), ("tabulate",), ("show", "m_any")):
        refused(f"--data: the store's URL {says}", *command, "--data", wrong)
    monkeypatch.setenv("FOLDTABLE_STORE", wrong)
    refused(f"FOLDTABLE_STORE: the store's URL {says}", "list")
    assert "geheim" not in replays("list").stderr + replays("list", "--data", wrong).stderr


def test_nothing_is_written_over_what_the_service_lives_by(copied: Path) -> None:
    Keyring.open(copied / "keys", AT)
    before = [(copied / kept).read_bytes() for kept in ("foldtable.db", "keys")]
    for name in ("foldtable.db", "foldtable.db-wal", "foldtable.db.lock", "keys", "secret"):
        (copied / "link").unlink(missing_ok=True)
        (copied / "link").symlink_to(name)
        for output in (copied / name, copied / "link", copied.parent / copied.name / "." / name):
            refused("name another", "export", "m_ended", "--data", copied, "-o", output, "--force")
    assert [(copied / kept).read_bytes() for kept in ("foldtable.db", "keys")] == before
    assert not (copied / "secret").exists()
