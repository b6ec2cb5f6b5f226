"""Where the commands look for matches: a folder, a URL, the environment; on PostgreSQL as on SQLite."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.catalogue import Catalogue
from events import stores
from events.keyring import Keyring
from replays.files import exports
from replays.log import Log
from tests.postgres import Server
from tests.replays.commands.typed import refused, replays
from tests.replays.staged import AT, Stage

pytestmark = pytest.mark.faults

NAMES = ("FOLDTABLE_DATA", "FOLDTABLE_STORE")


@pytest.fixture(autouse=True)
def _nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A service's folder: a finished match and one that waits, in a store of its own."""
    found = tmp_path_factory.mktemp("data")
    staged(f"sqlite:{found / 'foldtable.db'}")
    Keyring.open(found / "keys", AT)
    return found


@pytest.fixture(scope="module")
def url(postgres_server: Server) -> Iterator[str]:
    """The same matches in a database."""
    found = postgres_server.database()
    staged(found)
    yield found
    postgres_server.drop(found)


def staged(url: str) -> None:
    store, room = stores.open_to_write(url), Catalogue().rooms["three-magic"]
    ended = Stage(store, room, "m_ended", ["random", "greedy", "random"], laps=1)
    ended.seat_all("ab" * 32)
    ended.finish()
    Stage(store, room, "m_open", ["greedy"] * 3, laps=1)
    store.close()


def said(*args: str | Path) -> str:
    done = replays(*args)
    assert (done.returncode, done.stderr) == (0, ""), args
    return done.stdout


LOOKS = (
    ("list",),
    ("list", "--status", "open", "--json"),
    ("show", "m_ended", "--json"),
    ("show", "m_open", "--at", "1"),
    ("export", "m_ended"),
    ("audit", "m_ended"),
    ("audit", "--all-matches"),
    ("validate", "m_ended"),
    ("validate", "--all-matches"),
)


@pytest.mark.parametrize("asked", LOOKS, ids=" ".join)
@pytest.mark.soak
def test_what_postgres_holds_is_read_as_what_sqlite_holds(
    asked: tuple[str, ...], folder: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = said(*asked, "--data", folder)
    monkeypatch.setenv("FOLDTABLE_DATA", str(folder))
    assert said(*asked, "--data", url) == there
    monkeypatch.setenv("FOLDTABLE_STORE", url)
    assert said(*asked) == there


def test_a_page_and_a_database_are_made_of_what_postgres_holds(
    folder: Path, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOLDTABLE_DATA", str(folder))
    for place, name in ((folder, "sqlite"), (url, "postgres")):
        said("report", "m_ended", "--data", place, "-o", tmp_path / f"{name}.html")
        said("tabulate", "--data", place, "-o", tmp_path / f"{name}.db")
    assert (tmp_path / "postgres.html").read_bytes() == (tmp_path / "sqlite.html").read_bytes()
    tables = [sqlite3.connect(tmp_path / f"{name}.db") for name in ("sqlite", "postgres")]
    theirs, ours = ("\n".join(table.iterdump()) for table in tables)
    for table in tables:
        table.close()
    assert ours == theirs
    assert "m_ended" in ours
    refused("Stepping needs a terminal", "step", "m_ended", "--data", url)


def test_matches_go_into_postgres_and_are_forked_there(
    folder: Path, postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "ended.jsonl"
    said("export", "m_ended", "--data", folder, "-o", file)
    monkeypatch.setenv("FOLDTABLE_DATA", str(tmp_path / "service"))
    refused("holds no store", "fork", "m_ended", "--at", "20", "--data", postgres_url)
    assert said("import", file, "--data", postgres_url).startswith("m_ended: ")
    refused("m_ended is in the store already", "import", file, "--data", postgres_url)
    store = stores.open_to_read(postgres_url)
    at = exports.fork_points(Log(store, "m_ended", Catalogue()))[4]
    store.close()
    monkeypatch.setenv("FOLDTABLE_STORE", postgres_url)
    new = said("fork", "m_ended", "--at", str(at)).strip()
    assert json.loads(said("show", new, "--json"))["status"] == "open"
    assert said("export", "m_ended") == file.read_text()
    assert not (tmp_path / "service" / "foldtable.db").exists()


def test_what_the_command_line_says_counts_before_the_environment(
    folder: Path, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOLDTABLE_STORE", f"sqlite:{tmp_path / 'none.db'}")
    monkeypatch.setenv("FOLDTABLE_DATA", str(tmp_path))
    refused("none.db does not exist", "list")
    there = said("list", "--data", url)
    assert said("list", "--data", folder) == there
    assert said("list", "--data", f"sqlite:{folder / 'foldtable.db'}") == there
    monkeypatch.delenv("FOLDTABLE_STORE")
    refused("foldtable.db does not exist", "list")
    monkeypatch.setenv("FOLDTABLE_DATA", str(folder))
    assert said("list") == there


@pytest.mark.parametrize("wrong", ["mysql://me:geheim@there/db", "redis://:geheim@there", "sqlite:"])
def test_a_url_that_opens_no_store_is_told_without_its_password(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    says = "begins with neither sqlite: nor postgresql://"
    for command in (("list",), ("import", "file.jsonl"), ("tabulate",), ("show", "m_any")):
        refused(f"--data: the store's URL {says}", *command, "--data", wrong)
    monkeypatch.setenv("FOLDTABLE_STORE", wrong)
    refused(f"FOLDTABLE_STORE: the store's URL {says}", "list")
    assert "geheim" not in replays("list").stderr + replays("list", "--data", wrong).stderr


def test_a_postgres_that_does_not_answer_is_told_without_its_password(tmp_path: Path) -> None:
    nowhere = f"postgresql://me:geheim@/store?host={tmp_path}"
    for command in (("list",), ("audit", "--all-matches"), ("fork", "m_any", "--at", "3")):
        done = replays(*command, "--data", nowhere)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert f"store on {tmp_path} can't be opened" in done.stderr
        assert "geheim" not in done.stderr


@pytest.mark.parametrize("name", ["foldtable.db", "foldtable.db-wal", "foldtable.db.lock", "keys", "secret"])
def test_nothing_is_written_over_what_the_service_lives_by(folder: Path, name: str) -> None:
    (folder / "link").unlink(missing_ok=True)
    (folder / "link").symlink_to(name)
    before = [(folder / kept).read_bytes() for kept in ("foldtable.db", "keys")]
    for output in (folder / name, folder / "link", folder.parent / folder.name / "." / name):
        refused("name another", "export", "m_ended", "--data", folder, "-o", output, "--force")
    assert [(folder / kept).read_bytes() for kept in ("foldtable.db", "keys")] == before
    assert not (folder / "secret").exists()
