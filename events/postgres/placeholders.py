"""Translates SQL with SQLite's placeholders, `?` and `:name`, which serves both stores, into psycopg's."""

from __future__ import annotations

import re
from functools import lru_cache

PARTS = re.compile(r"""('(?:[^']|'')*'|"(?:[^"]|"")*")|(\?)|(?<!:):([a-z_][a-z0-9_]*)|(%)""")
"""Matches a text or quoted name, a `?`, a `:name`, a percent sign. `::` is a cast, and no placeholder."""


@lru_cache(maxsize=1024)
def as_psycopg(sql: str) -> str:
    """Return the statement with `%s` and `%(name)s` as placeholders; quoted parts stay as they are."""
    return PARTS.sub(_replaced, sql)


def _replaced(match: re.Match[str]) -> str:
    quoted, place, name, _ = match.groups()
    if quoted is not None:
        return quoted.replace("%", "%%")
    if place:
        return "%s"
    return f"%({name})s" if name else "%%"
