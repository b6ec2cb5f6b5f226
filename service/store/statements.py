"""How the service's own tables are read and changed: queries, and declared statements.

A statement that changes tables is declared by its SQL and the names of the values that it takes. A declared statement
is a function: called with its values, it returns the `Statement` to be executed in a transaction.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from events.store import Reader, Row, Statement

T = TypeVar("T")

PLACEHOLDER = re.compile(r"(?<![:\w]):(\w+)")

DECLARED: list[str] = []
"""The SQL of all of them."""

THE_MATCH = "partition = :partition AND match = :match"
THE_SEAT = f"{THE_MATCH} AND seat = :seat"
IS_ASKED_ITSELF = "player IS NOT NULL AND stand_in IS NULL AND resigned = 0"
"""What `Chair.is_asked_itself` says, of a row of `seats`."""
FAIL = "INSERT INTO players (id, name, kind, created) SELECT NULL, '', '', ''"
"""With a condition behind it: fails the transaction, by MissingValue, where that holds."""

NEWEST = ("~", "")
"""The place before a list in which the newest row comes first."""

READ: dict[str, str] = {}
"""The SQL that was read from files, by `FILE.NAME`."""


def read_sql(file: str, **values: str) -> dict[str, str]:
    """Return the statements, and parts of statements, of `FILE.sql`, by the name in the line above each.

    Shape:   `{name}` stands for an earlier one, for one of `values`, or for a part that is defined above.
    Raises:  KeyError when nothing has the name.
    """
    read = {"the_match": THE_MATCH, "the_seat": THE_SEAT, "fail": FAIL, "is_asked_itself": IS_ASKED_ITSELF, **values}
    text = Path(__file__).with_name(f"{file}.sql").read_text(encoding="utf-8")
    for part in text.split("\n-- name: ")[1:]:
        name, *lines = part.splitlines()
        read[name] = "\n".join(line for line in lines if not line.startswith("--")).strip().format(**read)
        READ[f"{file}.{name}"] = read[name]
    return read


def statements(names: str, *lines: str, **defaults: object) -> Callable[..., list[Statement]]:
    """Return the function that makes statements which belong together, of values in the order of these names.

    Shape:   each statement gets the values of its own placeholders; a truth value becomes a number. A struct gives its
             fields that have these names, and other values the names that are left. If no value is named `partition`,
             that of the first name determines the partition of statements that have `:partition`. `defaults`: values
             that may be left out.
    Raises:  TypeError when it is called with other values than those of the names.
    """
    known, used = names.split(), [frozenset(PLACEHOLDER.findall(sql)) for sql in lines]
    DECLARED.extend(lines)
    all_used = frozenset().union(*used)
    assert {*known[1:]} <= all_used <= {*known, "partition"}, f"{names}: {lines}"

    def make(*values: object, **more: object) -> list[Statement]:
        structs = [value for value in values if isinstance(value, msgspec.Struct)]
        rest = [value for value in values if not isinstance(value, msgspec.Struct)] if structs else values
        told = {name: getattr(struct, name) for struct in structs for name in struct.__struct_fields__ if name in known}
        left = [name for name in known if name not in told] if told else known
        given = {**defaults, **told, **dict(zip(left, rest, strict=False)), **more}
        if len(rest) > len(left) or given.keys() != {*known}:
            raise TypeError(f"the statement takes {names}, not {', '.join(given)}")
        named = {name: int(value) if isinstance(value, bool) else value for name, value in given.items()}
        home = str(named[known[0]]) if "partition" not in named else ""
        return [
            Statement(sql, {name: named[name] for name in named if name in own}, home if "partition" in own else "")
            for sql, own in zip(lines, used, strict=True)
        ]

    return make


def statement(names: str, sql: str, **defaults: object) -> Callable[..., Statement]:
    """Return the function that makes one statement: see `statements`."""
    make = statements(names, sql, **defaults)
    return lambda *values, **more: make(*values, **more)[0]


def insert(table: str, columns: str, end: str = "", **defaults: object) -> Callable[..., Statement]:
    """Return the function that makes the statement which inserts a row of values for these columns."""
    names = columns.split()
    sql = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(f':{name}' for name in names)}) {end}".rstrip()
    return statement(" ".join(name for name in names if name != "partition"), sql, **defaults)


def reading(kind: type[T]) -> Callable[[Row], T]:
    """Return the function that makes such a struct of a row, whose values are its fields in their order.

    SQLite has numbers for truth values.
    """
    assert issubclass(kind, msgspec.Struct)
    fields = [(field.name, field.type is bool) for field in msgspec.structs.fields(kind)]

    def read(row: Row) -> T:
        values = zip(fields, row, strict=False)
        return kind(**{name: bool(value) if is_truth else value for (name, is_truth), value in values})

    return read


class Queries:
    """Reads tables of a store."""

    def __init__(self, store: Reader) -> None:
        self._store = store

    def _find(self, sql: str, **named: object) -> list[Row]:
        """Return the rows that the query selects from tables without partitions."""
        return self._store.find(Statement(sql, named))

    def _in_match(self, sql: str, match_id: str, **named: object) -> list[Row]:
        """Return the rows that the query selects in the match's partition."""
        return self._store.find(Statement(sql, {"match": match_id, **named}, match_id))

    def _first(
        self, most: int, read: Callable[[Row], T], order: str, sql: str, named: dict[str, Any], *, is_last: bool = False
    ) -> tuple[T, ...]:
        """Return what is read from rows of all partitions: at most `most`, the first (or last) by these attributes."""
        values = map(read, self._store.find_everywhere(sql, limit=most, **named))
        return tuple(sorted(values, key=attrgetter(*order.split()), reverse=is_last)[:most])
