"""The statements and tables of the service, as a store of many partitions needs them; and what a page of the lobby
reads: for every filter and every pair of filters as much as it shows, of however many.

No time is measured. Of SQLite the steps of its machine are counted, of PostgreSQL the rows that its plan has touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import msgspec
import pytest

from benchmarks.filters import ME, fill, made, wanted
from events.postgres import PostgresRecorder
from events.postgres.asking import as_psycopg
from events.postgres.opening import connect, plan_by_index
from events.queries import FIND_KEPT, KEEP, REPLACE
from events.sqlite import SqliteRecorder
from events.store import Statement, Store
from service import store as tables
from service import wiring
from service.config import Config
from service.store import Wanted, clocks, listing, mailing, people, results, statements, turns

OF_EVERYBODY = {
    *("players", "tokens", "mailing", "vacations", "pulse", "outages", "recoveries", "passes", "subscriptions"),
    *("mutes", "learnt"),
}
"""Tables that belong to no match: a distributed PostgreSQL has a copy of them everywhere."""

PARTITIONED = {
    *("matches", "seats", "agreements", "sittings", "declined", "requests", "events", "decisions"),
    *("clocks", "pauses", "reminders", "reminded", "history", "deliveries", "orders", "quiet"),
    *("kept", "positions", "set_aside", "played", "results", "rematches", "talk", "reports", "offers", "consents"),
    *("listed", "reviews", "review_wishes", "judged", "hints"),
}
Both = tuple[SqliteRecorder, PostgresRecorder]

TABLE = re.compile(r"\b(FROM|JOIN|INTO|UPDATE) (\w+)")
BOUND = re.compile(r"\bpartition = ")
COLUMNS = """
SELECT table_name, column_name, is_nullable = 'NO' FROM information_schema.columns WHERE table_schema = 'public'
"""


def pages() -> Iterator[str]:
    """What the lobby asks for a page, with all that can be wanted."""
    of_match: dict[str, Any] = {"game": "g", "seats": 2, "after": ("m", "i")}
    for me in ("", "p"):
        for more in ({}, {"mine": True}, {"player": "q", "result": "won"}, {"since": "t"}, {"free": True}):
            for speed in (None, *listing.SPEEDS):
                for one in (Wanted(), Wanted(**of_match, **more, speed=speed)):
                    if (asked := listing.page_of(me, one)) is not None:
                        yield asked[0]


MODULES = [import_module(f"service.store.{one.name}") for one in iter_modules(tables.__path__)]
NAMED = {
    f"{module.__name__.rpartition('.')[2]}.{name}": text for module in MODULES for name, text in vars(module).items()
}
STATEMENTS = {
    name: text.strip()
    for name, text in (NAMED | statements.READ).items()
    if isinstance(text, str) and re.match(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH) ", text)
}
STATEMENTS |= {"FIND_KEPT": FIND_KEPT, "KEEP": KEEP, "REPLACE": REPLACE}
STATEMENTS |= {f"page-{number}": sql for number, sql in enumerate(pages())}
DECLARED = (*map(str.strip, statements.DECLARED), *people.IN_MATCHES, *people.EVERYWHERE)
STATEMENTS |= {f"declared-{number}": sql for number, sql in enumerate(DECLARED)}


def unbound(sql: str) -> int:
    """How many of its partitioned tables it does not keep to one partition."""
    named = [table for kind, table in TABLE.findall(sql) if table in PARTITIONED and kind != "INTO"]
    return len(named) - len(BOUND.findall(sql))


def test_the_catalogue_is_whole() -> None:
    assert {table for sql in STATEMENTS.values() for _, table in TABLE.findall(sql)} >= PARTITIONED | OF_EVERYBODY
    assert len(STATEMENTS) > 25


def test_every_statement_that_is_read_from_a_file_is_used() -> None:
    files = [path for path in Path(tables.__path__[0]).iterdir() if path.suffix in {".py", ".sql"}]
    used = {name.strip('{}"') for path in files for name in re.findall(r'\{\w+\}|"\w+"', path.read_text())}
    assert {name.rpartition(".")[2] for name in statements.READ} <= used


def test_no_statement_of_the_service_spans_two_partitions() -> None:
    for name, sql in STATEMENTS.items():
        assert unbound(sql) == 0, name
        if (into := re.match(r"INSERT INTO (\w+) ", sql)) and into[1] in PARTITIONED:
            assert sql.startswith(f"INSERT INTO {into[1]} (partition, "), name


def tables_in(store: SqliteRecorder) -> list[str]:
    return [name for (name,) in store.find(Statement("SELECT name FROM sqlite_schema WHERE type = 'table'"))]


def test_the_page_for_operators_distributes_every_table(both: Both) -> None:
    page = (Path(__file__).parents[3] / "docs" / "operating.md").read_text()
    told = re.findall(r"SELECT create_(reference|distributed)_table\('(\w+)'", page)
    assert {table for _, table in told} == {*tables_in(both[0])} - {"store", "service"}
    assert {table for kind, table in told if kind == "reference"} == OF_EVERYBODY


@pytest.fixture
def both(tmp_path: Path, postgres_url: str) -> Iterator[Both]:
    """An empty store of the service of each kind."""
    one = wiring.open_store(Config(data=tmp_path))
    other = wiring.open_store(Config(data=tmp_path, store=postgres_url))
    assert isinstance(one, SqliteRecorder)
    assert isinstance(other, PostgresRecorder)
    yield one, other
    one.close()
    other.close()


def test_both_stores_have_the_same_tables_with_the_same_columns_in_postgres_and_sqlite(both: Both) -> None:
    sqlite, postgres = both
    found: dict[str, set[tuple[str, bool]]] = {}
    for table, column, is_needed in postgres.find(Statement(COLUMNS)):
        found.setdefault(table, set()).add((column, is_needed))
    assert set(tables_in(sqlite)) == set(found)
    for table in set(found) - {"store", "service"}:
        ours = sqlite.find(Statement(f"PRAGMA table_info({table})"))
        assert {(name, bool(is_needed or key)) for _, name, _, is_needed, _, key in ours} == found[table], table


def test_every_key_of_the_service_s_postgres_tables_begins_with_the_partition(both: Both) -> None:
    sql = (
        "SELECT c.relname, a.attname FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid"
        " JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]"
        " WHERE c.relnamespace = 'public'::regnamespace"
    )
    keys = both[1].find(Statement(sql))
    assert {table for table, column in keys if column != "partition"} == OF_EVERYBODY


@pytest.mark.parametrize(
    "sql",
    [
        *(turns.SQL["of_match"], turns.SQL["page"], results.SQL["page"], clocks.SQL["due"], clocks.DUE_LAST),
        mailing.SQL["quiet"],
    ],
)
def test_what_sweeps_profiles_and_settings_ask_for_goes_by_index(tmp_path: Path, sql: str) -> None:
    named = dict.fromkeys(("who", "match", "seat", "most", "player", "moment", "after", "limit", "now"), "~")
    with closing(wiring.open_store(Config(data=tmp_path))) as store:
        plan = [str(row[3]) for row in store.find_everywhere(f"EXPLAIN QUERY PLAN {sql}", **named)]
    assert [step for step in plan if step.startswith("SEARCH")]
    # what is due is first found by index, of each sort
    wrong = r"SCAN (?!late|slow|paused)|.*TEMP B-TREE|SEARCH .*\(partition=\?\)"
    assert not [step for step in plan if re.match(wrong, step)], plan


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
