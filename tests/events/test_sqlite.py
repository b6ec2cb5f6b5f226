"""What the SQLite store does beyond the contract: callers' own tables, commit groups, failures, other processes."""

from __future__ import annotations

import gc
import os
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from events import writer
from events.sqlite import SqliteRecorder
from events.store import Append, Appended, BrokenConstraint, Command, CommandReused, Statement, StoreError, Write
from tests.events.streams import HIDE, MAIL, addresses, sealed, with_mail, write


@pytest.fixture
def mail(sqlite: SqliteRecorder) -> SqliteRecorder:
    return with_mail(sqlite)


def test_every_key_begins_with_the_partition(sqlite: SqliteRecorder) -> None:
    """So that tables can be cut by it, and an append stays within one of the pieces."""
    reader = sqlite.reader()
    tables = [name for (name,) in reader.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    assert set(tables) == {"store", "events", "commands", "decisions", "positions", "proofs", "kept"}
    for table in set(tables) - {"store"}:
        keys = {at: name for _, name, *_, at in reader.execute(f"PRAGMA table_info({table})") if at}
        assert keys[1] == "partition", table
        assert "match" in keys.values() or table in {"events", "positions", "kept"}
        for _, index, *_ in reader.execute(f"PRAGMA index_list({table})").fetchall():
            columns = [name for _, _, name in reader.execute(f"PRAGMA index_info({index})")]
            assert columns[0] == "partition", index


def test_whatever_is_asked_of_a_match_is_found_by_a_key(path: Path) -> None:
    """No table is read from its beginning, however long it is."""
    SqliteRecorder(path).close()
    recorder = SqliteRecorder.open_to_read(path)
    plans: list[str] = []
    recorder.reader().set_trace_callback(plans.append)
    recorder.read("m")
    recorder.facts("m", 3)
    recorder.briefs("m", 3)
    recorder.head("m/seat:0")
    recorder.command("m", "c")
    recorder.proof("m")
    recorder.decisions(match="m")
    recorder.decisions("bot:")
    recorder.private_streams("m")
    recorder.matches()
    recorder.read_all(0, 3, 10)
    recorder.position("f", 0)
    recorder.reader().set_trace_callback(None)
    assert len(plans) == 12
    for sql in plans:
        steps = [step for *_, step in recorder.reader().execute(f"EXPLAIN QUERY PLAN {sql}")]
        # what was found before may be read from its beginning
        found = ("MATERIALIZE", "CO-ROUTINE", "CORRELATED", "SCAN found", "SCAN runs", "SCAN private")
        assert all(step.startswith(("SEARCH", "USE TEMP B-TREE", *found)) for step in steps), (sql, steps)
        assert any("INDEX" in step or "PRIMARY KEY" in step for step in steps), (sql, steps)
    recorder.close()


def test_a_caller_s_own_transaction_is_kept_or_leaves_nothing(mail: SqliteRecorder) -> None:
    def insert_twice(connection: sqlite3.Connection) -> None:
        connection.execute(MAIL, {"address": "a"})
        connection.execute(MAIL, {"address": "a"})

    def roll_back(connection: sqlite3.Connection) -> None:
        connection.execute("ROLLBACK")
        raise KeyError("rolled back")

    assert mail.transact(lambda connection: connection.execute(MAIL, {"address": "b"}).rowcount) == 1
    with pytest.raises(BrokenConstraint):
        mail.transact(insert_twice)
    assert addresses(mail) == ["b"]
    with pytest.raises(StoreError, match="ended the transaction"):
        mail.transact(lambda connection: connection.execute("COMMIT").close())
    with pytest.raises(KeyError):
        mail.transact(roll_back)
    mail.append("m", [write("m", 1)], beside=HIDE)
    assert mail.head("m").version == 1


def test_a_full_disk_fails_the_request_and_the_writer_goes_on(mail: SqliteRecorder) -> None:
    def fill(connection: sqlite3.Connection) -> int:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        (limit,) = connection.execute(f"PRAGMA max_page_count = {pages}").fetchone()
        return int(limit)

    mail.transact(fill)
    for beside in ([], HIDE):
        with pytest.raises(StoreError, match="could not write: database or disk is full"):
            mail.append("m", [write("m", 500)], beside=beside)
    mail.transact(lambda connection: connection.execute("PRAGMA max_page_count = 1000000").close())
    mail.append("m", [write("m", 500)], beside=HIDE)
    assert len(mail.read("m")) == 500


def test_a_writer_that_could_not_read_after_a_rollback_reads_before_it_writes_again(sqlite: SqliteRecorder) -> None:
    sqlite.append("m", [write("m", 1)])
    batch, real = sqlite._writer._batch, sqlite._writer._connection

    class Failing:
        """A disk that fails at a commit, and goes on failing."""

        in_transaction = property(lambda self: real.in_transaction)

        def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
            if sql == "COMMIT" or "max(position)" in sql:
                raise sqlite3.OperationalError("disk I/O error")
            return real.execute(sql, *values)

        def __getattr__(self, name: str) -> Any:
            return getattr(real, name)

    with pytest.MonkeyPatch.context() as patch:
        for one in (sqlite._writer, batch):
            patch.setattr(one, "_connection", Failing())
        with pytest.raises(StoreError, match="disk I/O error"):
            sqlite.append("m", [write("m", 1, sqlite.head("m"))])
    assert sqlite.head("m").version == 1
    sqlite.append("m", [write("m", 1, sqlite.head("m"))])
    assert sqlite.head("m").version == 2


def test_a_store_that_is_gone_fails_requests_one_by_one(
    sqlite: SqliteRecorder, caplog: pytest.LogCaptureFixture
) -> None:
    sqlite._connection.close()
    for _ in range(2):
        with pytest.raises(StoreError, match="closed database"):
            sqlite.append("m", [write("m", 1)])
    assert "could not roll back" in caplog.text


def test_many_appends_share_commits_and_one_that_breaks_its_group_harms_no_other(path: Path) -> None:
    told: list[frozenset[str]] = []
    recorder = SqliteRecorder(path, on_commit=told.append)
    matches = [f"m{number}" for number in range(writer.GROUP + 9)]
    assert len(recorder.append_all([Append(match, (write(match, 1),)) for match in matches])) == len(matches)
    assert [len(committed) for committed in told] == [writer.GROUP, 9]
    told.clear()
    # SQLite refuses it only when the whole group is stored
    broken = Append("o", (), Command("c", b"bytes"))  # type: ignore[arg-type]
    first, refused, last = recorder.append_all([Append("p", (write("p", 1),)), broken, Append("q", (write("q", 1),))])
    recorder.close()
    assert isinstance(refused, BrokenConstraint)
    assert isinstance(first, Appended)
    assert isinstance(last, Appended)
    assert told == [frozenset({"p"}), frozenset({"q"})]


def test_more_streams_than_are_remembered_are_looked_up(
    sqlite: SqliteRecorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "REMEMBERED", 2)
    for stream in ("a", "b", "c", "a", "b"):
        sqlite.append(stream, [write(stream, 1, sqlite.head(stream))])
    many = sealed("d", 9)
    # more streams than that in one group: what is not stored yet must not be forgotten
    writes = [one for i in range(4) for one in (Write("d", i, many[i : i + 1]), write(f"e{i}", 1))]
    results = sqlite.append_all([Append(one.stream, (one,)) for one in writes])
    assert [type(result) for result in results] == [Appended] * 8
    assert [sqlite.head(stream).version for stream in "abcd"] == [2, 2, 1, 4]


def test_closing_finishes_what_was_submitted(path: Path) -> None:
    recorder = SqliteRecorder(path)
    waiting = [recorder.submit(Append(f"m{i}", (write(f"m{i}", 1),))) for i in range(1000)]
    recorder.close()
    assert all(not one.result().repeated for one in waiting)
    with pytest.raises(StoreError, match="closed"):
        recorder.append("m", [write("m", 1)])
    with pytest.raises(StoreError, match="closed"):
        recorder.read("m")
    assert len(SqliteRecorder.open_to_read(path).matches()) == 1000


def test_a_forked_process_can_t_write(sqlite: SqliteRecorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getpid", lambda: -1)
    with pytest.raises(StoreError, match="forked"):
        sqlite.append("m", [write("m", 1)])


def test_a_reader_writes_nothing_and_its_error_is_the_store_s(mail: SqliteRecorder) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        mail.reader().execute(MAIL, HIDE[0].named)
    assert mail.reader() is mail.reader()
    mail.reader().close()
    with pytest.raises(StoreError, match="could not read"):
        mail.read("m")


def test_a_thread_s_connection_goes_with_it(sqlite: SqliteRecorder) -> None:
    thread = threading.Thread(target=sqlite.read, args=("m",))
    thread.start()
    thread.join()
    gc.collect()
    assert len(sqlite._readers) == 0


def test_commands_that_nobody_expected_to_be_repeated_are_acted_on_once(sqlite: SqliteRecorder) -> None:
    """Also those that store nothing, beside others in one transaction, and with statements of the caller's."""
    recorder = sqlite
    recorder.transact(lambda connection: connection.execute("CREATE TABLE notes (note TEXT) STRICT").close())
    command, note = Command("once", "digest"), Statement("INSERT INTO notes VALUES ('noted')")
    assert not recorder.append("m", [Write("m", 0)], command=command, beside=[note]).repeated
    waiting = [recorder.submit(Append("m", (Write("m", 0),), command, beside=beside)) for beside in ([note], []) * 20]
    others = [recorder.submit(Append(f"m{n}", (Write(f"m{n}", 0),), command)) for n in range(20)]
    assert all(one.result().repeated for one in waiting)
    assert not any(one.result().repeated for one in others)
    assert recorder.reader().execute("SELECT count(*) FROM notes").fetchone() == (1,)
    with pytest.raises(CommandReused):
        recorder.append("m", [Write("m", 0)], command=Command("once", "another"))
