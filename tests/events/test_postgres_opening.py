"""Opening a store on PostgreSQL: many processes at once, a clear error for each thing amiss, none with a password."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import psycopg
import pytest

from events.postgres import PostgresReader, PostgresRecorder, opening
from events.queries import StoreOlder
from events.store import (
    Decision,
    Statement,
    StoreCorrupt,
    StoreError,
    StoreMissing,
    StoreNewer,
    StoreReadOnly,
    StoreUnusable,
    StoreUnwritable,
)
from tests.events.streams import write
from tests.postgres import Server


def change(url: str, sql: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.encode())


def test_eight_who_open_an_empty_postgres_database_at_once_make_one_store(postgres_url: str) -> None:
    start = Barrier(8)

    def open_and_append(number: int) -> int:
        start.wait()
        recorder = PostgresRecorder(postgres_url, partitions=4 + number, connections=1)
        recorder.append(f"m{number}", [write(f"m{number}", 1)])
        recorder.close()
        return recorder.partitions

    with ThreadPoolExecutor(8) as threads:
        partitions = set(threads.map(open_and_append, range(8)))
    reader = PostgresReader(postgres_url)
    assert partitions == {reader.partitions}
    assert len(reader.matches()) == 8
    reader.close()


def test_scripts_that_are_missing_are_run_once(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    PostgresRecorder(postgres_url, partitions=2).close()
    known = max(opening.SCHEMA)
    script = tmp_path / "later.sql"
    script.write_text("CREATE TABLE later (partition integer PRIMARY KEY)")
    monkeypatch.setattr(opening, "SCHEMA", {**opening.SCHEMA, known + 1: script})
    for _ in range(2):
        recorder = PostgresRecorder(postgres_url)
        assert recorder.partitions == 2
        recorder.close()
    monkeypatch.undo()
    with pytest.raises(StoreNewer, match=f"a later release: schema {known + 1}, known is {known}"):
        PostgresRecorder(postgres_url)
    with pytest.raises(StoreNewer):
        PostgresReader(postgres_url)


def test_a_script_that_fails_leaves_the_store_as_it_was(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    PostgresRecorder(postgres_url).close()
    script = tmp_path / "later.sql"
    script.write_text("CREATE TABLE later (x integer); SELECT 1 / 0")
    monkeypatch.setattr(opening, "SCHEMA", {**opening.SCHEMA, max(opening.SCHEMA) + 1: script})
    with pytest.raises(StoreUnusable, match="division by zero"):
        PostgresRecorder(postgres_url)
    monkeypatch.undo()
    recorder = PostgresRecorder(postgres_url)
    assert recorder.find(Statement("SELECT to_regclass('later')")) == [(None,)]
    recorder.close()


def test_a_postgres_store_of_before_the_first_release_is_refused_and_left_as_it_is(postgres_url: str) -> None:
    recorder = PostgresRecorder(postgres_url)
    recorder.append("m", [write("m", 1)], decisions=(Decision("m", 0, 1, "", "bot:greedy"),))
    recorder.close()
    change(postgres_url, "UPDATE store SET schema = 1")
    for opens in (PostgresRecorder, PostgresReader):
        with pytest.raises(StoreOlder, match=r"\(schema 1, the first is 2\): 1 running match can't go on here; bring"):
            opens(postgres_url)


def test_a_postgres_store_that_is_not_there_is_made_for_writing_only(postgres_url: str) -> None:
    with pytest.raises(StoreMissing, match="holds no store"):
        PostgresReader(postgres_url)
    PostgresRecorder(postgres_url).close()
    PostgresReader(postgres_url).close()


def test_through_a_postgres_reader_nothing_is_written(postgres_url: str, postgres_store: PostgresRecorder) -> None:
    postgres_store.append("m", [write("m", 2)])
    reader = PostgresReader(postgres_url)
    assert reader.head("m").version == 2
    with pytest.raises(StoreError, match="read-only transaction"):
        reader.find(Statement("DELETE FROM events WHERE partition = :partition", {}, "m"))
    reader.close()


def test_a_postgres_database_that_does_not_exist_is_told(postgres_server: Server) -> None:
    with pytest.raises(StoreMissing, match=r"nowhere on .* does not exist"):
        PostgresRecorder(postgres_server.url("nowhere"))


def test_a_postgres_server_that_does_not_answer_is_told_without_the_password() -> None:
    for opens in (PostgresRecorder, PostgresReader):
        with pytest.raises(StoreUnusable, match="fold on localhost:1 can't be opened") as refused:
            opens("postgresql://me:topsecret@localhost:1/fold")
        assert "topsecret" not in str(refused.value)


def test_a_url_that_can_t_be_read_is_told_without_its_text() -> None:
    with pytest.raises(StoreUnusable, match="can't be read") as refused:
        PostgresRecorder("postgresql://me:topsecret@[/fold")
    assert "topsecret" not in str(refused.value)


def test_a_postgres_database_of_something_else_is_no_store(postgres_url: str) -> None:
    change(postgres_url, "CREATE TABLE events (x integer)")
    with pytest.raises(StoreCorrupt, match="is a database, but no store"):
        PostgresRecorder(postgres_url)


@pytest.mark.parametrize(
    "sql", ["DELETE FROM store", "DROP TABLE events", "ALTER TABLE events DROP COLUMN position", "DROP TABLE store"]
)
def test_a_damaged_postgres_store_is_told(postgres_url: str, sql: str) -> None:
    PostgresRecorder(postgres_url).close()
    change(postgres_url, sql)
    with pytest.raises(StoreCorrupt):
        PostgresRecorder(postgres_url)


def test_a_postgres_database_that_can_t_be_written_to_is_told_and_may_be_read(postgres_url: str) -> None:
    PostgresRecorder(postgres_url).close()
    name = psycopg.conninfo.conninfo_to_dict(postgres_url)["dbname"]
    change(postgres_url, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    with pytest.raises(StoreReadOnly, match="can be read only"):
        PostgresRecorder(postgres_url)
    PostgresReader(postgres_url).close()


def test_a_postgres_user_who_may_not_write_is_told(postgres_url: str, postgres_server: Server) -> None:
    change(postgres_url, "DROP ROLE IF EXISTS guest")
    change(postgres_url, "CREATE ROLE guest LOGIN")
    with pytest.raises(StoreUnwritable, match="permission denied"):
        PostgresRecorder(postgres_url.replace("user=postgres", "user=guest"))
    postgres_server.execute("DROP ROLE guest")


def test_texts_that_are_not_utf8_are_no_place_for_a_store(postgres_server: Server) -> None:
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
