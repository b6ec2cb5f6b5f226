"""What stands beside the log, alike on SQLite and on PostgreSQL: callers' tables, what is kept by name, who listens."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import pytest

from events import stores
from events.chain import Head, head_of
from events.postgres import PostgresRecorder
from events.queries import KEEP, find_kept, keep
from events.sqlite import SqliteRecorder
from events.store import (
    Append,
    Appended,
    BrokenConstraint,
    Command,
    CommandReused,
    Decision,
    MissingValue,
    Span,
    StaleVersion,
    Statement,
    Store,
    StoreError,
    Write,
    partition_of,
)
from events.stores import open_to_write
from tests.events.streams import HIDE, addresses, everything, neighbour, sealed, with_mail, write


@pytest.fixture(params=["sqlite", pytest.param("postgres_store", marks=pytest.mark.postgres)])
def mail(request: pytest.FixtureRequest) -> Store:
    store: Store = request.getfixturevalue(request.param)
    return with_mail(store)


def test_what_stands_beside_is_written_in_the_same_transaction_and_once(mail: Store) -> None:
    for is_repeated in (False, True):
        appended = mail.append("m", [write("m", 1)], command=Command("c", "d"), beside=HIDE)
        assert (appended.repeated, addresses(mail)) == (is_repeated, ["a@example.org"])


def test_several_questions_are_answered_in_their_order(mail: Store) -> None:
    mail.append("m", [write("m", 1)], beside=HIDE)
    found = mail.find_each([Statement("SELECT address FROM mail"), Statement("SELECT 1 FROM mail WHERE address = ''")])
    assert [[tuple(row) for row in rows] for rows in found] == [[("a@example.org",)], []]


def test_in_a_transaction_of_the_caller_s_it_is_told_how_many_rows_were_written_and_whether_a_statement_is_wrong(
    mail: SqliteRecorder | PostgresRecorder,
) -> None:
    faults: list[bool] = []

    def execute(sql: str, connection: Any) -> int:
        try:
            return mail.execute(connection, Statement(sql))
        except Exception as error:
            faults.append(mail.is_fault(error))
            raise

    for sql, count in (("INSERT INTO mail VALUES ('a'), ('b')", 2), ("DELETE FROM mail WHERE address = 'c'", 0)):
        assert mail.transact(partial(execute, sql)) == count
    for sql in ("INSERT INTO mail VALUES ('a')", "INSERT INTO nowhere VALUES (1)"):
        with pytest.raises(StoreError):
            mail.transact(partial(execute, sql))
    assert faults == [True, True]
    assert not mail.is_fault(OSError())


def test_a_follower_s_position_is_noted(mail: Store) -> None:
    assert mail.position("mail", 0) == 0
    mail.note("mail", 0, 3)
    mail.note("mail", 1, 2)
    mail.note("mail", 0, 5)
    assert (mail.position("mail", 0), mail.position("mail", 1), mail.position("bots", 0)) == (5, 2, 0)


def test_a_failing_or_stale_append_leaves_nothing_of_itself(mail: Store) -> None:
    asked = (Decision("m", 0, 1, "", "player:1"),)
    with pytest.raises(StaleVersion):
        mail.append("m", [write("m", 1, Head(version=3))], beside=HIDE)
    assert addresses(mail) == []
    n = neighbour(mail, "m")
    mail.append(n, [write(n, 1)], beside=HIDE)
    with pytest.raises(BrokenConstraint):
        mail.append("m", [write("m", 2)], command=Command("c", "d"), decisions=asked, beside=HIDE)
    with pytest.raises(StoreError, match="nowhere"):
        mail.append("m", [write("m", 2)], beside=[Statement("INSERT INTO nowhere VALUES (1)")])
    assert (mail.head("m"), mail.command("m", "c"), mail.decisions()) == (Head(), None, ())
    mail.append("m", [write("m", 2)], command=Command("c", "d"))
    assert [position for position, _ in everything(mail)] == [1, 2, 3]


def test_in_a_group_each_append_succeeds_or_fails_alone(mail: Store) -> None:
    sql = "CREATE TABLE child (address TEXT REFERENCES mail (address) DEFERRABLE INITIALLY DEFERRED)"
    mail.write([Statement(sql)])
    n = neighbour(mail, "m")
    o = neighbour(mail, n)
    second = head_of(sealed("m", 2))
    third = head_of(sealed("m", 1, second))
    results = mail.append_all(
        [
            Append("m", (write("m", 2),), Command("c", "d"), beside=HIDE),
            Append(n, (write(n, 1),), beside=HIDE),
            Append("m", (write("m", 1),)),
            Append("m", (write("m", 2),), Command("c", "d")),
            Append("m", (write("m", 2),), Command("c", "e")),
            Append(n, (write(n, 2),), Command("c", "d")),
            # only its commit fails
            Append(o, (write(o, 1),), beside=[Statement("INSERT INTO child VALUES ('nobody')")]),
            Append("m", (write("m", 1, second),), decisions=(Decision("m", 0, 3, "", "bot:"),)),
            Append("m", (write("m", 1, third),), decisions=(Decision("m", 1, 4, "", "bot:"),)),
        ]
    )
    kinds = [BrokenConstraint, StaleVersion, Appended, CommandReused, Appended, BrokenConstraint, Appended, Appended]
    assert [type(result) for result in results] == [Appended, *kinds]
    assert results[3] == Appended((Span("m", 1, 2),), repeated=True)
    assert (mail.head("m").version, mail.head(n).version, addresses(mail)) == (4, 2, ["a@example.org"])
    assert (set(mail.matches()), [one.seat for one in mail.decisions()]) == ({"m", n}, [1])
    assert [position for position, _ in everything(mail)] == [1, 2, 3, 4, 5, 6]


def test_whoever_listens_is_told_of_what_was_committed_and_harms_no_append(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[frozenset[str]] = []

    def listen(streams: frozenset[str]) -> None:
        told.append(streams)
        raise RuntimeError("deaf")

    store = open_to_write(url, on_commit=listen)
    for _ in range(2):
        store.append("m", [write("m", 1)], command=Command("c", "d"))
    with pytest.raises(StaleVersion):
        store.append("m", [write("m", 1)])
    store.append("m", [write("m/seat:1", 1)])
    store.append("m", [Write("m", 1)])
    store.note("mail", 0, 1)
    assert store.head("m").version == 1
    store.close()
    assert told == [frozenset({"m"}), frozenset({"m/seat:1"}), frozenset({"m"})]
    assert "on_commit failed" in caplog.text
    for ask in (lambda: store.append("m", [write("m", 1)]), lambda: store.head("m")):
        with pytest.raises(StoreError, match="closed"):
            ask()


def test_what_is_kept_is_found_by_its_name_and_replaced_only_by_who_knows_what_it_was(url: str) -> None:
    store = stores.open_to_write(url)
    assert find_kept(store, "a") is None
    assert not keep(store, "a", b"2", b"1")
    assert keep(store, "a", b"\x001")
    assert not keep(store, "a", b"2"), "there is one"
    assert keep(store, "a", b"2", b"\x001")
    assert not keep(store, "a", b"3", b"\x001")
    with pytest.raises(MissingValue):
        store.write([Statement(KEEP, {"name": "b", "content": None}, "b")])
    reader = stores.open_to_read(url)
    assert (find_kept(reader, "a"), find_kept(reader, "b")) == (b"2", None)
    reader.close()
    store.probe()
    store.close()


@pytest.mark.parametrize("before", [None, b"0"])
def test_of_many_who_keep_something_at_once_one_does(url: str, before: bytes | None) -> None:
    several = [stores.open_to_write(url) for _ in range(2)]
    if before is not None:
        keep(several[0], "keys", before)
    barrier = Barrier(8)

    def keep_one(number: int) -> bool:
        barrier.wait()
        return keep(several[number % 2], "keys", b"%d" % (number + 1), before)

    with ThreadPoolExecutor(8) as threads:
        done = list(threads.map(keep_one, range(8)))
    assert done.count(True) == 1
    assert find_kept(several[0], "keys") == b"%d" % (done.index(True) + 1)
    for store in several:
        store.close()


def test_a_name_lies_in_its_own_partition_of_postgres(postgres_url: str) -> None:
    store = stores.open_to_write(postgres_url)
    for number in range(40):
        keep(store, f"pack/{number}", b"")
    sql = "SELECT partition, name FROM kept WHERE partition = :partition"
    rows = store.find_everywhere(sql)
    store.close()
    assert len(rows) == 40
    assert len({partition for partition, _ in rows}) > 1
    assert all(partition == partition_of(name, store.partitions) for partition, name in rows)
