"""What a page of the lobby reads: for every filter and every pair of filters as much as it shows, of however many.

No time is measured. Of SQLite the steps of its machine are counted, of PostgreSQL the rows that its plan has touched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchmarks.filters import ME, fill, made, wanted
from events.postgres import PostgresRecorder
from events.postgres.asking import as_psycopg
from events.postgres.opening import connect, plan_by_index
from events.sqlite import SqliteRecorder
from events.store import Store
from service.store import Wanted, listing

FEW, MANY = 60, 400

LIMIT = 5

EACH = 10
"""The steps of SQLite are counted by so many."""


def questions() -> Iterator[tuple[str, Wanted]]:
    for name, one in wanted():
        yield name, msgspec.structs.replace(one, limit=LIMIT)


def steps_of(store: SqliteRecorder, deed: Callable[[], object]) -> int:
    """How many steps SQLite takes for the deed, once its statements are prepared."""
    deed()
    taken: list[None] = []
    store.reader().set_progress_handler(lambda: taken.append(None), EACH)
    try:
        deed()
    finally:
        store.reader().set_progress_handler(None, 0)
    return len(taken)


def find(store: Store, one: Wanted) -> int:
    """How many a page finds. What its rows tell beside is read for them alone, by id."""
    found = listing.page_of(ME, one)
    return 0 if found is None else len(store.find_everywhere(found[0], **found[1]))


def deep(store: Store, one: Wanted) -> Wanted:
    """The last page but one of what is asked for."""
    found = listing.page_of(ME, msgspec.structs.replace(one, limit=10_000))
    rows = [] if found is None else sorted(store.find_everywhere(found[0], **found[1]), reverse=True)
    return msgspec.structs.replace(one, after=rows[-2 * LIMIT]) if len(rows) > 2 * LIMIT else one


def steps_of_all(store: SqliteRecorder) -> dict[str, int]:
    """By filter and pair, first page and deep one."""
    found = {}
    for name, one in questions():
        found[name] = steps_of(store, partial(find, store, one))
        found[f"{name}, deep"] = steps_of(store, partial(find, store, deep(store, one)))
    return found


def test_every_filter_and_every_pair_reads_what_it_shows_on_sqlite(tmp_path: Path) -> None:
    with closing(made(SqliteRecorder(tmp_path / "s.db"), FEW)) as store:
        assert isinstance(store, SqliteRecorder)
        before = steps_of_all(store)
        fill(store, FEW, MANY)
        after = steps_of_all(store)
    assert len(before) == 2 * (1 + 10 + 45)
    # a page that was not full before is full now
    most = max(before.values())
    assert {name: (before[name], steps) for name, steps in after.items() if steps > 1.2 * most} == {}
    assert min(after.values()) < most / 4, "pages that find nothing are among them"


@pytest.mark.postgres
@pytest.mark.parametrize("is_known", [False, True])
def test_every_filter_and_every_pair_reads_what_it_shows_on_postgres(postgres_url: str, is_known: bool) -> None:
    """Whether the server has looked at what the tables hold or not."""
    store = made(PostgresRecorder(postgres_url, partitions=1), MANY)
    with closing(store), closing(connect(postgres_url)) as connection:
        plan_by_index(connection)
        if is_known:
            connection.execute("ANALYZE")
        rows = {
            (name, is_deep): touched(connection, asked[0], {**asked[1], "partition": 0})
            for name, one in questions()
            for is_deep, each in enumerate((one, deep(store, one)))
            if (asked := listing.page_of(ME, each)) is not None
        }
    assert len(rows) > 2 * 40
    # each of two lists hands its rows through a few steps of the plan
    assert {name: read for name, read in rows.items() if read > 12 * (LIMIT + 1)} == {}


def touched(connection: Any, sql: str, named: dict[str, Any]) -> int:
    """The rows that the statement's plan has read, by the plan that is made without a look at its values."""
    (plan,) = connection.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {as_psycopg(sql)}", named).fetchone()
    return _rows_of(plan[0]["Plan"])


def _rows_of(node: dict[str, Any]) -> int:
    own = (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"]
    return int(own) + sum(_rows_of(one) for one in node.get("Plans", ()))
