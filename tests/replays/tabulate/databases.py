"""Matches tabulated, to be asked."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from replays.log import Log, Viewer
from replays.tables import Tables, rows_of


def written(path: Path, *looks: tuple[Log, Viewer]) -> Path:
    """The database of these matches, each as its viewer sees it."""
    with closing(sqlite3.connect(path)) as database:
        tables = Tables(database)
        for log, viewer in looks:
            tables.add(rows_of(log, viewer))
        tables.finish()
    return path


def asked(path: Path, sql: str, *parameters: object) -> list[dict[str, Any]]:
    """The answer, a row by its columns' names."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(sql, parameters)]
