"""Opening a store of either kind, and what only PostgreSQL has: many at once, and no password in an error."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import psycopg
import pytest

from events import opening
from events.postgres import PostgresReader, PostgresRecorder
from events.postgres import opening as postgres_opening
from events.queries import StoreOlder
from events.sqlite import SqliteReader
from events.store import (
    Decision,
    Statement,
    StoreCorrupt,
    StoreError,
    StoreMissing,
    StoreNewer,
    StoreUnusable,
    StoreUnwritable,
)
from events.stores import file_of, name_of, open_to_read, open_to_write
from service import wiring
from service.config import Config
from tests.events.streams import write
from tests.postgres import Server


def change(url: str, sql: str) -> None:
    """Change a store on either kind of database as no recorder does."""
    if (path := file_of(url)) is None:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(sql.encode())
        return
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(sql)


def test_a_store_that_is_not_there_is_made_for_writing_only(url: str) -> None:
    with pytest.raises(StoreMissing, match=r"store\.db does not exist" if file_of(url) else "holds no store"):
        open_to_read(url)
    assert not (path := file_of(url)) or not path.exists()
    with closing(open_to_write(url)) as recorder:
        recorder.append("m", [write("m", 3)])
    with closing(open_to_read(url)) as reader:
        assert isinstance(reader, SqliteReader if path else PostgresReader)
        assert reader.head("m").version == 3


@pytest.fixture
def later(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], int]:
    """Brings the release after this one, with the script; returns the schema that this one knows."""

    def release(script: str) -> int:
        (tmp_path / "later.sql").write_text(script)
        module = opening if file_of(url) else postgres_opening
        known: int = max(module.SCHEMA)
        monkeypatch.setattr(module, "SCHEMA", {**module.SCHEMA, known + 1: tmp_path / "later.sql"})
        return known

    return release


def test_scripts_that_are_missing_are_run_once_and_a_later_release_s_store_is_left_alone(
    url: str, later: Callable[[str], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    open_to_write(url).close()
    known = later("CREATE TABLE later (x integer PRIMARY KEY);")
    for _ in range(2):
        open_to_write(url).close()
    monkeypatch.undo()
    for opens in (open_to_write, open_to_read):
        with pytest.raises(StoreNewer, match=f"schema {known + 1}, known is {known}"):
            opens(url)


def test_a_script_that_fails_in_the_middle_leaves_the_store_as_it_was(
    url: str, later: Callable[[str], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_to_write(url)) as recorder:
        recorder.append("m", [write("m", 3)])
    later("CREATE TABLE later (x integer); INSERT INTO nowhere VALUES (1);")
    with pytest.raises(StoreUnusable, match="nowhere"):
        open_to_write(url)
    monkeypatch.undo()
    with closing(open_to_write(url)) as recorder:
        assert recorder.head("m").version == 3
        with pytest.raises(StoreError, match="later"):
            recorder.find(Statement("SELECT * FROM later"))


def test_a_store_of_before_the_first_release_is_refused_and_left_as_it_is(url: str) -> None:
    path = file_of(url)
    asked = (Decision("m", 1, 2, "", "bot:greedy"), Decision("m", 0, 2, "", "player:7"))
    with closing(open_to_write(url)) as recorder:
        recorder.append("m", [write("m", 2)], decisions=asked)
        recorder.append("n", [write("n", 2)], decisions=(Decision("n", 0, 2, "", "player:7"),))
    change(url, "PRAGMA user_version = 3" if path else "UPDATE store SET schema = 1")
    before = path and path.read_bytes()
    versions = "schema 3, the first is 4" if path else "schema 1, the first is 2"
    for opens in (open_to_write, open_to_read):
        with pytest.raises(StoreOlder, match=rf"\({versions}\): 2 running matches can't go on here; bring it up to"):
            opens(url)
    assert before == (path and path.read_bytes())


def test_eight_who_open_an_empty_place_at_once_make_one_store(url: str) -> None:
    start = Barrier(8)

    def open_and_append(number: int) -> int:
        start.wait()
        with closing(open_to_write(url)) as recorder:
            recorder.append(f"m{number}", [write(f"m{number}", 1)])
            return recorder.partitions

    with ThreadPoolExecutor(8) as threads:
        partitions = set(threads.map(open_and_append, range(8)))
    with closing(open_to_read(url)) as reader:
        assert partitions == {reader.partitions}
        assert len(reader.matches()) == 8


def test_through_a_postgres_reader_nothing_is_written(postgres_url: str, postgres_store: PostgresRecorder) -> None:
    postgres_store.append("m", [write("m", 2)])
    reader = PostgresReader(postgres_url)
    assert reader.head("m").version == 2
    with pytest.raises(StoreError, match="read-only transaction"):
        reader.find(Statement("DELETE FROM events WHERE partition = :partition", {}, "m"))
    reader.close()


@pytest.mark.parametrize(
    ("is_made", "sql"),
    [
        (False, "CREATE TABLE events (x integer)"),
        (True, "DELETE FROM store"),
        (True, "DROP TABLE events"),
        (True, "ALTER TABLE events DROP COLUMN position"),
        (True, "DROP TABLE store"),
    ],
)
def test_a_postgres_database_that_is_no_store_or_a_damaged_one_is_told(
    postgres_url: str, is_made: bool, sql: str
) -> None:
    if is_made:
        PostgresRecorder(postgres_url).close()
    change(postgres_url, sql)
    with pytest.raises(StoreCorrupt, match=None if is_made else "is a database, but no store"):
        PostgresRecorder(postgres_url)


def test_a_postgres_that_does_not_exist_or_does_not_let_us_write_is_told(
    postgres_url: str, postgres_server: Server
) -> None:
    with pytest.raises(StoreMissing, match=r"nowhere on .* does not exist"):
        PostgresRecorder(postgres_server.url("nowhere"))
    postgres_server.execute("DROP ROLE IF EXISTS guest")
    postgres_server.execute("CREATE ROLE guest LOGIN")
    with pytest.raises(StoreUnwritable, match="permission denied"):
        PostgresRecorder(postgres_url.replace("user=postgres", "user=guest"))
    postgres_server.execute("DROP ROLE guest")
    PostgresRecorder(postgres_url).close()
    name = psycopg.conninfo.conninfo_to_dict(postgres_url)["dbname"]
    change(postgres_url, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    with pytest.raises(StoreUnusable, match="can be read only"):
        PostgresRecorder(postgres_url)
    PostgresReader(postgres_url).close()
    postgres_server.execute("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
    with pytest.raises(StoreUnusable, match="make the database with ENCODING 'UTF8'"):
        PostgresRecorder(postgres_server.url("latin"))
    postgres_server.drop(postgres_server.url("latin"))


def test_durable_is_durable_whatever_the_server_is_set_to(postgres_url: str) -> None:
    name = psycopg.conninfo.conninfo_to_dict(postgres_url)["dbname"]
    change(postgres_url, f"ALTER DATABASE {name} SET synchronous_commit = off")
    change(postgres_url, f"ALTER DATABASE {name} SET default_transaction_isolation = serializable")
    recorder = PostgresRecorder(postgres_url)
    asked = "SELECT current_setting('synchronous_commit') AS one, current_setting('transaction_isolation') AS other"
    found: list[object] = []
    recorder.append("m", [write("m", 1)], beside=[Statement("CREATE TABLE told AS " + asked)])
    recorder.transact(lambda connection: found.extend(connection.execute("SELECT * FROM told").fetchone() or ()))
    assert found == ["on", "read committed"]
    recorder.close()


def test_no_plan_is_compiled_whatever_the_server_is_set_to(postgres_url: str) -> None:
    name = psycopg.conninfo.conninfo_to_dict(postgres_url)["dbname"]
    change(postgres_url, f"ALTER DATABASE {name} SET jit = on")
    for store in (PostgresRecorder(postgres_url), PostgresReader(postgres_url)):
        with closing(store):
            assert store.find(Statement("SHOW jit")) == [("off",)]


SECRET = "correct-horse"


@pytest.mark.parametrize(
    ("url", "says"),
    [
        (f"mysql://me:{SECRET}@db/x", "sqlite:"),
        (f"me:{SECRET}@db", "sqlite:"),
        (f"postgresql://me:{SECRET}@[db/x", "."),
        (f"postgresql://me:{SECRET}@db/x?no_such={SECRET}", "."),
        (f"postgresql://me:{SECRET}@localhost:1/fold", "fold on localhost:1 can't be opened"),
        (f"postgresql://me:{SECRET}%zz@127.0.0.1:1/x", "as %XX"),
        (f"postgresql://me:7/{SECRET}@127.0.0.1:1/x", "as %XX"),
        (f"postgresql://me:7@{SECRET}@127.0.0.1:1/x", "as %XX"),
        ("sqlite:", "."),
        ("", "."),
    ],
)
def test_a_url_that_opens_nothing_is_told_in_one_line_without_its_password(
    url: str, says: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    for opens in (open_to_write, open_to_read):
        with pytest.raises(StoreUnusable, match=says) as refused:
            opens(url)
        told = str(refused.value)
        assert "\n" not in told
        assert SECRET not in told
    if url:
        config = Config(data=tmp_path, store=url)
        assert SECRET not in repr(config)
        with pytest.raises(StoreUnusable) as refused:
            wiring.open_store(config)
        assert SECRET not in str(refused.value)
    assert SECRET not in "".join(capfd.readouterr()) + caplog.text
    assert name_of(f"postgresql://me:{SECRET}@db.example:5433/tables") == "tables on db.example:5433"
    assert name_of("sqlite:data/foldtable.db") == "data/foldtable.db"
