"""SQL that is written once for both stores, with SQLite's `?` or `:name`, as psycopg reads it."""

from __future__ import annotations

import re
from functools import lru_cache

PARTS = re.compile(r"""('(?:[^']|'')*'|"(?:[^"]|"")*")|(\?)|(?<!:):([a-z_][a-z0-9_]*)|(%)""")
"""A text or a quoted name, a place, a named place, a percent sign. `::` casts."""


@lru_cache(maxsize=1024)
def as_psycopg(sql: str) -> str:
    """The statement with `%s` and `%(name)s` for its places; what is quoted stays."""
    return PARTS.sub(_replaced, sql)


def _replaced(found: re.Match[str]) -> str:
    quoted, place, name, _ = found.groups()
    if quoted is not None:
        return quoted.replace("%", "%%")
    if place:
        return "%s"
    return f"%({name})s" if name else "%%"
