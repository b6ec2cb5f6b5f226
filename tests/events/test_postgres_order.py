"""Who follows a partition of a PostgreSQL store by its positions misses no event and is told none twice."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from events.chain import Stored
from events.postgres import PostgresRecorder, committing, groups
from events.postgres.opening import PARTITIONS
from events.store import Recorder, Statement, StoreError, partition_of
from tests.events.gates import GATE, gate, until
from tests.events.streams import neighbour, write

PARTITION = 3
WRITERS = 8
APPENDS = 25


class Follower:
    """Reads a partition on and on, a few events at a time."""

    def __init__(self, recorder: Recorder, partition: int) -> None:
        self.recorder = recorder
        self.partition = partition
        self.seen: list[tuple[int, Stored]] = []

    def follow(self) -> None:
        """Read up to where it ends."""
        while found := self.recorder.read_all(self.partition, self.seen[-1][0] if self.seen else 0, 3):
            self.seen.extend(found)

    def missed(self) -> set[str]:
        """Streams of the partition that it was not told of."""
        told = {event.stream for _, event in self.seen}
        return {event.stream for _, event in self.recorder.read_all(self.partition, 0, 100_000)} - told


def naive(monkeypatch: pytest.MonkeyPatch, recorder: PostgresRecorder) -> None:
    """Have positions come from a sequence, and nobody wait for anybody."""
    recorder.transact(lambda connection: connection.execute("CREATE SEQUENCE naive INCREMENT 100").close())
    last = "SELECT max(position) FROM events WHERE partition = $1"
    assert last in committing.FIND_ENDS
    monkeypatch.setattr(committing, "FIND_ENDS", committing.FIND_ENDS.replace(last, "SELECT nextval('naive')"))
    monkeypatch.setattr(groups, "LAST", "SELECT nextval('naive')")
    monkeypatch.setattr(committing, "LOCKED", "SELECT $1::text || $2::text, pg_current_xact_id()::text")


@pytest.mark.parametrize("is_naive", [False, True])
def test_who_commits_late_is_not_skipped(
    postgres_url: str, postgres_store: PostgresRecorder, monkeypatch: pytest.MonkeyPatch, is_naive: bool
) -> None:
    """The second writer is done before the first: positions of a sequence would be read past. So the check can fail."""
    other = PostgresRecorder(postgres_url)
    if is_naive:
        naive(monkeypatch, postgres_store)
    follower = Follower(postgres_store, partition_of("m", PARTITIONS))
    n = neighbour(postgres_store, "m")
    with ThreadPoolExecutor(2) as threads:
        with gate(postgres_url) as shut:
            first = threads.submit(postgres_store.append, "m", [write("m", 2)], beside=[GATE])
            until(lambda: shut.is_held_up(1))
            second = threads.submit(other.append, n, [write(n, 2)])
            until(lambda: second.done() or shut.is_held_up(2))
            follower.follow()
        first.result()
        second.result()
    follower.follow()
    assert follower.missed() == ({"m"} if is_naive else set())
    other.close()


def test_partitions_do_not_wait_for_each_other(postgres_url: str, postgres_store: PostgresRecorder) -> None:
    assert partition_of("m", PARTITIONS) != partition_of("n", 16)
    with ThreadPoolExecutor(2) as threads:
        with gate(postgres_url) as shut:
            held = threads.submit(postgres_store.append, "m", [write("m", 1)], beside=[GATE])
            until(lambda: shut.is_held_up(1))
            free = threads.submit(postgres_store.append, "n", [write("n", 1)])
            until(free.done)
            assert (postgres_store.matches(), held.done()) == (("n",), False)
        held.result()
    assert postgres_store.matches() == ("m", "n")


def beside(chance: random.Random) -> list[Statement]:
    """A transaction that takes its time, and may fail: by a statement, by its commit, or by the connection's end."""
    ends = {
        "1/0": Statement("SELECT 1 / (:one - 1)", {"one": 1}),
        "commit": Statement("INSERT INTO once VALUES (1), (1)"),
        "cut": Statement("SELECT pg_terminate_backend(pg_backend_pid())"),
    }
    pause = Statement("SELECT pg_sleep(:pause)", {"pause": chance.random() * 0.003})
    end = chance.choices([*ends, ""], [2, 2, 1, 12])[0]
    return [pause, ends[end]] if end else [pause]


def test_a_follower_misses_nothing_that_eight_writers_commit_or_roll_back(
    postgres_url: str, postgres_store: PostgresRecorder
) -> None:
    table = "CREATE TABLE once (value integer UNIQUE DEFERRABLE INITIALLY DEFERRED)"
    postgres_store.transact(lambda connection: connection.execute(table).close())
    ids = [id for id in (f"m{number}" for number in range(10_000)) if partition_of(id, PARTITIONS) == PARTITION]

    def append(writer: int) -> set[str]:
        chance = random.Random(writer)
        recorder = PostgresRecorder(postgres_url, connections=1)
        stored = set()
        for match in ids[writer * APPENDS : (writer + 1) * APPENDS]:
            try:
                recorder.append(match, [write(match, chance.randint(1, 3))], beside=beside(chance))
                stored.add(match)
            except StoreError:
                assert recorder.head(match).version == 0
        recorder.close()
        return stored

    follower = Follower(postgres_store, PARTITION)
    with ThreadPoolExecutor(WRITERS) as threads:
        appending = [threads.submit(append, writer) for writer in range(WRITERS)]
        while not all(future.done() for future in appending):
            follower.follow()
        stored = set().union(*(future.result() for future in appending))
    follower.follow()
    assert tuple(follower.seen) == postgres_store.read_all(PARTITION, 0, 100_000)
    assert {event.stream for _, event in follower.seen} == stored
    assert 0 < len(stored) < WRITERS * APPENDS


def test_who_follows_gets_past_positions_that_nothing_has(postgres_store: PostgresRecorder) -> None:
    postgres_store.append("m", [write("m", 4)])
    partition = partition_of("m", PARTITIONS)
    move = "UPDATE events SET position = position + 1000 WHERE partition = %s AND version > 2"
    postgres_store.transact(lambda connection: connection.execute(move, (partition,)).close())
    follower = Follower(postgres_store, partition)
    follower.follow()
    assert [position for position, _ in follower.seen] == [1, 2, 1003, 1004]
