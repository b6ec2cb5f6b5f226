"""SQL with its parameters, made in one place and executed in another: by the transaction that it is a part of."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any

Statement = tuple[str, tuple[Any, ...]]


def execute(connection: sqlite3.Connection, statements: Iterable[Statement]) -> None:
    """All of them, in the transaction that is open."""
    for sql, parameters in statements:
        connection.execute(sql, parameters).close()
