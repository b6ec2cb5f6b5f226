"""The statements and tables of the service, as a store of many partitions needs them, on one machine or on many."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest

from events.postgres import PostgresRecorder
from events.queries import FIND_KEPT, KEEP, REPLACE
from events.sqlite import SqliteRecorder
from events.store import Statement
from service import store as tables
from service import wiring
from service.config import Config
from service.store import Wanted, erasing, listing, statements

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
                for wanted in (Wanted(), Wanted(**of_match, **more, speed=speed)):
                    if (asked := listing.page_of(me, wanted)) is not None:
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
DECLARED = (*map(str.strip, statements.DECLARED), *erasing.IN_MATCHES, *erasing.EVERYWHERE)
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


def test_the_page_for_operators_distributes_every_table(both: tuple[SqliteRecorder, PostgresRecorder]) -> None:
    page = (Path(__file__).parents[3] / "docs" / "operating.md").read_text()
    told = re.findall(r"SELECT create_(reference|distributed)_table\('(\w+)'", page)
    assert {table for _, table in told} == {*tables_in(both[0])} - {"store", "service"}
    assert {table for kind, table in told if kind == "reference"} == OF_EVERYBODY


@pytest.fixture
def both(tmp_path: Path, postgres_url: str) -> Iterator[tuple[SqliteRecorder, PostgresRecorder]]:
    """An empty store of the service of each kind."""
    one = wiring.open_store(Config(data=tmp_path))
    other = wiring.open_store(Config(data=tmp_path, store=postgres_url))
    assert isinstance(one, SqliteRecorder)
    assert isinstance(other, PostgresRecorder)
    yield one, other
    one.close()
    other.close()


def test_both_stores_have_the_same_tables_with_the_same_columns_in_postgres_and_sqlite(
    both: tuple[SqliteRecorder, PostgresRecorder],
) -> None:
    sqlite, postgres = both
    found: dict[str, set[tuple[str, bool]]] = {}
    for table, column, is_needed in postgres.find(Statement(COLUMNS)):
        found.setdefault(table, set()).add((column, is_needed))
    assert set(tables_in(sqlite)) == set(found)
    for table in set(found) - {"store", "service"}:
        ours = sqlite.find(Statement(f"PRAGMA table_info({table})"))
        assert {(name, bool(is_needed or key)) for _, name, _, is_needed, _, key in ours} == found[table], table


def test_every_key_of_the_service_s_postgres_tables_begins_with_the_partition(
    both: tuple[SqliteRecorder, PostgresRecorder],
) -> None:
    sql = (
        "SELECT c.relname, a.attname FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid"
        " JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]"
        " WHERE c.relnamespace = 'public'::regnamespace"
    )
    keys = both[1].find(Statement(sql))
    assert {table for table, column in keys if column != "partition"} == OF_EVERYBODY
