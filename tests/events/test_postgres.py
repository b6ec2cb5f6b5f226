"""What the PostgreSQL store does beyond the contract: callers' own tables, commit groups, a server that fails."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial

import msgspec
import psycopg
import pytest

from events import queries, store
from events.chain import Head
from events.postgres import PostgresRecorder, committing, groups, recorder
from events.postgres.asking import as_psycopg
from events.postgres.committing import fill
from events.postgres.groups import Lane, Waiting
from events.postgres.opening import PARTITIONS
from events.queries import Rows
from events.sqlite import SqliteRecorder
from events.store import (
    Append,
    Appended,
    BrokenConstraint,
    Command,
    Decision,
    NulInText,
    StaleVersion,
    Statement,
    StoreError,
    StoreUnsure,
    Write,
    partition_of,
)
from tests.events.gates import GATE, gate, until
from tests.events.streams import HIDE, addresses, everything, neighbour, sealed, with_mail, write
from tests.postgres import Server

SHUT = Statement("ALTER ROLE gone NOLOGIN")
CUT = Statement("SELECT pg_terminate_backend(pg_backend_pid())")
M = partition_of("m", PARTITIONS)


@pytest.fixture
def mail(postgres_store: PostgresRecorder) -> PostgresRecorder:
    return with_mail(postgres_store)


def rows(store: PostgresRecorder, sql: str) -> list[tuple[object, ...]]:
    return store.transact(lambda connection: connection.execute(sql.encode()).fetchall())


def test_what_waits_for_a_partition_shares_a_commit(postgres_url: str, postgres_store: PostgresRecorder) -> None:
    matches = [id for id in (f"m{number}" for number in range(300)) if partition_of(id, PARTITIONS) == M][:9]
    with ThreadPoolExecutor(10) as threads:
        with gate(postgres_url) as shut:
            threads.submit(postgres_store.append, "m", [write("m", 1)], beside=[GATE])
            until(lambda: shut.is_held_up(1))
            waiting = [threads.submit(postgres_store.append, match, [write(match, 1)]) for match in matches]
            until(lambda: len(postgres_store._committer.lanes[M]._waiting) == len(matches))
        for future in waiting:
            future.result()
    assert rows(postgres_store, "SELECT count(DISTINCT xmin::text) FROM events") == [(2,)]


def test_many_appends_are_a_commit_a_partition_and_one_that_fails_fails_alone(mail: PostgresRecorder) -> None:
    matches = [f"m{number}" for number in range(40)]
    bad = neighbour(mail, "m0")
    asked = [Append(match, (write(match, 1),)) for match in matches]
    nowhere = Append(bad, (write(bad, 1),), beside=[Statement("INSERT INTO nowhere VALUES (1)")])
    results = mail.append_all(asked)
    partitions = {partition_of(match, PARTITIONS) for match in matches}
    assert rows(mail, "SELECT count(DISTINCT xmin::text) FROM events") == [(len(partitions),)]
    assert all(isinstance(result, Appended) for result in results)
    on = [Append(match, (write(match, 1, mail.head(match)),)) for match in matches]
    failed, *others = mail.append_all([nowhere, *on])
    assert isinstance(failed, StoreError)
    assert [result for result in others if not isinstance(result, Appended)] == []
    assert bad not in mail.matches()


def test_what_was_cut_off_is_looked_up_by_its_rows(mail: PostgresRecorder) -> None:
    """The number of its transaction is not enough: a server that crashed may give it to another."""
    end = [Statement("COMMIT"), CUT]
    with pytest.raises(StoreError, match="the store could not write"):
        mail.append("m", [write("m", 2)], beside=[*HIDE, CUT])
    assert (mail.head("m").version, addresses(mail)) == (0, []), "it was not committed yet"
    assert not mail.append("m", [write("m", 2)], beside=[*HIDE, *end]).repeated
    assert (mail.head("m").version, addresses(mail)) == (2, ["a@example.org"])
    assert not mail.append("m", [], command=Command("c", "d"), beside=end).repeated
    assert mail.command("m", "c") == (Command("c", "d"), Appended((), repeated=True))
    with pytest.raises(StoreUnsure, match="nothing tells whether it did"):
        mail.append("m", [], decisions=(Decision("m", 0, 1, "", "bot:"),), beside=end)


def test_a_transaction_s_number_that_another_was_given_tells_nothing(postgres_store: PostgresRecorder) -> None:
    """As a server does that crashed before it had written anything of the first."""
    ((number,),) = rows(postgres_store, "SELECT pg_current_xact_id()::text")
    (event,) = sealed("m", 1)
    lost = Rows(events=[(*msgspec.structs.astuple(event), 1)])
    cut = committing.CutOff(str(number), [], lost)
    assert not postgres_store._committer._has_committed(M, cut)
    postgres_store.append("m", [Write("m", 0, (event,))])
    assert postgres_store._committer._has_committed(M, cut)


def test_who_can_t_be_told_whether_it_was_stored_is_told_so(
    postgres_server: Server, postgres_url: str, postgres_store: PostgresRecorder
) -> None:
    """The connection ends between the commit and its answer, and no other can be had."""
    postgres_server.execute("CREATE ROLE gone SUPERUSER LOGIN")
    store = PostgresRecorder(postgres_url.replace("user=postgres", "user=gone"), connections=1, wait=0.1)
    with pytest.raises(StoreUnsure, match="was cut off while it committed"):
        store.append("m", [write("m", 2)], beside=[SHUT, Statement("COMMIT"), CUT])
    with pytest.raises(StoreError, match="the store could not write"):
        store.append("n", [write("n", 2)])
    with pytest.raises(StoreError, match="the store could not read"):
        store.head("n")
    assert (postgres_store.head("m").version, postgres_store.head("n").version) == (2, 0)
    store.close()
    postgres_server.execute("DROP ROLE gone")


def test_a_store_that_was_closed_meanwhile_says_so(postgres_store: PostgresRecorder) -> None:
    postgres_store._pool.close()
    for ask in (
        lambda: postgres_store.append("m", [write("m", 1)]),
        lambda: postgres_store.head("m"),
        lambda: postgres_store.note("mail", 1, 7),
    ):
        with pytest.raises(StoreError, match="the store is closed"):
            ask()


def test_a_connection_that_broke_meanwhile_is_replaced(postgres_store: PostgresRecorder, postgres_url: str) -> None:
    end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> %s"
    for ask in (
        lambda: postgres_store.head("m"),
        lambda: postgres_store.append("m", [write("m", 2)]),
        lambda: postgres_store.append("n", [write("n", 1)], beside=[Statement("SELECT 1")]),
        lambda: postgres_store.note("mail", 1, 7),
    ):
        with psycopg.connect(postgres_url) as other:
            other.execute(end, (other.info.backend_pid,))
        ask()
    assert (postgres_store.head("m").version, postgres_store.position("mail", 1)) == (2, 7)


def test_a_connection_that_the_server_has_ended_because_it_was_idle_is_replaced(postgres_url: str) -> None:
    name, ended = psycopg.conninfo.conninfo_to_dict(postgres_url)["dbname"], "SELECT count(*) FROM pg_stat_activity"
    with psycopg.connect(postgres_url, autocommit=True) as other:
        other.execute(f"ALTER DATABASE {name} SET idle_session_timeout = 200".encode())
        with closing(PostgresRecorder(postgres_url)) as store:
            for ask in (
                lambda: store.head("m"),
                lambda: store.append("m", [write("m", 2)]),
                lambda: store.note("mail", 1, 7),
            ):
                until(lambda: other.execute(f"{ended} WHERE datname = '{name}'".encode()).fetchall() == [(1,)])
                ask()
            assert (store.head("m").version, store.position("mail", 1)) == (2, 7)


def test_a_transaction_of_the_caller_s_that_fails_or_is_cut_off_is_tried_anew_or_told(mail: PostgresRecorder) -> None:
    with pytest.raises(ZeroDivisionError):
        mail.transact(lambda connection: (connection.execute("INSERT INTO mail VALUES ('a')"), 1 / 0))
    with pytest.raises(StoreError, match="division by zero"):
        mail.transact(lambda connection: connection.execute("SELECT 1 / 0"))
    with pytest.raises(StoreError, match="break one after the other"):
        mail._run(lambda connection: connection.execute(CUT.sql.encode()).fetchall())
    with pytest.raises(StoreError, match="break one after the other"):
        mail.write([*HIDE, CUT])
    assert mail.find(Statement("SELECT 1 FROM mail")) == []
    ends = (
        "CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END'"
    )
    mail.write([Statement(ends)])
    at_commit = "CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON mail DEFERRABLE INITIALLY DEFERRED FOR EACH ROW"
    mail.write([Statement(f"{at_commit} EXECUTE FUNCTION cut()")])
    with pytest.raises(StoreUnsure):
        mail.write(HIDE)


def test_nothing_is_logged_of_the_statements_after_one_that_is_refused(
    mail: PostgresRecorder, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(BrokenConstraint):
        mail.write([*HIDE * 2, *[Statement("SELECT 1")] * 500])
    assert caplog.records == []


def test_writers_that_lock_each_other_out_all_store(postgres_url: str, mail: PostgresRecorder) -> None:
    """They take rows of the caller's own tables in opposite orders, so the server ends one of each two."""
    mail.transact(lambda connection: connection.execute("INSERT INTO mail VALUES ('a'), ('b')").close())
    name = psycopg.conninfo.conninfo_to_dict(postgres_url)["dbname"]
    mail.write([Statement(f"ALTER DATABASE {name} SET deadlock_timeout = 10")])
    store = PostgresRecorder(postgres_url)
    sql = "UPDATE mail SET address = address WHERE address = :taken"
    a, b = Statement(sql, {"taken": "a"}), Statement(sql, {"taken": "b"})
    with ThreadPoolExecutor(2) as threads:
        with gate(postgres_url) as shut:
            futures = [
                threads.submit(store.append, "m", [write("m", 1)], beside=[a, GATE, b]),
                threads.submit(store.append, "n", [write("n", 1)], beside=[b, GATE, a]),
            ]
            until(lambda: shut.is_held_up(2))
        for future in futures:
            future.result()
        with gate(postgres_url) as shut:
            writes = [
                threads.submit(store.write, [*taken, Statement("INSERT INTO mail VALUES (:who)", {"who": who})])
                for who, taken in (("c", (a, GATE, b)), ("d", (b, GATE, a)))
            ]
            until(lambda: shut.is_held_up(2))
        for written in writes:
            written.result()
    assert store.matches() == ("m", "n")
    assert len(store.find(Statement("SELECT 1 FROM mail"))) == 4
    store.close()


def test_a_lane_goes_on_after_whoever_led_it_was_ended() -> None:
    def commit(group: list[Waiting]) -> None:
        raise KeyboardInterrupt

    lane = Lane(commit)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            lane.run([Append("m", ())])

    def answer_and_stop(group: list[Waiting]) -> None:
        group[0].result = Appended(())
        raise KeyboardInterrupt

    lane = Lane(answer_and_stop)
    with pytest.raises(KeyboardInterrupt):
        lane.run([Append("m", ())])
    assert len(lane._waiting) == 0


def test_a_server_that_is_killed_loses_nothing_and_doubles_nothing(
    postgres_server: Server, postgres_url: str, postgres_store: PostgresRecorder
) -> None:
    """Four writers go on through two kills, each with the same command until it is answered."""
    acknowledged: list[tuple[str, int]] = []

    def append(match: str) -> None:
        for version in range(40):
            command = Command(f"{match}-{version}", "d")
            while True:
                try:
                    one = write(match, 1, postgres_store.head(match))
                    postgres_store.append(match, [one], command=command)
                    break
                except StaleVersion:
                    raise
                except StoreError:
                    continue
            acknowledged.append((match, version))

    with ThreadPoolExecutor(4) as threads:
        futures = [threads.submit(append, match) for match in "mnop"]
        for enough in (20, 60):
            until(lambda enough=enough: len(acknowledged) >= enough)  # type: ignore[misc]
            postgres_server.kill()
            postgres_server.start()
        for future in futures:
            future.result()
    for match in "mnop":
        assert [event.version for event in postgres_store.read(match)] == list(range(1, 41))


def test_both_stores_have_the_same_columns_in_the_same_order(
    sqlite: SqliteRecorder, postgres_store: PostgresRecorder
) -> None:
    for table in ("events", "commands", "decisions", "positions", "proofs", "kept"):
        ours = [name for _, name, *_ in sqlite.reader().execute(f"PRAGMA table_info({table})")]
        sql = "SELECT column_name FROM information_schema.columns WHERE table_name = '{}' ORDER BY ordinal_position"
        assert [name for (name,) in rows(postgres_store, sql.format(table))] == ours, table


STATEMENTS = {
    f"{module.__name__.rpartition('.')[2]}.{name}": text
    for module in (store, queries, recorder, committing, groups)
    for name, text in vars(module).items()
    if isinstance(text, str)
    and text.startswith(("SELECT", "DELETE", "INSERT"))
    and "pg_" not in text
    and name != "RUNNING"
}
"""All statements but the one that is asked of a store before it is opened."""


@pytest.mark.parametrize("name", STATEMENTS)
def test_no_statement_of_the_postgres_store_spans_two_partitions(name: str) -> None:
    sql = STATEMENTS[name]
    places = sql.count("FROM ") + sql.count("JOIN ") - sql.count("FROM (") - sql.count("FROM unnest")
    if sql.startswith("INSERT"):
        assert "(partition, " in sql
    else:
        assert places >= 1
        bound = sum(sql.count(f"partition = {place}") for place in (":partition", "%", "$1"))
        assert bound == places - sql.count("JOIN LATERAL")


def test_statements_are_written_once_for_both_stores() -> None:
    assert as_psycopg("SELECT ? , '?%', a::text WHERE b = :name") == "SELECT %s , '?%%', a::text WHERE b = %(name)s"
    assert as_psycopg("SELECT \"a?\" LIKE '%' || ? % 2") == "SELECT \"a?\" LIKE '%%' || %s %% 2"


NUL = "player:\0"


def test_what_brings_nul_is_refused_alone_and_it_is_never_found(postgres_store: PostgresRecorder) -> None:
    n = neighbour(postgres_store, "m")
    asked = (Decision(n, 0, 1, "", NUL),)
    good, bad = postgres_store.append_all([Append("m", (write("m", 1),)), Append(n, (write(n, 1),), decisions=asked)])
    assert isinstance(good, Appended)
    assert isinstance(bad, NulInText)
    stands = Statement("SELECT 1 FROM events WHERE stream = :stream", {"stream": NUL})
    with pytest.raises(NulInText):
        postgres_store.append("m", [], command=Command(NUL, "d"))
    with pytest.raises(NulInText):
        postgres_store.write([stands])
    assert postgres_store.matches() == ("m",)
    assert (postgres_store.head(NUL), postgres_store.read(NUL), postgres_store.command("m", NUL)) == (Head(), (), None)
    assert (postgres_store.decisions(NUL), postgres_store.find(stands)) == ((), [])
    assert postgres_store.find_everywhere(stands.sql, stream=NUL) == []


def test_events_of_another_store_keep_their_order_in_each_partition(
    sqlite: SqliteRecorder, postgres_store: PostgresRecorder
) -> None:
    for match, count in (("m", 2), ("n", 3), ("m/seat:0", 1)):
        sqlite.append(match.partition("/")[0], [write(match, count)])
    told = everything(sqlite)
    for part in (told[:4], told[4:]):
        postgres_store.transact(partial(fill, partitions=PARTITIONS, events=part, follower="copy"))
    assert [postgres_store.read(stream) for stream in ("m", "n", "m/seat:0")] == [
        sqlite.read(stream) for stream in ("m", "n", "m/seat:0")
    ]
    assert [position for position, _ in everything(postgres_store)] == [1, 2, 3, 1, 2, 3]
    assert postgres_store.position("copy", 0) == told[-1][0]
