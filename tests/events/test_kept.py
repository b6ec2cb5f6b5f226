"""What a store keeps by name, on SQLite and on PostgreSQL: once, whoever is faster."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from events import stores
from events.queries import KEEP, find_kept, keep
from events.store import MissingValue, Statement, partition_of


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
